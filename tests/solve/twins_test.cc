// The solver beside an obvious recursion that remembers nothing, in every state that it visits.
#include <optional>

#include "machine/perft.h"
#include "solve/load_game.h"
#include "solve/turn_games.h"

namespace zermelo::solve {
namespace {

// Max^n by its definition; nothing for a game that is too large. All that the solver does not
// refuse may be given: where several roles have a choice, all joint moves are tried for each.
class Recursion {
 public:
  Recursion(const ExplicitSolution& solution, MachinePointer machine, std::uint64_t max_visits)
      : solution_(solution), stepper_(machine), visits_left_(max_visits) {}

  std::optional<Rewards> value(const machine::State& state) {
    if (visits_left_ == 0) return std::nullopt;
    --visits_left_;
    const auto found = stepper_.terminal(state) ? goals(state) : best_successor(state);
    if (found) {
      EXPECT_EQ(solution_.value(state), *found);
    }
    return found;
  }

 private:
  Rewards goals(const machine::State& state) {
    Rewards rewards;
    for (std::size_t r = 0; r < stepper_.roles().size(); ++r) {
      rewards.push_back(stepper_.goals(state, r).at(0));
    }
    return rewards;
  }

  std::optional<Rewards> best_successor(const machine::State& state) {
    const auto legal = machine::all_legal_moves(stepper_, state);
    std::size_t mover = 0;
    for (std::size_t r = 0; r < legal.size(); ++r) {
      if (legal[r].size() > 1) mover = r;
    }
    std::optional<Rewards> best;
    const bool complete =
        machine::for_each_joint_move(legal, [&](std::span<const machine::Move> joint) {
          const auto next = value(stepper_.next_state(state, joint));
          if (next && (!best || better(mover, *next, *best))) best = next;
          return next.has_value();
        });
    return complete ? best : std::nullopt;
  }

  bool better(std::size_t role, const Rewards& a, const Rewards& b) const {
    const auto [first_a, second_a] = wishes(role, a);
    const auto [first_b, second_b] = wishes(role, b);
    if (first_a != first_b) return first_a > first_b;
    if (second_a != second_b) return second_a > second_b;
    return a > b;
  }

  // What the role wants to be large, and what it wants to be large if that is equal.
  std::pair<int, int> wishes(std::size_t role, const Rewards& rewards) const {
    int sum = 0;
    std::optional<int> best;
    for (std::size_t r = 0; r < rewards.size(); ++r) {
      if (r == role) continue;
      sum += rewards[r];
      if (!best || rewards[r] > *best) best = rewards[r];
    }
    if (solution_.model() == OpponentModel::own) return {rewards[role], -sum};
    return {rewards[role] - best.value_or(0), rewards[role]};
  }

  const ExplicitSolution& solution_;
  machine::Stepper stepper_;
  std::uint64_t visits_left_;
};

// Whether the game could be compared to the end.
bool compare(const MachinePointer& machine, OpponentModel model, std::uint64_t max_visits) {
  const auto solution = solve_explicit(machine, {model, {}});
  if (!solution) {
    EXPECT_EQ(solution.error().kind, base::ErrorKind::not_applicable) << solution.error().message;
    return false;
  }
  const auto value = Recursion(*solution, machine, max_visits).value(solution->initial());
  if (value) {
    EXPECT_EQ(solution->value(), *value);
  }
  return value.has_value();
}

TEST(Twins, RandomGames) {
  std::size_t compared = 0, with_several_values = 0;
  for (std::uint64_t seed = 1; seed <= 900; ++seed) {
    const MachinePointer machine = from_text(with_turns(testing::random_game(seed)));
    const OpponentModel model = seed % 2 == 0 ? OpponentModel::own : OpponentModel::difference;
    if (!compare(machine, model, 3000)) continue;
    ++compared;
    with_several_values += solved(machine, model).by_value().size() > 1;
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(compared, 200u);
  EXPECT_GE(with_several_values, 20u);
}

TEST(Twins, SmallFamilies) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> games = {
      {"tic-tac-toe", {"3", "2", "2"}},
      {"nim", {"2", "3"}},
      {"chomp", {"3", "2"}},
      {"clobber", {"1", "6"}},
      {"clobber", {"2", "3"}},
      {"clobber", {"2", "3", "tokens"}},
      {"hanoi", {"2", "3"}},
      {"peg", {"triangle", "4"}},
      {"queens", {"4"}},
      {"pancakes", {"3"}},
      {"breakthrough", {"2", "4"}},
      {"lights-out", {"2", "2"}},
      {"connect-four", {"3", "2", "2"}}};
  for (const auto& [family, sizes] : games) {
    for (const OpponentModel model : {OpponentModel::own, OpponentModel::difference}) {
      EXPECT_TRUE(compare(generated(family, sizes), model, 200'000)) << family;
    }
  }
}

}  // namespace
}  // namespace zermelo::solve
