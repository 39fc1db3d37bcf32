// LOCALSEARCH of "Factoring General Games" (Figure 4), breadth-first and with duplicate detection.
// What a plan can still become depends on its local state and its sequence of terminal evaluations
// alone, so plans that agree in both are one node. The paper searches a tree.
//
// The paper's signature is the evaluation of the last state and the sequence of terminal
// evaluations without repetitions. That is not enough to exchange one plan for another:
//
// - If the game ends by the time, a plan must have the right number of moves, not the smallest. So
//   the length is part of the signature if the time matters, and one plan of every length is kept.
// - The moves after the last change of the terminal evaluation must be made before the game ends,
//   but the change itself may be what ends it. So the signature says whether there are such moves.
// - If the time changes what ends the game on the way, it matters when evaluations change. Then
//   repetitions are not omitted ("exact times"). The same holds for parallel games, in which all
//   parts change at once.
//
// With these, two plans of one signature are exchangeable. Take a global plan that contains the
// first. It visits combinations of terminal evaluations, one after the other. The moves of the
// second plan between two changes can be made together, at the point where the first plan made its
// change, because until then the other parts do not notice them. The number of moves is the same,
// so the time is; and the game ends with the same last combination and the same goal evaluation.
//
// Plans end where the part alone ends the game, and at the horizon of the time.
#include "search/decomposition/local_plans.h"

#include <algorithm>

namespace zermelo::search::decomposition {
namespace {

constexpr std::uint32_t no_node = ~std::uint32_t{0};

}  // namespace

LocalPlans::LocalPlans(FactoredGame& game, std::size_t part)
    : game_(game),
      part_(part),
      has_exact_times_(game.has_phases() || game.is_parallel()),
      graph_(game, part) {
  add({0, extended(0, first_evaluation()), false, 0, no_node, 0});
  layer_ = std::move(next_layer_);
  next_layer_.clear();
}

bool LocalPlans::is_complete() const {
  return layer_.empty() || (game_.horizon() && depth_ >= *game_.horizon());
}

bool LocalPlans::extend(const std::function<bool()>& is_due) {
  if (is_complete()) return true;
  if (extended_ == 0 && (game_.is_timed() || has_exact_times_)) known_.clear();
  const std::size_t before = plans_.size();
  while (extended_ < layer_.size()) {
    if (extended_ % 256 == 255 && is_due()) return false;
    extend(layer_[extended_++]);
    if (plans_.size() > before && extended_ < layer_.size()) return true;
  }
  layer_ = std::move(next_layer_);
  next_layer_.clear();
  extended_ = 0;
  ++depth_;
  return true;
}

void LocalPlans::extend(std::uint32_t index) {
  const Node from = nodes_[index];
  const Evaluation before = graph_.evaluations(from.state).terminal;
  if (game_.ends_alone(part_, before)) return;
  for (const LocalGraph::Edge& edge : graph_.edges(from.state, depth_)) {
    const Evaluation after = graph_.evaluations(edge.to).terminal;
    const bool changes = after != before;
    const bool is_longer = changes || has_exact_times_;
    const Sequence sequence = is_longer ? extended(from.sequence, after) : from.sequence;
    add({edge.to, sequence, changes, edge.move, index, depth_ + 1});
  }
}

void LocalPlans::add(const Node& node) {
  if (!known_.emplace(node.state, node.sequence, node.ends_with_change).second) return;
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  next_layer_.push_back(index);
  const PlanSignature signature{graph_.evaluations(node.state).all, node.sequence,
                                game_.is_timed() ? node.length : 0, node.ends_with_change};
  if (signatures_.insert(signature).second) plans_.push_back({signature, index, node.length});
}

Sequence LocalPlans::extended(Sequence sequence, Evaluation evaluation) {
  const auto next = static_cast<Sequence>(sequences_.size() + 1);
  return sequences_.emplace(std::pair(sequence, evaluation), next).first->second;
}

std::vector<std::uint32_t> LocalPlans::path(std::uint32_t node) const {
  std::vector<std::uint32_t> result;
  for (; node != no_node; node = nodes_[node].parent) result.push_back(node);
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<PlanBlock> LocalPlans::blocks(const LocalPlan& plan) const {
  std::vector<PlanBlock> result;
  bool is_open = false;
  for (const std::uint32_t index : path(plan.node)) {
    if (nodes_[index].parent == no_node) continue;
    if (!is_open) result.emplace_back();
    result.back().moves.push_back(nodes_[index].move);
    result.back().after = graph_.evaluations(nodes_[index].state).terminal;
    is_open = !has_exact_times_ && !nodes_[index].ends_with_change;
  }
  return result;
}

std::vector<State> LocalPlans::states(const LocalPlan& plan) const {
  std::vector<State> result;
  for (const std::uint32_t index : path(plan.node)) {
    result.push_back(graph_.state(nodes_[index].state));
  }
  return result;
}

}  // namespace zermelo::search::decomposition
