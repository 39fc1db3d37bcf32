// Games in which roles decide at the same time, solved exactly. The twins: a recursion that solves
// each matrix by trying all square submatrices, the solver of turn-taking games, programs that
// count the states of a game without its rules, and the checker of folders.
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/random.h"
#include "machine/perft.h"
#include "solve/load_game.h"
#include "solve/simultaneous/equilibrium_folder.h"
#include "solve/simultaneous/equilibrium_solver.h"
#include "solve/stored_game.h"
#include "solve/turn_games.h"
#include "support/simultaneous_game.h"

namespace zermelo::solve {
namespace {

EquilibriumSolution equilibria_of_game(const MachinePointer& machine,
                                       OpponentModel model = OpponentModel::own) {
  return solve_as_simultaneous(machine, {model, {}}).value();
}

using Matrix = std::vector<std::vector<double>>;

// Solves A x = b by elimination; nullopt if A is singular.
std::optional<std::vector<double>> solve_equations(Matrix a) {
  const std::size_t n = a.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    if (std::abs(a[pivot][column]) < 1e-9) return std::nullopt;
    std::swap(a[pivot], a[column]);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k <= n; ++k) a[row][k] -= factor * a[column][k];
    }
  }
  std::vector<double> x;
  for (std::size_t row = 0; row < n; ++row) x.push_back(a[row][n] / a[row][row]);
  return x;
}

// Shapley and Snow 1950: some square submatrix has an optimal strategy of the row player that makes
// its columns equal. Tries all of them and takes the best guarantee on the whole matrix.
double value_by_submatrices(const Matrix& payoffs) {
  const std::size_t rows = payoffs.size(), columns = payoffs[0].size();
  double best = -1e300;
  for (unsigned row_set = 1; row_set < 1u << rows; ++row_set) {
    for (unsigned column_set = 1; column_set < 1u << columns; ++column_set) {
      if (__builtin_popcount(row_set) != __builtin_popcount(column_set)) continue;
      std::vector<std::size_t> chosen;
      for (std::size_t r = 0; r < rows; ++r) {
        if (row_set >> r & 1) chosen.push_back(r);
      }
      Matrix equations;
      for (std::size_t c = 0; c < columns; ++c) {
        if (!(column_set >> c & 1)) continue;
        std::vector<double>& equation = equations.emplace_back();
        for (const std::size_t r : chosen) equation.push_back(payoffs[r][c]);
        equation.insert(equation.end(), {-1.0, 0.0});
      }
      std::vector<double>& sum = equations.emplace_back(chosen.size(), 1.0);
      sum.insert(sum.end(), {0.0, 1.0});
      const auto solution = solve_equations(equations);
      if (!solution) continue;
      bool is_strategy = true;
      for (std::size_t i = 0; i < chosen.size(); ++i) is_strategy &= (*solution)[i] > -1e-9;
      if (!is_strategy) continue;
      double worst = 1e300;
      for (std::size_t c = 0; c < columns; ++c) {
        double mean = 0;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          mean += (*solution)[i] * payoffs[chosen[i]][c];
        }
        worst = std::min(worst, mean);
      }
      best = std::max(best, worst);
    }
  }
  return best;
}

// The value of the first role, by recursion; nothing for a game that is too large.
class NaiveRecursion {
 public:
  NaiveRecursion(MachinePointer machine, int max_visits)
      : stepper_(machine), visits_left_(max_visits) {}

  std::optional<double> value(const machine::State& state) {
    if (--visits_left_ < 0) return std::nullopt;
    if (stepper_.terminal(state)) return stepper_.goals(state, 0).at(0);
    const auto legal = machine::all_legal_moves(stepper_, state);
    if (legal[0].size() > 5 || legal[1].size() > 5) return std::nullopt;
    Matrix payoffs;
    for (const machine::Move row : legal[0]) {
      payoffs.emplace_back();
      for (const machine::Move column : legal[1]) {
        const std::vector<machine::Move> joint = {row, column};
        const auto next = value(stepper_.next_state(state, joint));
        if (!next) return std::nullopt;
        payoffs.back().push_back(*next);
      }
    }
    return value_by_submatrices(payoffs);
  }

 private:
  machine::Stepper stepper_;
  int visits_left_;
};

