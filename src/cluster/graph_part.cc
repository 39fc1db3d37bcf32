// The layers are explored as in enumerate.cc: the owner of a state expands it, and successors
// travel in batches to their owners. With each successor travels the number of its predecessor,
// which the owner notes; so no answer is needed, and edges are stored once, at the end where
// retrograde analysis needs them. Equal successors of a state are removed before they are sent, so
// that every edge is noted once.

#include "cluster/graph_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error_name.h"
#include "cluster/exchange.h"
#include "cluster/owner.h"
#include "solve/explicit/turn_expansion.h"

namespace zermelo::cluster {
namespace {

using solve::Rewards;
using solve::StateTable;
using solve::TurnExpander;
using Words = StateTable::Words;

// All rewards of all ranks, descending.
std::vector<Rewards> merge_outcomes(Channel& channel, const std::map<Rewards, Outcome>& own) {
  ByteWriter writer;
  for (const auto& [rewards, outcome] : own) writer.put_list(rewards);
  std::set<Rewards, std::greater<>> all;
  for (const Bytes& bytes : channel.gather(writer.take())) {
    for (ByteReader reader(bytes); !reader.at_end();) all.insert(reader.get_list<int>());
  }
  for (const Rewards& rewards : all) writer.put_list(rewards);
  const Bytes merged = channel.broadcast(writer.take());
  std::vector<Rewards> outcomes;
  for (ByteReader reader(merged); !reader.at_end();) outcomes.push_back(reader.get_list<int>());
  return outcomes;
}

class PartExplorer {
 public:
  PartExplorer(Channel& channel, std::shared_ptr<const machine::Machine> machine,
               const base::Limits& limits)
      : channel_(channel),
        exchange_(channel),
        expander_(std::move(machine), limits),
        received_(expander_.words()),
        part_(expander_.words()) {}

  base::Result<GraphPart> run() {
    const machine::State initial = expander_.initial_state();
    if (owner(initial.words()) == channel_.rank()) part_.states.insert(initial.words());
    part_.first_of_layer.push_back(0);
    for (std::uint64_t layer_states = 1; layer_states > 0;) {
      expand_layer();
      if (auto error = channel_.first_error(this->error())) return tl::unexpected(*error);
      part_.all_states += layer_states;
      layer_states = channel_.sum({part_.size() - part_.first_of_layer.back()}).front();
    }
    merge();
    return std::move(part_);
  }

 private:
  std::size_t owner(Words state) const {
    return owner_of(StateTable::hash(state), channel_.size());
  }

  // Expands this rank's states of the last layer. Afterwards, the next layer is complete.
  void expand_layer() {
    const auto receive = [this](std::size_t from, ByteReader reader) { insert(from, reader); };
    const StateIndex end = part_.size();
    const std::size_t steps = part_.first_of_layer.size() - 1;
    for (StateIndex begin = part_.first_of_layer.back(); begin < end && !is_over();) {
      const StateIndex some = std::min<StateIndex>(end - begin, lanes::lane_count);
      expand(steps, begin, some);
      begin += some;
      exchange_.poll(receive);
    }
    exchange_.finish(receive);
    part_.first_of_layer.push_back(end);
  }

  void expand(std::size_t steps, StateIndex begin, StateIndex count) {
    states_.clear();
    for (StateIndex i = 0; i < count; ++i) states_.push_back(part_.states[begin + i]);
    expander_.expand(steps, states_);
    if (expander_.is_over()) return;
    std::size_t at = 0;
    for (StateIndex i = 0; i < count && !is_over(); ++i) {
      const TurnExpander::Expanded& expanded = expander_.expanded()[i];
      const std::size_t different = send_different(begin + i, at, expanded.moves);
      at += expanded.moves * expander_.words();
      part_.successors.push_back(static_cast<std::uint32_t>(different));
      part_.movers.push_back(different > 1 ? static_cast<Mover>(expanded.mover) : solve::nobody);
      part_.terminal.push_back(expanded.is_terminal ? outcome(expanded.rewards)
                                                    : solve::unknown_outcome);
      expander_.stop_at_limit();
    }
  }

