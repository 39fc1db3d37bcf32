// Breadth-first enumeration with the states partitioned over ranks (the parallel retrograde and
// reachability literature calls this hash-partitioned or work-by-owner search: Stern and Dill,
// "Parallelizing the Murphi Verifier"; Lake, Schaeffer and Lu use it for endgame databases).
//
// A hash of the packed state says which rank owns it, and only the owner stores it. In every layer,
// each rank expands the states it owns. A successor that belongs to another rank goes into a batch
// for that rank; batches arrive and are inserted while the layer is being expanded, so that
// communication and computation overlap. A layer ends when every rank has received the end of the
// round from all others. Then the ranks add up their numbers, which also decides whether to stop:
// all of them stop after the same layer.
//
// Most successors are found several times within a short while. A small cache of recent ones, by
// hash, keeps a part of these duplicates from being sent or looked up.
//
// Within a rank, states are distributed over many small tables, as in solve/explicit/enumerate.cc:
// successors are collected and then inserted table by table, which keeps the memory in use small.
// The numbers of states in the layers do not depend on the number of ranks.
//
// The states of a layer are the newest of each table, so a folder stores them without an index: one
// file per rank, to which every complete layer is appended. The manifest is replaced afterwards. A
// job that dies leaves the manifest of its last complete layer.

#include "cluster/enumerate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "base/peak_memory.h"
#include "cluster/count_folder.h"
#include "cluster/exchange.h"
#include "cluster/owner.h"
#include "dd/file.h"
#include "gdl/printer.h"
#include "solve/explicit/joint_successors.h"
#include "solve/explicit/state_table.h"

namespace zermelo::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using solve::JointSuccessors;
using solve::StateIndex;
using solve::StateTable;
using Words = StateTable::Words;

constexpr unsigned table_bits = 8;
constexpr std::size_t table_count = std::size_t{1} << table_bits;
constexpr std::size_t full_buffers = std::size_t{1} << 17;  // states that wait for insertion

// The states of one rank, and those that wait to be inserted.
class OwnedStates {
 public:
  explicit OwnedStates(std::size_t words) : entry_words_(words + 1) { clear(); }

  void clear() {
    tables_.clear();
    for (std::size_t t = 0; t < table_count; ++t) tables_.emplace_back(entry_words_ - 1);
  }
  void add(Words state, std::uint64_t hash) {
    std::vector<std::uint64_t>& buffer = buffers_[hash >> (64 - table_bits)];
    buffer.push_back(hash);
    buffer.insert(buffer.end(), state.begin(), state.end());
    if (++buffered_ >= full_buffers) insert_all();
  }
  void insert_all() {
    for (std::size_t t = 0; t < table_count; ++t) insert(tables_[t], buffers_[t]);
    buffered_ = 0;
  }

  using Sizes = std::array<StateIndex, table_count>;
  Sizes sizes() const {
    Sizes sizes;
    for (std::size_t t = 0; t < table_count; ++t) sizes[t] = tables_[t].size();
    return sizes;
  }
  const StateTable& table(std::size_t t) const { return tables_[t]; }

 private:
  void insert(StateTable& table, std::vector<std::uint64_t>& buffer) const {
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

  std::size_t entry_words_;  // hash and state
  std::vector<StateTable> tables_;
  std::array<std::vector<std::uint64_t>, table_count> buffers_;
  std::size_t buffered_ = 0;
};

// The states of a layer that this rank owns, in the order of the tables.
class LayerCursor {
 public:
  LayerCursor(const OwnedStates& states, const OwnedStates::Sizes& begin,
              const OwnedStates::Sizes& end)
      : states_(states), next_(begin), end_(end) {}

  // Takes up to `count` states.
  void take(std::size_t count, std::vector<Words>& taken) {
    taken.clear();
    for (; table_ < table_count; ++table_) {
      while (next_[table_] < end_[table_]) {
        if (taken.size() == count) return;
        taken.push_back(states_.table(table_)[next_[table_]++]);
      }
    }
  }

 private:
  const OwnedStates& states_;
  OwnedStates::Sizes next_, end_;
  std::size_t table_ = 0;
};

// Remembers some recent states.
class RecentStates {
 public:
  explicit RecentStates(std::size_t words) : words_(words), states_(places * words, ~0ull) {}

