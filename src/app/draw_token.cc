#include "app/draw_token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/svg.h"

namespace zermelo::app {
namespace {

using base::svg::escaped;

struct Colour {
  std::string_view name, fill, ink;
};
constexpr std::array<Colour, 24> colours = {{
    {"white", "#ffffff", "#1c1c1c"},   {"black", "#2b2b2b", "#ffffff"},
    {"red", "#c8372d", "#ffffff"},     {"blue", "#2f62b8", "#ffffff"},
    {"green", "#3b8a4a", "#ffffff"},   {"yellow", "#f2cf46", "#1c1c1c"},
    {"orange", "#e58a2b", "#1c1c1c"},  {"purple", "#7b4aa0", "#ffffff"},
    {"magenta", "#b83f93", "#ffffff"}, {"pink", "#eba0b8", "#1c1c1c"},
    {"teal", "#2a8c8c", "#ffffff"},    {"cyan", "#57bcd0", "#1c1c1c"},
    {"brown", "#80583a", "#ffffff"},   {"gray", "#8a8a8a", "#ffffff"},
    {"grey", "#8a8a8a", "#ffffff"},    {"gold", "#d9a925", "#1c1c1c"},
    {"silver", "#c3c7cc", "#1c1c1c"},  {"violet", "#8a63c9", "#ffffff"},
    {"light", "#f3e3bd", "#1c1c1c"},   {"dark", "#4d4034", "#ffffff"},
    {"lime", "#a5c93a", "#1c1c1c"},    {"navy", "#253a6b", "#ffffff"},
    {"maroon", "#7a2630", "#ffffff"},  {"beige", "#e8dcc0", "#1c1c1c"},
}};
constexpr Colour no_colour = {"", "#e9dfc8", "#1c1c1c"};

// The colour whose name begins or ends the word, or is one of several words.
std::optional<Colour> colour_in(const std::string& name) {
  for (const Colour& colour : colours) {
    const std::size_t at = name.find(colour.name);
    if (at == std::string::npos) continue;
    const bool begins = at == 0 || !std::isalpha(static_cast<unsigned char>(name[at - 1]));
    const std::size_t end = at + colour.name.size();
    const bool ends = end == name.size() || !std::isalpha(static_cast<unsigned char>(name[end]));
    if (begins || (ends && colour.name.size() > 3)) return colour;
  }
  return std::nullopt;
}

struct Piece {
  std::string_view name;
  char letter;
  std::string_view shape;  // SVG elements; fill and stroke come from the group around them
};
constexpr std::string_view foot = "<rect x=\"-26\" y=\"28\" width=\"52\" height=\"10\" rx=\"3\"/>";
constexpr std::array<Piece, 6> pieces = {{
    {"pawn", 'p',
     "<path d=\"M-16 28C-14 10-9 4-8-2H8C9 4 14 10 16 28Z\"/><circle cx=\"0\" cy=\"-13\" "
     "r=\"13\"/>"},
    {"knight", 'n',
     "<path d=\"M-18 28C-18 10-2 4-4-6L-18 2C-26 4-30-4-26-8L-10-26-9-36-1-29C16-28 24-8 20 28Z\"/>"
     "<circle cx=\"-7\" cy=\"-16\" r=\"2.5\"/>"},
    {"bishop", 'b',
     "<path d=\"M-16 28C-12 20-10 16-9 10C-22 2-14-20 0-30C14-20 22 2 9 10C10 16 12 20 16 28Z\"/>"
     "<circle cx=\"0\" cy=\"-34\" r=\"5\"/><path d=\"M0-18V2M-8-8H8\" fill=\"none\"/>"},
    {"rook", 'r',
     "<path d=\"M-18 28L-14-10H-22V-32H-12V-24H-5V-32H5V-24H12V-32H22V-10H14L18 28Z\"/>"},
    {"queen", 'q',
     "<path d=\"M-19 28L-28-18-14-4-11-30 0-8 11-30 14-4 28-18 19 28Z\"/>"
     "<circle cx=\"-28\" cy=\"-21\" r=\"4\"/><circle cx=\"-11\" cy=\"-33\" r=\"4\"/>"
     "<circle cx=\"11\" cy=\"-33\" r=\"4\"/><circle cx=\"28\" cy=\"-21\" r=\"4\"/>"},
    {"king", 'k',
     "<path d=\"M-17 28C-30 8-30-12-14-12C-8-12-3-8 0-2C3-8 8-12 14-12C30-12 30 8 17 28Z\"/>"
     "<path d=\"M0-6V-38M-9-29H9\" fill=\"none\" stroke-width=\"6\"/>"},
}};

struct ColouredPiece {
  const Piece* piece;
  Colour colour;
};

// wp, bk: all names of two or three letters on the board must be of this form.
bool is_code(const std::string& name) {
  if (name.size() < 2 || name.size() > 3 || (name[0] != 'w' && name[0] != 'b')) return false;
  return std::any_of(pieces.begin(), pieces.end(),
                     [&](const Piece& piece) { return piece.letter == name[1]; });
}

bool are_codes(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name.size() > 3 || name.size() == 1 || is_code(name);
  });
}

