// Games with hidden information: the sequence form and its best responses beside a tree of all
// histories, CFR+ beside the linear program, and values that are known from the literature.
#include <gmpxx.h>

#include <cmath>
#include <map>

#include "base/random.h"
#include "base/reward.h"
#include "machine/perft.h"
#include "solve/hidden/cfr_plus.h"
#include "solve/hidden/hidden_solver.h"
#include "solve/hidden/sequence_program.h"
#include "solve/load_game.h"
#include "support/random_game.h"

namespace zermelo::solve {
namespace {

// ---- The obvious way: the tree of all histories, with what the players saw and did as text.

// The probabilities of the legal moves, by what the player saw and did.
using Strategy = std::map<std::string, std::vector<double>>;

class HistoryTree {
 public:
  static constexpr std::size_t max_nodes = 30'000;

  HistoryTree(const MachinePointer& machine, OpponentModel model)
      : stepper_(machine), model_(model) {
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      if (!machine->game().is_random(static_cast<std::uint32_t>(role))) agents_.push_back(role);
    }
    build(stepper_.initial_state(), {});
  }

  bool is_complete() const { return nodes_.size() < max_nodes; }

  // The expected payoff of the first player.
  double value(const std::array<Strategy, 2>& strategies) const { return value(0, strategies); }

  // The expected payoff of a player who responds best to the other's strategy.
  double best_response(std::size_t player, const Strategy& other) {
    player_ = player;
    other_ = &other;
    histories_.clear();
    best_.clear();
    collect(0, 1);
    return response_value(0);
  }

 private:
  struct Node {
    bool terminal = false;
    double payoff = 0;
    std::array<std::string, 2> memory;
    std::array<std::size_t, 2> moves = {1, 1};
    std::size_t chances = 1;
    std::vector<std::size_t> children;  // by move of the first, the second, and chance
    std::size_t child(std::size_t a, std::size_t b, std::size_t c) const {
      return children[(a * moves[1] + b) * chances + c];
    }
  };

  std::size_t build(const machine::State& state, const std::array<std::string, 2>& memory) {
    const std::size_t number = nodes_.size();
    nodes_.emplace_back();
    nodes_[number].memory = memory;
    if (nodes_.size() >= max_nodes) return number;
    if (stepper_.terminal(state)) {
      nodes_[number].terminal = true;
      nodes_[number].payoff = payoff(state);
      return number;
    }
    std::vector<std::vector<machine::Move>> legal(3, {{}});  // first, second, chance
    std::array<std::size_t, 3> role_of = {none, none, none};
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      const auto agent = std::find(agents_.begin(), agents_.end(), role);
      const auto place =
          agent == agents_.end() ? 2 : static_cast<std::size_t>(agent - agents_.begin());
      legal[place] = stepper_.legal_moves(state, role);
      role_of[place] = role;
    }
    nodes_[number].moves = {legal[0].size(), legal[1].size()};
    nodes_[number].chances = legal[2].size();
    for (const machine::Move a : legal[0]) {
      for (const machine::Move b : legal[1]) {
        for (const machine::Move c : legal[2]) {
          const std::array<machine::Move, 3> moves = {a, b, c};
          std::vector<machine::Move> joint(stepper_.roles().size());
          for (std::size_t place = 0; place < 3; ++place) {
            if (role_of[place] != none) joint[role_of[place]] = moves[place];
          }
          const std::size_t child =
              build(stepper_.next_state(state, joint), memory_after(state, joint, memory));
          nodes_[number].children.push_back(child);
        }
      }
    }
    return number;
  }

  std::array<std::string, 2> memory_after(const machine::State& state,
                                          const std::vector<machine::Move>& joint,
                                          std::array<std::string, 2> memory) {
    for (std::size_t player = 0; player < agents_.size(); ++player) {
      memory[player] += stepper_.move_name(joint[agents_[player]]) + ":";
      for (const base::Percept percept : stepper_.percepts(state, joint, agents_[player]))
        memory[player] += " " + stepper_.percept_name(percept);
      memory[player] += ";";
    }
    return memory;
  }