  // Whether the state was recent; it is now.
  bool has_then_add(Words state, std::uint64_t hash) {
    const auto place =
        states_.begin() + static_cast<std::ptrdiff_t>((hash & (places - 1)) * words_);
    if (std::equal(state.begin(), state.end(), place)) return true;
    std::copy(state.begin(), state.end(), place);
    return false;
  }
  void clear() { std::fill(states_.begin(), states_.end(), ~0ull); }

 private:
  static constexpr std::size_t places = std::size_t{1} << 14;

  std::size_t words_;
  std::vector<std::uint64_t> states_;
};

std::uint64_t number_between(const OwnedStates::Sizes& begin, const OwnedStates::Sizes& end) {
  std::uint64_t number = 0;
  for (std::size_t t = 0; t < table_count; ++t) number += end[t] - begin[t];
  return number;
}

class RankEnumerator {
 public:
  RankEnumerator(Channel& channel, const machine::Machine& machine,
                 const solve::StatePacking& packing, const solve::PackedSteps& steps,
                 const solve::EnumerateOptions& options, CountFolder* folder,
                 CountManifest manifest)
      : channel_(channel),
        exchange_(channel),
        machine_(machine),
        packing_(packing),
        options_(options),
        folder_(folder),
        manifest_(std::move(manifest)),
        successors_(machine, steps, options.continue_past_terminal, options.limits),
        known_(packing.words()),
        previous_(packing.words()),
        recent_(packing.words()) {}

  base::Result<RankedEnumeration> run() {
    if (auto begun = begin(); !begun) return tl::unexpected(begun.error());
    while (layer_states_ > 0) {
      result_.layers.push_back({layer_states_, std::nullopt, seconds_since_last()});
      const auto expanded = expand_layer();
      if (!expanded) return tl::unexpected(expanded.error());
      if (result_.stopped) break;
      if (options_.on_layer) options_.on_layer(result_.layers.back());
    }
    RankedEnumeration ranked{std::move(result_), {}};
    ranked.ranks = gather_reports(channel_, held_states_);
    return ranked;
  }

 private:
  // Puts the initial state, or the stored layers, into the tables of their owners.
  base::Result<void> begin() {
    std::optional<base::Error> error;
    if (manifest_.parts.empty()) {
      begin_new();
      error = store_layer();
    } else {
      error = channel_.first_error(load());
      if (!error) error = store_manifest();
    }
    if (const auto first = channel_.first_error(error)) return tl::unexpected(*first);
    layer_states_ = channel_.sum({number_between(begin_, end_)}).front();
    return {};
  }

  void begin_new() {
    manifest_.rules = gdl::print(*machine_.game().rulesheet, gdl::Syntax::prefix);
    manifest_.continue_past_terminal = options_.continue_past_terminal;
    manifest_.groups = options_.groups;
    manifest_.words = packing_.words();
    manifest_.parts.resize(channel_.size());
    std::vector<std::uint64_t> initial(packing_.words());
    packing_.pack(machine_.game().initial, initial);
    add_if_owned(initial);
    close_layer({});
  }

  bool add_if_owned(Words state) {
    const std::uint64_t hash = StateTable::hash(state);
    if (owner_of(hash, channel_.size()) != channel_.rank()) return false;
    known_.add(state, hash);
    return true;
  }

  // With the same number of ranks, a rank's own file has exactly its states.
  std::optional<base::Error> load() {
    const bool is_repartitioned = manifest_.ranks() != channel_.size();
    const CountManifest stored = manifest_;
    if (is_repartitioned) manifest_.parts.assign(channel_.size(), {});
    for (std::size_t layer = 0; layer <= stored.layers.size(); ++layer) {
      for (std::size_t rank = 0; rank < stored.ranks(); ++rank) {
        if (!is_repartitioned && rank != channel_.rank()) continue;
        const auto words = folder_->read(stored, rank, layer);
        if (!words) return words.error();
        for (std::size_t at = 0; at < words->size(); at += stored.words) {
          add_if_owned(std::span(*words).subspan(at, stored.words));
        }
      }
      known_.insert_all();
      close_layer(std::exchange(end_, {}));
      if (is_repartitioned) {
        if (auto error = append_layer()) return error;
      } else {
        held_states_ += number_between(begin_, end_);
        own_bytes_ = held_states_ * bytes_per_state();
      }
    }
    result_.layers = stored.layers;
    return std::nullopt;
  }

