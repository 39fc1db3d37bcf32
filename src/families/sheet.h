// Builds the text of a rulesheet, with the parts that many games have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zermelo::families {

class Sheet {
 public:
  // Starts with a comment: the family and the sizes, as passed to `generate`.
  explicit Sheet(std::string_view call);

  // Wraps the text into comment lines.
  Sheet& comment(std::string_view prose);
  // Adds rules as given, without leading and trailing line breaks.
  Sheet& rules(std::string_view text);
  // Adds facts, as many per line as fit.
  Sheet& facts(const std::vector<std::string>& facts);
  // Adds an empty line.
  Sheet& gap();

  // (relation first) ... (relation last).
  Sheet& numbers(std::string_view relation, int first, int last);
  // (relation first first+1) ... (relation last-1 last).
  Sheet& chain(std::string_view relation, int first, int last);
  // Columns and rows as facts, adjacent ones as (right c c+1) and (up r r+1).
  Sheet& grid(int columns, int rows);
  // (beside c r d s) for cells of the grid that share an edge.
  Sheet& edge_neighbours(int columns, int rows);
  // Alternating turns by a fluent `control`, with noop for the player who is not to move.
  Sheet& turns(std::string_view first, std::string_view second);
  // A counter of moves that ends the game after `limit` moves.
  Sheet& step_limit(int limit);

  // The game ends as soon as `unsolved` does not hold. Then the reward is 100, otherwise 0.
  Sheet& puzzle_end();

  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

// a, b, c, ... for 0, 1, 2, ... Requires i < 26.
std::string letter(int i);

}  // namespace zermelo::families