  double payoff(const machine::State& state) {
    const double first = base::reward_of(stepper_.goals(state, agents_[0]));
    if (model_ == OpponentModel::own) return first;
    return first - base::reward_of(stepper_.goals(state, agents_[1]));
  }

  static double probability(const Node& node, std::size_t player, const Strategy& strategy,
                            std::size_t move) {
    return node.moves[player] == 1 ? 1 : strategy.at(node.memory[player])[move];
  }

  double value(std::size_t number, const std::array<Strategy, 2>& strategies) const {
    const Node& node = nodes_[number];
    if (node.terminal) return node.payoff;
    double sum = 0;
    for (std::size_t a = 0; a < node.moves[0]; ++a) {
      for (std::size_t b = 0; b < node.moves[1]; ++b) {
        const double weight = probability(node, 0, strategies[0], a) *
                              probability(node, 1, strategies[1], b) /
                              static_cast<double>(node.chances);
        for (std::size_t c = 0; c < node.chances; ++c)
          sum += weight * value(node.child(a, b, c), strategies);
      }
    }
    return sum;
  }

  // The children after a move of player_, with the probability of the other and of chance.
  template <class Use>
  void for_each_answer(const Node& node, std::size_t move, const Use& use) const {
    for (std::size_t o = 0; o < node.moves[1 - player_]; ++o) {
      const double weight =
          probability(node, 1 - player_, *other_, o) / static_cast<double>(node.chances);
      for (std::size_t c = 0; c < node.chances; ++c)
        use(player_ == 0 ? node.child(move, o, c) : node.child(o, move, c), weight);
    }
  }

  void collect(std::size_t number, double weight) {
    const Node& node = nodes_[number];
    if (node.terminal) return;
    histories_[node.memory[player_]].emplace_back(number, weight);
    for (std::size_t m = 0; m < node.moves[player_]; ++m) {
      for_each_answer(node, m,
                      [&](std::size_t child, double share) { collect(child, weight * share); });
    }
  }

  std::size_t best_move(const std::string& memory) {
    const auto known = best_.find(memory);
    if (known != best_.end()) return known->second;
    const auto& histories = histories_.at(memory);
    std::size_t best = 0;
    double most = -1e300;
    for (std::size_t m = 0; m < nodes_[histories.front().first].moves[player_]; ++m) {
      double sum = 0;
      for (const auto& [number, weight] : histories) {
        for_each_answer(nodes_[number], m, [&](std::size_t child, double share) {
          if (weight * share > 0) sum += weight * share * response_value(child);
        });
      }
      if (sum > most) most = sum, best = m;
    }
    return best_[memory] = best;
  }

  double response_value(std::size_t number) {
    const Node& node = nodes_[number];
    if (node.terminal) return player_ == 0 ? node.payoff : -node.payoff;
    double sum = 0;
    for_each_answer(node, best_move(node.memory[player_]), [&](std::size_t child, double share) {
      if (share > 0) sum += share * response_value(child);
    });
    return sum;
  }

  static constexpr std::size_t none = ~std::size_t{0};

  machine::Stepper stepper_;
  OpponentModel model_;
  std::vector<std::size_t> agents_;
  std::vector<Node> nodes_;
  std::size_t player_ = 0;
  const Strategy* other_ = nullptr;
  std::map<std::string, std::vector<std::pair<std::size_t, double>>> histories_;  // by memory
  std::map<std::string, std::size_t> best_;                                       // by memory
};

Strategy strategy_of(const SequenceForm& form, std::size_t player, const Plan& plan) {
  Strategy strategy;
  for (const Decision& decision : form.decisions(player)) {
    std::string memory;
    for (const SequenceForm::Memory& step : form.memory(player, decision)) {
      memory += step.move + ":";
      for (const std::string& percept : step.percepts) memory += " " + percept;
      memory += ";";
    }
    strategy[memory] = form.probabilities(decision, plan);
  }
  return strategy;
}

Plan random_plan(const SequenceForm& form, std::size_t player, base::Random& random) {
  Plan plan;
  for (std::size_t s = 0; s < form.sequences(player); ++s) plan.push_back(random.below(1000));
  form.normalise(player, plan);
  return plan;
}

