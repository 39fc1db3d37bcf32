// Breadth-first enumeration with several threads, in rounds of two steps.
//
// States are packed (state_packing.h) and distributed over tables by their hash. In the first step,
// every thread takes states of the current layer, 256 at a time (packed_steps.h), and puts the
// successors by every joint move into one buffer per table, until its buffers are full. In the
// second step, every table inserts the successors that the buffers hold for it. So a table is
// changed by one thread at a time and read by all without locks, and lookups come in batches that
// can be prefetched. No edges are stored. The states of a layer are the newest of each table, a
// range of numbers. The numbers of states depend on the threads; the sizes of layers do not.

#include "solve/explicit/enumerate.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <utility>

#include "dd/team.h"
#include "solve/explicit/joint_successors.h"
#include "solve/explicit/packed_steps.h"
#include "solve/explicit/state_packing.h"
#include "solve/explicit/state_table.h"

namespace zermelo::solve {
namespace {

using Clock = std::chrono::steady_clock;
using Tables = std::vector<StateTable>;

constexpr unsigned table_bits = 8;
constexpr std::size_t tables = std::size_t{1} << table_bits;
constexpr std::size_t full_buffers = std::size_t{1} << 18;  // successors in the buffers of a thread

std::size_t table_of(std::uint64_t hash) { return hash >> (64 - table_bits); }

// A range of state numbers of each table.
struct LayerRange {
  std::size_t number = 0;
  std::array<StateIndex, tables> begin = {}, end = {};
  std::array<std::uint64_t, tables + 1> before = {};  // by table, states in tables before it