// The random game with other goals: those of with_turns, for two roles with the sum 100 if asked.
std::string with_goals(const std::string& rules, bool constant_sum) {
  std::string text;
  std::size_t roles = 0;
  std::vector<std::string> fluents;
  std::istringstream lines(rules);
  for (std::string line; std::getline(lines, line);) {
    if (begins_with(line, "(<= (goal ")) continue;
    if (begins_with(line, "(role ")) ++roles;
    if (begins_with(line, "(init ")) fluents.push_back(line.substr(6, line.size() - 7));
    text += line + "\n";
  }
  const auto fluent = [&](std::size_t i) { return fluents[i % fluents.size()]; };
  for (std::size_t r = 0; r < roles; ++r) {
    const std::string role = "r" + std::to_string(r);
    if (!constant_sum || r == 0) {
      text += goal_rules(role, fluent(fluents.size() - 1 - r), fluent(r + 1));
    } else {
      const std::string a = "(true " + fluent(fluents.size() - 1) + ")";
      const std::string b = "(true " + fluent(1) + ")";
      text += "(<= (goal r1 20) " + a + ")\n(<= (goal r1 70) (not " + a + ") " + b +
              ")\n(<= (goal r1 90) (not " + a + ") (not " + b + "))\n";
    }
  }
  return text;
}

Verification verification_of(const EquilibriumSolution& solution) {
  const TemporaryFolder folder;
  const auto stored = store(solution, folder.folder(), {});
  EXPECT_TRUE(stored) << stored.error().message;
  return verify(folder.path()).value();
}

void expect_verified(const EquilibriumSolution& solution) {
  const Verification verification = verification_of(solution);
  EXPECT_TRUE(verification.ok()) << (verification.failures.empty() ? ""
                                                                   : verification.failures.front());
  EXPECT_TRUE(verification.exhaustive);
  EXPECT_EQ(verification.states_checked, solution.graph().size());
}

TEST(Equilibria, RockPaperScissors) {
  const auto solution = equilibria_of_game(shipped("rock_paper_scissors"));
  const Equilibrium& start = solution.equilibrium(0);
  EXPECT_EQ(solution.solution_concept(), SolutionConcept::minimax);
  EXPECT_NEAR(start.value(0), 50, 1e-9);
  EXPECT_LT(width_of(start), 1e-6);
  ASSERT_EQ(start.strategies[0].size(), 3u);
  for (const Choice& choice : start.strategies[0]) EXPECT_NEAR(choice.probability, 1.0 / 3, 1e-9);
  expect_verified(solution);
}

TEST(Equilibria, MatchingPennies) {
  const auto solution = equilibria_of_game(shipped("matching_pennies"));
  EXPECT_NEAR(solution.equilibrium(0).value(0), 50, 1e-9);
  EXPECT_EQ(solution.equilibrium(0).strategies[1].size(), 2u);
  expect_verified(solution);
}

TEST(Equilibria, ColonelBlotto) {
  const auto solution = equilibria_of_game(generated("blotto", {"5", "3"}));
  EXPECT_NEAR(solution.equilibrium(0).value(0), 50, 1e-9);
  EXPECT_LT(width_of(solution.equilibrium(0)), 1e-6);
  expect_verified(solution);
}

// Goofspiel without its rules: hands as bit sets, prizes in ascending order.
struct GoofspielState {
  unsigned left, right;
  int points_left, points_right;
  auto operator<=>(const GoofspielState&) const = default;
};

std::set<GoofspielState> goofspiel_states(int cards) {
  const unsigned all = (1u << cards) - 1;
  std::set<GoofspielState> states = {{all, all, 0, 0}}, layer = states;
  for (int prize = 1; prize <= cards; ++prize) {
    std::set<GoofspielState> next;
    for (const GoofspielState& state : layer) {
      for (int l = 0; l < cards; ++l) {
        for (int r = 0; r < cards; ++r) {
          if (!(state.left >> l & 1) || !(state.right >> r & 1)) continue;
          next.insert({state.left & ~(1u << l), state.right & ~(1u << r),
                       state.points_left + (l > r ? prize : 0),
                       state.points_right + (r > l ? prize : 0)});
        }
      }
    }
    states.insert(next.begin(), next.end());
    layer = next;
  }
  return states;
}

TEST(Equilibria, GoofspielIsEvenAndHasTheCountedStates) {
  for (const int cards : {3, 4, 5}) {
    const auto solution = equilibria_of_game(generated("goofspiel", {std::to_string(cards)}));
    EXPECT_EQ(solution.graph().size(), goofspiel_states(cards).size());
    EXPECT_NEAR(solution.equilibrium(0).value(0), 50, 1e-7) << cards;
    EXPECT_LT(width_of(solution.equilibrium(0)), 1e-6);
    if (cards < 5) expect_verified(solution);
  }
}

