// A picture of the layers of a game: how many states they have, and how these are divided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zermelo::solve {

struct LayerChart {
  // A kind of states, such as those of one value.
  struct Part {
    std::string name;
    std::string colour;
  };
  struct Layer {
    std::string states;                       // in decimal digits
    std::optional<std::uint64_t> nodes = {};  // of the layer's diagram
    std::vector<std::string> parts = {};      // by part, the number of states; empty if unknown
  };

  std::string title;
  std::string axis;         // the title of the horizontal axis
  std::vector<Part> parts;  // from the bottom
  std::vector<Layer> layers;
};

// Returns SVG of two panels: the number of states (bars) and of nodes (a line) on a logarithmic
// scale, and below the shares of the parts in percent.
std::string svg_of(const LayerChart& chart);

}  // namespace zermelo::solve
