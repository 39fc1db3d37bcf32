// A picture as SVG. Boards of one group form a table; groups are side by side as long as they fit.
// Whose turn it is, counters, hands and the remaining fluents are lines of text below.
//
// Every element has its colours twice: as attributes, which every viewer understands, and by a
// class whose CSS rule refers to a custom property, for viewers that know dark mode and for pages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "app/draw.h"
#include "app/draw_token.h"
#include "base/svg.h"

namespace zermelo::app {
namespace {

using analysis::Picture;
using base::svg::escaped;
using Side = Picture::Side;
using Shape = Picture::Shape;

constexpr double max_width = 1000;  // of groups side by side
constexpr double outer_margin = 12, gap = 16, title_height = 20, label_height = 16;
constexpr double line_height = 18, character_width = 6.7;

double cell_size(const Picture::Board& board) {
  const double largest = std::max(board.width, board.height);
  if (board.shape == Shape::stacks) return 34;
  if (board.shape == Shape::graph) return largest > 8 ? 46 : 60;
  return largest > 24 ? 22 : largest > 12 ? 30 : 44;
}

double text_width(const std::string& text) {
  return character_width * static_cast<double>(text.size());
}

std::string small_text(double x, double y, const std::string& text, double size,
                       const char* anchor = "middle") {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:g}\" fill=\"#6a6355\" "
      "class=\"z-muted\">{}</text>\n",
      x, y, anchor, size, escaped(text));
}

// The part of a name that is a number at its end, such as 3 in s3; -1 if there is none.
int count_in(const std::string& name) {
  std::size_t first = name.size();
  while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9') --first;
  if (first == name.size() || name.size() - first > 3) return -1;
  return std::atoi(name.c_str() + first);
}

class BoardPicture {
 public:
  explicit BoardPicture(const Picture::Board& board) : board_(board), size_(cell_size(board)) {
    left_ = 4;
    if (board.shape == Shape::grid) {
      std::size_t longest = 1;
      for (const std::string& row : board.rows) longest = std::max(longest, row.size());
      left_ = 8 + character_width * static_cast<double>(longest);
    }
    top_ = board.title.empty() ? 4 : title_height;
  }

  double width() const {
    return std::max(left_ + size_ * board_.width + 6, text_width(board_.title) + 8);
  }
  double height() const {
    const bool has_labels =
        board_.shape == Shape::grid || board_.shape == Shape::row || board_.shape == Shape::heaps;
    return top_ + cell_height() * board_.height + (has_labels ? label_height : 0) + 6;
  }

  std::string svg(double x, double y) const {
    std::string text =
        fmt::format("<g class=\"board\" transform=\"translate({:.1f} {:.1f})\">\n", x, y);
    if (!board_.title.empty()) text += small_text(left_, 13, board_.title, 12, "start");
    text += labels();
    for (const auto& [a, b] : board_.links) {
      if (board_.shape == Shape::graph) text += link(board_.cells[a], board_.cells[b]);
    }
    for (const Picture::Cell& cell : board_.cells) text += draw_cell(cell);
    for (const Picture::Cell& cell : board_.cells) text += draw_sides(cell);
    return text + "</g>\n";
  }

 private:
  double cell_height() const { return board_.shape == Shape::heaps ? 2 * size_ : size_; }
  double x_of(const Picture::Cell& cell) const { return left_ + size_ * cell.x; }
  double y_of(const Picture::Cell& cell) const { return top_ + cell_height() * cell.y; }

  std::string labels() const {
    std::string text;
    if (board_.shape != Shape::grid) return text;
    const double font = size_ < 30 ? 9 : 11;
    for (std::size_t i = 0; i < board_.rows.size(); ++i) {
      text += small_text(left_ - 5, top_ + size_ * (static_cast<double>(i) + 0.5) + 4,
                         board_.rows[i], font, "end");
    }
    for (std::size_t i = 0; i < board_.columns.size(); ++i) {
      text += small_text(left_ + size_ * (static_cast<double>(i) + 0.5),
                         top_ + size_ * board_.height + 13, board_.columns[i], font);
    }
    return text;
  }

