// BFWS(f5) of Lipovetzky and Geffner (2017), with novelty 1: states are told apart by the number of
// goal facts that are missing, #g, and by how many facts of a relaxed plan hold, #r. A state is
// novel if it has a fluent that no state with the same #g and #r had before. Novel states come
// first, then those with smaller #g, then those with larger #r. The relaxed plan is that of the
// last ancestor at which #g fell, so it is computed rarely. The paper counts facts reached since
// then; here it is those that hold, so that a node need not remember more.
//
// Every eighth node comes from a type-based list, by #g and depth.
#include "search/planner/novelty_search.h"

#include <algorithm>

namespace zermelo::search::planner {
namespace {

constexpr std::uint64_t turns_per_type = 8;
constexpr std::uint32_t most_reached = (1u << 12) - 1;

}  // namespace

NoveltySearch::NoveltySearch(PlanSpace& space, const RelaxedTask& task, PlanRecord& record,
                             const NoveltyOptions& options)
    : space_(space),
      record_(record),
      task_(task),
      options_(options),
      estimator_(task, record),
      cursor_(space.machine()),
      nodes_(space.words()),
      mark_(task.graph().facts(), 0),
      types_(options.seed),
      random_(options.seed) {
  State root = space.root();
  space.drop_clock(root);
  const NodeIndex node = nodes_.insert(root.words(), {}).node;
  estimate(node, space.root(), nullptr);
}

SearchEnd NoveltySearch::run(const Pause& pause) {
  while (!record_.is_optimal()) {
    if (queue_.empty() && types_.empty()) {
      if (!space_.drops_clock()) record_.prove();
      return SearchEnd::exhausted;
    }
    if (nodes_.is_full()) return SearchEnd::exhausted;
    const NodeIndex node = take_next();
    if (!facts_[node].is_expanded) expand(node);
    if (pause.is_due()) return SearchEnd::paused;
  }
  return SearchEnd::optimal;
}

NodeIndex NoveltySearch::take_next() {
  const bool by_type = ++taken_ % turns_per_type == 0;
  if (queue_.empty() || (by_type && !types_.empty())) return types_.pop();
  const NodeIndex node = queue_.top().node;
  queue_.pop();
  return node;
}

void NoveltySearch::expand(NodeIndex node) {
  facts_[node].is_expanded = true;
  cursor_.reset(space_.at(nodes_.state(node), nodes_[node].depth));
  const std::span<const Move> legal = cursor_.legal(0);
  const std::vector<Move> moves(legal.begin(), legal.end());
  for (const Move move : moves) {
    cursor_.make(std::span(&move, 1));
    add(node, move);
    cursor_.unmake();
  }
}

// The cursor is at the state that the move leads to.
void NoveltySearch::add(NodeIndex parent, Move move) {
  if (cursor_.terminal()) {
    return offer_end(cursor_, space_, nodes_, {parent, move}, record_);
  }
  const State state = cursor_.state();
  State key = state;
  space_.drop_clock(key);
  const NodeTable::Node from{parent, move, nodes_[parent].depth + 1};
  const auto [node, is_new] = nodes_.insert(key.words(), from);
  if (is_new) {
    const Facts of_parent = facts_[parent];
    estimate(node, state, &of_parent);
  } else if (space_.drops_clock() && nodes_[node].depth > from.depth) {
    nodes_[node] = from;
    if (facts_[node].is_expanded) queue(node, state);
    facts_[node].is_expanded = false;
  }
}

// A dead end is left unqueued.
void NoveltySearch::estimate(NodeIndex node, const State& state, const Facts* parent) {
  if (facts_.size() <= node) facts_.resize(node + 1);
  Facts& facts = facts_[node];
  facts.goals = estimator_.missing_goals(state, options_.aim);
  if (parent != nullptr) facts.relaxed_plan = parent->relaxed_plan;
  if (parent == nullptr || facts.goals < parent->goals) {
    Estimate plan = estimator_.relaxed_plan(state, options_.aim);
    if (plan.is_dead_end) {
      facts.is_expanded = true;
      return;
    }
    facts.relaxed_plan = static_cast<std::uint32_t>(relaxed_plans_.size());
    relaxed_plans_.push_back(std::move(plan.facts));
  }
  queue(node, state);
}

void NoveltySearch::queue(NodeIndex node, const State& state) {
  const Facts& facts = facts_[node];
  const std::uint32_t reached = plan_facts_in(state, facts.relaxed_plan);
  const std::uint64_t known = is_novel(state, facts.goals, reached) ? 0 : 1;
  const std::uint64_t tie = random_.next() >> 40;
  queue_.push({known << 60 | std::uint64_t{facts.goals} << 36 |
                   std::uint64_t{most_reached - reached} << 24 | tie,
               node});
  types_.push(node, facts.goals, nodes_[node].depth);
}

std::uint32_t NoveltySearch::plan_facts_in(const State& state, std::uint32_t relaxed_plan) {
  ++marks_;
  for (const Fact fact : relaxed_plans_[relaxed_plan]) mark_[fact] = marks_;
  std::uint32_t reached = 0;
  task_.for_each_fact(state, [&](Fact fact) { reached += mark_[fact] == marks_ ? 1 : 0; });
  return std::min(reached, most_reached);
}

bool NoveltySearch::is_novel(const State& state, std::uint32_t goals, std::uint32_t reached) {
  State key = state;
  space_.drop_clock(key);
  const auto [seen, is_first] = seen_.try_emplace(std::uint64_t{goals} << 32 | reached, key);
  if (is_first) return true;
  bool is_novel = false;
  const std::span<std::uint64_t> before = seen->second.words();
  for (std::size_t w = 0; w < before.size(); ++w) {
    is_novel = is_novel || (key.words()[w] & ~before[w]) != 0;
    before[w] |= key.words()[w];
  }
  return is_novel;
}

}  // namespace zermelo::search::planner
