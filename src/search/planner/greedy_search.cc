// Lazy greedy best-first search as in LAMA (Richter and Westphal 2010): a node is estimated when it
// is expanded, and its successors are queued with its estimates. Two estimates, the length of a
// relaxed plan (h-FF) and the number of goal facts that are missing, have two open lists each: one
// of all successors, and one of those that preferred moves lead to, with which the relaxed plan can
// begin. The lists take turns. After progress, the lists of preferred moves get more turns. A fifth
// list is type-based (Xie et al. 2014): it leaves plateaus on which the estimates mislead.
//
// A node from which the relaxation reaches no better reward is a dead end and not expanded. If the
// lists become empty, there is no better line, provided that nodes are whole states: a node without
// its clock may have been reached too late.
#include "search/planner/greedy_search.h"

#include <algorithm>
#include <limits>

namespace zermelo::search::planner {
namespace {

constexpr std::int64_t preferred_bonus = 1'000;  // turns after progress
constexpr std::uint32_t worst_rating = std::numeric_limits<std::uint32_t>::max();

}  // namespace

GreedySearch::GreedySearch(PlanSpace& space, const RelaxedTask& task, PlanRecord& record,
                           const GreedyOptions& options)
    : space_(space),
      record_(record),
      options_(options),
      estimator_(task, record),
      cursor_(space.machine()),
      nodes_(space.words()),
      lists_(list_count, BucketList(options.last_first)),
      turns_(list_count + 1, 0),
      types_(options.seed),
      best_{worst_rating, worst_rating} {
  State root = space.root();
  space.drop_clock(root);
  push(nodes_.insert(root.words(), {}).node, {0, 0}, false);
}

SearchEnd GreedySearch::run(const Pause& pause) {
  while (!record_.is_optimal()) {
    if (is_empty()) {
      if (!space_.drops_clock()) record_.prove();
      return SearchEnd::exhausted;
    }
    if (nodes_.is_full()) return SearchEnd::exhausted;
    const NodeIndex node = take_next();
    if (!is_expanded_[node]) expand(node);
    if (pause.is_due()) return SearchEnd::paused;
  }
  return SearchEnd::optimal;
}

// Every node is in the list of types when it is pushed, and leaves all lists only when it is taken.
bool GreedySearch::is_empty() const { return types_.empty() && lists_[by_distance].empty(); }

NodeIndex GreedySearch::take_next() {
  const auto is_empty = [&](std::size_t list) {
    return list == list_count ? types_.empty() : lists_[list].empty();
  };
  std::size_t next = list_count + 1;
  for (std::size_t list = 0; list <= list_count; ++list) {
    if (!is_empty(list) && (next > list_count || turns_[list] < turns_[next])) next = list;
  }
  ++turns_[next];
  return next == list_count ? types_.pop() : lists_[next].pop();
}

void GreedySearch::expand(NodeIndex node) {
  is_expanded_[node] = true;
  const State state = space_.at(nodes_.state(node), nodes_[node].depth);
  const Estimate estimate = estimator_.relaxed_plan(state, options_.aim);
  if (estimate.is_dead_end) return;
  const Rating rating{estimate.distance, estimator_.missing_goals(state, options_.aim)};
  note_progress(rating);
  cursor_.reset(state);
  const std::span<const Move> legal = cursor_.legal(0);
  const std::vector<Move> moves(legal.begin(), legal.end());
  for (const Move move : moves) {
    const bool is_preferred = std::find(estimate.preferred.begin(), estimate.preferred.end(),
                                        move) != estimate.preferred.end();
    cursor_.make(std::span(&move, 1));
    add(node, move, rating, is_preferred);
    cursor_.unmake();
  }
}

// The cursor is at the state that the move leads to.
void GreedySearch::add(NodeIndex parent, Move move, const Rating& rating, bool is_preferred) {
  if (cursor_.terminal()) {
    return offer_end(cursor_, space_, nodes_, {parent, move}, record_);
  }
  State state = cursor_.state();
  space_.drop_clock(state);
  const NodeTable::Node from{parent, move, nodes_[parent].depth + 1};
  const auto [node, is_new] = nodes_.insert(state.words(), from);
  const bool is_earlier = space_.drops_clock() && nodes_[node].depth > from.depth;
  if (is_earlier) {
    nodes_[node] = from;
    is_expanded_[node] = false;
  }
  if (is_new || is_earlier || (!is_expanded_[node] && rating.distance < distances_[node])) {
    push(node, rating, is_preferred);
  }
}

void GreedySearch::push(NodeIndex node, const Rating& rating, bool is_preferred) {
  if (is_expanded_.size() <= node) {
    is_expanded_.resize(node + 1, false);
    distances_.resize(node + 1, 0);
  }
  distances_[node] = rating.distance;
  lists_[by_distance].push(node, rating.distance);
  lists_[by_goals].push(node, rating.goals);
  types_.push(node, rating.distance, nodes_[node].depth);
  if (!is_preferred) return;
  lists_[preferred_by_distance].push(node, rating.distance);
  lists_[preferred_by_goals].push(node, rating.goals);
}

void GreedySearch::note_progress(const Rating& rating) {
  if (rating.distance >= best_.distance && rating.goals >= best_.goals) return;
  best_ = {std::min(best_.distance, rating.distance), std::min(best_.goals, rating.goals)};
  turns_[preferred_by_distance] -= preferred_bonus;
  turns_[preferred_by_goals] -= preferred_bonus;
}

}  // namespace zermelo::search::planner