std::optional<ColouredPiece> piece_of(const std::string& name,
                                      const std::vector<std::string>& names) {
  if (is_code(name) && are_codes(names)) {
    for (const Piece& piece : pieces) {
      if (piece.letter == name[1]) return ColouredPiece{&piece, colours[name[0] == 'w' ? 0 : 1]};
    }
  }
  for (const Piece& piece : pieces) {
    const std::size_t at = name.find(piece.name);
    if (at == std::string::npos) continue;
    const std::size_t end = at + piece.name.size();
    if (end != name.size() && std::isalpha(static_cast<unsigned char>(name[end]))) continue;
    const auto colour = colour_in(name);
    if (!colour && at > 0) continue;
    return ColouredPiece{&piece, colour.value_or(no_colour)};
  }
  return std::nullopt;
}

// Degrees clockwise from the right.
std::optional<int> direction_of(const std::string& name) {
  static const std::map<std::string, int> directions = {
      {"east", 0},    {"right", 0},  {"southeast", 45},  {"se", 45},
      {"south", 90},  {"down", 90},  {"southwest", 135}, {"sw", 135},
      {"west", 180},  {"left", 180}, {"northwest", 225}, {"nw", 225},
      {"north", 270}, {"up", 270},   {"northeast", 315}, {"ne", 315}};
  const auto found = directions.find(name);
  if (found == directions.end()) return std::nullopt;
  return found->second;
}

bool is_obstacle(const std::string& name) {
  static const std::set<std::string> words = {"hole",    "wall",  "dirt",  "blk", "block",
                                              "blocked", "arrow", "stone", "rock"};
  return words.contains(name) || name.find("offlimits") != std::string::npos;
}

bool is_number(const std::string& name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string text_token(const std::string& text, std::string_view ink, double size,
                       std::string_view more) {
  return fmt::format(
      "<text y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"{:g}\" font-weight=\"bold\" "
      "fill=\"{}\"{}>{}</text>",
      0.35 * size, size, ink, more, escaped(text));
}

double size_for(const std::string& text, double largest) {
  return std::min(largest, 100.0 / static_cast<double>(std::max<std::size_t>(text.size(), 1)));
}

std::string disc(const Colour& colour, const std::string& letters) {
  return fmt::format(
             "<circle r=\"40\" fill=\"{}\" stroke=\"#1c1c1c\" class=\"z-outline\" "
             "stroke-width=\"3\"/>",
             colour.fill) +
         text_token(letters, colour.ink, size_for(letters, 44), "");
}

std::string arrow(int degrees) {
  return fmt::format(
      "<path transform=\"rotate({})\" d=\"M-34-9H4V-26L36 0 4 26V9H-34Z\" fill=\"#1c1c1c\" "
      "class=\"z-ink\"/>",
      degrees);
}

std::string piece_token(const ColouredPiece& found) {
  const bool is_dark = found.colour.ink == "#ffffff";
  return fmt::format(
      "<g fill=\"{}\" stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\">{}{}</g>",
      found.colour.fill, is_dark ? "#e9e4d6" : "#1c1c1c", found.piece->shape, foot);
}

}  // namespace

std::string abbreviation(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t max_letters = 4;
  for (std::size_t length = 1; length < std::min(name.size(), max_letters); ++length) {
    const std::string beginning = name.substr(0, length);
    const bool is_unique = std::none_of(names.begin(), names.end(), [&](const std::string& other) {
      return other != name && other.starts_with(beginning);
    });
    if (is_unique) return beginning;
  }
  if (name.size() <= max_letters) return name;
  return name.substr(0, 2) + name.substr(name.size() - 2);
}

std::string token_as_svg(const std::string& name, const std::vector<std::string>& names) {
  if (name == "x" || name == "ecks") {
    return "<path d=\"M-30-30L30 30M30-30L-30 30\" fill=\"none\" stroke=\"#1f4fa3\" "
           "class=\"z-cross\" stroke-width=\"12\" stroke-linecap=\"round\"/>";
  }
  if (name == "o" || name == "oh") {
    return "<circle r=\"31\" fill=\"none\" stroke=\"#b3362c\" class=\"z-ring\" "
           "stroke-width=\"12\"/>";
  }
  if (is_number(name)) return text_token(name, "#1c1c1c", size_for(name, 60), " class=\"z-ink\"");
  if (const auto degrees = direction_of(name)) return arrow(*degrees);
  if (const auto piece = piece_of(name, names)) return piece_token(*piece);
  if (is_obstacle(name)) {
    return "<rect x=\"-46\" y=\"-46\" width=\"92\" height=\"92\" fill=\"#6f675a\" "
           "class=\"z-wall\"/><path d=\"M-46-16L-16-46M-46 24L24-46M-26 46L46-26M14 46L46 14\" "
           "stroke=\"#a79c88\" stroke-width=\"5\"/>";
  }
  if (name == "peg") {
    return "<circle r=\"30\" fill=\"#80583a\" stroke=\"#1c1c1c\" class=\"z-outline\" "
           "stroke-width=\"3\"/><circle cx=\"-9\" cy=\"-9\" r=\"7\" fill=\"#b98d66\"/>";
  }
  std::string letters = abbreviation(name, names);
  letters[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(letters[0])));
  return disc(colour_in(name).value_or(no_colour), letters);
}

}  // namespace zermelo::app
