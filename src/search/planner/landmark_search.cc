// A state is left at once if the relaxation reaches no better reward from it. Otherwise the search
// makes the moves of the smallest landmark of the highest reward (landmarks.h) and no others. Where
// moves fill something in and never take it back, that is complete, because the moves that a plan
// needs can be made in any order. In other games it is a quick attempt that may miss all plans, so
// its end proves nothing. States are visited once; the order of moves is random, and the search
// starts again after a number of states that grows, so that an early mistake is not fatal.
#include "search/planner/landmark_search.h"

#include <algorithm>

namespace zermelo::search::planner {
namespace {

constexpr std::size_t first_restart = 500;  // states

}  // namespace

LandmarkSearch::LandmarkSearch(PlanSpace& space, const RelaxedTask& task, PlanRecord& record,
                               std::uint64_t seed)
    : space_(space),
      record_(record),
      task_(task),
      costs_(task.graph()),
      landmarks_(task.graph(), costs_),
      cursor_(space.machine()),
      random_(seed),
      nodes_(space.words()),
      nodes_until_restart_(first_restart) {
  restart();
}

SearchEnd LandmarkSearch::run(const Pause& pause) {
  while (!record_.is_optimal()) {
    if (stack_.empty()) return SearchEnd::exhausted;
    if (nodes_.size() >= nodes_until_restart_) {
      nodes_until_restart_ += nodes_until_restart_ / 4;
      restart();
    }
    step();
    if (pause.is_due()) return SearchEnd::paused;
  }
  return SearchEnd::optimal;
}

void LandmarkSearch::restart() {
  nodes_ = NodeTable(space_.words());
  stack_.clear();
  State root = space_.root();
  space_.drop_clock(root);
  enter(nodes_.insert(root.words(), {}).node, space_.root());
}

void LandmarkSearch::step() {
  Frame& top = stack_.back();
  if (top.moves.empty()) return stack_.pop_back();
  const Move move = top.moves.back();
  top.moves.pop_back();
  const NodeTable::Node from{top.node, move, nodes_[top.node].depth + 1};
  cursor_.reset(space_.at(nodes_.state(top.node), nodes_[top.node].depth));
  cursor_.make(std::span(&move, 1));
  if (cursor_.terminal()) {
    return offer_end(cursor_, space_, nodes_, {top.node, move}, record_);
  }
  const State state = cursor_.state();
  State key = state;
  space_.drop_clock(key);
  const auto [node, is_new] = nodes_.insert(key.words(), from);
  if (is_new) enter(node, state);
}

// The cursor is moved to the state.
void LandmarkSearch::enter(NodeIndex node, const State& state) {
  task_.enter(state, costs_);
  costs_.run();
  const auto& levels = task_.levels();
  const auto level = std::find_if(levels.rbegin(), levels.rend(), [&](const RewardLevel& l) {
    return l.reward <= record_.upper_bound() && costs_.of(l.target) != unreachable;
  });
  if (level == levels.rend() || level->reward <= record_.reward()) return;
  cursor_.reset(state);
  stack_.push_back({node, choices(level->target)});
}

// Without a landmark, all moves.
std::vector<Move> LandmarkSearch::choices(Fact target) {
  const std::span<const Move> legal = cursor_.legal(0);
  std::vector<Move> moves;
  if (costs_.of(target) > 0) {
    for (const std::uint32_t made : landmarks_.smallest(target)) {
      const Move move = task_.move_of(made);
      if (std::find(legal.begin(), legal.end(), move) != legal.end()) moves.push_back(move);
    }
  }
  if (moves.empty()) moves.assign(legal.begin(), legal.end());
  for (std::size_t i = moves.size(); i > 1; --i) {
    std::swap(moves[i - 1], moves[random_.below(static_cast<std::uint32_t>(i))]);
  }
  return moves;
}

}  // namespace zermelo::search::planner
