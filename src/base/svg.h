// Parts of SVG pictures that charts share: texts, axes and their ticks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zermelo::base::svg {

// The text with the characters escaped that have a meaning in XML.
std::string escaped(std::string_view text);

// The opening tag of a picture of this size, with a white background.
std::string begin(double width, double height);

enum class Anchor { start, middle, end };

struct Label {
  double x = 0, y = 0;  // of the baseline
  Anchor anchor = Anchor::start;
  std::string text = {};  // is escaped
  double size = 12;
  bool bold = false;
  bool turned = false;  // reads upwards, as titles of vertical axes do
};
std::string label(const Label& label);

// 10 with a raised exponent; 1 and 10 without.
std::string power_of_ten(double x, double y, int exponent);

struct Segment {
  double x1, y1, x2, y2;
};
std::string line(const Segment& segment, std::string_view colour, double width = 1);

struct Box {
  double x, y, width, height;
};
// `title` is shown when the pointer is over the box; empty: none.
std::string box(const Box& box, std::string_view fill, std::string_view title = "");

// About `wanted` round numbers from 0 to `last`, the first is 0. Steps are 1, 2 or 5 times a power
// of ten, and at least 1.
std::vector<double> round_ticks(double last, std::size_t wanted);

}  // namespace zermelo::base::svg
