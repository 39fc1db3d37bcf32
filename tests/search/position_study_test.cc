#include "search/position_study.h"

#include <gtest/gtest.h>

#include "search/games.h"

namespace zermelo::search {
namespace {

TestPosition position(const SimulatorOptions& options = {}) {
  return breakthrough_position(shipped("breakthrough", options)).value();
}

// Throws when playouts are created.
class BrokenEngine : public Simulator {
 public:
  explicit BrokenEngine(SimulatorPointer simulator) : simulator_(std::move(simulator)) {}

  const std::vector<std::string>& roles() const override { return simulator_->roles(); }
  State initial() const override { return simulator_->initial(); }
  std::unique_ptr<Walker> walker() const override { return simulator_->walker(); }
  std::unique_ptr<Playouts> playouts(std::uint64_t) const override { throw std::bad_alloc(); }
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
};

State after(const TestPosition& position, Move move) {
  const auto walker = position.simulator->walker();
  walker->go_to(position.state);
  walker->make(std::vector<Move>{move, walker->legal(1).front()});
  return walker->state();
}

TEST(PositionStudy, OnlyTheSolutionWins) {
  const TestPosition breakthrough = position();
  const auto walker = breakthrough.simulator->walker();
  walker->go_to(breakthrough.state);
  const auto legal = walker->legal(0);
  ASSERT_EQ(legal.size(), 13u);
  for (const Move move : std::vector<Move>(legal.begin(), legal.end())) {
    Uct uct(breakthrough.simulator, {});
    uct.set_root(after(breakthrough, move));
    const Rewards expected = move == breakthrough.solution ? Rewards{100, 0} : Rewards{0, 100};
    EXPECT_EQ(uct.search({{}, 5'000'000}).exact, expected)
        << breakthrough.simulator->move_name(move);
  }
}

TEST(PositionStudy, OtherGamesHaveNoSuchPosition) {
  EXPECT_FALSE(breakthrough_position(shipped("tic_tac_toe")));
  EXPECT_FALSE(breakthrough_position(generated("breakthrough", {"5", "5"})));
}

TEST(PositionStudy, SharesDoNotDependOnThreads) {
  SimulatorOptions single;
  single.sliced = false;
  const TestPosition breakthrough = position(single);
  UctOptions agent;
  agent.proofs = false;
  StudyOptions options{400, 100, 12, 1, 5};
  const auto first = how_often_solved(breakthrough, agent, options);
  options.threads = 2;
  const auto second = how_often_solved(breakthrough, agent, options);
  ASSERT_EQ(first.size(), 4u);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].mean, second[i].mean);
}

TEST(PositionStudy, ExceptionsOfThreadsAreRethrown) {
  const SimulatorPointer simulator = shipped("tic_tac_toe");
  const TestPosition broken{std::make_shared<BrokenEngine>(simulator), simulator->initial(), 0, 0};
  EXPECT_THROW(how_often_solved(broken, {}, {400, 100, 4, 2, 1}), std::bad_alloc);
}

TEST(PositionStudy, ProofsFindTheSolution) {
  StudyOptions options{100'000, 50'000, 4, 1, 1};
  EXPECT_EQ(how_often_solved(position(), {}, options).back().mean, 1);
}

}  // namespace
}  // namespace zermelo::search