double payoff_of_plans(const SequenceForm& form, const std::array<Plan, 2>& plans) {
  double sum = 0;
  for (const SequenceForm::Entry& entry : form.entries())
    sum += entry.payoff * plans[0][entry.row] * plans[1][entry.column];
  return sum;
}

SequenceForm form_of(const MachinePointer& machine, OpponentModel model = OpponentModel::own) {
  return SequenceForm::make(machine, model, {}).value();
}

// ---- The sequence form

void compare_with_tree(const SequenceForm& form, HistoryTree& tree, std::uint64_t seed) {
  base::Random random(seed);
  for (int round = 0; round < 3; ++round) {
    const std::array<Plan, 2> plans = {random_plan(form, 0, random), random_plan(form, 1, random)};
    const std::array<Strategy, 2> strategies = {strategy_of(form, 0, plans[0]),
                                                strategy_of(form, 1, plans[1])};
    // Rewards are up to 100, so this is relative precision.
    EXPECT_NEAR(payoff_of_plans(form, plans) + form.offset(), tree.value(strategies), 1e-9) << seed;
    EXPECT_NEAR(best_response(form, 0, plans[1]) + form.offset(),
                tree.best_response(0, strategies[1]), 1e-9)
        << seed;
    if (form.players() == 1) continue;
    EXPECT_NEAR(best_response(form, 1, plans[0]) - form.offset(),
                tree.best_response(1, strategies[0]), 1e-9)
        << seed;
  }
}

TEST(SequenceForm, ShippedGamesAgreeWithTheirHistories) {
  for (const char* name : {"kuhn_poker", "leduc_poker", "liars_dice", "meier", "monty_hall"}) {
    const auto machine = shipped(std::string("hidden/") + name);
    HistoryTree tree(machine, OpponentModel::own);
    ASSERT_TRUE(tree.is_complete()) << name;
    compare_with_tree(form_of(machine), tree, 1);
  }
}

std::size_t players_of(const MachinePointer& machine) {
  std::size_t players = 0;
  for (std::uint32_t role = 0; role < machine->roles().size(); ++role)
    players += machine->game().is_random(role) ? 0 : 1;
  return players;
}

TEST(SequenceForm, GeneratedGamesAgreeWithTheirHistories) {
  int compared = 0, alone = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const auto machine = from_text(testing::random_hidden_game(seed));
    const std::size_t players = players_of(machine);
    if (players > 2) continue;
    const auto model = players == 2 ? OpponentModel::difference : OpponentModel::own;
    HistoryTree tree(machine, model);
    if (!tree.is_complete()) continue;
    const auto form = SequenceForm::make(machine, model, {});
    if (!form) {  // no strategies
      EXPECT_NE(form.error().message.find("know its legal moves"), std::string::npos);
      continue;
    }
    compare_with_tree(*form, tree, seed);
    ++(players == 2 ? compared : alone);
  }
  EXPECT_GE(compared, 10);
  EXPECT_GE(alone, 10);
}

TEST(SequenceForm, CountsTheDecisionsOfPoker) {
  const SequenceForm kuhn = form_of(shipped("hidden/kuhn_poker"));
  EXPECT_EQ(kuhn.decisions(0).size(), 6u);
  EXPECT_EQ(kuhn.decisions(1).size(), 6u);
  EXPECT_EQ(kuhn.sequences(0), 13u);
  EXPECT_EQ(kuhn.range(), 100);
  const SequenceForm leduc = form_of(shipped("hidden/leduc_poker"));
  EXPECT_EQ(leduc.decisions(0).size(), 468u);
  EXPECT_EQ(leduc.decisions(1).size(), 468u);
}

