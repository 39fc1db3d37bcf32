#include "analysis/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::analysis {
namespace {

using testing::generated;
using testing::machine_of;
using testing::MachinePointer;
using testing::shipped;
using ShownNames = std::vector<std::string>;
using Shape = Picture::Shape;

Picture first_picture(const MachinePointer& machine) {
  machine::Stepper stepper(machine);
  return Scene::of(machine).depict(stepper.fluent_names(stepper.initial_state()));
}

const Picture::Cell& cell_at(const Picture& picture, const std::string& id) {
  for (const Picture::Board& board : picture.boards) {
    for (const Picture::Cell& cell : board.cells) {
      if (cell.id == id) return cell;
    }
  }
  throw std::runtime_error("no cell " + id);
}

ShownNames tokens_at(const Picture& picture, const std::string& id) {
  ShownNames names;
  for (const Picture::Token& token : cell_at(picture, id).tokens) names.push_back(token.name);
  return names;
}

// All fluents that a picture shows, as often as it shows them.
std::multiset<std::string> shown_fluents(const Picture& picture) {
  std::multiset<std::string> shown(picture.others.begin(), picture.others.end());
  const auto add = [&](const ShownNames& fluents) { shown.insert(fluents.begin(), fluents.end()); };
  for (const Picture::Board& board : picture.boards) {
    for (const Picture::Cell& cell : board.cells) {
      add(cell.fluents);
      for (const Picture::Token& token : cell.tokens) add(token.fluents);
    }
  }
  for (const Picture::Counter& counter : picture.counters) add(counter.fluents);
  for (const Picture::Counter& turn : picture.turns) add(turn.fluents);
  for (const Picture::Hand& hand : picture.hands) {
    for (const Picture::Hand::Item& item : hand.items) add(item.fluents);
  }
  return shown;
}

TEST(Scene, TicTacToeIsAGridWithTheFirstRowAtTheBottom) {
  const auto machine = shipped("tic_tac_toe");
  const Scene scene = Scene::of(machine);
  const Picture picture =
      scene.depict({"(cell 1 1 x)", "(cell 2 3 o)", "(cell 3 3 b)", "(control o)"});
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].shape, Shape::grid);
  EXPECT_EQ(picture.boards[0].cells.size(), 9u);
  EXPECT_EQ(picture.boards[0].rows, (ShownNames{"3", "2", "1"}));
  EXPECT_EQ(tokens_at(picture, "b0:1,1"), ShownNames{"x"});
  EXPECT_EQ(tokens_at(picture, "b0:2,3"), ShownNames{"o"});
  EXPECT_EQ(tokens_at(picture, "b0:3,3"), ShownNames{});
  EXPECT_EQ(cell_at(picture, "b0:3,3").fluents, ShownNames{"(cell 3 3 b)"});
  EXPECT_EQ(cell_at(picture, "b0:1,1").y, 2.5);
  ASSERT_EQ(picture.turns.size(), 1u);
  EXPECT_EQ(picture.turns[0].value, "o");
  EXPECT_EQ(scene.cells_of_move("(mark 2 3)"), ShownNames{"b0:2,3"});
  EXPECT_EQ(scene.cells_of_move("noop"), ShownNames{});
}

TEST(Scene, ConnectFourDropsDownwards) {
  const auto machine = shipped("connect_four");
  const Scene scene = Scene::of(machine);
  machine::Stepper stepper(machine);
  const machine::State state = stepper.initial_state();
  const Picture before = scene.depict(stepper.fluent_names(state));
  std::vector<machine::Move> joint;
  for (std::size_t role = 0; role < 2; ++role) joint.push_back(stepper.legal_moves(state, role)[0]);
  const Picture after = scene.depict(stepper.fluent_names(stepper.next_state(state, joint)));
  const ShownNames changed = changed_cells(before, after);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_GT(cell_at(after, changed[0]).y, after.boards[0].height - 1);  // the lowest row
  EXPECT_EQ(scene.cells_of_move(stepper.move_name(joint[0])), ShownNames{});
}

TEST(Scene, BreakthroughMovesNameTheirSourceAndTarget) {
  const auto machine = shipped("breakthrough");
  const Scene scene = Scene::of(machine);
  machine::Stepper stepper(machine);
  const Picture picture = scene.depict(stepper.fluent_names(stepper.initial_state()));
  ASSERT_EQ(picture.boards.size(), 1u);
  for (const machine::Move move : stepper.legal_moves(stepper.initial_state(), 0)) {
    const ShownNames cells = scene.cells_of_move(stepper.move_name(move));
    ASSERT_EQ(cells.size(), 2u) << stepper.move_name(move);
    EXPECT_EQ(tokens_at(picture, cells[0]).size(), 1u);
    EXPECT_GT(cell_at(picture, cells[0]).y, cell_at(picture, cells[1]).y);  // white moves up
  }
}

