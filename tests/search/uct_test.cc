// The search against the explicit solver, and its guarantees about seeds, memory and threads.
#include "search/uct.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/games.h"
#include "solve/explicit/explicit_solver.h"
#include "support/processor_time.h"

namespace zermelo::search {
namespace {

solve::ExplicitSolution solved(const Simulator& simulator) {
  return solve::solve_explicit(simulator.machine(), {}).value();
}

class SolverValues : public eval::StateValues {
 public:
  explicit SolverValues(solve::ExplicitSolution solution) : solution_(std::move(solution)) {}
  std::optional<Rewards> value(const machine::State& state) const override {
    return solution_.value(state);
  }

 private:
  solve::ExplicitSolution solution_;
};

bool is_best(const solve::ExplicitSolution& solution, const State& state, Uct& uct) {
  const std::vector<solve::MoveValue> moves = solution.moves(state);
  const Move chosen = uct.best_move(moves.front().role);
  return std::ranges::any_of(
      moves, [&](const solve::MoveValue& move) { return move.keeps_value && move.move == chosen; });
}

// Searches from random states until the root is proved.
void expect_proofs(const SimulatorPointer& simulator, const UctOptions& options) {
  const solve::ExplicitSolution solution = solved(*simulator);
  base::Random random(7);
  for (int i = 0; i < 6; ++i) {
    const State state = random_state(*simulator, random.below(6), random);
    Uct uct(simulator, options);
    uct.set_root(state);
    const SearchReport report = uct.search({{}, 1'000'000});
    ASSERT_TRUE(report.exact.has_value());
    EXPECT_EQ(*report.exact, solution.value(state));
    EXPECT_TRUE(is_best(solution, state, uct));
  }
}

TEST(Uct, ProvedValuesEqualTheSolvers) {
  expect_proofs(shipped("tic_tac_toe"), {});
  expect_proofs(shipped("nim"), {});
  expect_proofs(shipped("chomp"), {});
  expect_proofs(generated("clobber", {"3", "3"}), {});
}

// Three players take one or two of eleven; the player who takes the last gets 100, the next one 30.
TEST(Uct, ProvedValuesOfThreePlayers) {
  std::string rules = R"(
    (role a) (role b) (role c) (follows a b) (follows b c) (follows c a)
    (init (left 11)) (init (turn a))
    (<= (legal ?r (take 1)) (true (turn ?r)) (true (left ?n)) (minus ?n 1 ?m))
    (<= (legal ?r (take 2)) (true (turn ?r)) (true (left ?n)) (minus ?n 2 ?m))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (left ?m)) (does ?r (take ?k)) (true (left ?n)) (minus ?n ?k ?m))
    (<= (next (turn ?s)) (true (turn ?r)) (follows ?r ?s))
    (<= terminal (true (left 0)))
    (<= (goal ?r 100) (follows ?r ?s) (true (turn ?s)))
    (<= (goal ?r 30) (true (turn ?r)))
    (<= (goal ?r 0) (true (turn ?s)) (follows ?s ?r))
  )";
  for (int n = 1; n <= 11; ++n) {
    for (int k = 1; k <= std::min(n, 2); ++k) {
      rules += "(minus " + std::to_string(n) + " " + std::to_string(k) + " " +
               std::to_string(n - k) + ")";
    }
  }
  expect_proofs(simulator_of(testing::rulesheet(rules)), {});
}

TEST(Uct, VariantsProveTheSame) {
  UctOptions options;
  options.selection.sufficiency = 0.6;
  options.moving_average = MovingAverage();
  options.threads = 2;
  expect_proofs(shipped("nim"), options);
  options.selection.rave = 300;
  options.mast = 0.4;
  expect_proofs(shipped("tic_tac_toe"), options);
}