// Bidding tic-tac-toe without its rules: the board in base 3, chips of x, the advantage, the phase.
std::size_t bidding_states(int chips) {
  struct State {
    std::array<int, 9> cells;       // 0 blank, 1 x, 2 o
    int chips_x, advantage, phase;  // phase 0: bidding, 1: x marks, 2: o marks
    auto operator<=>(const State&) const = default;
  };
  constexpr int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                               {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
  const auto over = [&](const State& state) {
    for (const auto& line : lines) {
      const int first = state.cells[static_cast<std::size_t>(line[0])];
      if (first != 0 && first == state.cells[static_cast<std::size_t>(line[1])] &&
          first == state.cells[static_cast<std::size_t>(line[2])]) {
        return true;
      }
    }
    return std::find(state.cells.begin(), state.cells.end(), 0) == state.cells.end();
  };
  std::set<State> found = {{{}, chips, 1, 0}};
  std::vector<State> open(found.begin(), found.end());
  const auto visit = [&](const State& state) {
    if (found.insert(state).second) open.push_back(state);
  };
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    if (over(state)) continue;
    if (state.phase == 0) {
      for (int x = 0; x <= state.chips_x; ++x) {
        for (int o = 0; o <= 2 * chips - state.chips_x; ++o) {
          State next = state;
          next.phase = x > o ? 1 : o > x ? 2 : state.advantage;
          if (x == o) next.advantage = 3 - state.advantage;
          next.chips_x += next.phase == 1 ? -x : o;
          visit(next);
        }
      }
      continue;
    }
    for (std::size_t k = 0; k < 9; ++k) {
      if (state.cells[k] != 0) continue;
      State next = state;
      next.cells[k] = state.phase;
      next.phase = 0;
      visit(next);
    }
  }
  return found.size();
}

TEST(Equilibria, BiddingTicTacToeHasTheCountedStates) {
  const auto solution = equilibria_of_game(generated("bidding-tic-tac-toe", {"1"}));
  EXPECT_EQ(solution.graph().size(), bidding_states(1));
  EXPECT_LT(width_of(solution.equilibrium(0)), 1e-6);
  expect_verified(solution);
}