TEST(Scene, NimHasHeaps) {
  const Picture picture = first_picture(shipped("nim"));
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].shape, Shape::heaps);
  EXPECT_GT(picture.boards[0].cells.size(), 1u);
}

TEST(Scene, BlocksAreStacked) {
  const Picture picture = first_picture(shipped("incredible"));
  const auto stacks = std::find_if(picture.boards.begin(), picture.boards.end(),
                                   [](const auto& board) { return board.shape == Shape::stacks; });
  ASSERT_NE(stacks, picture.boards.end());
  EXPECT_EQ(stacks->cells.size(), 6u);
}

TEST(Scene, SlidingPuzzleIsReadFromTheTop) {
  const Picture picture = first_picture(shipped("eight_puzzle"));
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].cells.size(), 9u);
  EXPECT_EQ(picture.boards[0].rows.front(), "1");
}

TEST(Scene, ChineseCheckersIsAStarOfHexagons) {
  const Picture picture = first_picture(shipped("chinese_checkers_2"));
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].shape, Shape::hexagons);
}

ShownNames pegs(const ShownNames& places) {
  ShownNames fluents;
  for (const std::string& place : places) fluents.push_back("(at " + place + " peg)");
  return fluents;
}

TEST(Scene, RowsThatLieInGapsAreHexagons) {
  const ShownNames triangle = pegs({"a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "d4"});
  const Picture picture = Scene::of({}, {{"player"}, {triangle}}).depict(triangle);
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].shape, Shape::hexagons);
  const auto& top = cell_at(picture, "b0:a1");
  const auto &left = cell_at(picture, "b0:d1"), &right = cell_at(picture, "b0:d4");
  EXPECT_LT(top.y, left.y);
  EXPECT_EQ(left.y, right.y);
  EXPECT_EQ(2 * top.x, left.x + right.x);
  const auto &b1 = cell_at(picture, "b0:b1"), &c2 = cell_at(picture, "b0:c2");
  EXPECT_NEAR(std::hypot(b1.x - c2.x, b1.y - c2.y), 1, 1e-9);
}

TEST(Scene, RowsThatDoNotLieInGapsAreNoHexagons) {
  const ShownNames places = pegs({"a1", "a2", "b1", "b2", "c1", "c2", "c3", "c4"});
  const Picture picture = Scene::of({}, {{"player"}, {places}}).depict(places);
  for (const Picture::Board& board : picture.boards) EXPECT_NE(board.shape, Shape::hexagons);
}

TEST(Scene, NumbersComeBeforeLetters) {
  ShownNames fluents;
  for (const char* column : {"1", "2", "a", "b"}) {
    for (const char* row : {"1", "2", "a", "b"}) {
      fluents.push_back(std::string("(cell ") + column + " " + row + " red)");
    }
  }
  const Picture picture = Scene::of({}, {{"player"}, {fluents}}).depict(fluents);
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].columns, (ShownNames{"1", "2", "a", "b"}));
}

TEST(Scene, MazeIsAGraph) {
  const Picture picture = first_picture(shipped("maze"));
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].shape, Shape::graph);
  EXPECT_FALSE(picture.boards[0].links.empty());
}

TEST(Scene, CheckersHasABoardAndCounters) {
  const Picture picture = first_picture(shipped("checkers"));
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].columns.size(), 8u);
  EXPECT_EQ(picture.boards[0].rows.size(), 8u);
  EXPECT_EQ(picture.turns.size(), 1u);
}

TEST(Scene, VariantsOfASymbolAreBoardsOfTheirOwn) {
  const Picture picture = first_picture(shipped("double_tic_tac_toe"));
  EXPECT_EQ(picture.boards.size(), 2u);
}

