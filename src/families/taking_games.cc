// Games decided by the last piece: nim (taking it wins) and chomp (taking it loses).
#include <fmt/format.h>

#include <algorithm>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view heap_order = R"(
(<= (fewer ?m ?n)
    (succ ?m ?n))
(<= (fewer ?l ?n)
    (fewer ?l ?m)
    (succ ?m ?n))
)";

constexpr std::string_view leaving = R"(
(<= (legal ?p (leave ?h ?m))
    (true (control ?p))
    (true (heap ?h ?n))
    (fewer ?m ?n))

(<= (touched ?h)
    (does ?_p (leave ?h ?_m)))
(<= (next (heap ?h ?m))
    (does ?_p (leave ?h ?m)))
(<= (next (heap ?h ?n))
    (true (heap ?h ?n))
    (not (touched ?h)))

(<= remaining
    (true (heap ?_h ?n))
    (distinct ?n 0))
(<= terminal
    (not remaining))

; The player to move when nothing is left has lost.
(<= (goal ?p 100)
    (role ?p)
    (not (true (control ?p))))
(<= (goal ?p 0)
    (true (control ?p)))
)";

constexpr std::string_view biting = R"(
(<= (legal ?p (bite ?c ?r))
    (true (control ?p))
    (true (piece ?c ?r)))

(<= (eaten ?c ?r)
    (does ?_p (bite ?d ?s))
    (true (piece ?c ?r))
    (at_least ?c ?d)
    (at_least ?r ?s))
(<= (next (piece ?c ?r))
    (true (piece ?c ?r))
    (not (eaten ?c ?r)))

(<= terminal
    (not (true (piece 1 1))))

; The player to move when the poisoned piece is gone did not eat it.
(<= (goal ?p 100)
    (true (control ?p)))
(<= (goal ?p 0)
    (role ?p)
    (not (true (control ?p))))
)";

base::Result<std::vector<int>> read_heaps(const Sizes& sizes) {
  if (sizes.empty()) return wrong_sizes("expected at least one heap size: HEAPS...");
  std::vector<int> heaps;
  for (const std::string& size : sizes) {
    const auto heap = read_size(size, {"a heap", 1, 1000});
    if (!heap) return tl::unexpected(heap.error());
    heaps.push_back(*heap);
  }
  return heaps;
}

std::string joined(const Sizes& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

}  // namespace

Rules nim(const Sizes& sizes) {
  const auto heaps = read_heaps(sizes);
  if (!heaps) return tl::unexpected(heaps.error());

  Sheet sheet("nim " + joined(sizes, " "));
  sheet.comment(fmt::format(
      "Nim with heaps of {}. The players first and second take turns; a move leaves fewer "
      "objects in one heap than there were: (leave H N) leaves N in heap H. The player who takes "
      "the last object wins, 100 to 0.",
      joined(sizes, ", ")));
  sheet.gap().rules("(role first)\n(role second)").gap();
  std::vector<std::string> starts;
  for (std::size_t i = 0; i < heaps->size(); ++i) {
    starts.push_back(fmt::format("(init (heap {} {}))", i + 1, (*heaps)[i]));
  }
  sheet.facts(starts);
  sheet.chain("succ", 0, *std::max_element(heaps->begin(), heaps->end()));
  sheet.rules(heap_order);
  sheet.gap().turns("first", "second").gap().rules(leaving);
  return std::move(sheet).text();
}

Rules chomp(const Sizes& sizes) {
  const Bound bounds[] = {{"W", 1, 50}, {"H", 1, 50}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int columns = (*read)[0];
  const int rows = (*read)[1];

  Sheet sheet(fmt::format("chomp {} {}", columns, rows));
  sheet.comment(fmt::format(
      "Chomp on a bar of chocolate of {} columns and {} rows. The players first and second take "
      "turns; a move bites off a piece that is still there together with everything above it and "
      "to its right. The piece (1, 1) is poisoned: the player who eats it loses, 0 to 100.",
      columns, rows));
  sheet.gap().rules("(role first)\n(role second)").gap();
  sheet.numbers("column", 1, columns).numbers("row", 1, rows);
  sheet.rules(R"(
(<= (init (piece ?c ?r))
    (column ?c)
    (row ?r))
)");
  const int longer = std::max(columns, rows);
  sheet.numbers("number", 1, longer).rules(R"(
(<= (at_least ?n ?n)
    (number ?n))
)");
  if (longer > 1) {
    sheet.rules(R"(
(<= (at_least ?n ?l)
    (succ ?m ?n)
    (at_least ?m ?l))
)");
    sheet.chain("succ", 1, longer);
  }
  sheet.gap().turns("first", "second").gap().rules(biting);
  return std::move(sheet).text();
}

}  // namespace zermelo::families