  std::string link(const Picture::Cell& a, const Picture::Cell& b) const {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#9a917d\" "
        "class=\"z-line\" stroke-width=\"2\"/>\n",
        x_of(a), y_of(a), x_of(b), y_of(b));
  }

  std::string draw_cell(const Picture::Cell& cell) const {
    std::string text = fmt::format("<g class=\"cell\" data-cell=\"{}\"><title>{}</title>\n",
                                   escaped(cell.id), escaped(cell_title(cell)));
    text += ground(cell);
    text += tokens(cell);
    return text + "</g>\n";
  }

  static std::string cell_title(const Picture::Cell& cell) {
    std::string title = cell.title;
    for (const Picture::Token& token : cell.tokens) {
      if (token.side == Side::inside)
        title += (&token == &cell.tokens[0] ? ": " : ", ") + token.name;
    }
    return title;
  }

  std::string ground(const Picture::Cell& cell) const {
    const double x = x_of(cell), y = y_of(cell);
    switch (board_.shape) {
      case Shape::grid:
      case Shape::row:
      case Shape::heaps:
        return square(cell, x, y);
      case Shape::hexagons:
        return hexagon(x, y) + place_name(cell, x, y + 0.42 * size_);
      case Shape::graph:
        return fmt::format(
                   "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#f6f1e4\" "
                   "class=\"z-board\" stroke=\"#9a917d\" stroke-width=\"1.5\"/>\n",
                   x, y, 0.38 * size_) +
               place_name(cell, x, y + (cell.tokens.empty() ? 4 : 0.36 * size_));
      case Shape::stacks:
        return foot(cell, x, y);
    }
    return "";
  }

  std::string square(const Picture::Cell& cell, double x, double y) const {
    const bool is_dark = board_.shape == Shape::grid &&
                         (static_cast<int>(cell.x) + static_cast<int>(cell.y)) % 2 == 1;
    std::string text = fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "class=\"{}\" stroke=\"#9a917d\" stroke-width=\"1\"/>\n",
        x - size_ / 2, y - cell_height() / 2, size_, cell_height(), is_dark ? "#ece4d0" : "#f6f1e4",
        is_dark ? "z-board-dark" : "z-board");
    if (board_.shape != Shape::grid) {
      text += small_text(x, y + cell_height() / 2 + 13, cell.title,
                         std::min(11.0, 1.5 * size_ / static_cast<double>(cell.title.size())));
    }
    return text;
  }

  std::string hexagon(double x, double y) const {
    std::string points;
    for (int k = 0; k < 6; ++k) {
      const double angle = (60 * k + 30) * 3.14159265358979 / 180;
      points += fmt::format("{:.1f},{:.1f} ", x + 0.577 * size_ * std::cos(angle),
                            y + 0.577 * size_ * std::sin(angle));
    }
    points.pop_back();
    return fmt::format(
        "<polygon points=\"{}\" fill=\"#f6f1e4\" class=\"z-board\" stroke=\"#9a917d\" "
        "stroke-width=\"1\"/>\n",
        points);
  }

  std::string place_name(const Picture::Cell& cell, double x, double y) const {
    const double fit =
        1.1 * size_ / static_cast<double>(std::max<std::size_t>(cell.title.size(), 1));
    return small_text(x, y, cell.title, std::min(9.0, fit));
  }

  // Things that nothing moves: a plate that stacks stand on.
  std::string foot(const Picture::Cell& cell, double x, double y) const {
    if (!cell.tokens.empty()) return "";
    return fmt::format(
               "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"6\" fill=\"#80745f\" "
               "class=\"z-wall\"/>\n",
               x - 0.46 * size_, y - size_ / 2, 0.92 * size_) +
           small_text(x, y + 6, cell.title, 10);
  }

  std::string tokens(const Picture::Cell& cell) const {
    std::vector<const Picture::Token*> inside, marks;
    for (const Picture::Token& token : cell.tokens) {
      if (token.side != Side::inside) continue;
      (token.kind == "mark" ? marks : inside).push_back(&token);
    }
    std::string text;
    const auto columns = static_cast<std::size_t>(
        std::ceil(std::sqrt(static_cast<double>(std::max<std::size_t>(inside.size(), 1)))));
    const double share = 1.0 / static_cast<double>(columns);
    for (std::size_t i = 0; i < inside.size(); ++i) {
      const double dx = (static_cast<double>(i % columns) + 0.5) * share - 0.5;
      const double dy = (static_cast<double>(i / columns) + 0.5) * share - 0.5;
      text += token(*inside[i], cell, dx * 0.9 * size_, dy * 0.9 * size_, share);
    }
    for (std::size_t i = 0; i < marks.size(); ++i) text += mark(*marks[i], cell, i);
    return text;
  }

  std::string token(const Picture::Token& token, const Picture::Cell& cell, double dx, double dy,
                    double share) const {
    const double x = x_of(cell) + dx, y = y_of(cell) + dy;
    std::string text =
        fmt::format("<g class=\"token\" data-token=\"{}\" transform=\"translate({:.1f} {:.1f}) ",
                    escaped(token.name), x, y);
    const double scale = share * size_ / 100 * (board_.shape == Shape::graph ? 0.66 : 0.88);
    text += fmt::format("scale({:.3f})\">", scale);
    if (board_.shape == Shape::stacks) {
      text += block(token.name);
    } else if (board_.shape == Shape::heaps && count_in(token.name) >= 0) {
      text += heap(count_in(token.name));
    } else {
      text += token_as_svg(token.name, board_.names);
    }
    return text + "</g>\n";
  }

  // A block or disc of a stack. Names that end in numbers are sizes.
  std::string block(const std::string& name) const {
    double width = 100;
    const auto rank = std::find(board_.names.begin(), board_.names.end(), name);
    const bool has_sizes = std::all_of(board_.names.begin(), board_.names.end(),
                                       [](const std::string& n) { return count_in(n) >= 0; });
    if (has_sizes && !board_.columns.empty()) {
      width = 40 + 66 * static_cast<double>(rank - board_.names.begin() + 1) /
                       static_cast<double>(board_.names.size());
    }
    const double font = std::min(34.0, 1.5 * width / static_cast<double>(name.size()));
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"-50\" width=\"{:.1f}\" height=\"96\" rx=\"12\" fill=\"#e3b65b\" "
        "stroke=\"#1c1c1c\" class=\"z-outline\" stroke-width=\"4\"/>"
        "<text y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"{:.1f}\" font-weight=\"bold\" "
        "fill=\"#1c1c1c\">{}</text>",
        -width / 2, width, 0.35 * font, font, escaped(name));
  }

  // A number of things, and the number.
  static std::string heap(int count) {
    constexpr int max_shown = 30, per_row = 5;
    std::string text;
    for (int i = 0; i < count && count <= max_shown; ++i) {
      text += fmt::format(
          "<circle cx=\"{}\" cy=\"{}\" r=\"8\" fill=\"#80583a\" stroke=\"#1c1c1c\" "
          "class=\"z-outline\" stroke-width=\"2\"/>",
          (i % per_row - per_row / 2) * 19, 38 - (i / per_row) * 19);
    }
    return text + fmt::format(
                      "<text y=\"{}\" text-anchor=\"middle\" font-size=\"38\" font-weight=\"bold\" "
                      "fill=\"#1c1c1c\" class=\"z-ink\">{}</text>",
                      88, count);
  }

  // A property of the cell: a short word in a corner.
  std::string mark(const Picture::Token& token, const Picture::Cell& cell,
                   std::size_t index) const {
    const bool is_block = token.name.find("offlimits") != std::string::npos;
    const double x = x_of(cell), y = y_of(cell);
    std::string text = fmt::format("<g class=\"token\" data-token=\"{}\">", escaped(token.name));
    if (is_block) {
      text += fmt::format("<g transform=\"translate({:.1f} {:.1f}) scale({:.3f})\">{}</g>", x, y,
                          size_ / 100, token_as_svg("hole", board_.names));
    } else {
      const std::string shown = abbreviation(token.name, board_.names);
      const double corner = index % 2 == 0 ? -0.46 : 0.46;
      text += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"9\" font-weight=\"bold\" "
          "fill=\"#a34a00\" class=\"z-mark\">{}</text>",
          x + corner * size_, y - 0.3 * size_ + 9 * static_cast<double>(index / 2),
          index % 2 == 0 ? "start" : "end", escaped(shown));
    }
    return text + "</g>\n";
  }

  std::string draw_sides(const Picture::Cell& cell) const {
    std::string text;
    for (const Picture::Token& token : cell.tokens) {
      if (token.side != Side::inside) text += draw_side(token, cell);
    }
    return text;
  }

  std::string draw_side(const Picture::Token& token, const Picture::Cell& cell) const {
    const double half = size_ / 2, x = x_of(cell), y = y_of(cell);
    const bool across = token.side == Side::top || token.side == Side::bottom;
    const double shift = token.side == Side::top || token.side == Side::left ? -half : half;
    const double mx = across ? x : x + shift, my = across ? y + shift : y;
    std::string text = fmt::format("<g class=\"token\" data-token=\"{}\">", escaped(token.name));
    if (token.kind == "sign") {
      text += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"15\" "
          "font-weight=\"bold\" fill=\"#a34a00\" class=\"z-mark\">{}</text>",
          mx, my + 5, escaped(token.name));
    } else {
      text += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#3c362b\" "
          "class=\"z-wall-line\" stroke-width=\"5\" stroke-linecap=\"round\"/>",
          across ? mx - half : mx, across ? my : my - half, across ? mx + half : mx,
          across ? my : my + half);
    }
    return text + "</g>\n";
  }

  const Picture::Board& board_;
  double size_, left_ = 0, top_ = 0;
};

