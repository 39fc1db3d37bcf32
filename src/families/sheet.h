// The text of a rulesheet as it is written, and the pieces that many games share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zermelo::families {

class Sheet {
 public:
  // Opens with a comment: the family and the sizes, as `generate` takes them.
  explicit Sheet(std::string_view call);

  // Lines of prose, wrapped, each behind a semicolon.
  Sheet& comment(std::string_view prose);
  // Rules exactly as given, apart from line breaks at the beginning and the end.
  Sheet& rules(std::string_view text);
  // Facts, as many on a line as fit.
  Sheet& facts(const std::vector<std::string>& facts);
  // An empty line between paragraphs.
  Sheet& gap();

  // (relation first) ... (relation last).
  Sheet& numbers(std::string_view relation, int first, int last);
  // (relation first first+1) ... (relation last-1 last).
  Sheet& chain(std::string_view relation, int first, int last);
  // Columns and rows as facts, neighbouring ones as (right c c+1) and (up r r+1).
  Sheet& grid(int columns, int rows);
  // (beside c r d s) for cells of the grid that share an edge.
  Sheet& edge_neighbours(int columns, int rows);
  // Strict alternation by a fluent `control`, and noop for who is not in turn.
  Sheet& turns(std::string_view first, std::string_view second);
  // A counter of moves that ends the game after `limit` of them.
  Sheet& step_limit(int limit);

  // The end of a puzzle, with 100, as soon as `unsolved` does not hold; 0 otherwise.
  Sheet& puzzle_end();

  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

// a, b, c, ... for 0, 1, 2, ...; i < 26.
std::string letter(int i);

}  // namespace zermelo::families
