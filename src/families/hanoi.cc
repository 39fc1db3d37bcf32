// The Towers of Hanoi with any number of pegs. The limit is the number of moves of the
// Frame-Stewart algorithm, which is optimal for three pegs and, as Bousch proved, for four.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view disk_order = R"(
(<= (smaller ?d ?e)
    (succ ?d ?e))
(<= (smaller ?d ?f)
    (smaller ?d ?e)
    (succ ?e ?f))

; A smaller disk is on ?p, so ?d can neither leave ?p nor move there.
(<= (blocked ?d ?p)
    (smaller ?e ?d)
    (true (on ?e ?p)))
)";

constexpr std::string_view disk_moves = R"(
(<= (legal player (move ?d ?q))
    (true (on ?d ?p))
    (peg ?q)
    (distinct ?p ?q){})

(<= (moved ?d)
    (does player (move ?d ?_q)))
(<= (next (on ?d ?q))
    (does player (move ?d ?q)))
(<= (next (on ?d ?p))
    (true (on ?d ?p))
    (not (moved ?d)))

(<= unsolved
    (true (on ?_d ?p))
    (distinct ?p {}))
)";

// The number of moves for `disks` disks: move the upper k disks aside with all pegs, the rest with
// one peg less, then the k disks back, for the best k. Capped, since three pegs need 2^disks - 1.
int frame_stewart(int disks, int pegs) {
  constexpr int too_many = 1 << 24;
  const auto size = static_cast<std::size_t>(disks) + 1;
  std::vector<int> moves(size, too_many);  // for two pegs
  moves[0] = 0;
  moves[1] = 1;
  for (int available = 3; available <= pegs; ++available) {
    std::vector<int> better(size, too_many);
    better[0] = 0;
    for (std::size_t n = 1; n < size; ++n) {
      for (std::size_t k = 0; k < n; ++k) {
        better[n] = std::min(better[n], 2 * better[k] + moves[n - k]);
      }
    }
    moves = better;
  }
  return moves.back();
}

}  // namespace

Rules hanoi(const Sizes& sizes) {
  const Bound bounds[] = {{"DISKS", 1, 30}, {"PEGS", 3, 10}};
  Sizes numbers = sizes;
  const bool limited = !take_last(numbers, "unlimited");
  const auto read = read_sizes(numbers, bounds);
  if (!read) return tl::unexpected(read.error());
  const int disks = (*read)[0];
  const int pegs = (*read)[1];
  const int limit = frame_stewart(disks, pegs);
  if (limited && limit > 100000) {
    return wrong_sizes("this number of disks takes more than 100000 moves on these pegs");
  }

  Sheet sheet(fmt::format("hanoi {} {}{}", disks, pegs, limited ? "" : " unlimited"));
  sheet.comment(
      fmt::format("The Towers of Hanoi with {} disks, 1 the smallest, all on the first of {} pegs. "
                  "A move takes the top disk of a peg to another peg, never onto a smaller disk. "
                  "The reward is 100 if all disks are on peg {}{}, otherwise 0.",
                  disks, pegs, pegs, limited ? fmt::format(" within {} moves", limit) : ""));
  sheet.gap().rules("(role player)").gap();
  sheet.numbers("disk", 1, disks).numbers("peg", 1, pegs).rules(R"(
(<= (init (on ?d 1))
    (disk ?d))
)");
  if (disks > 1) {
    sheet.chain("succ", 1, disks).rules(disk_order);
  }
  sheet.gap()
      .rules(fmt::format(disk_moves,
                         disks > 1 ? "\n    (not (blocked ?d ?p))\n    (not (blocked ?d ?q))" : "",
                         pegs))
      .puzzle_end();
  if (limited) sheet.gap().step_limit(limit);
  return std::move(sheet).text();
}

}  // namespace zermelo::families
