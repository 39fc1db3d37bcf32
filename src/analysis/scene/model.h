// What a Scene knows: the boards with all their places, and for every possible fluent where it is
// shown. The recognisers (recognise.h) fill it in; `depict.cc` reads it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/picture.h"
#include "analysis/scene/symbols.h"

namespace zermelo::analysis {

struct SceneModel {
  struct Placement {
    enum class Kind : std::uint8_t {
      cell,      // says only that the cell at `place` is blank
      token,     // `text` stands at `place`
      counter,   // `text` has the value `value`
      turn,      // it is the turn of `value`; `text` names the clock if there are several
      hand,      // `owner` has `text`, `value` times
      on,        // in stacks: the thing at `place` is on the thing at `other`
      sequence,  // the words of `text` stand at the places of the board, one each
      column,    // the thing `text` is in column `place` of the board; its row is another fluent
      row,
    };
    Kind kind = Kind::token;
    std::uint32_t board = 0, place = 0, other = 0;
    std::string text = {}, value = {}, owner = {};
    std::string token_kind = {};
    Picture::Side side = Picture::Side::inside;
  };

  struct PlaceOfBoard {
    std::uint32_t board, place;
  };

  // What finds places by the values of arguments: of fluents, and of moves.
  struct Coordinates {
    std::vector<std::set<std::string>> values;  // by coordinate
    std::map<scene::Words, PlaceOfBoard> places;
    std::size_t column = 0, row = 0;  // of a grid: the coordinates that are drawn as such
    bool from_top = false;            // of a grid: the first row is at the top
    // Fluents that use them: name, number of arguments, and the arguments that are coordinates.
    struct User {
      std::string name;
      std::size_t arity;
      std::vector<std::size_t> positions;
    };
    std::vector<User> users;
  };

  // With all cells, without tokens. The cells of stacks get their coordinates in every state.
  std::vector<Picture::Board> boards;
  std::unordered_map<std::string, Placement> placements;  // by fluent
  std::vector<Coordinates> coordinates;
  // A cell that moves of a form name: the first of the arguments that are its coordinates.
  struct NamedCell {
    std::size_t coordinates, first_argument;
  };
  // By name and number of arguments of the move, in the order of the arguments.
  std::map<std::pair<std::string, std::size_t>, std::vector<NamedCell>> cells_of_moves;
};

}  // namespace zermelo::analysis