// Lines of text, broken where they are longer than the picture.
class TextLines {
 public:
  explicit TextLines(double width)
      : characters_(static_cast<std::size_t>(std::max(width, 300.0) / character_width)) {}

  void add(const std::string& heading, const std::vector<std::string>& words) {
    if (words.empty()) return;
    std::string line = heading;
    for (const std::string& word : words) {
      if (!line.empty() && line.size() + word.size() + 2 > characters_) {
        lines_.push_back(std::move(line));
        line = "    ";
      }
      line += (line.empty() || line.back() == ' ' ? "" : "  ") + word;
    }
    lines_.push_back(std::move(line));
  }

  double height() const {
    return lines_.empty() ? 0 : line_height * static_cast<double>(lines_.size()) + 6;
  }
  double width() const {
    double widest_line = 0;
    for (const std::string& line : lines_) widest_line = std::max(widest_line, text_width(line));
    return widest_line;
  }

  std::string svg(double x, double y) const {
    std::string text = "<g class=\"facts\">\n";
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      text += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" fill=\"#1c1c1c\" class=\"z-ink\" "
          "xml:space=\"preserve\">{}</text>\n",
          x, y + line_height * (static_cast<double>(i) + 1), escaped(lines_[i]));
    }
    return text + "</g>\n";
  }

 private:
  std::size_t characters_;
  std::vector<std::string> lines_;
};