TEST(Equilibria, OnTurnTakingGamesTheValuesAreThoseOfTheOtherSolver) {
  std::vector<MachinePointer> games = {shipped("tic_tac_toe"), generated("nim", {"2", "3"})};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    games.push_back(from_text(with_turns(testing::random_game(seed))));
  }
  int compared = 0;
  for (const MachinePointer& machine : games) {
    for (const OpponentModel model : {OpponentModel::own, OpponentModel::difference}) {
      const auto turns = solve_explicit_up_to(20'000, machine, {model, {}});
      if (!turns || !*turns || (*turns)->cyclic()) continue;
      if (model == OpponentModel::difference && machine->roles().size() > 2) continue;
      const auto solution = equilibria_of_game(machine, model);
      ASSERT_EQ(solution.graph().size(), (*turns)->states());
      machine::State state(machine->game().fluents.size());
      for (StateIndex s = 0; s < solution.graph().size(); ++s) {
        const auto words = solution.graph().states[s];
        std::copy(words.begin(), words.end(), state.words().begin());
        const Rewards rewards = (*turns)->value(state).value();
        EXPECT_EQ(solution.equilibrium(s).low, std::vector<double>(rewards.begin(), rewards.end()));
        EXPECT_EQ(solution.equilibrium(s).high, solution.equilibrium(s).low);
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

TEST(Equilibria, AgreeWithANaiveRecursionOnGeneratedConstantSumGames) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const MachinePointer machine = from_text(with_goals(testing::random_game(seed), true));
    if (machine->roles().size() != 2) continue;
    const auto value =
        NaiveRecursion(machine, 2'000).value(machine::Stepper(machine).initial_state());
    if (!value) continue;
    const auto solution = equilibria_of_game(machine);
    EXPECT_EQ(solution.solution_concept(), SolutionConcept::minimax);
    EXPECT_LE(solution.equilibrium(0).low[0], *value + 1e-6) << seed;
    EXPECT_GE(solution.equilibrium(0).high[0], *value - 1e-6) << seed;
    expect_verified(solution);
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

std::size_t mixed_states_of(const EquilibriumSolution& solution) {
  std::size_t mixed = 0;
  for (StateIndex s = 0; s < solution.graph().size(); ++s) {
    const auto& strategies = solution.equilibrium(s).strategies;
    mixed += std::any_of(strategies.begin(), strategies.end(),
                         [](const MixedStrategy& strategy) { return strategy.size() > 1; });
  }
  return mixed;
}

TEST(Equilibria, AgreeWithANaiveRecursionWhereRolesMustRandomise) {
  std::size_t mixed = 0, mixed_at_start = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const MachinePointer machine = from_text(testing::random_simultaneous_game(seed, true));
    const auto value =
        NaiveRecursion(machine, 2'000).value(machine::Stepper(machine).initial_state());
    ASSERT_TRUE(value) << seed;
    const auto solution = equilibria_of_game(machine);
    EXPECT_NEAR(solution.equilibrium(0).value(0), *value, 1e-6) << seed;
    EXPECT_LT(width_of(solution.equilibrium(0)), 1e-6) << seed;
    mixed += mixed_states_of(solution);
    mixed_at_start += solution.equilibrium(0).strategies[0].size() > 1;
    if (seed < 30) expect_verified(solution);
  }
  EXPECT_GT(mixed, 300u);
  EXPECT_GT(mixed_at_start, 20u);
}

TEST(Equilibria, WhereRolesMustRandomiseInGeneralSumGamesAreVerified) {
  std::set<SolutionConcept> concepts;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto solution =
        equilibria_of_game(from_text(testing::random_simultaneous_game(seed, false)));
    concepts.insert(solution.solution_concept());
    expect_verified(solution);
  }
  EXPECT_TRUE(concepts.contains(SolutionConcept::nash));
  EXPECT_TRUE(concepts.contains(SolutionConcept::pure_nash));
}

TEST(Equilibria, OfGeneratedGamesAreVerified) {
  std::set<SolutionConcept> concepts;
  int verified = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MachinePointer machine = from_text(with_goals(testing::random_game(seed), false));
    const auto few = explore_joint_moves(machine, {});
    if (!few || few->size() > 3'000 || few->edges.size() > 100'000) continue;
    const auto solution = equilibria_of_game(machine);
    concepts.insert(solution.solution_concept());
    expect_verified(solution);
    ++verified;
  }
  EXPECT_GT(verified, 20);
  EXPECT_GE(concepts.size(), 2u);
}

// Two roles choose left or right; the last rules say what they get.
std::string bimatrix(const std::string& goals) {
  return R"(
    (role a) (role b)
    (choice left) (choice right)
    (init start)
    (<= (legal ?role ?move) (role ?role) (choice ?move))
    (<= (next (chose ?role ?move)) (does ?role ?move))
    (<= (pair ?x ?y) (true (chose a ?x)) (true (chose b ?y)))
    (<= terminal (not (true start)))
  )" + goals;
}

TEST(Equilibria, GeneralSumGamesNameTheirConcept) {
  const auto dilemma = equilibria_of_game(from_text(bimatrix(R"(
    (<= (goal ?role 60) (role ?role) (pair left left))
    (<= (goal ?role 20) (role ?role) (pair right right))
    (<= (goal a 100) (pair right left)) (<= (goal b 0) (pair right left))
    (<= (goal b 100) (pair left right)) (<= (goal a 0) (pair left right))
  )")));
  EXPECT_EQ(dilemma.solution_concept(), SolutionConcept::pure_nash);
  EXPECT_EQ(dilemma.equilibrium(0).low, (std::vector<double>{20, 20}));
  expect_verified(dilemma);
  const auto inspection = equilibria_of_game(from_text(bimatrix(R"(
    (<= (goal a 0) (pair left left)) (<= (goal b 30) (pair left left))
    (<= (goal a 20) (pair right left)) (<= (goal b 0) (pair right left))
    (<= (goal a 40) (pair left right)) (<= (goal b 0) (pair left right))
    (<= (goal a 10) (pair right right)) (<= (goal b 10) (pair right right))
  )")));
  EXPECT_EQ(inspection.solution_concept(), SolutionConcept::nash);
  EXPECT_NEAR(inspection.equilibrium(0).value(0), 16, 1e-9);
  EXPECT_NEAR(inspection.equilibrium(0).value(1), 7.5, 1e-9);
  expect_verified(inspection);
}

TEST(Equilibria, AreNotForTurnTakingGames) {
  const auto solution = solve_simultaneous(shipped("tic_tac_toe"), {});
  ASSERT_TRUE(solution);
  EXPECT_FALSE(*solution);
}

TEST(Equilibria, GamesWithCyclesAreRefusedWithTheMissingProperty) {
  const auto solution = solve_simultaneous(from_text(R"(
    (role a) (role b)
    (choice stay) (choice leave)
    (init here)
    (<= (legal ?role ?move) (role ?role) (choice ?move))
    (<= (next here) (does a stay) (does b stay))
    (<= (next (left ?role)) (does ?role leave))
    (<= terminal (not (true here)))
    (<= (goal ?role 100) (true (left ?role)))
    (<= (goal ?role 0) (role ?role) (not (true (left ?role))))
  )"),
                                           {});
  ASSERT_FALSE(solution);
  EXPECT_EQ(solution.error().kind, base::ErrorKind::not_applicable);
  EXPECT_NE(solution.error().message.find("no state can repeat"), std::string::npos);
}

TEST(Equilibria, RespectLimits) {
  base::Limits limits(std::nullopt, std::nullopt);
  limits.end_when([] { return true; });
  const auto solution =
      solve_simultaneous(generated("goofspiel", {"5"}), {OpponentModel::own, limits});
  ASSERT_FALSE(solution);
  EXPECT_EQ(solution.error().kind, base::ErrorKind::time_limit);
}

TEST(EquilibriumFolder, IsReadBackAndShowsTheMatrix) {
  const MachinePointer machine = shipped("matching_pennies");
  const auto solution = equilibria_of_game(machine);
  const TemporaryFolder folder;
  ASSERT_TRUE(store(solution, folder.folder(), {}));
  EXPECT_TRUE(EquilibriumReader::is_for(folder.path()));
  auto reader = EquilibriumReader::open(folder.path());
  ASSERT_TRUE(reader) << reader.error().message;
  const auto position = reader->position(machine::Stepper(machine).initial_state(), 0);
  ASSERT_TRUE(position) << position.error().message;
  EXPECT_EQ(position->here.equilibrium, solution.equilibrium(0));
  ASSERT_EQ(position->matrix.size(), 4u);
  EXPECT_EQ(position->matrix[0].low, (std::vector<double>{100, 0}));
  EXPECT_EQ(position->matrix[1].low, (std::vector<double>{0, 100}));
  for (const auto& of_role : position->move_values) {
    for (const double value : of_role) EXPECT_NEAR(value, 50, 1e-9);
  }
  const auto refused = SolutionReader::open(folder.path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::not_applicable);
}

TEST(EquilibriumFolder, WrongEquilibriaAreFound) {
  const auto solution = equilibria_of_game(generated("goofspiel", {"3"}));
  const auto changed = [&](auto change) {
    const TemporaryFolder folder;
    EXPECT_TRUE(store(solution, folder.folder(), {}));
    const auto manifest = folder.folder().manifest().value();
    auto equilibria = folder.folder().equilibria(0, manifest.layers[0], 2).value();
    change(equilibria[0]);
    // A solver that wrote these bytes would also have written their checksum.
    std::filesystem::remove(folder.path() / "manifest.json");
    EXPECT_TRUE(folder.folder().save_equilibria(0, equilibria));
    Manifest again = manifest;
    EXPECT_TRUE(folder.folder().finish(again));
    return verify(folder.path()).value();
  };
  EXPECT_TRUE(changed([](Equilibrium&) {}).ok());
  EXPECT_FALSE(changed([](Equilibrium& e) { e.low[0] += 1e-3, e.high[0] += 1e-3; }).ok());
  EXPECT_FALSE(changed([](Equilibrium& e) { e.high[1] -= 1e-3, e.low[1] -= 1e-3; }).ok());
  EXPECT_FALSE(changed([](Equilibrium& e) { e.strategies[0] = {{2, 1}}; }).ok());
  EXPECT_FALSE(changed([](Equilibrium& e) { e.strategies[1] = {{7, 1}}; }).ok());
  EXPECT_FALSE(changed([](Equilibrium& e) { e.low[0] = 0; }).ok());
}

TEST(EquilibriumFolder, DamagedBytesAreFound) {
  const auto solution = equilibria_of_game(shipped("rock_paper_scissors"));
  const TemporaryFolder folder;
  ASSERT_TRUE(store(solution, folder.folder(), {}));
  std::string bytes = folder.read("layer-0001.equilibria");
  bytes[bytes.size() / 2] ^= 1;
  folder.write("layer-0001.equilibria", bytes);
  EXPECT_FALSE(verify(folder.path()).value().ok());
  folder.write("layer-0001.equilibria", "");
  EXPECT_FALSE(verify(folder.path()).value().ok());
}

}  // namespace
}  // namespace zermelo::solve
