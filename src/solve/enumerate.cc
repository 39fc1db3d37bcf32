// Breadth-first enumeration by several threads, in rounds of two steps.
//
// States are packed (state_packing.h) and spread over tables by their hash. In the first step every
// thread takes states of the current layer and puts the packed successors by every joint move into
// a buffer per table, until its buffers are full. In the second step every table takes what the
// buffers hold for it. So a table is changed by one thread at a time and read by all without
// locks, and looking up comes in runs whose memory is fetched ahead. No edges are stored. The
// states of a layer are the newest of each table, a range of numbers; which state has which number
// depends on the threads, how many there are in a layer does not.

#include "solve/enumerate.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <span>
#include <utility>

#include "dd/team.h"
#include "machine/perft.h"
#include "solve/state_packing.h"
#include "solve/state_table.h"

namespace zermelo::solve {
namespace {

using Clock = std::chrono::steady_clock;
using machine::Move;
using Tables = std::vector<StateTable>;

constexpr unsigned table_bits = 6;
constexpr std::size_t tables = std::size_t{1} << table_bits;
constexpr std::size_t full_buffers = std::size_t{1} << 16;  // successors in the buffers of a thread

std::size_t table_of(std::uint64_t hash) { return hash >> (64 - table_bits); }

// The states with these numbers of each table.
struct Layer {
  std::array<StateIndex, tables> begin = {}, end = {};
  std::array<std::uint64_t, tables + 1> before = {};  // states in smaller tables

  static Layer from(const std::array<StateIndex, tables>& begin, const Tables& all) {
    Layer layer;
    layer.begin = begin;
    for (std::size_t t = 0; t < tables; ++t) {
      layer.end[t] = all[t].size();
      layer.before[t + 1] = layer.before[t] + (layer.end[t] - begin[t]);
    }
    return layer;
  }
  std::uint64_t size() const { return before.back(); }
  StateTable::Words state(const Tables& all, std::uint64_t place) const {
    const auto after = std::upper_bound(before.begin(), before.end(), place);
    const auto table = static_cast<std::size_t>(after - before.begin()) - 1;
    return all[table][begin[table] + static_cast<StateIndex>(place - before[table])];
  }
};

// One thread's part: from states of the layer to buffers of successors.
class Expander {
 public:
  Expander(std::shared_ptr<const machine::Machine> machine, const StatePacking& packing,
           const EnumerateOptions& options)
      : cursor_(machine),
        packing_(packing),
        options_(options),
        state_(machine->game().fluents.size()),
        successor_(packing.state_words()),
        packed_(packing.words()),
        legal_(machine->roles().size()) {}

  // Takes states at `next` until there are no more, the buffers are full, or a limit is reached.
  void fill(const Tables& all, const Layer& layer, std::atomic<std::uint64_t>& next) {
    while (buffered_ < full_buffers && !stopped_) {
      constexpr std::uint64_t run = 64;
      const std::uint64_t begin = next.fetch_add(run);
      if (begin >= layer.size()) return;
      const std::uint64_t end = std::min(begin + run, layer.size());
      for (std::uint64_t i = begin; i < end && !stopped_; ++i) expand(layer.state(all, i));
    }
  }

  // Puts the successors that belong to the table there.
  void empty_into(StateTable& table, std::size_t number) {
    std::vector<std::uint64_t>& buffer = buffers_[number];
    const std::size_t length = packing_.words() + 1;
    constexpr std::size_t ahead = 8;
    for (std::size_t at = 0; at < buffer.size(); at += length) {
      const std::size_t later = at + ahead * length;
      if (later < buffer.size()) table.prefetch(buffer[later]);
      table.insert({&buffer[at + 1], packing_.words()}, buffer[at]);
    }
    buffer.clear();
  }
  void emptied() { buffered_ = 0; }

  std::uint64_t take_terminal() { return std::exchange(terminal_, 0); }
  std::optional<base::ErrorKind> stopped() const { return stopped_; }

 private:
  void expand(StateTable::Words packed) {
    packing_.unpack(packed, state_.words());
    cursor_.reset(state_);
    if (cursor_.terminal()) {
      ++terminal_;
      if (!options_.continue_past_terminal) return;
    }
    for (std::size_t role = 0; role < legal_.size(); ++role) {
      const std::span<const Move> legal = cursor_.legal(role);
      legal_[role].assign(legal.begin(), legal.end());
    }
    machine::for_each_joint_move(legal_, [&](std::span<const Move> joint) {
      follow(packed, joint);
      return !stopped_;
    });
  }

