// The states of a stage that is over are replaced by one with the same conditions
// (decomposition/stage_reduction.h), so that the second game is searched once per result of the
// first, and not once per final state of it. A node is the representative of its class. The moves
// that lead to it are moves of the real game: equivalent states have the same legal moves, so the
// path of a node can be made from the root, and offer_end replays it.
//
// Nodes are expanded by the number of moves since the last stage ended, fewest first. So the second
// game starts as soon as the first one has a result, and all games are searched to the same depth
// at the same time. Breadth-first search from the root would exhaust the first game down to the sum
// of the depths of both before it ends the second one. The order does not matter for the proof:
// without open nodes, every class of states was expanded.
#include "search/planner/stage_search.h"

#include <algorithm>

namespace zermelo::search::planner {

StageSearch::StageSearch(const PlanSpace& space, PlanRecord& record,
                         const std::vector<analysis::SerialStage>& stages, std::size_t max_classes)
    : space_(space),
      record_(record),
      max_classes_(max_classes),
      reduction_(space.machine(), stages),
      cursor_(space.machine()),
      nodes_(space.words()) {
  State root = space.root();
  const std::size_t over = reduction_.reduce_and_count(root);
  insert(root, {}, {over, 0});
}

SearchEnd StageSearch::run(const Pause& pause) {
  while (!record_.is_optimal()) {
    if (open_.empty()) {
      record_.prove();
      return SearchEnd::exhausted;
    }
    if (nodes_.is_full() || nodes_.size() >= max_classes_) return SearchEnd::exhausted;
    expand(open_.pop());
    if (pause.is_due()) return SearchEnd::paused;
  }
  return SearchEnd::optimal;
}

void StageSearch::insert(const State& state, const NodeTable::Node& from, const Stages& stages) {
  const auto [node, is_new] = nodes_.insert(state.words(), from);
  if (!is_new) return;
  stages_.push_back(stages);
  open_.push(node, stages.moves);
}

void StageSearch::expand(NodeIndex node) {
  const Words words = nodes_.state(node);
  State state = space_.root();
  std::copy(words.begin(), words.end(), state.words().begin());
  cursor_.reset(state);
  if (cursor_.terminal()) return;
  const std::span<const Move> legal = cursor_.legal(0);
  const std::vector<Move> moves(legal.begin(), legal.end());
  const Stages before = stages_[node];
  const std::uint32_t depth = nodes_[node].depth + 1;
  for (const Move move : moves) {
    cursor_.make(std::span(&move, 1));
    if (cursor_.terminal()) {
      offer_end(cursor_, space_, nodes_, {node, move}, record_);
    } else {
      state = cursor_.state();
      const std::size_t over = reduction_.reduce_and_count(state);
      insert(state, {node, move, depth}, {over, over > before.over ? 0 : before.moves + 1});
    }
    cursor_.unmake();
  }
}

}  // namespace zermelo::search::planner