  // Sends the successors from `at` on to their owners, equal ones once. Returns their number.
  std::size_t send_different(StateIndex state, std::size_t at, std::size_t moves) {
    const std::size_t words = expander_.words();
    different_.clear();
    for (std::size_t move = 0; move < moves; ++move) {
      different_.push_back(
          std::span<const std::uint64_t>(expander_.successors()).subspan(at + move * words, words));
    }
    const auto less = [](Words a, Words b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    const auto equal = [](Words a, Words b) { return std::equal(a.begin(), a.end(), b.begin()); };
    std::sort(different_.begin(), different_.end(), less);
    different_.erase(std::unique(different_.begin(), different_.end(), equal), different_.end());
    for (const Words successor : different_) send(state, successor);
    return different_.size();
  }

  void send(StateIndex state, Words successor) {
    const std::size_t to = owner(successor);
    if (to == channel_.rank()) return insert(to, state, successor);
    ByteWriter& batch = exchange_.begin(to);
    batch.put(state);
    batch.put_all(successor);
  }

  void insert(std::size_t from, ByteReader& reader) {
    while (!reader.at_end()) {
      const auto predecessor = reader.get<StateIndex>();
      reader.get_all(std::span<std::uint64_t>(received_));
      insert(from, predecessor, received_);
    }
  }

  void insert(std::size_t from, StateIndex predecessor, Words state) {
    if (has_too_many()) return;
    part_.predecessors.add(part_.states.insert(state), from, predecessor);
  }

  // The number is of this rank until merge().
  Outcome outcome(const Rewards& rewards) {
    return outcome_of_.try_emplace(rewards, static_cast<Outcome>(outcome_of_.size())).first->second;
  }

  void merge() {
    part_.outcomes = merge_outcomes(channel_, outcome_of_);
    std::vector<Outcome> place(outcome_of_.size());
    for (const auto& [rewards, outcome] : outcome_of_) {
      const auto found = std::find(part_.outcomes.begin(), part_.outcomes.end(), rewards);
      place[outcome] = static_cast<Outcome>(found - part_.outcomes.begin());
    }
    for (Outcome& outcome : part_.terminal) {
      if (outcome != solve::unknown_outcome) outcome = place[outcome];
    }
  }

  bool has_too_many() const {
    return part_.size() >= StateTable::max_states || part_.predecessors.is_full();
  }
  bool is_over() const { return expander_.is_over() || has_too_many(); }

  std::optional<base::Error> error() const {
    if (expander_.refusal()) return expander_.refusal();
    if (has_too_many()) {
      return base::Error{base::ErrorKind::memory_limit,
                         "a rank supports at most 4 billion states and moves; use more ranks"};
    }
    if (!expander_.limit()) return std::nullopt;
    return base::limit_error(*expander_.limit(),
                             fmt::format("after {} states of rank {}, {} of them expanded",
                                         part_.size(), channel_.rank(), part_.movers.size()));
  }

  Channel& channel_;
  Exchange exchange_;
  TurnExpander expander_;
  std::vector<Words> states_;            // being expanded
  std::vector<Words> different_;         // successors of one state
  std::vector<std::uint64_t> received_;  // a state
  std::map<Rewards, Outcome> outcome_of_;
  GraphPart part_;
};

}  // namespace

void PredecessorLists::add(StateIndex state, std::size_t rank, StateIndex predecessor) {
  if (state >= newest_.size()) newest_.resize(state + std::size_t{1}, none);
  const std::size_t place = edges_ % block_size;
  if (place == 0) blocks_.push_back(std::make_unique<Block>());
  Block& block = *blocks_.back();
  block.next[place] = newest_[state];
  block.predecessors[place] = predecessor;
  block.ranks[place] = static_cast<std::uint16_t>(rank);
  newest_[state] = edges_++;
}

base::Result<GraphPart> explore(Channel& channel, std::shared_ptr<const machine::Machine> machine,
                                const base::Limits& limits) {
  return PartExplorer(channel, std::move(machine), limits).run();
}

}  // namespace zermelo::cluster