  void follow(StateTable::Words packed, std::span<const Move> joint) {
    cursor_.copy_successor(joint, successor_);
    std::copy(packed.begin(), packed.end(), packed_.begin());
    packing_.change(state_.words(), successor_, packed_);
    const std::uint64_t hash = StateTable::hash(packed_);
    std::vector<std::uint64_t>& buffer = buffers_[table_of(hash)];
    buffer.push_back(hash);
    buffer.insert(buffer.end(), packed_.begin(), packed_.end());
    ++buffered_;
    if (++steps_ % 4096 == 0) stopped_ = options_.limits.exceeded();
  }

  machine::Cursor cursor_;
  const StatePacking& packing_;
  const EnumerateOptions& options_;
  machine::State state_;                  // the one that is expanded
  std::vector<std::uint64_t> successor_;  // its words
  std::vector<std::uint64_t> packed_;     // the same, packed
  std::vector<std::vector<Move>> legal_;  // by role
  // By table: hash and packed state, one after the other.
  std::array<std::vector<std::uint64_t>, tables> buffers_;
  std::size_t buffered_ = 0;
  std::uint64_t terminal_ = 0;
  std::uint64_t steps_ = 0;
  std::optional<base::ErrorKind> stopped_;
};

class Enumerator {
 public:
  Enumerator(std::shared_ptr<const machine::Machine> machine, const EnumerateOptions& options)
      : options_(options),
        packing_(machine->game().fluents.size(), options.groups),
        team_(std::max(1u, options.threads)),
        known_(new_tables()) {
    for (unsigned t = 0; t < team_.size(); ++t) expanders_.emplace_back(machine, packing_, options);
    add_initial(machine::Stepper(machine).initial_state());
    result_.bits_per_state = packing_.bits();
  }

  Enumeration run() {
    Layer layer = Layer::from({}, known_);
    while (layer.size() > 0) {
      result_.layers.push_back({layer.size(), std::nullopt, seconds_since_last()});
      result_.stopped = options_.limits.exceeded();
      Layer next = result_.stopped ? layer : expand(layer);
      if (result_.stopped || result_.too_many) break;
      report_layer();
      layer = next;
    }
    return std::move(result_);
  }

 private:
  Tables new_tables() const {
    Tables result;
    for (std::size_t t = 0; t < tables; ++t) result.emplace_back(packing_.words());
    return result;
  }

  void add_initial(const machine::State& initial) {
    std::vector<std::uint64_t> packed(packing_.words());
    packing_.pack(initial.words(), packed);
    known_[table_of(StateTable::hash(packed))].insert(packed);
  }

  // The layer after this one.
  Layer expand(const Layer& layer) {
    if (!options_.duplicate_detection) {
      previous_ = std::move(known_);
      known_ = new_tables();
    }
    const Tables& parents = options_.duplicate_detection ? known_ : previous_;
    std::atomic<std::uint64_t> next = 0;
    while (next < layer.size() && !result_.stopped && !result_.too_many) {
      team_.run(expanders_.size(), [&](unsigned thread, std::size_t) {
        expanders_[thread].fill(parents, layer, next);
      });
      team_.run(tables, [&](unsigned, std::size_t table) {
        for (Expander& expander : expanders_) expander.empty_into(known_[table], table);
      });
      for (Expander& expander : expanders_) {
        expander.emptied();
        if (expander.stopped()) result_.stopped = expander.stopped();
      }
      result_.too_many = Layer::from({}, known_).size() > options_.most_states;
    }
    return Layer::from(options_.duplicate_detection ? layer.end : decltype(layer.end){}, known_);
  }

  void report_layer() {
    std::uint64_t terminal = 0;
    for (Expander& expander : expanders_) terminal += expander.take_terminal();
    result_.layers.back().terminal = terminal;
    if (options_.on_layer) options_.on_layer(result_.layers.back());
  }

  double seconds_since_last() {
    const auto now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

  const EnumerateOptions& options_;
  StatePacking packing_;
  dd::Team team_;
  Tables known_, previous_;
  std::vector<Expander> expanders_;
  Clock::time_point last_ = Clock::now();
  Enumeration result_;
};

}  // namespace

std::uint64_t Enumeration::states() const {
  return std::accumulate(
      layers.begin(), layers.end(), std::uint64_t{0},
      [](std::uint64_t sum, const LayerCount& layer) { return sum + layer.states; });
}

Enumeration enumerate(std::shared_ptr<const machine::Machine> machine,
                      const EnumerateOptions& options) {
  return Enumerator(std::move(machine), options).run();
}

}  // namespace zermelo::solve