TEST(SequenceForm, PlayersRememberWhatTheySawAndDid) {
  const SequenceForm kuhn = form_of(shipped("hidden/kuhn_poker"));
  const auto memory = kuhn.memory(0, kuhn.decisions(0).back());
  ASSERT_EQ(memory.size(), 4u);  // its card, the other card, its check, the bet of the other
  EXPECT_EQ(memory[0].percepts.size(), 1u);
  EXPECT_FALSE(memory[0].had_choice);
  EXPECT_EQ(memory[1].percepts, std::vector<std::string>());
  EXPECT_EQ(memory[2].move, "check");
  EXPECT_TRUE(memory[2].had_choice);
  EXPECT_EQ(memory[3].percepts, std::vector<std::string>{"(did second bet)"});
}

TEST(SequenceForm, NormaliseRepairsAnyPlan) {
  const SequenceForm kuhn = form_of(shipped("hidden/kuhn_poker"));
  Plan plan(kuhn.sequences(0), -1.0);
  kuhn.normalise(0, plan);
  EXPECT_EQ(plan, kuhn.uniform_plan(0));
  for (const Decision& decision : kuhn.decisions(0)) {
    EXPECT_DOUBLE_EQ(plan[decision.first] + plan[decision.first + 1], plan[decision.before]);
  }
}

// ---- Solving

HiddenSolution solution_of(const MachinePointer& machine, const HiddenOptions& options = {}) {
  return solve_hidden(machine, options).value();
}

// The bounds are proved again on the tree of histories.
void check_bounds(const HiddenSolution& solution, HistoryTree& tree) {
  const SequenceForm& form = solution.form;
  const Strategy first = strategy_of(form, 0, solution.pair.plans[0]);
  const Strategy second = strategy_of(form, 1, solution.pair.plans[1]);
  EXPECT_LE(tree.best_response(0, second), solution.high(0) + 1e-12);
  EXPECT_GE(-tree.best_response(1, first), solution.low(0) - 1e-12);
}

TEST(HiddenSolver, KuhnPokerByTheLinearProgram) {
  const auto machine = shipped("hidden/kuhn_poker");
  const HiddenSolution solution = solution_of(machine);
  EXPECT_EQ(solution.algorithm, Algorithm::sequence_form);
  EXPECT_NEAR(solution.low(0), 50 - 25.0 / 18, 1e-9);
  EXPECT_NEAR(solution.high(0), 50 - 25.0 / 18, 1e-9);
  EXPECT_NEAR(solution.low(1), 50 + 25.0 / 18, 1e-9);
  HistoryTree tree(machine, OpponentModel::own);
  check_bounds(solution, tree);
  const auto exact =
      solve_sequence_program(solution.form, LinearProgram::Arithmetic::exact, {}).value();
  EXPECT_NEAR(exact.low, -25.0 / 18, 1e-11);
  EXPECT_NEAR(exact.high, -25.0 / 18, 1e-11);
}

// Every equilibrium of Kuhn poker has this strategy of the second player (Kuhn 1950): with the jack
// it calls no bet and bets a third of the time after a check; with the queen it calls a third of
// the bets.
TEST(HiddenSolver, KuhnPokerHasKuhnsStrategy) {
  const HiddenSolution solution = solution_of(shipped("hidden/kuhn_poker"));
  const Strategy strategy = strategy_of(solution.form, 1, solution.pair.plans[1]);
  const auto after = [&](const std::string& card, const std::string& move) {
    return strategy.at("noop:;noop: (card " + card + ");noop: (did first " + move + ");");
  };
  EXPECT_NEAR(after("jack", "check")[0], 1.0 / 3, 1e-9);  // bet, check
  EXPECT_NEAR(after("jack", "bet")[0], 0, 1e-9);          // call, fold
  EXPECT_NEAR(after("queen", "bet")[0], 1.0 / 3, 1e-9);
  EXPECT_NEAR(after("queen", "check")[0], 0, 1e-9);
  EXPECT_NEAR(after("king", "bet")[0], 1, 1e-9);
  EXPECT_NEAR(after("king", "check")[0], 1, 1e-9);
}

