// Columns and rows are sorted by name, numbers by value. The last row is at the top, as in chess.
// If most contents are numbers, as in sliding puzzles, the first row is: such boards are read like
// text. A cell shows a letter of its content's name that no other content uses, the first letter if
// possible. Blank cells, recognised by the usual names b, blank and empty, are dots.
#include "play/board.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

namespace zermelo::play {
namespace {

bool is_number(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

struct Cell {
  std::string predicate, column, row, content;
};

// Parses (cell a 1 white) or (cell a1 white). Returns nullopt for any other fluent.
std::optional<Cell> cell_of(const std::string& fluent) {
  if (fluent.size() < 2 || fluent.find('(') != 0 || fluent.find('(', 1) != std::string::npos) {
    return std::nullopt;
  }
  std::istringstream text(fluent.substr(1, fluent.size() - 2));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  if (words.size() == 4) return Cell{words[0], words[1], words[2], words[3]};
  if (words.size() != 3) return std::nullopt;
  const std::size_t row = words[1].find_first_of("0123456789");
  const bool is_place = row > 0 && row != std::string::npos && is_number(words[1].substr(row));
  if (!is_place) return std::nullopt;
  return Cell{words[0], words[1].substr(0, row), words[1].substr(row), words[2]};
}

bool is_before(const std::string& a, const std::string& b) {
  if (is_number(a) && is_number(b) && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

struct Before {
  bool operator()(const std::string& a, const std::string& b) const { return is_before(a, b); }
};

using Names = std::set<std::string, Before>;

// Returns the predicate that most cells have.
std::string board_predicate(const std::vector<std::string>& fluents) {
  std::map<std::string, std::size_t> count;
  for (const std::string& fluent : fluents) {
    if (const auto cell = cell_of(fluent)) ++count[cell->predicate];
  }
  const auto best = std::max_element(
      count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return best == count.end() ? "" : best->first;
}

std::vector<Cell> cells_of(const std::vector<std::string>& fluents, const std::string& predicate) {
  std::vector<Cell> cells;
  for (const std::string& fluent : fluents) {
    auto cell = cell_of(fluent);
    if (cell && cell->predicate == predicate) cells.push_back(std::move(*cell));
  }
  return cells;
}

bool is_blank(const std::string& content) {
  return content == "b" || content == "blank" || content == "empty";
}

// Returns the first free letter: one of the name, in lower or upper case, else any.
char free_letter(const std::string& name, const std::set<char>& taken) {
  for (const char c : name + "abcdefghijklmnopqrstuvwxyz0123456789") {
    if (c <= ' ' || c > '~') continue;  // part of a non-ASCII character
    const char capital = static_cast<char>(std::toupper(c));
    if (!taken.contains(c)) return c;
    if (!taken.contains(capital)) return capital;
  }
  return '?';
}

std::map<std::string, char> letters_of(const Names& contents) {
  std::map<std::string, char> letters;
  std::set<char> taken = {'.'};
  for (const std::string& content : contents) {
    const char letter = is_blank(content) ? '.' : free_letter(content, taken);
    letters[content] = letter;
    taken.insert(letter);
  }
  return letters;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::size_t longest(const Names& names) {
  std::size_t length = 0;
  for (const std::string& name : names) length = std::max(length, name.size());
  return length;
}

bool is_read_like_text(const Names& contents) {
  return 2 * std::count_if(contents.begin(), contents.end(), is_number) >
         static_cast<std::ptrdiff_t>(contents.size());
}

using Contents = std::map<std::pair<std::string, std::string>, std::string>;  // by column and row

std::set<std::string> contents_of(const Contents& content_at) {
  std::set<std::string> contents;
  for (const auto& [place, content] : content_at) contents.insert(content);
  return contents;
}

std::string draw(const Contents& content_at, const Names& columns, const Names& rows,
                 const Names& contents) {
  const auto letters = letters_of(contents);
  const std::size_t margin = longest(rows), width = longest(columns) + 1;
  std::vector<std::string> from_top(rows.begin(), rows.end());
  if (!is_read_like_text(contents)) std::reverse(from_top.begin(), from_top.end());
  std::string text;
  for (const std::string& row : from_top) {
    text += padded(row, margin);
    for (const std::string& column : columns) {
      const auto cell = content_at.find({column, row});
      const char letter = cell == content_at.end() ? ' ' : letters.at(cell->second);
      text += padded(std::string(1, letter), width);
    }
    text += '\n';
  }
  text += std::string(margin, ' ');
  for (const std::string& column : columns) text += padded(column, width);
  text += '\n';
  for (const std::string& content : contents_of(content_at)) {
    const std::string shown(1, letters.at(content));
    if (shown != content && shown != ".") text += shown + " = " + content + "\n";
  }
  return text;
}

}  // namespace

std::optional<std::string> draw_board(const std::vector<std::string>& fluents,
                                      const std::vector<std::string>& possible) {
  const std::string predicate = board_predicate(fluents);
  Names columns, rows, contents;
  for (const Cell& cell : cells_of(possible, predicate)) {
    columns.insert(cell.column);
    rows.insert(cell.row);
    contents.insert(cell.content);
  }
  Contents content_at;
  for (const Cell& cell : cells_of(fluents, predicate)) {
    if (!content_at.emplace(std::pair(cell.column, cell.row), cell.content).second) {
      return std::nullopt;
    }
  }
  if (content_at.empty() || columns.size() < 2 || rows.size() < 2) return std::nullopt;
  return draw(content_at, columns, rows, contents);
}

std::vector<std::string> beside_board(const std::vector<std::string>& fluents,
                                      const std::vector<std::string>& possible) {
  if (!draw_board(fluents, possible)) return fluents;
  const std::string predicate = board_predicate(fluents);
  std::vector<std::string> rest;
  for (const std::string& fluent : fluents) {
    const auto cell = cell_of(fluent);
    if (!cell || cell->predicate != predicate) rest.push_back(fluent);
  }
  return rest;
}

}  // namespace zermelo::play