  static LayerRange from(const std::array<StateIndex, tables>& begin, const Tables& all) {
    LayerRange layer;
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

// The work of one thread: from states of the layer to buffers of successors.
class Expander {
 public:
  Expander(const machine::Machine& machine, const PackedSteps& steps,
           const EnumerateOptions& options)
      : successors_(machine, steps, options.continue_past_terminal, options.limits),
        entry_words_(steps.words() + 1) {}

  // Takes states from `next` on until none are left, the buffers are full, or a limit is reached.
  void fill(const Tables& all, const LayerRange& layer, std::atomic<std::uint64_t>& next) {
    const auto keep = [this](StateTable::Words successor) { buffer(successor); };
    while (buffered_ < full_buffers && !stopped()) {
      if (!is_busy() && !take(all, layer, next, keep)) break;
      successors_.expand_one(keep);
    }
    successors_.finish(keep);
  }
  // Whether some states were taken but not yet expanded.
  bool is_busy() const { return successors_.is_busy(); }

  // Inserts the successors that belong to the table.
  void empty_into(StateTable& table, std::size_t number) {
    std::vector<std::uint64_t>& buffer = buffers_[number];
    for (std::size_t at = 0; at < buffer.size(); at += entry_words_) {
      const auto later = [&](std::size_t entries) {
        return buffer[std::min(at + entries * entry_words_, buffer.size() - entry_words_)];
      };
      table.prefetch_slot(later(16));
      table.prefetch_state(later(8));
      table.insert({&buffer[at + 1], entry_words_ - 1}, buffer[at]);
    }
    buffer.clear();
  }
  void emptied() { buffered_ = 0; }

  std::uint64_t take_terminal() { return successors_.take_terminal(); }
  std::optional<base::ErrorKind> stopped() const { return successors_.stopped(); }

 private:
  // Takes states and finds their moves. Returns whether there were any.
  template <class Keep>
  bool take(const Tables& all, const LayerRange& layer, std::atomic<std::uint64_t>& next,
            const Keep& keep) {
    const std::uint64_t begin = next.fetch_add(lanes::lane_count);
    const std::uint64_t end = std::min(begin + lanes::lane_count, layer.size());
    states_.clear();
    for (std::uint64_t i = begin; i < end; ++i) states_.push_back(layer.state(all, i));
    if (states_.empty()) return false;
    successors_.take(layer.number, states_, keep);
    return true;
  }

  void buffer(StateTable::Words successor) {
    const std::uint64_t hash = StateTable::hash(successor);
    std::vector<std::uint64_t>& buffer = buffers_[table_of(hash)];
    buffer.push_back(hash);
    buffer.insert(buffer.end(), successor.begin(), successor.end());
    ++buffered_;
  }

  JointSuccessors successors_;
  std::size_t entry_words_;                // hash and state
  std::vector<StateTable::Words> states_;  // taken from the layer
  // By table: hash and packed state, one after the other.
  std::array<std::vector<std::uint64_t>, tables> buffers_;
  std::size_t buffered_ = 0;
};

class Enumerator {
 public:
  Enumerator(const machine::Machine& machine, const StatePacking& packing, const PackedSteps& steps,
             const EnumerateOptions& options)
      : options_(options),
        words_(packing.words()),
        team_(std::max(1u, options.threads)),
        known_(new_tables()) {
    for (unsigned t = 0; t < team_.size(); ++t) expanders_.emplace_back(machine, steps, options);
    std::vector<std::uint64_t> initial(words_);
    packing.pack(machine.game().initial, initial);
    known_[table_of(StateTable::hash(initial))].insert(initial);
  }

  Enumeration run() {
    LayerRange layer = LayerRange::from({}, known_);
    while (layer.size() > 0) {
      result_.layers.push_back({layer.size(), std::nullopt, seconds_since_last()});
      result_.stopped = options_.limits.exceeded();
      LayerRange next = result_.stopped ? layer : expand(layer);
      if (result_.stopped || result_.too_many) break;
      report_layer();
      layer = next;
    }
    return std::move(result_);
  }

 private:
  Tables new_tables() const {
    Tables result;
    for (std::size_t t = 0; t < tables; ++t) result.emplace_back(words_);
    return result;
  }

  // Returns the next layer.
  LayerRange expand(const LayerRange& layer) {
    if (!options_.duplicate_detection) {
      previous_ = std::move(known_);
      known_ = new_tables();
    }
    const Tables& parents = options_.duplicate_detection ? known_ : previous_;
    std::atomic<std::uint64_t> next = 0;
    while ((next < layer.size() || any_busy()) && !result_.too_many) {
      team_.run(expanders_.size(), [&](unsigned thread, std::size_t) {
        expanders_[thread].fill(parents, layer, next);
      });
      for (const Expander& expander : expanders_) {
        if (expander.stopped()) result_.stopped = expander.stopped();
      }
      // One state may have millions of successors: at the memory limit they are not inserted.
      if (result_.stopped) break;
      team_.run(tables, [&](unsigned, std::size_t table) {
        for (Expander& expander : expanders_) expander.empty_into(known_[table], table);
      });
      for (Expander& expander : expanders_) expander.emptied();
      const std::uint64_t before = options_.duplicate_detection ? 0 : result_.states();
      result_.too_many = before + LayerRange::from({}, known_).size() > options_.max_states;
    }
    LayerRange result =
        LayerRange::from(options_.duplicate_detection ? layer.end : decltype(layer.end){}, known_);
    result.number = layer.number + 1;
    return result;
  }

  bool any_busy() const {
    return std::any_of(expanders_.begin(), expanders_.end(),
                       [](const Expander& expander) { return expander.is_busy(); });
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
  std::size_t words_;  // of a state
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
  const StatePacking packing(machine->game().fluents.size(), options.groups);
  const auto steps = PackedSteps::make(*machine->compiled(), packing, options.limits);
  Enumeration found;
  if (steps) {
    found = Enumerator(*machine, packing, *steps, options).run();
  } else {
    found.layers.push_back({1, std::nullopt, 0});
    found.stopped = steps.error().kind;
  }
  found.bits_per_state = packing.bits();
  return found;
}

}  // namespace zermelo::solve