TEST(Uct, SameSeedSameStatistics) {
  const SimulatorPointer simulator = shipped("connect_four");
  const auto run = [&](std::uint64_t seed) {
    UctOptions options;
    options.seed = seed;
    Uct uct(simulator, options);
    uct.set_root(simulator->initial());
    uct.search({{}, 20'000});
    std::vector<std::uint64_t> visits;
    for (const MoveReport& move : uct.moves(0)) visits.push_back(move.visits);
    return visits;
  };
  EXPECT_EQ(run(3), run(3));
  EXPECT_NE(run(3), run(4));
}

// Every move on the line is won, as each can be undone; yet a player must reach the end.
TEST(Uct, ProvedWinsAreConverted) {
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(R"(
    (role a) (init (cell 1)) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
    (legal a left) (legal a right)
    (<= (next (cell ?y)) (does a right) (true (cell ?x)) (after ?x ?y))
    (<= (next (cell ?x)) (does a left) (true (cell ?y)) (after ?x ?y))
    (<= (next (cell 1)) (does a left) (true (cell 1)))
    (<= terminal (true (cell 5)))
    (<= (goal a 100) (true (cell 5))) (<= (goal a 0) (not (true (cell 5))))
  )"));
  Uct uct(simulator, {});
  const auto walker = simulator->walker();
  walker->go_to(simulator->initial());
  for (int move = 0; move < 4; ++move) {
    ASSERT_FALSE(walker->terminal());
    uct.set_root(walker->state());
    uct.search({{}, 2'000});
    walker->make(std::vector<Move>{uct.best_move(0)});
  }
  EXPECT_TRUE(walker->terminal());
}

// o has lost: x will threaten two lines after the next move, but threatens only one now.
TEST(Uct, LostPositionsAreDefended) {
  const SimulatorPointer simulator = shipped("tic_tac_toe");
  const auto walker = simulator->walker();
  walker->go_to(simulator->initial());
  const auto make = [&](const char* x, const char* o) {
    walker->make(std::vector<Move>{*find_move(*simulator, *walker, 0, x),
                                   *find_move(*simulator, *walker, 1, o)});
  };
  Uct uct(simulator, {});
  uct.set_root(walker->state());
  uct.search({{}, 100'000});  // the whole game is proved, often not by shortest lines
  make("(mark 1 1)", "noop");
  make("noop", "(mark 1 2)");
  make("(mark 3 1)", "noop");
  uct.set_root(walker->state());
  ASSERT_TRUE(uct.search({{}, 100'000}).exact.has_value());
  EXPECT_EQ(simulator->move_name(uct.best_move(1)), "(mark 2 1)");
}

TEST(Uct, ABatchUsesAllLanes) {
  const SimulatorPointer simulator = shipped("connect_four");
  UctOptions options;
  options.max_leaves = 8 * 43;  // an eighth at first, and 256 is not a multiple of 43
  Uct uct(simulator, options);
  uct.set_root(simulator->initial());
  EXPECT_EQ(uct.search({{}, 1}).simulations, 256u);
}

TEST(Expansion, NodesHaveNoSpareCapacity) {
  const SimulatorPointer simulator = shipped("connect_four");
  Tree tree;
  Expansion expansion(*simulator, tree, nullptr);
  Node& node = *expansion.enter(simulator->initial(), 1).node;
  expansion.open(node);
  EXPECT_EQ(node.choices->moves.capacity(), node.choices->moves.size());
  EXPECT_EQ(node.choices->first.capacity(), node.choices->first.size());
  EXPECT_EQ(node.choices->edges.capacity(), node.choices->edges.size());
}

// Keeps searching in a tree that is soon full.
void expect_bounded(const std::string& game, const UctOptions& options, std::uint64_t simulations) {
  const SimulatorPointer simulator = shipped(game);
  Uct uct(simulator, options);
  uct.set_root(simulator->initial());
  for (int i = 0; i < 10; ++i) {
    const SearchReport report = uct.search({{}, simulations});
    EXPECT_LT(report.bytes, options.memory_bytes * 5 / 4);
    EXPECT_GT(report.nodes, 100u);
  }
}

TEST(Uct, MemoryIsBounded) {
  UctOptions options;
  options.memory_bytes = 1 << 20;
  expect_bounded("connect_four", options, 10'000);
}

// Both roles decide at once: the edges are of joint moves.
TEST(Uct, MemoryOfSimultaneousMovesIsBounded) {
  UctOptions options;
  options.memory_bytes = 1 << 21;
  options.threads = 2;
  expect_bounded("double_tic_tac_toe", options, 20'000);
}

TEST(Uct, TheTreeIsKept) {
  const SimulatorPointer simulator = shipped("connect_four");
  Uct uct(simulator, {});
  uct.set_root(simulator->initial());
  uct.search({{}, 20'000});
  base::Random random(1);
  uct.set_root(random_state(*simulator, 1, random));
  std::uint64_t visits = 0;
  for (const MoveReport& move : uct.moves(1)) visits += move.visits;
  EXPECT_GT(visits, 100u);
}

TEST(Uct, UsesExternalExactValues) {
  const SimulatorPointer simulator = shipped("tic_tac_toe");
  const solve::ExplicitSolution solution = solved(*simulator);
  base::Random random(5);
  for (int i = 0; i < 20; ++i) {
    const State state = random_state(*simulator, random.below(8), random);
    Uct uct(simulator, {}, std::make_shared<SolverValues>(solved(*simulator)));
    uct.set_root(state);
    EXPECT_EQ(uct.search({{}, 1'000}).exact, solution.value(state));
    EXPECT_TRUE(is_best(solution, state, uct));
  }
}

// Both roles have two moves, but only b's choice matters.
TEST(Uct, ExactValuesWhereOneOfSeveralDecides) {
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(R"(
    (role a) (role b) (init start)
    (<= (legal ?r ?m) (role ?r) (move ?m)) (move bad) (move good)
    (<= (next (did ?m)) (does b ?m))
    (<= terminal (true (did ?m)))
    (<= (goal a 100) (true (did bad))) (<= (goal a 0) (true (did good)))
    (<= (goal b 0) (true (did bad))) (<= (goal b 100) (true (did good)))
  )"));
  Uct uct(simulator, {}, std::make_shared<SolverValues>(solved(*simulator)));
  uct.set_root(simulator->initial());
  EXPECT_EQ(uct.search({{}, 1'000}).exact, (Rewards{0, 100}));
  EXPECT_EQ(simulator->move_name(uct.best_move(1)), "good");
}

// Defecting is better whatever the other does.
TEST(Uct, SimultaneousMovesFindTheDominantOne) {
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(R"(
    (role a) (role b) (init start)
    (<= (legal ?r ?m) (role ?r) (move ?m)) (move cooperate) (move defect)
    (<= (next (did ?r ?m)) (does ?r ?m))
    (<= terminal (true (did a ?m)))
    (other a b) (other b a)
    (<= (goal ?r 60) (other ?r ?o) (true (did ?r cooperate)) (true (did ?o cooperate)))
    (<= (goal ?r 0) (other ?r ?o) (true (did ?r cooperate)) (true (did ?o defect)))
    (<= (goal ?r 100) (other ?r ?o) (true (did ?r defect)) (true (did ?o cooperate)))
    (<= (goal ?r 30) (other ?r ?o) (true (did ?r defect)) (true (did ?o defect)))
  )"));
  Uct uct(simulator, {});
  uct.set_root(simulator->initial());
  EXPECT_FALSE(uct.search({{}, 20'000}).exact.has_value());
  for (std::size_t role = 0; role < 2; ++role) {
    EXPECT_EQ(simulator->move_name(uct.best_move(role)), "defect");
  }
}

// Like the game above, but one step longer, so that its results arrive in batches.
TEST(Uct, SimultaneousMovesOfABatchAreIndependent) {
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(R"(
    (role a) (role b) (init start)
    (<= (legal ?r ?m) (true start) (role ?r) (move ?m)) (move cooperate) (move defect)
    (<= (legal ?r noop) (role ?r) (not (true start)))
    (<= (next (did ?r ?m)) (does ?r ?m) (move ?m))
    (<= (next (did ?r ?m)) (true (did ?r ?m)))
    (<= (next over) (not (true start)))
    (<= terminal (true over))
    (other a b) (other b a)
    (<= (goal ?r 60) (other ?r ?o) (true (did ?r cooperate)) (true (did ?o cooperate)))
    (<= (goal ?r 0) (other ?r ?o) (true (did ?r cooperate)) (true (did ?o defect)))
    (<= (goal ?r 100) (other ?r ?o) (true (did ?r defect)) (true (did ?o cooperate)))
    (<= (goal ?r 30) (other ?r ?o) (true (did ?r defect)) (true (did ?o defect)))
  )"));
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    UctOptions options;
    options.proofs = false;
    options.seed = seed;
    Uct uct(simulator, options);
    uct.set_root(simulator->initial());
    uct.search({{}, 20'000});
    for (std::size_t role = 0; role < 2; ++role) {
      EXPECT_EQ(simulator->move_name(uct.best_move(role)), "defect") << seed;
    }
  }
}

TEST(Uct, SinglePlayerGoalIsFound) {
  const SimulatorPointer simulator = shipped("buttons");
  Uct uct(simulator, {});
  uct.set_root(simulator->initial());
  EXPECT_EQ(uct.search({{}, 200'000}).exact, Rewards{100});
}

TEST(Uct, PlaysGamesThatDoNotGround) {
  const SimulatorPointer simulator =
      shipped("tic_tac_toe", {.limits = base::Limits(std::chrono::duration<double>(0), {})});
  ASSERT_EQ(simulator->machine(), nullptr);
  Uct uct(simulator, {});
  uct.set_root(simulator->initial());
  uct.search({{}, 300});
  std::uint64_t visits = 0;
  for (const MoveReport& move : uct.moves(0)) visits += move.visits;
  EXPECT_GE(visits, 300u);
}

TEST(Simulator, ConstructionCanBeCancelled) {
  base::Limits limits;
  limits.end_when([] { return true; });
  const auto rules = testing::rulesheet_file(ZERMELO_ROOT "/games/tic_tac_toe.kif");
  const auto simulator = make_ground_simulator(rules, limits);
  ASSERT_FALSE(simulator.has_value());
  EXPECT_EQ(simulator.error().kind, base::ErrorKind::time_limit);
  const auto machine = make_ground_simulator(rules, {}).value()->machine();
  EXPECT_FALSE(make_sliced_simulator(machine, limits).has_value());
}

TEST(Uct, RespectsTheTimeLimit) {
  const SimulatorPointer simulator = shipped("connect_four");
  Uct uct(simulator, {});
  uct.set_root(simulator->initial());
  const auto begin = testing::process_time();
  const SearchReport report = uct.search({std::chrono::duration<double>(0.1), {}});
  EXPECT_GE(report.seconds, 0.1);
  EXPECT_LT(testing::process_time() - begin, std::chrono::seconds(1));
}

// A simulator with playouts of the test's own.
class WithPlayouts : public Simulator {
 public:
  using Make = std::function<std::unique_ptr<Playouts>(std::uint64_t seed)>;
  WithPlayouts(SimulatorPointer simulator, Make make)
      : simulator_(std::move(simulator)), make_(std::move(make)) {}

  const std::vector<std::string>& roles() const override { return simulator_->roles(); }
  State initial() const override { return simulator_->initial(); }
  std::unique_ptr<Walker> walker() const override { return simulator_->walker(); }
  std::unique_ptr<Playouts> playouts(std::uint64_t seed) const override { return make_(seed); }
  std::string move_name(Move move) const override { return simulator_->move_name(move); }
  std::vector<std::string> fluent_names(const State& state) const override {
    return simulator_->fluent_names(state);
  }
  bool parallel() const override { return true; }
  std::vector<int> goal_values(std::size_t role) const override {
    return simulator_->goal_values(role);
  }
  std::shared_ptr<const machine::Machine> machine() const override { return simulator_->machine(); }

 private:
  SimulatorPointer simulator_;
  Make make_;
};

// Runs until a stop is requested, or throws at once if so configured.
class EndlessPlayouts : public Playouts {
 public:
  explicit EndlessPlayouts(bool fails) : fails_(fails) {}
  std::size_t lanes() const override { return 1; }
  void play(std::span<const State> states, PlayoutBatch& batch,
            const std::stop_token& stop) override {
    if (fails_) throw std::bad_alloc();
    batch.rewards.assign(states.size() * 2, 0);
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  bool fails_;
};

TEST(Uct, AStopDuringPlayoutsDiscardsThem) {
  const auto simulator = std::make_shared<const WithPlayouts>(
      shipped("connect_four"),
      [](std::uint64_t) { return std::make_unique<EndlessPlayouts>(false); });
  Uct uct(simulator, {});
  uct.set_root(simulator->initial());
  std::stop_source stop;
  const std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  EXPECT_EQ(uct.search({}, stop.get_token()).simulations, 0u);
}

TEST(Uct, AFailingThreadStopsTheOthers) {
  const auto simulator = std::make_shared<const WithPlayouts>(
      shipped("connect_four"),
      [](std::uint64_t seed) { return std::make_unique<EndlessPlayouts>(seed != 1); });
  UctOptions options;
  options.threads = 2;
  Uct uct(simulator, options);
  uct.set_root(simulator->initial());
  EXPECT_THROW(uct.search({}), std::bad_alloc);
}

TEST(Uct, StopsOnRequest) {
  const SimulatorPointer simulator = shipped("connect_four");
  Uct uct(simulator, {});
  uct.set_root(simulator->initial());
  std::jthread ponder([&](std::stop_token stop) { uct.search({}, stop); });
  testing::wait_for_work(std::chrono::milliseconds(50));
  ponder.request_stop();
  ponder.join();
  std::uint64_t visits = 0;
  for (const MoveReport& move : uct.moves(0)) visits += move.visits;
  EXPECT_GT(visits, 0u);
}

}  // namespace
}  // namespace zermelo::search