// What must hold for every game: every fluent is shown exactly once, and the IDs are unique.
void expect_complete(const MachinePointer& machine, const std::string& name) {
  const Scene scene = Scene::of(machine);
  machine::Stepper stepper(machine);
  base::Random random(7);
  machine::State state = stepper.initial_state();
  for (int step = 0; step < 6; ++step) {
    const ShownNames fluents = stepper.fluent_names(state);
    const Picture picture = scene.depict(fluents);
    EXPECT_EQ(shown_fluents(picture), std::multiset<std::string>(fluents.begin(), fluents.end()))
        << name;
    std::set<std::string> ids;
    for (const Picture::Board& board : picture.boards) {
      for (const Picture::Cell& cell : board.cells) {
        EXPECT_TRUE(ids.insert(cell.id).second) << name << ": " << cell.id;
        EXPECT_TRUE(cell.x >= 0 && cell.x <= board.width && cell.y >= 0 && cell.y <= board.height)
            << name << ": " << cell.id;
      }
    }
    for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
      for (const machine::Move move : stepper.legal_moves(state, role)) {
        for (const std::string& cell : scene.cells_of_move(stepper.move_name(move))) {
          EXPECT_TRUE(ids.contains(cell)) << name << ": " << cell;
        }
      }
    }
    std::vector<machine::Move> joint;
    for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
      const auto legal = stepper.legal_moves(state, role);
      if (legal.empty()) return;
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    if (stepper.terminal(state)) return;
    state = stepper.next_state(state, joint);
  }
}

TEST(Scene, ShowsEveryFluentOfShippedGamesOnce) {
  for (const auto& file : std::filesystem::directory_iterator(ZERMELO_ROOT "/games")) {
    if (file.path().extension() != ".kif") continue;
    expect_complete(shipped(file.path().stem().string()), file.path().stem().string());
  }
}

TEST(Scene, ShowsEveryFluentOfRandomGamesOnce) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    expect_complete(testing::from_text(testing::random_game(seed)), "seed " + std::to_string(seed));
  }
}

TEST(Scene, FluentsThatAreNotKnownAreListed) {
  const Picture picture = Scene::of(shipped("tic_tac_toe")).depict({"(cell 9 9 x)", "(p q)"});
  EXPECT_EQ(picture.others, (ShownNames{"(cell 9 9 x)", "(p q)"}));
}

TEST(Scene, StatesAloneAreEnough) {
  const auto machine = shipped("breakthrough");
  machine::Stepper stepper(machine);
  const ShownNames fluents = stepper.fluent_names(stepper.initial_state());
  const Scene scene = Scene::of(*machine->game().rulesheet, {machine->roles(), {fluents}});
  const Picture picture = scene.depict(fluents);
  EXPECT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(shown_fluents(picture), std::multiset<std::string>(fluents.begin(), fluents.end()));
}

// A board of three columns and rows whose last argument is the word of the row.
ShownNames cells_with(const ShownNames& word_of_row) {
  ShownNames fluents;
  for (int column = 1; column <= 3; ++column) {
    for (std::size_t row = 1; row <= 3; ++row) {
      fluents.push_back("(cell " + std::to_string(column) + " " + std::to_string(row) + " " +
                        word_of_row[row - 1] + ")");
    }
  }
  return fluents;
}

Picture from_one_state(const gdl::Rulesheet& rules, const ShownNames& fluents) {
  return Scene::of(rules, {{"white"}, {fluents}}).depict(fluents);
}

TEST(Scene, CellsThatNoKnownStateHasAreShown) {
  ShownNames fluents = cells_with({"king", "rook", "pawn"});
  fluents.pop_back();  // (cell 3 3 pawn)
  const Scene scene = Scene::of({}, {{"white"}, {fluents}});
  const Picture picture = scene.depict({"(cell 3 3 king)", "(cell 2 2 pawn)"});
  ASSERT_EQ(picture.boards.size(), 1u);
  EXPECT_EQ(picture.boards[0].cells.size(), 9u);
  EXPECT_EQ(tokens_at(picture, "b0:3,3"), ShownNames{"king"});
  EXPECT_EQ(tokens_at(picture, "b0:2,2"), ShownNames{"pawn"});
  EXPECT_TRUE(picture.others.empty());
}

TEST(Scene, PiecesThatDependOnTheirRowInOneStateAreShown) {
  const Picture picture = from_one_state({}, cells_with({"king", "rook", "pawn"}));
  EXPECT_EQ(tokens_at(picture, "b0:1,1"), ShownNames{"king"});
  EXPECT_EQ(tokens_at(picture, "b0:3,2"), ShownNames{"rook"});
}

TEST(Scene, ArgumentsThatTheRulesDeriveFromARowAreNotShown) {
  const auto rules =
      testing::rulesheet("(role white) (next_row 1 2) (next_row 2 3) (next_row 3 4)");
  const ShownNames fluents = cells_with({"2", "3", "4"});
  EXPECT_EQ(tokens_at(from_one_state(*rules, fluents), "b0:1,1"), ShownNames{});
  EXPECT_EQ(tokens_at(from_one_state({}, fluents), "b0:1,1"), ShownNames{"2"});
}

}  // namespace
}  // namespace zermelo::analysis