TextLines facts_of(const Picture& picture, double width) {
  TextLines lines(width);
  for (const Picture::Counter& turn : picture.turns) {
    lines.add("to move:", {turn.value + (turn.name.empty() ? "" : " (" + turn.name + ")")});
  }
  std::vector<std::string> words;
  for (const Picture::Counter& counter : picture.counters) {
    words.push_back(counter.name + ": " + counter.value + ";");
  }
  if (!words.empty()) words.back().pop_back();
  lines.add("", words);
  for (const Picture::Hand& hand : picture.hands) {
    words.clear();
    for (const Picture::Hand::Item& item : hand.items) {
      words.push_back(item.name + (item.count.empty() ? "" : " \u00d7" + item.count));
    }
    lines.add(hand.owner + ":", words);
  }
  lines.add("", picture.others);
  return lines;
}

struct Placed {
  BoardPicture picture;
  double x, y;
};

// Where the boards are: one table per group, groups from the left to the right.
class Arrangement {
 public:
  explicit Arrangement(const Picture& picture) {
    std::map<std::uint32_t, std::vector<const Picture::Board*>> groups;
    for (const Picture::Board& board : picture.boards) groups[board.group].push_back(&board);
    for (const auto& [group, boards] : groups) add(boards);
    height_ = std::max(height_, y_ + row_height_);
  }