  std::uint64_t bytes_per_state() const { return packing_.words() * sizeof(std::uint64_t); }

  // Everything inserted since `before` is the next layer.
  void close_layer(const OwnedStates::Sizes& before) {
    known_.insert_all();
    begin_ = before;
    end_ = known_.sizes();
  }

  base::Result<void> expand_layer() {
    if (!options_.duplicate_detection) {
      std::swap(previous_, known_);
      known_.clear();
      recent_.clear();
    }
    const bool detects = options_.duplicate_detection;
    LayerCursor cursor(detects ? known_ : previous_, begin_, end_);
    expand(cursor);
    close_layer(detects ? end_ : OwnedStates::Sizes{});
    if (const auto error = channel_.first_error(limit_error())) {
      result_.stopped = error->kind;
      return {};
    }
    const auto sums = channel_.sum({number_between(begin_, end_), successors_.take_terminal()});
    result_.layers.back().terminal = sums[1];
    layer_states_ = sums[0];
    manifest_.layers = result_.layers;
    const auto stored = channel_.first_error(store_layer());
    return stored ? base::Result<void>(tl::unexpected(*stored)) : base::Result<void>();
  }

  std::optional<base::Error> limit_error() const {
    auto limit = successors_.stopped();
    if (!limit) limit = options_.limits.exceeded();
    if (!limit) return std::nullopt;
    return base::Error{*limit, ""};
  }

  void expand(LayerCursor& cursor) {
    const auto route = [this](Words successor) { this->route(successor); };
    const auto receive = [this](std::size_t, ByteReader reader) { insert(reader); };
    const std::size_t steps = result_.layers.size() - 1;
    std::vector<Words> states;
    for (cursor.take(lanes::lane_count, states); !states.empty() && !successors_.stopped();
         cursor.take(lanes::lane_count, states)) {
      successors_.take(steps, states, route);
      while (successors_.is_busy() && !successors_.stopped()) successors_.expand_one(route);
      exchange_.poll(receive);
    }
    successors_.finish(route);
    exchange_.finish(receive);
  }

  void route(Words successor) {
    const std::uint64_t hash = StateTable::hash(successor);
    if (recent_.has_then_add(successor, hash)) return;
    const std::size_t owner = owner_of(hash, channel_.size());
    if (owner == channel_.rank()) {
      known_.add(successor, hash);
    } else {
      exchange_.begin(owner).put_all(successor);
    }
  }

  void insert(ByteReader& reader) {
    std::vector<std::uint64_t> state(packing_.words());
    while (!reader.at_end()) {
      reader.get_all(std::span<std::uint64_t>(state));
      known_.add(state, StateTable::hash(state));
    }
  }

  // Appends the newest layer to the folder, if there is one, and notes it in the manifest.
  std::optional<base::Error> store_layer() {
    held_states_ = number_between({}, known_.sizes());
    if (folder_ == nullptr) return std::nullopt;
    const auto error = channel_.first_error(append_layer());
    return error ? error : store_manifest();
  }

  std::optional<base::Error> append_layer() {
    std::vector<std::uint64_t> words;
    std::vector<Words> states;
    LayerCursor cursor(known_, begin_, end_);
    cursor.take(~std::size_t{0}, states);
    for (const Words state : states) words.insert(words.end(), state.begin(), state.end());
    const auto written = folder_->append(channel_.rank(), channel_.size(), own_bytes_, words);
    const std::uint64_t bytes = words.size() * sizeof(std::uint64_t);
    own_bytes_ += bytes;
    held_states_ = own_bytes_ / bytes_per_state();
    manifest_.parts[channel_.rank()].push_back({states.size(), dd::checksum(words.data(), bytes)});
    return written ? std::nullopt : std::optional(written.error());
  }

  std::optional<base::Error> store_manifest() {
    ByteWriter own;
    own.put_list(manifest_.parts[channel_.rank()]);
    const std::vector<Bytes> all = channel_.gather(own.take());
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      manifest_.parts[rank] = ByteReader(all[rank]).get_list<StoredPart>();
    }
    if (channel_.rank() != 0) return std::nullopt;
    const auto written = folder_->store(manifest_);
    return written ? std::nullopt : std::optional(written.error());
  }