// The value -0.085606 chips is that of OpenSpiel's linear program; a chip is 3 points.
TEST(HiddenSolver, LeducPokerByCfrPlus) {
  const auto machine = shipped("hidden/leduc_poker");
  const HiddenSolution solution = solution_of(machine);
  EXPECT_EQ(solution.algorithm, Algorithm::cfr_plus);
  EXPECT_LE(solution.pair.exploitability(), 0.001 * solution.form.range());
  const double value = 50 - 3 * 0.085606;
  EXPECT_LE(solution.low(0), value + 1e-5);
  EXPECT_GE(solution.high(0), value - 1e-5);
  HistoryTree tree(machine, OpponentModel::own);
  check_bounds(solution, tree);
}

void compare_algorithms(const MachinePointer& machine, OpponentModel model,
                        const std::string& name) {
  HiddenOptions options;
  options.model = model;
  options.algorithm = Algorithm::sequence_form;
  const HiddenSolution exact = solution_of(machine, options);
  options.algorithm = Algorithm::cfr_plus;
  options.precision = 1e-4;
  const HiddenSolution iterated = solution_of(machine, options);
  const double tolerance = 1e-6 * std::max(1.0, exact.form.range());
  EXPECT_LE(exact.pair.exploitability(), tolerance) << name;
  EXPECT_LE(iterated.low(0), exact.high(0) + tolerance) << name;
  EXPECT_GE(iterated.high(0), exact.low(0) - tolerance) << name;
  EXPECT_LE(iterated.pair.exploitability(), 1e-4 * exact.form.range() + tolerance) << name;
}

TEST(HiddenSolver, CfrPlusFindsTheValueOfTheLinearProgram) {
  for (const char* name : {"kuhn_poker", "liars_dice", "meier"})
    compare_algorithms(shipped(std::string("hidden/") + name), OpponentModel::own, name);
}

