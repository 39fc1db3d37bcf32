// How the fluents of a symbol use coordinates.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/scene/recognise.h"

namespace zermelo::analysis::scene {

struct Frame {
  std::size_t symbol = 0;
  std::vector<std::size_t> positions;  // the arguments that are coordinates, ascending
  std::vector<bool> is_layer;          // by coordinate: it tells boards apart
  std::vector<std::size_t> contents;   // the other arguments
  // Marks on a side of a cell, such as walls: the fluent says which side by its name, or by the one
  // argument beside the coordinates.
  bool is_on_side = false;
  bool is_founder =
      false;           // may be a board of its own, else only shown on a board that others found
  double density = 0;  // the part of all combinations of coordinates that occur

  std::vector<std::size_t> pair() const;  // the coordinates within a board, by position
};

// The coordinates of a symbol with at least two; nullopt if it has none. See frames.cc.
std::optional<Frame> frame_of(const Recognition& recognition, std::size_t symbol);

// The side that a word names, such as north, or that a name ends with, such as blockedeast.
std::optional<Picture::Side> side_of(const std::string& word);
std::optional<Picture::Side> side_at_end_of(const std::string& name);
// Whether the name is that of a wall.
bool is_wall(const std::string& name);

}  // namespace zermelo::analysis::scene