  const std::vector<Placed>& boards() const { return boards_; }
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  void add(const std::vector<const Picture::Board*>& boards) {
    std::map<std::uint32_t, double> widths, heights;
    for (const Picture::Board* board : boards) {
      const BoardPicture drawn(*board);
      double &width = widths[board->group_column], &height = heights[board->group_row];
      width = std::max(width, drawn.width());
      height = std::max(height, drawn.height());
    }
    double total_width = 0, total_height = 0;
    std::map<std::uint32_t, double> left, top;
    for (const auto& [column, width] : widths)
      left[column] = std::exchange(total_width, total_width + width);
    for (const auto& [row, height] : heights)
      top[row] = std::exchange(total_height, total_height + height);
    if (x_ > 0 && x_ + total_width > max_width) {
      y_ += row_height_ + gap;
      x_ = row_height_ = 0;
    }
    for (const Picture::Board* board : boards) {
      boards_.push_back(
          {BoardPicture(*board), x_ + left[board->group_column], y_ + top[board->group_row]});
    }
    width_ = std::max(width_, x_ + total_width);
    x_ += total_width + gap;
    row_height_ = std::max(row_height_, total_height);
  }

  std::vector<Placed> boards_;
  double x_ = 0, y_ = 0, row_height_ = 0, width_ = 0, height_ = 0;
};

constexpr const char* style_rules =
    ".zermelo{--zermelo-background:#fff;--zermelo-board:#f6f1e4;--zermelo-board-dark:#ece4d0;"
    "--zermelo-line:#9a917d;--zermelo-ink:#1c1c1c;--zermelo-muted:#6a6355;--zermelo-mark:#a34a00;"
    "--zermelo-wall:#3c362b;--zermelo-cross:#1f4fa3;--zermelo-ring:#b3362c}\n"
    "@media (prefers-color-scheme:dark){.zermelo{--zermelo-background:#1b1b1d;"
    "--zermelo-board:#3a3833;--zermelo-board-dark:#312f2b;--zermelo-line:#77705f;"
    "--zermelo-ink:#f0ede4;--zermelo-muted:#b5ad9b;--zermelo-mark:#f0a35e;--zermelo-wall:#d8d0bd;"
    "--zermelo-cross:#86aef5;--zermelo-ring:#f08a80}}\n"
    ".z-background{fill:var(--zermelo-background)}"
    ".z-board{fill:var(--zermelo-board);stroke:var(--zermelo-line)}"
    ".z-board-dark{fill:var(--zermelo-board-dark);stroke:var(--zermelo-line)}"
    ".z-line{stroke:var(--zermelo-line)}.z-ink{fill:var(--zermelo-ink)}"
    ".z-muted{fill:var(--zermelo-muted)}.z-mark{fill:var(--zermelo-mark)}"
    ".z-wall-line{stroke:var(--zermelo-wall)}.z-cross{stroke:var(--zermelo-cross)}"
    ".z-ring{stroke:var(--zermelo-ring)}.z-outline{stroke:var(--zermelo-ink)}\n";

}  // namespace

std::string picture_style() { return style_rules; }

std::string picture_as_svg(const Picture& picture, const SvgOptions& options) {
  const Arrangement arrangement(picture);
  const TextLines facts = options.lists ? facts_of(picture, arrangement.width()) : TextLines(0);
  const double heading = options.title.empty() ? 0 : 24;
  const double inner =
      std::max({arrangement.width(), facts.width(), text_width(options.title) * 1.3});
  const double width = std::ceil(std::max(inner, 40.0) + 2 * outer_margin);
  const double height =
      std::ceil(heading + std::max(arrangement.height() + facts.height(), 20.0) + 2 * outer_margin);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"zermelo\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n",
      width, height);
  if (options.standalone) {
    text += fmt::format(
        "<style>\n{}</style>\n<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#ffffff\" "
        "class=\"z-background\"/>\n",
        style_rules, width, height);
  }
  if (!options.title.empty()) {
    text += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"15\" font-weight=\"bold\" fill=\"#1c1c1c\" "
        "class=\"z-ink\">{}</text>\n",
        outer_margin, outer_margin + 12, escaped(options.title));
  }
  for (const Placed& placed : arrangement.boards()) {
    text += placed.picture.svg(outer_margin + placed.x, outer_margin + heading + placed.y);
  }
  text += facts.svg(outer_margin, outer_margin + heading + arrangement.height());
  return text + "</svg>\n";
}

}  // namespace zermelo::app