  double seconds_since_last() {
    const auto now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

  Channel& channel_;
  Exchange exchange_;
  const machine::Machine& machine_;
  const solve::StatePacking& packing_;
  const solve::EnumerateOptions& options_;
  CountFolder* folder_;  // null: none
  CountManifest manifest_;
  JointSuccessors successors_;
  OwnedStates known_, previous_;
  RecentStates recent_;
  OwnedStates::Sizes begin_ = {}, end_ = {};  // of this rank's part of the layer
  std::uint64_t layer_states_ = 0;            // of all ranks
  std::uint64_t held_states_ = 0;
  std::uint64_t own_bytes_ = 0;  // in this rank's file
  Clock::time_point last_ = Clock::now();
  solve::Enumeration result_;
};

Bytes groups_as_bytes(const std::vector<analysis::MutexGroup>& groups) {
  ByteWriter writer;
  writer.put<std::uint64_t>(groups.size());
  for (const analysis::MutexGroup& group : groups) {
    writer.put(group.exactly_one);
    writer.put_list(group.fluents);
  }
  return writer.take();
}

std::vector<analysis::MutexGroup> groups_from(const Bytes& bytes) {
  ByteReader reader(bytes);
  std::vector<analysis::MutexGroup> groups(reader.get<std::uint64_t>());
  for (analysis::MutexGroup& group : groups) {
    group.exactly_one = reader.get<bool>();
    group.fluents = reader.get_list<ground::Atom>();
  }
  return groups;
}

// Rank 0 claims the folder; all ranks get its manifest, without parts if there is none.
base::Result<CountManifest> open_folder(Channel& channel, CountFolder& folder,
                                        const machine::Machine& machine,
                                        const solve::EnumerateOptions& options) {
  std::optional<base::Error> error;
  ByteWriter text;
  if (channel.rank() == 0) {
    const auto claimed = folder.claim();
    if (!claimed) error = claimed.error();
    text.put_text(claimed.value_or(""));
  }
  if (auto first = channel.first_error(error)) return tl::unexpected(*first);
  const Bytes bytes = channel.broadcast(text.take());
  const std::string stored = ByteReader(bytes).get_text();
  if (stored.empty()) return CountManifest();
  auto manifest = manifest_from(stored);
  if (!manifest) return manifest;
  if (manifest->rules != gdl::print(*machine.game().rulesheet, gdl::Syntax::prefix)) {
    return base::fail(base::ErrorKind::not_applicable, "the folder holds a count of another game");
  }
  if (manifest->continue_past_terminal != options.continue_past_terminal) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the folder holds a count with another --continue-past-terminal");
  }
  return manifest;
}

}  // namespace

std::vector<RankReport> gather_reports(Channel& channel, std::uint64_t states) {
  ByteWriter own;
  own.put(RankReport{states, base::peak_resident_bytes(), channel.traffic()});
  std::vector<RankReport> reports;
  for (const Bytes& bytes : channel.gather(own.take())) {
    reports.push_back(ByteReader(bytes).get<RankReport>());
  }
  return reports;
}

base::Result<RankedEnumeration> enumerate(Channel& channel,
                                          std::shared_ptr<const machine::Machine> machine,
                                          solve::EnumerateOptions options,
                                          const std::filesystem::path& folder) {
  CountFolder stored(folder);
  CountManifest manifest;
  if (!folder.empty()) {
    auto opened = open_folder(channel, stored, *machine, options);
    if (!opened) return tl::unexpected(opened.error());
    manifest = std::move(*opened);
  }
  const bool resumes = !manifest.parts.empty();
  options.groups =
      groups_from(channel.broadcast(groups_as_bytes(resumes ? manifest.groups : options.groups)));
  const solve::StatePacking packing(machine->game().fluents.size(), options.groups);
  const auto steps = solve::PackedSteps::make(*machine->compiled(), packing, options.limits);
  std::optional<base::Error> error;
  if (!steps) error = steps.error();
  if (const auto first = channel.first_error(error)) {
    RankedEnumeration stopped;
    stopped.found.layers.push_back({1, std::nullopt, 0});
    stopped.found.stopped = first->kind;
    return stopped;
  }
  auto result = RankEnumerator(channel, *machine, packing, *steps, options,
                               folder.empty() ? nullptr : &stored, std::move(manifest))
                    .run();
  if (result) result->found.bits_per_state = packing.bits();
  return result;
}

}  // namespace zermelo::cluster
