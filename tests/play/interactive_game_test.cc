#include "play/interactive_game.h"

#include <gtest/gtest.h>

#include "play/replay.h"
#include "support/load.h"

namespace zermelo::play {
namespace {

std::shared_ptr<const search::Simulator> simulator(const std::string& name) {
  return search::make_simulator(testing::rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif"), {})
      .value();
}

// Knows one thing: how many fluents a state has.
class FluentCount final : public eval::StateValues {
 public:
  explicit FluentCount(std::shared_ptr<const search::Simulator> simulator)
      : simulator_(std::move(simulator)) {}

  std::optional<eval::Rewards> value(const machine::State& state) const override {
    return eval::Rewards{static_cast<int>(simulator_->fluent_names(state).size()), 0};
  }

 private:
  std::shared_ptr<const search::Simulator> simulator_;
};

InteractiveGame tic_tac_toe_as_x(bool with_values = false) {
  const auto engine = simulator("tic_tac_toe");
  InteractiveGame::Agents agents;
  for (const std::size_t role : {0, 1}) {
    agents.push_back(make_agent(parse_agent("legal").value(), {engine, role, 1}).value());
  }
  return InteractiveGame(engine, 0, std::move(agents),
                         with_values ? std::make_shared<const FluentCount>(engine) : nullptr);
}

TEST(InteractiveGame, MovesAreFoundByNameAndByNumber) {
  InteractiveGame game = tic_tac_toe_as_x();
  ASSERT_EQ(game.moves().size(), 9u);
  EXPECT_EQ(game.find("(mark 1 1)"), game.moves()[0]);
  EXPECT_EQ(game.find("  ( MARK 1   1 )"), game.moves()[0]);
  EXPECT_EQ(game.find("9"), game.moves()[8]);
  for (const char* text : {"", "0", "10", "1x", "noop", "(mark 4 4)"}) {
    EXPECT_EQ(game.find(text), std::nullopt) << text;
  }
}

// Also after moves were taken back.
TEST(InteractiveGame, TheRecordReplaysToTheSameGame) {
  InteractiveGame game = tic_tac_toe_as_x();
  game.make(game.moves()[4]);
  game.make(game.moves()[0]);
  game.undo();
  while (!game.terminal()) game.make(game.moves().back());
  const auto record = read_record(to_json(game.record({"person", "legal"})));
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_TRUE(record->is_completed);
  EXPECT_EQ(record->players, (std::vector<std::string>{"person", "legal"}));
  const Replay replayed = replay(*simulator("tic_tac_toe"), *record, nullptr);
  EXPECT_EQ(replayed.problem, "");
  EXPECT_EQ(replayed.goals, game.goals());
}

TEST(InteractiveGame, UndoReturnsToTheLastDecision) {
  InteractiveGame game = tic_tac_toe_as_x();
  EXPECT_FALSE(game.undo());
  const auto before = game.fluents();
  const auto joint = game.make(game.moves()[4]);
  ASSERT_EQ(joint.size(), 2u);
  ASSERT_EQ(game.moves().size(), 1u);
  game.make(game.moves()[0]);  // forced: o chooses
  EXPECT_EQ(game.moves().size(), 7u);
  EXPECT_NE(game.fluents(), before);
  EXPECT_TRUE(game.undo());
  EXPECT_EQ(game.fluents(), before);
  EXPECT_EQ(game.moves().size(), 9u);
  EXPECT_FALSE(game.undo());
}

TEST(InteractiveGame, HintsAreLegalAndChangeNothing) {
  InteractiveGame game = tic_tac_toe_as_x();
  const auto before = game.fluents();
  const Move hint = game.hint();
  EXPECT_NE(std::find(game.moves().begin(), game.moves().end(), hint), game.moves().end());
  EXPECT_EQ(game.fluents(), before);
}

TEST(InteractiveGame, AValueIsThatOfTheStateAfterTheMove) {
  EXPECT_EQ(tic_tac_toe_as_x().value_after(0), std::nullopt);
  InteractiveGame game = tic_tac_toe_as_x(true);
  const auto before = game.fluents();
  const auto value = game.value_after(game.moves()[0]);
  EXPECT_EQ(game.fluents(), before);
  game.make(game.moves()[0]);
  EXPECT_EQ(value, (eval::Rewards{static_cast<int>(game.fluents().size()), 0}));
}

TEST(InteractiveGame, TheEndHasGoalsAndNoMoves) {
  InteractiveGame game = tic_tac_toe_as_x();
  while (!game.terminal()) {
    EXPECT_EQ(game.role_without_move(), std::nullopt);
    game.make(game.moves()[0]);
  }
  EXPECT_TRUE(game.moves().empty());
  EXPECT_EQ(game.goals().size(), 2u);
  EXPECT_EQ(game.goals()[0] + game.goals()[1], 100);
}

}  // namespace
}  // namespace zermelo::play
