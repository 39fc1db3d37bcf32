#include "search/decomposition/local_graph.h"

#include <algorithm>

namespace zermelo::search::decomposition {

LocalGraph::LocalGraph(FactoredGame& game, std::size_t part)
    : game_(game),
      part_(part),
      cursor_(game.machine()),
      is_of_part_(game.machine()->game().moves.size(), game.is_parallel()) {
  for (const std::uint32_t m : game.moves(part)) is_of_part_[m] = true;
  insert(game.root());
}

LocalState LocalGraph::insert(State state) {
  state &= game_.mask(part_);
  const auto [entry, is_new] = numbers_.emplace(state, static_cast<LocalState>(states_.size()));
  if (is_new) {
    evaluations_.push_back(game_.evaluate(part_, state));
    states_.push_back(std::move(state));
  }
  return entry->second;
}

const std::vector<LocalGraph::Edge>& LocalGraph::edges(LocalState state, std::uint32_t steps) {
  const std::uint64_t key = game_.reads_time() ? std::uint64_t{steps} << 32 | state : state;
  const auto known = edges_.find(key);
  if (known != edges_.end()) return known->second;
  return edges_.emplace(key, expand(state, steps)).first->second;
}

std::vector<LocalGraph::Edge> LocalGraph::expand(LocalState state, std::uint32_t steps) {
  cursor_.reset(game_.state_with(part_, states_[state], steps));
  std::vector<Move> moves;
  for (const Move m : cursor_.legal(0)) {
    if (is_of_part_[m]) moves.push_back(m);
  }
  std::vector<Edge> result;
  for (const Move m : moves) {
    cursor_.make(std::span(&m, 1));
    const LocalState to = insert(cursor_.state());
    cursor_.unmake();
    ++computed_;
    const auto is_same = [&](const Edge& edge) { return edge.to == to; };
    if (std::none_of(result.begin(), result.end(), is_same)) result.push_back({m, to});
  }
  return result;
}

}  // namespace zermelo::search::decomposition
