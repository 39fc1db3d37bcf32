#include "base/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zermelo::base::svg {
namespace {

std::string_view name_of(Anchor anchor) {
  if (anchor == Anchor::middle) return "middle";
  return anchor == Anchor::end ? "end" : "start";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string begin(double width, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"white\"/>\n",
      width, height);
}

std::string label(const Label& label) {
  const std::string turn =
      label.turned ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", label.x, label.y) : "";
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:g}\"{}{}>{}</text>\n",
      label.x, label.y, name_of(label.anchor), label.size,
      label.bold ? " font-weight=\"bold\"" : "", turn, escaped(label.text));
}

std::string power_of_ten(double x, double y, int exponent) {
  const std::string raised =
      exponent < 2 ? "" : fmt::format("<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", exponent);
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}{}</text>\n", x, y,
                     exponent == 0 ? 1 : 10, raised);
}

std::string line(const Segment& segment, std::string_view colour, double width) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{:g}\"/>\n",
      segment.x1, segment.y1, segment.x2, segment.y2, colour, width);
}

std::string box(const Box& box, std::string_view fill, std::string_view title) {
  const std::string start =
      fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"",
                  box.x, box.y, box.width, box.height, fill);
  if (title.empty()) return start + "/>\n";
  return fmt::format("{}><title>{}</title></rect>\n", start, escaped(title));
}

std::vector<double> round_ticks(double last, std::size_t wanted) {
  double step = 1;
  for (double unit = 1; last / step > static_cast<double>(wanted); unit *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      step = unit * factor;
      if (last / step <= static_cast<double>(wanted)) break;
    }
  }
  std::vector<double> ticks;
  for (std::size_t i = 0; static_cast<double>(i) * step <= last; ++i) {
    ticks.push_back(static_cast<double>(i) * step);
  }
  return ticks;
}

}  // namespace zermelo::base::svg
