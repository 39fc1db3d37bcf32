// Colours and weights of text on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace zermelo::cli {

enum class Style { plain, bold, dim, red, green, yellow, blue, magenta, cyan };

// Writes escape sequences only where they are wanted: on a terminal that is not "dumb", unless
// NO_COLOR is set and not empty (https://no-color.org).
class Painter {
 public:
  // For standard output.
  Painter();
  explicit Painter(bool coloured) : coloured_(coloured) {}

  bool coloured() const { return coloured_; }
  std::string operator()(Style style, std::string_view text) const;
  // A board of play::boards_as_text: each kind of piece in a colour of its own, empty cells and labels
  // dim.
  std::string board(const std::string& drawn) const;

 private:
  bool coloured_;
};

}  // namespace zermelo::cli
