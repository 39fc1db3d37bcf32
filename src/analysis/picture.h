// A position as things that can be drawn: boards with cells and tokens, counters, hands and lists.
// `analysis/scene.h` makes it, `app/draw.h` draws it, the terminal prints it. It knows no game: all
// meaning is in the names, which are the game's own constants.
//
// Every fluent of the position is in exactly one place: as content of a cell (Cell::fluents for
// what is blank, Token::fluents for what stands there), in a counter, in a hand, in `turn`, or in
// `others`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zermelo::analysis {

struct Picture {
  // Where a token is in its cell. The sides are those of walls and of signs between two cells.
  enum class Side : std::uint8_t { inside, top, right, bottom, left };

  struct Token {
    std::string name;  // of what is shown: "x", "white rook", "5", "north"
    // What tells tokens of the same name apart for drawing: "" for most. "wall" for a wall on a
    // side, "edge" for a drawn line on a side, "mark" for a property of the cell itself.
    std::string kind = {};
    Side side = Side::inside;
    std::vector<std::string> fluents = {};  // that it shows; canonical names
  };

  struct Cell {
    // Unique in the picture: "b<board>:<column>,<row>" on a grid, "b<board>:<place>" elsewhere,
    // with the game's own constants.
    std::string id;
    std::string title;    // for a person: "a 3", "disc 2"
    double x = 0, y = 0;  // of the middle, in cells; x grows to the right, y grows downwards
    std::vector<Token> tokens = {};
    std::vector<std::string> fluents = {};  // that only say that the cell is blank
  };

  enum class Shape : std::uint8_t {
    grid,      // squares; `columns` and `rows` label them
    hexagons,  // places with six directions
    row,       // places side by side, such as the pits of a game
    heaps,     // the same, and every content is a number of things
    stacks,    // places on top of each other; the cells are the things that are stacked
    graph,     // circles, joined by `links`
  };

  struct Board {
    Shape shape = Shape::grid;
    std::string title;  // what tells it from the other boards; empty if there is nothing to tell
    double width = 0, height = 0;  // in cells: every cell is in [0, width) x [0, height)
    // Where the board is among the boards of its group, counted from the top left: boards of the
    // same group are parts of one thing and are drawn as a table.
    std::uint32_t group = 0, group_column = 0, group_row = 0;
    std::vector<std::string> columns = {}, rows = {};  // labels, from the left and from the top
    std::vector<Cell> cells = {};
    // Everything that can stand on the board, sorted, for symbols that are the same in all
    // pictures.
    std::vector<std::string> names = {};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links = {};  // of a graph, by cell
  };

  // A number or word that the game keeps: "step" 7, "score red" 10.
  struct Counter {
    std::string name, value;
    std::vector<std::string> fluents = {};
  };

  // What someone has beside the board. `count` is empty for a single thing.
  struct Hand {
    struct Item {
      std::string name, count;
      std::vector<std::string> fluents = {};
    };
    std::string owner;
    std::vector<Item> items = {};
  };

  std::vector<Board> boards = {};
  std::vector<Counter> counters = {};
  std::vector<Hand> hands = {};
  std::vector<Counter> turns = {};       // whose turn it is; several if the game has several
  std::vector<std::string> others = {};  // the names of all other fluents, sorted
};

// The IDs of the cells whose tokens differ, in the order of `after`. Both pictures are of the same
// game. Tells where a move happens that names no cell, such as "move north".
std::vector<std::string> changed_cells(const Picture& before, const Picture& after);

}  // namespace zermelo::analysis