TEST(HiddenSolver, CfrPlusFindsTheValueOfGeneratedGames) {
  int compared = 0;
  for (std::uint64_t seed = 1; compared < 12 && seed <= 120; ++seed) {
    const auto machine = from_text(testing::random_hidden_game(seed));
    if (players_of(machine) != 2) continue;
    if (!HistoryTree(machine, OpponentModel::difference).is_complete()) continue;
    const auto form = SequenceForm::make(machine, OpponentModel::difference, {});
    if (!form || form->sequences(0) + form->sequences(1) > program_up_to) continue;
    compare_algorithms(machine, OpponentModel::difference, std::to_string(seed));
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

TEST(HiddenSolver, BoundsShrink) {
  const SequenceForm leduc = form_of(shipped("hidden/leduc_poker"));
  CfrPlus cfr(leduc);
  double last = 1e300;
  for (const std::uint64_t iterations : {1u, 10u, 100u}) {
    while (cfr.iterations() < iterations) cfr.iterate();
    const double now = with_bounds(leduc, cfr.average()).exploitability();
    EXPECT_LT(now, last / 2);
    last = now;
  }
}

TEST(HiddenSolver, OnePlayer) {
  const HiddenSolution solution = solution_of(shipped("hidden/monty_hall"));
  EXPECT_EQ(solution.algorithm, Algorithm::retrograde);
  EXPECT_NEAR(solution.low(0), 200.0 / 3, 1e-9);
  EXPECT_NEAR(solution.high(0), 200.0 / 3, 1e-9);
}

// The value in rational arithmetic beside backward induction in floating point.
TEST(HiddenSolver, OnePlayerExactly) {
  EXPECT_EQ(solution_of(shipped("hidden/monty_hall")).exact_value, "200/3");
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const auto machine = from_text(testing::random_hidden_game(seed));
    if (players_of(machine) != 1) continue;
    if (!HistoryTree(machine, OpponentModel::own).is_complete()) continue;
    const auto form = SequenceForm::make(machine, OpponentModel::own, {});
    if (!form) continue;  // no strategies
    const HiddenSolution solution = solution_of(machine);
    const mpq_class exact(solution.exact_value);
    EXPECT_NEAR(exact.get_d(), best_response(*form, 0, {1.0}), 1e-9) << seed;
    EXPECT_LE(solution.low(0), exact.get_d() + 1e-12) << seed;
    EXPECT_GE(solution.low(0), exact.get_d() - 1e-9) << seed;
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

// Both choose heads or tails at the same time; nothing is seen before the end.
TEST(HiddenSolver, MatchingPennies) {
  const auto machine = from_text(R"(
    (role even) (role odd) (side heads) (side tails) (init start)
    (<= (legal ?r ?s) (role ?r) (side ?s))
    (<= (next same) (does even ?s) (does odd ?s))
    (<= (next over) (true start))
    (<= (sees ?r ?s) (does ?r ?s))
    (<= terminal (true over))
    (<= (goal even 100) (true same)) (<= (goal even 0) (not (true same)))
    (<= (goal odd 0) (true same)) (<= (goal odd 100) (not (true same)))
  )");
  const HiddenSolution solution = solution_of(machine);
  EXPECT_NEAR(solution.low(0), 50, 1e-9);
  EXPECT_NEAR(solution.high(0), 50, 1e-9);
  EXPECT_NEAR(solution.pair.plans[1][1], 0.5, 1e-9);
}

// ---- What is refused

base::Error refusal_of_hidden(const MachinePointer& machine, const HiddenOptions& options = {}) {
  const auto solution = solve_hidden(machine, options);
  EXPECT_FALSE(solution);
  return solution ? base::Error{} : solution.error();
}

TEST(HiddenSolver, RefusesMoreThanTwoPlayers) {
  const base::Error error = refusal_of_hidden(shipped("hidden/muddy_children"));
  EXPECT_EQ(error.kind, base::ErrorKind::not_applicable);
  EXPECT_NE(error.message.find("this one has 3"), std::string::npos) << error.message;
}

TEST(HiddenSolver, RefusesOtherSums) {
  const auto machine = from_text(R"(
    (role a) (role b) (role random) (side heads) (side tails) (init start)
    (<= (legal ?r ?s) (role ?r) (side ?s))
    (<= (next same) (does a ?s) (does b ?s))
    (<= (next over) (true start))
    (<= (sees a ?s) (does random ?s))
    (<= terminal (true over))
    (<= (goal ?r 100) (role ?r) (true same)) (<= (goal ?r 30) (role ?r) (not (true same)))
  )");
  const base::Error error = refusal_of_hidden(machine);
  EXPECT_EQ(error.kind, base::ErrorKind::not_applicable);
  EXPECT_NE(error.message.find("the rewards 30 + 30 and 100 + 100"), std::string::npos)
      << error.message;
  HiddenOptions options;
  options.model = OpponentModel::difference;
  EXPECT_NEAR(solution_of(machine, options).low(0), 0, 1e-9);
}

TEST(HiddenSolver, RefusesPlayersWhoDoNotKnowTheirMoves) {
  const auto machine = from_text(R"(
    (role a) (role b) (role random) (init (step 0)) (succ 0 1) (succ 1 2)
    (side heads) (side tails)
    (<= (legal random ?s) (side ?s))
    (<= (legal b noop))
    (<= (legal a noop))
    (<= (legal a ?s) (true (fell ?s)))
    (<= (next (fell ?s)) (true (step 0)) (does random ?s))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (sees b ?s) (does random ?s))
    (<= terminal (true (step 2)))
    (goal a 50) (goal b 50)
  )");
  const base::Error error = refusal_of_hidden(machine);
  EXPECT_EQ(error.kind, base::ErrorKind::not_applicable);
  EXPECT_NE(error.message.find("a does not always know its legal moves"), std::string::npos)
      << error.message;
}

TEST(HiddenSolver, RespectsTheTimeLimit) {
  HiddenOptions options;
  options.precision = 1e-12;
  options.limits = base::Limits(std::chrono::duration<double>(0.5), {});
  const base::Error error = refusal_of_hidden(shipped("hidden/leduc_poker"), options);
  EXPECT_EQ(error.kind, base::ErrorKind::time_limit);
  options.limits = base::Limits(std::chrono::duration<double>(0), {});
  EXPECT_EQ(refusal_of_hidden(shipped("hidden/leduc_poker"), options).kind,
            base::ErrorKind::time_limit);
}

}  // namespace
}  // namespace zermelo::solve
