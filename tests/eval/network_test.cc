// Networks that learn: evaluation, gradients, files, training.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/random_walk.h"
#include "eval/network/network_evaluator.h"
#include "eval/network/network_file.h"
#include "eval/network/trainer.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::eval::network {
namespace {

using testing::MachinePointer;

GameNetwork made(const MachinePointer& machine, const NetworkOptions& options = {}) {
  return GameNetwork::make(machine, options).value();
}

std::vector<machine::State> states_of(const MachinePointer& machine, std::size_t count) {
  analysis::RandomWalk walk(machine, {.seed = 9, .max_depth = 100});
  std::vector<machine::State> states;
  while (states.size() < count) {
    states.push_back(walk.state());
    if (!walk.advance()) walk.restart();
  }
  return states;
}

// The outputs of the goals of all roles by the reference, whose inputs are those of `inputs`.
std::vector<double> reference_outputs(const DomainTheory& theory, const LogicNetwork& network,
                                      const std::vector<std::uint32_t>& of_theory,
                                      const std::vector<std::uint32_t>& active) {
  std::vector<double> outputs(theory.nodes());
  for (DomainTheory::Node i = 0; i < theory.inputs(); ++i) {
    outputs[i] = std::count(active.begin(), active.end(), of_theory[i]) > 0 ? 1 : -1;
  }
  network.evaluate(outputs);
  std::vector<double> result;
  for (std::size_t role = 0; role < theory.roles(); ++role) {
    for (const DomainTheory::Goal& goal : theory.goals(role)) {
      result.push_back(LogicNetwork::output(goal.condition, outputs));
    }
  }
  return result;
}

// Before training: the outputs of the goals are those of the reference, their signs are those of
// the machine, and the estimate is what the header says.
void expect_correct_start(const MachinePointer& machine) {
  const DomainTheory theory(machine->game(), 50'000);
  const LogicNetwork logic = LogicNetwork::generalised(theory);
  const GameNetwork network = made(machine);
  const NetworkEvaluator evaluator(made(machine));
  machine::Cursor cursor(machine);
  std::vector<std::uint32_t> active;
  std::vector<float> values(theory.roles());
  for (const machine::State& state : states_of(machine, 40)) {
    cursor.reset(state);
    network.inputs.read(state, active);
    const auto expected = reference_outputs(theory, logic, network.inputs.of_theory(), active);
    evaluator.evaluate({&state, 1}, values);
    std::size_t next = 0;
    for (std::size_t role = 0; role < theory.roles(); ++role) {
      const std::vector<float> outputs = network.network.goal_outputs(active, role);
      const std::vector<int> goals = cursor.goals(role);
      double sum = 0;
      for (std::size_t g = 0; g < outputs.size(); ++g, ++next) {
        const int value = theory.goals(role)[g].value;
        ASSERT_NEAR(static_cast<double>(outputs[g]), expected[next], 1e-4);
        ASSERT_EQ(expected[next] > 0, std::count(goals.begin(), goals.end(), value) > 0);
        sum += 2 * (value - 50) / 50.0 * expected[next];
      }
      ASSERT_NEAR(static_cast<double>(values[role]), 100 / (1 + std::exp(-sum)), 0.05);
    }
  }
}

TEST(Network, StartsCorrect) {
  for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough", "othello", "checkers",
                           "chinese_checkers_3", "nim", "eight_puzzle", "goofspiel"}) {
    SCOPED_TRACE(name);
    expect_correct_start(testing::shipped(name));
  }
}

TEST(Network, StartsCorrectInRandomGames) {
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    SCOPED_TRACE(seed);
    expect_correct_start(testing::from_text(testing::random_game(seed)));
  }
}

TEST(Network, BatchesAndSingleStatesAgree) {
  const MachinePointer machine = testing::shipped("breakthrough");
  GameNetwork network = made(machine);
  Trainer(network, {}).train_round({});
  const NetworkEvaluator evaluator(std::move(network));
  const auto states = states_of(machine, 150);
  std::vector<float> batch(300), single(2);
  evaluator.evaluate(states, batch);
  for (std::size_t i = 0; i < states.size(); ++i) {
    evaluator.evaluate({&states[i], 1}, single);
    EXPECT_EQ(batch[2 * i], single[0]);
    EXPECT_EQ(batch[2 * i + 1], single[1]);
  }
}

