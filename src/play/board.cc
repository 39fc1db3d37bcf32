// A cell shows a letter of its content's name that no other content uses, the first letter if
// possible; numbers of one digit are their own letter. Blank cells are dots. Hexagons are printed
// where they are drawn, two columns for each, so that neighbours of the next line are between them.
#include "play/board.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

namespace zermelo::play {
namespace {

using analysis::Picture;
using Shape = Picture::Shape;
using Letters = std::map<std::string, char>;

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

Letters letters_of(const std::vector<std::string>& names) {
  Letters letters;
  std::set<char> taken = {'.'};
  for (const std::string& name : names) {
    letters[name] = free_letter(name, taken);
    taken.insert(letters[name]);
  }
  return letters;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::size_t longest(const std::vector<std::string>& names) {
  std::size_t length = 0;
  for (const std::string& name : names) length = std::max(length, name.size());
  return length;
}

// What the text shows of a cell.
const Picture::Token* shown_token(const Picture::Cell& cell) {
  const auto first = std::find_if(cell.tokens.begin(), cell.tokens.end(), [](const auto& token) {
    return token.side == Picture::Side::inside && token.kind != "mark";
  });
  return first == cell.tokens.end() ? nullptr : &*first;
}

class BoardText {
 public:
  explicit BoardText(const Picture::Board& board)
      : board_(board), letters_(letters_of(board.names)) {}

  std::string text() {
    std::string drawn = board_.title.empty() ? "" : board_.title + "\n";
    if (board_.shape == Shape::grid) return drawn + grid() + legend();
    if (board_.shape == Shape::hexagons) return drawn + hexagons() + legend();
    if (board_.shape == Shape::stacks) return drawn + stacks();
    return drawn + list();
  }

 private:
  // A letter, a dot for a blank cell.
  char letter(const Picture::Cell& cell) {
    const Picture::Token* token = shown_token(cell);
    if (!token) return '.';
    used_.insert(token->name);
    const auto known = letters_.find(token->name);
    return known == letters_.end() ? '?' : known->second;
  }

  std::string grid() {
    std::map<std::pair<int, int>, const Picture::Cell*> cells;
    for (const Picture::Cell& cell : board_.cells) {
      cells.emplace(std::pair(static_cast<int>(cell.x), static_cast<int>(cell.y)), &cell);
    }
    const std::size_t margin = longest(board_.rows), width = longest(board_.columns) + 1;
    std::string text;
    for (int y = 0; y < static_cast<int>(board_.rows.size()); ++y) {
      text += padded(board_.rows[static_cast<std::size_t>(y)], margin);
      for (int x = 0; x < static_cast<int>(board_.columns.size()); ++x) {
        const auto cell = cells.find({x, y});
        text += padded(std::string(1, cell == cells.end() ? ' ' : letter(*cell->second)), width);
      }
      text += '\n';
    }
    text += std::string(margin, ' ');
    for (const std::string& column : board_.columns) text += padded(column, width);
    return text + '\n';
  }

  std::string hexagons() {
    std::map<int, std::map<int, char>> lines;
    for (const Picture::Cell& cell : board_.cells) {
      lines[static_cast<int>(std::lround(cell.y * 2.3))]
           [static_cast<int>(std::lround(cell.x * 2))] = letter(cell);
    }
    std::string text;
    for (const auto& [y, columns] : lines) {
      std::string line;
      for (const auto& [x, shown] : columns) {
        line.resize(std::max(line.size(), static_cast<std::size_t>(std::max(x, 0))), ' ');
        line += shown;
      }
      text += line + '\n';
    }
    return text;
  }

  // One line per place.
  std::string list() {
    std::size_t margin = 0;
    for (const Picture::Cell& cell : board_.cells) margin = std::max(margin, cell.title.size());
    std::string text;
    for (const Picture::Cell& cell : board_.cells) {
      const Picture::Token* token = shown_token(cell);
      text += padded(cell.title, margin) + " " + (token ? token->name : ".") + '\n';
    }
    return text;
  }

  std::string stacks() const {
    std::map<int, std::map<int, std::string>> lines;  // by height from the top, and by stack
    std::size_t width = 0;
    for (const Picture::Cell& cell : board_.cells) {
      lines[static_cast<int>(cell.y)][static_cast<int>(cell.x)] = cell.title;
      width = std::max(width, cell.title.size() + 1);
    }
    std::string text;
    for (const auto& [y, things] : lines) {
      std::string line;
      for (const auto& [x, name] : things) {
        line.resize(static_cast<std::size_t>(x) * width, ' ');
        line += padded(name, width);
      }
      text += line + '\n';
    }
    return text;
  }

  std::string legend() const {
    std::string text;
    for (const std::string& name : used_) {
      const std::string shown(1, letters_.contains(name) ? letters_.at(name) : '?');
      if (shown != name) text += shown + " = " + name + "\n";
    }
    return text;
  }

  const Picture::Board& board_;
  Letters letters_;
  std::set<std::string> used_;
};

void add(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::string boards_as_text(const Picture& picture) {
  std::string text;
  for (const Picture::Board& board : picture.boards) text += BoardText(board).text();
  return text;
}

std::vector<std::string> beside_boards(const Picture& picture) {
  std::vector<std::string> fluents = picture.others;
  for (const Picture::Counter& counter : picture.counters) add(fluents, counter.fluents);
  for (const Picture::Counter& turn : picture.turns) add(fluents, turn.fluents);
  for (const Picture::Hand& hand : picture.hands) {
    for (const Picture::Hand::Item& item : hand.items) add(fluents, item.fluents);
  }
  for (const Picture::Board& board : picture.boards) {
    for (const Picture::Cell& cell : board.cells) {
      for (const Picture::Token& token : cell.tokens) {
        if (&token != shown_token(cell)) add(fluents, token.fluents);
      }
    }
  }
  std::sort(fluents.begin(), fluents.end());
  return fluents;
}

}  // namespace zermelo::play
