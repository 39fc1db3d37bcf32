// Nested rollout policy adaptation (Rosin 2011). A policy gives every move a weight, and random
// games choose a move with a probability proportional to the exponential of its weight. A level
// plays games of the level below, each with a copy of its policy, and after each game shifts its
// policy towards the best game so far. Levels are a list, not a recursion, so that the search can
// pause.
//
// Good where a reward grows with what was done and any order of moves leads somewhere: placing as
// many pieces as possible, collecting, surviving. Of two games with the same reward, the one that
// lacks fewer facts of the highest reward is better, so that games that pay only at the end give
// some guidance too.
#include "search/planner/rollout_search.h"

#include <algorithm>
#include <cmath>

namespace zermelo::search::planner {
namespace {

constexpr std::size_t level_count = 3;
constexpr unsigned games_per_level = 60;
constexpr float learning_rate = 1;
constexpr std::size_t longest_game = 2'000;  // moves; a longer one counts as lost

}  // namespace

RolloutSearch::RolloutSearch(const PlanSpace& space, const RelaxedTask* task, PlanRecord& record,
                             std::uint64_t seed)
    : space_(space), record_(record), cursor_(space.machine()), random_(seed) {
  if (task != nullptr) estimator_.emplace(*task, record);
  const Policy uniform(space.machine()->game().moves.size(), 0);
  levels_.assign(level_count, {uniform, std::nullopt});
}

SearchEnd RolloutSearch::run(const Pause& pause) {
  while (!record_.is_optimal()) {
    if (pause.is_due()) return SearchEnd::paused;
    learn(0, play(levels_[0].policy));
  }
  return SearchEnd::optimal;
}

RolloutSearch::Game RolloutSearch::play(const Policy& policy) {
  Game game;
  cursor_.reset(space_.root());
  while (!cursor_.terminal() && game.moves.size() < longest_game) {
    const std::span<const Move> legal = cursor_.legal(0);
    if (legal.empty()) return game;
    game.first_legal.push_back(static_cast<std::uint32_t>(game.legal.size()));
    game.legal.insert(game.legal.end(), legal.begin(), legal.end());
    game.moves.push_back(choose(policy, legal));
    cursor_.make(std::span(&game.moves.back(), 1));
  }
  game.first_legal.push_back(static_cast<std::uint32_t>(game.legal.size()));
  if (!cursor_.terminal()) return game;
  const int reward = PlanSpace::reward(cursor_);
  if (reward > record_.reward()) record_.offer(Line{reward, game.moves});
  const auto missing =
      estimator_ ? estimator_->missing_goals(cursor_.state(), Aim::highest) : std::uint32_t{0};
  game.score = {reward, -static_cast<int>(missing)};
  return game;
}

Move RolloutSearch::choose(const Policy& policy, std::span<const Move> legal) {
  float sum = 0;
  weights_.clear();
  for (const Move move : legal) weights_.push_back(sum += std::exp(policy[move]));
  const float at = static_cast<float>(random_.next() >> 40) / static_cast<float>(1 << 24) * sum;
  const auto chosen = std::upper_bound(weights_.begin(), weights_.end(), at) - weights_.begin();
  return legal[std::min(static_cast<std::size_t>(chosen), legal.size() - 1)];
}

// A level that has played enough hands its best game to the one above and starts again from there.
void RolloutSearch::learn(std::size_t level, Game game) {
  Level& here = levels_[level];
  if (!here.best || game.score >= here.best->score) here.best = std::move(game);
  adapt(here.policy, *here.best);
  if (++here.games < games_per_level) return;
  here.games = 0;
  Game best = std::move(*here.best);
  here.best.reset();
  if (level + 1 < levels_.size()) {
    learn(level + 1, std::move(best));
    levels_[level].policy = levels_[level + 1].policy;
  } else {
    here.policy.assign(here.policy.size(), 0);
  }
}

void RolloutSearch::adapt(Policy& policy, const Game& game) const {
  if (game.first_legal.size() <= game.moves.size()) return;
  Policy changes;
  for (std::size_t step = 0; step < game.moves.size(); ++step) {
    const std::span<const Move> legal(game.legal.data() + game.first_legal[step],
                                      game.legal.data() + game.first_legal[step + 1]);
    float sum = 0;
    for (const Move move : legal) sum += std::exp(policy[move]);
    for (const Move move : legal) changes.push_back(std::exp(policy[move]) / sum);
  }
  for (std::size_t i = 0; i < game.legal.size(); ++i) {
    policy[game.legal[i]] -= learning_rate * changes[i];
  }
  for (const Move move : game.moves) policy[move] += learning_rate;
}

}  // namespace zermelo::search::planner