double cross_entropy(const ValueNetwork& network, const std::vector<std::uint32_t>& active,
                     std::span<const float> targets) {
  std::vector<float> values(targets.size());
  network.evaluate(active, values);
  double loss = 0;
  for (std::size_t role = 0; role < targets.size(); ++role) {
    const auto value = static_cast<double>(values[role]);
    const auto target = static_cast<double>(targets[role]);
    loss -= target * std::log(value) + (1 - target) * std::log(1 - value);
  }
  return loss;
}

// Every derivative against the difference of two evaluations. Hidden neurons count only after their
// weights to the roles are no longer 0.
TEST(Network, GradientsAreThoseOfFiniteDifferences) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  for (const Start start : {Start::correct, Start::noise}) {
    GameNetwork network = made(machine, {.hidden = 3, .start = start});
    const std::span<float> weights = network.network.parameters();
    base::Random random(4);
    for (float& weight : weights) {
      weight = 0.5f * weight + static_cast<float>(random.below(1000)) / 2500 - 0.2f;
    }
    std::vector<std::uint32_t> active;
    network.inputs.read(states_of(machine, 6).back(), active);
    const std::vector<float> targets = {0.8f, 0.3f};
    std::vector<float> gradient(weights.size());
    network.network.add_gradient(active, targets, gradient);
    std::size_t nonzero = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      constexpr float step = 1e-2f;
      const float before = weights[i];
      weights[i] = before + step;
      const double above = cross_entropy(network.network, active, targets);
      weights[i] = before - step;
      const double below = cross_entropy(network.network, active, targets);
      weights[i] = before;
      const double difference = (above - below) / (2 * static_cast<double>(step));
      ASSERT_NEAR(static_cast<double>(gradient[i]), difference, 1e-3 + 0.01 * std::abs(difference));
      nonzero += std::abs(difference) > 1e-4;
    }
    EXPECT_GT(nonzero, 100u);
  }
}

TEST(Network, AFileRestoresEverything) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  GameNetwork network = made(machine, {.hidden = 5, .seed = 7});
  Trainer trainer(network, {});
  for (int round = 0; round < 3; ++round) ASSERT_TRUE(trainer.train_round({}));
  network.progress.seconds = 1.25;
  const std::string text = write(network);
  const auto restored = read(machine, text, "file");
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(write(*restored), text);
  EXPECT_EQ(restored->options.hidden, 5u);
  EXPECT_EQ(restored->progress.games, network.progress.games);
}

TEST(Network, AFileOfAnotherGameIsRefused) {
  const std::string text = write(made(testing::shipped("tic_tac_toe")));
  const auto other = read(testing::shipped("connect_four"), text, "file");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, base::ErrorKind::not_applicable);
}

// Every prefix and many changes of single characters: refused, or a network with other numbers.
TEST(Network, DamagedFilesAreRefused) {
  const MachinePointer machine = testing::shipped("nim");
  const std::string text = write(made(machine, {.hidden = 1}));
  for (std::size_t length = 0; length + 1 < text.size(); length += 1 + length / 40) {
    const auto damaged = read(machine, text.substr(0, length), "file");
    ASSERT_FALSE(damaged) << length;
    const bool has_signature = length > text.find("hidden");  // a shorter one is another game's
    if (has_signature) {
      EXPECT_EQ(damaged.error().kind, base::ErrorKind::unreadable_input);
    }
  }
  for (std::size_t i = 0; i < 200; ++i) {
    std::string changed = text;
    changed[i] = 'x';
    EXPECT_FALSE(read(machine, changed, "file") && changed != text) << i;
  }
}

TEST(Network, HiddenInformationIsRefused) {
  const auto network = GameNetwork::make(testing::from_text(testing::random_hidden_game(3)), {});
  ASSERT_FALSE(network);
  EXPECT_EQ(network.error().kind, base::ErrorKind::not_applicable);
}

TEST(Training, ResumingGivesTheSameNetwork) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  GameNetwork whole = made(machine, {.hidden = 4});
  Trainer trainer(whole, {});
  for (int round = 0; round < 6; ++round) ASSERT_TRUE(trainer.train_round({}));
  GameNetwork parts = made(machine, {.hidden = 4});
  for (int run = 0; run < 3; ++run) {
    Trainer part(parts, {});
    const base::Limits no_time(std::chrono::seconds(0), {});
    ASSERT_TRUE(part.train_round({}));
    EXPECT_FALSE(part.train_round(no_time));  // interrupted: without effect
    ASSERT_TRUE(part.train_round({}));
    parts = read(machine, write(parts), "file").value();
  }
  EXPECT_EQ(write(parts), write(whole));
}

