// Sorting puzzles: pancakes and blocks.
#include <fmt/format.h>

#include <algorithm>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view flipping = R"(
(<= (legal player (flip ?k))
    (flips ?k))

(<= (turned ?p)
    (does player (flip ?k))
    (turns ?k ?p ?_q))
(<= (next (pancake ?q ?size))
    (does player (flip ?k))
    (turns ?k ?p ?q)
    (true (pancake ?p ?size)))
(<= (next (pancake ?p ?size))
    (true (pancake ?p ?size))
    (not (turned ?p)))

(<= unsolved
    (true (pancake ?p ?size))
    (distinct ?p ?size))
)";

constexpr std::string_view stacking = R"(
(<= (carrying ?y)
    (true (on ?_x ?y)))
(<= (free ?x)
    (block ?x)
    (not (carrying ?x)))
(<= (legal player (move ?x ?y))
    (free ?x)
    (free ?y)
    (distinct ?x ?y))
(<= (legal player (move ?x table))
    (free ?x)
    (not (true (on ?x table))))

(<= (moved ?x)
    (does player (move ?x ?_y)))
(<= (next (on ?x ?y))
    (does player (move ?x ?y)))
(<= (next (on ?x ?y))
    (true (on ?x ?y))
    (not (moved ?x)))

(<= unsolved
    (wanted ?x ?y)
    (not (true (on ?x ?y))))
)";

// The even sizes, then the odd ones: no two adjacent sizes are consecutive.
std::vector<int> shuffled_sizes(int count) {
  std::vector<int> sizes;
  for (int size = 2; size <= count; size += 2) sizes.push_back(size);
  for (int size = 1; size <= count; size += 2) sizes.push_back(size);
  return sizes;
}

std::vector<std::string> pancake_start(int count) {
  std::vector<std::string> facts;
  const std::vector<int> sizes = shuffled_sizes(count);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    facts.push_back(fmt::format("(init (pancake {} {}))", i + 1, sizes[i]));
  }
  return facts;
}

// (turns k p q): flipping the upper k pancakes moves the one at p to q.
std::vector<std::string> pancake_flips(int count) {
  std::vector<std::string> facts;
  for (int k = 2; k <= count; ++k) {
    for (int p = 1; p <= k; ++p) facts.push_back(fmt::format("(turns {} {} {})", k, p, k + 1 - p));
  }
  return facts;
}

}  // namespace

Rules pancakes(const Sizes& sizes) {
  const Bound bounds[] = {{"N", 2, 60}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int count = (*read)[0];
  const int limit = 2 * count - 3;

  Sheet sheet(fmt::format("pancakes {}", count));
  sheet.comment(fmt::format(
      "A stack of {} pancakes of different sizes; place 1 is the top. A move turns the upper "
      "part of the stack over: (flip K) turns over the upper K pancakes. The reward is 100 if the "
      "stack is sorted, the smallest on top, within {} moves, otherwise 0.",
      count, limit));
  sheet.gap().rules("(role player)").gap().facts(pancake_start(count)).gap();
  sheet.numbers("flips", 2, count);
  sheet.comment("(turns K P Q): flipping K pancakes moves the one at place P to place Q.");
  sheet.facts(pancake_flips(count)).gap().rules(flipping).puzzle_end();
  sheet.gap().step_limit(limit);
  return std::move(sheet).text();
}

Rules blocks(const Sizes& sizes) {
  const Bound bounds[] = {{"N", 2, 26}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int count = (*read)[0];
  const int limit = 2 * count;  // all blocks to the table, then to their places

  const std::string bottom = letter(0);
  const std::string top = letter(count - 1);
  Sheet sheet(fmt::format("blocks {}", count));
  sheet.comment(
      fmt::format("Blocks world with {0} blocks in one tower, {1} on top and {2} on the table. A "
                  "move puts a block with nothing on it onto the table or onto another block "
                  "with nothing on it. The reward is 100 if the tower is reversed, {2} on top and "
                  "{1} on the table, within {3} moves, otherwise 0.",
                  count, bottom, top, limit));
  sheet.gap().rules("(role player)").gap();
  std::vector<std::string> names;
  std::vector<std::string> start;
  std::vector<std::string> aim = {fmt::format("(wanted {} table)", bottom)};
  for (int i = 0; i < count; ++i) {
    names.push_back(fmt::format("(block {})", letter(i)));
    const bool last = i + 1 == count;
    start.push_back(fmt::format("(init (on {} {}))", letter(i), last ? "table" : letter(i + 1)));
    if (!last) aim.push_back(fmt::format("(wanted {} {})", letter(i + 1), letter(i)));
  }
  sheet.facts(names).facts(start).facts(aim).gap().rules(stacking).puzzle_end();
  sheet.gap().step_limit(limit);
  return std::move(sheet).text();
}

}  // namespace zermelo::families
