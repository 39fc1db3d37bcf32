// Breadth-first enumeration, a block of states at a time (turn_expansion.h). Successors are looked
// up in one table; new ones are expanded later.

#include "solve/explicit/game_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error_name.h"
#include "solve/explicit/turn_expansion.h"

namespace zermelo::solve {
namespace {

using base::ErrorKind;

class Explorer {
 public:
  // Requires fewer states than a table holds.
  Explorer(std::shared_ptr<const machine::Machine> machine, const base::Limits& limits,
           StateIndex max_states, StateReduction* reduction)
      : expander_(machine, limits),
        max_states_(max_states),
        reduction_(reduction),
        reduced_(machine->game().fluents.size()),
        graph_(expander_.words()) {}

  // Returns nullopt if there are more than max_states_.
  base::Result<std::optional<GameGraph>> run() {
    insert(expander_.initial_state().words());
    for (StateIndex begin = 0; begin < graph_.size() && !is_over();) {
      graph_.first_of_layer.push_back(begin);
      const StateIndex end = graph_.size();
      while (begin < end && !is_over()) {
        const StateIndex some = std::min<StateIndex>(end - begin, lanes::lane_count);
        expand(begin, some);
        begin += some;
      }
    }
    if (const auto error = this->error()) return tl::unexpected(*error);
    if (has_too_many()) return std::nullopt;
    graph_.first_edge.push_back(graph_.edges.size());
    graph_.first_of_layer.push_back(graph_.size());
    sort_outcomes();
    return std::move(graph_);
  }

 private:
  // Expands `count` states of the last layer.
  void expand(StateIndex begin, StateIndex count) {
    states_.clear();
    for (StateIndex i = 0; i < count; ++i) states_.push_back(graph_.states[begin + i]);
    expander_.expand(graph_.first_of_layer.size() - 1, states_);
    if (!expander_.is_over()) insert_successors();
    if (!is_over()) add_to_graph();
  }

  void insert_successors() {
    successors_.clear();
    const std::size_t words = expander_.words();
    const std::span<const std::uint64_t> all = expander_.successors();
    for (std::size_t at = 0; at < all.size() && !has_too_many(); at += words) {
      successors_.push_back(insert(all.subspan(at, words)));
    }
  }

  StateIndex insert(StateTable::Words words) {
    if (reduction_ == nullptr) return graph_.states.insert(words);
    std::copy(words.begin(), words.end(), reduced_.words().begin());
    reduction_->reduce(reduced_);
    return graph_.states.insert(reduced_.words());
  }

  void add_to_graph() {
    auto successor = successors_.begin();
    for (const TurnExpander::Expanded& expanded : expander_.expanded()) {
      if (expander_.stop_at_limit()) return;
      const std::size_t first = graph_.edges.size();
      graph_.first_edge.push_back(first);
      graph_.terminal.push_back(expanded.is_terminal ? outcome(expanded.rewards) : unknown_outcome);
      graph_.terminal_states += expanded.is_terminal ? 1 : 0;
      const auto next = successor + static_cast<std::ptrdiff_t>(expanded.moves);
      graph_.edges.insert(graph_.edges.end(), successor, next);
      successor = next;
      keep_different_edges(first);
      const bool is_choice = graph_.edges.size() > first + 1;
      graph_.movers.push_back(is_choice ? static_cast<Mover>(expanded.mover) : nobody);
    }
  }

  Outcome outcome(const Rewards& rewards) {
    const auto [entry, is_new] =
        outcome_of_.try_emplace(rewards, static_cast<Outcome>(graph_.outcomes.size()));
    if (is_new) graph_.outcomes.push_back(rewards);
    return entry->second;
  }

  // The order of outcomes then depends only on the game.
  void sort_outcomes() {
    std::vector<Outcome> place(graph_.outcomes.size());
    graph_.outcomes.clear();
    for (auto entry = outcome_of_.rbegin(); entry != outcome_of_.rend(); ++entry) {
      place[entry->second] = static_cast<Outcome>(graph_.outcomes.size());
      graph_.outcomes.push_back(entry->first);
    }
    for (Outcome& outcome : graph_.terminal) {
      if (outcome != unknown_outcome) outcome = place[outcome];
    }
  }

  void keep_different_edges(std::size_t first) {
    const auto begin = graph_.edges.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, graph_.edges.end());
    graph_.edges.erase(std::unique(begin, graph_.edges.end()), graph_.edges.end());
  }

  std::optional<base::Error> error() const {
    if (expander_.refusal()) return expander_.refusal();
    if (!expander_.limit()) return std::nullopt;
    return base::limit_error(*expander_.limit(),
                             fmt::format("after {} states, {} of them expanded", graph_.size(),
                                         graph_.first_edge.size()));
  }

  bool has_too_many() const { return graph_.size() > max_states_; }
  bool is_over() const { return expander_.is_over() || has_too_many(); }

  TurnExpander expander_;
  StateIndex max_states_;
  StateReduction* reduction_;  // null: none
  machine::State reduced_;
  std::vector<StateTable::Words> states_;  // being expanded
  std::vector<StateIndex> successors_;     // by state and followed move, with duplicates
  std::map<Rewards, Outcome> outcome_of_;
  GameGraph graph_;
};

}  // namespace

base::Result<GameGraph> explore(std::shared_ptr<const machine::Machine> machine,
                                const base::Limits& limits, StateReduction* reduction) {
  constexpr StateIndex max_states = StateTable::max_states - 1;
  auto graph = explore_up_to(max_states, std::move(machine), limits, reduction);
  if (!graph) return tl::unexpected(graph.error());
  if (!*graph) {
    return base::fail(ErrorKind::memory_limit,
                      fmt::format("the explicit engine supports at most {} states", max_states));
  }
  return std::move(**graph);
}

base::Result<std::optional<GameGraph>> explore_up_to(
    StateIndex max_states, std::shared_ptr<const machine::Machine> machine,
    const base::Limits& limits, StateReduction* reduction) {
  return Explorer(std::move(machine), limits, max_states, reduction).run();
}

}  // namespace zermelo::solve