TEST(Training, CurvesStayShort) {
  LearningCurve curve;
  for (int round = 0; round < 1000; ++round) curve.add(10, 0.5);
  EXPECT_LE(curve.points().size(), 128u);
  EXPECT_GT(curve.points().size(), 60u);
  EXPECT_EQ(curve.points().back().step, 10'000u);
  EXPECT_DOUBLE_EQ(curve.points().back().error, 0.5);
}

// Values of tic-tac-toe by minimax.
class TicTacToe : public StateValues {
 public:
  explicit TicTacToe(const MachinePointer& machine) : cursor_(machine) { solve(); }

  std::optional<Rewards> value(const machine::State& state) const override {
    auto found = values_.find(state);
    if (found == values_.end()) found = ends_.find(state);
    if (found == ends_.end()) return std::nullopt;
    return Rewards{found->second, 100 - found->second};
  }
  // States that are not terminal.
  const std::unordered_map<machine::State, int>& values() const { return values_; }
  std::size_t states() const { return values_.size() + ends_.size(); }

 private:
  int solve() {
    const machine::State state = cursor_.state();
    if (const auto found = values_.find(state); found != values_.end()) return found->second;
    if (cursor_.terminal()) return ends_[state] = cursor_.goals(0).front();
    const std::size_t role = cursor_.legal(0).size() > 1 ? 0 : 1;
    // The last move of the game is forced; both roles then have one.
    const auto legal = cursor_.legal(role);
    int best = role == 0 ? 0 : 100;
    for (const base::Move move : std::vector<base::Move>(legal.begin(), legal.end())) {
      std::vector<base::Move> joint = {cursor_.legal(0).front(), cursor_.legal(1).front()};
      joint[role] = move;
      cursor_.make(joint);
      const int value = solve();
      cursor_.unmake();
      best = role == 0 ? std::max(best, value) : std::min(best, value);
    }
    if (legal.size() == 1) {  // nobody has a choice: the value is that of the only successor
      std::vector<base::Move> joint = {cursor_.legal(0).front(), cursor_.legal(1).front()};
      cursor_.make(joint);
      best = solve();
      cursor_.unmake();
    }
    return values_[state] = best;
  }

  machine::Cursor cursor_;
  std::unordered_map<machine::State, int> values_, ends_;
};

// The mean squared error of the first role's value, rewards from 0 to 1, over all states that are
// not terminal.
double error_of(const NetworkEvaluator& evaluator, const TicTacToe& exact) {
  double sum = 0;
  for (const auto& [state, value] : exact.values()) {
    float values[2];
    evaluator.evaluate({&state, 1}, values);
    sum += std::pow((static_cast<double>(values[0]) - value) / 100, 2);
  }
  return sum / static_cast<double>(exact.values().size());
}

double error_after(const MachinePointer& machine, const TicTacToe& exact, int rounds,
                   const TrainingOptions& options, Start start = Start::correct) {
  GameNetwork network = made(machine, {.start = start});
  Trainer trainer(network, options);
  for (int round = 0; round < rounds; ++round) trainer.train_round({});
  return error_of(NetworkEvaluator(std::move(network)), exact);
}

TEST(Training, LearnsTicTacToe) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  const TicTacToe exact(machine);
  ASSERT_EQ(exact.states(), 5478u);
  const double before = error_after(machine, exact, 0, {});
  const double by_self_play = error_after(machine, exact, 2000, {});
  TrainingOptions with_values;
  with_values.exact = std::shared_ptr<const StateValues>(&exact, [](const StateValues*) {});
  const double by_values = error_after(machine, exact, 2000, with_values);
  const double from_noise = error_after(machine, exact, 2000, {}, Start::noise);
  RecordProperty("errors", std::to_string(before) + " " + std::to_string(by_self_play) + " " +
                               std::to_string(by_values) + " " + std::to_string(from_noise));
  EXPECT_LT(by_self_play, before / 2);
  EXPECT_LT(by_values, before / 2);
  EXPECT_LT(from_noise, before / 2);
}

}  // namespace
}  // namespace zermelo::eval::network
