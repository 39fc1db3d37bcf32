// Cubi Cup: cubes are piled up in a corner. The positions form a triangular pyramid. Level 1 lies
// on the board, and every higher position rests on three cubes of the level below. The rules follow
// Kissmann and Edelkamp, Layer-Abstraction for Symbolically Solving General Two-Player Games.
#include <fmt/format.h>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view cube_rules = R"(
(<= (init (cube ?x empty))
    (place ?x))
(init (control yellow))

(<= (filled ?x)
    (role ?p)
    (true (cube ?x ?p)))
(<= (open ?x)
    (ground ?x)
    (true (cube ?x empty)))
(<= (open ?x)
    (true (cube ?x empty))
    (rests ?x ?a ?b ?c)
    (filled ?a)
    (filled ?b)
    (filled ?c))
(<= (on_three ?x ?p)
    (role ?p)
    (rests ?x ?a ?b ?c)
    (true (cube ?a ?p))
    (true (cube ?b ?p))
    (true (cube ?c ?p)))
(<= (cup ?x ?p)
    (on_three ?x ?p)
    (true (cube ?x empty)))

(<= (must_fill ?p ?x)
    (opponent ?p ?q)
    (cup ?x ?q))
(<= (has_to_fill ?p)
    (must_fill ?p ?_x))

(<= (legal ?p (put ?x))
    (true (control ?p))
    (must_fill ?p ?x))
(<= (legal ?p (put ?x))
    (true (control ?p))
    (not (has_to_fill ?p))
    (open ?x))
(<= (legal ?p noop)
    (role ?p)
    (not (true (control ?p))))

(<= (used ?x)
    (does ?_p (put ?x)))
(<= (next (cube ?x ?p))
    (does ?p (put ?x)))
(<= (next (cube ?x ?p))
    (true (cube ?x ?p))
    (not (used ?x)))

(<= (next (control ?p))
    (true (control ?p))
    (has_to_fill ?p))
(<= (next (control ?q))
    (true (control ?p))
    (not (has_to_fill ?p))
    (opponent ?p ?q))

(<= (finished ?p)
    (role ?p)
    (top ?x)
    (true (cube ?x ?p)))
(<= terminal
    (finished ?_p))

(<= (spoiled ?p)
    (opponent ?p ?q)
    (top ?x)
    (on_three ?x ?q))
(<= (goal ?p 100)
    (finished ?p)
    (not (spoiled ?p)))
(<= (goal ?q 0)
    (finished ?p)
    (not (spoiled ?p))
    (opponent ?p ?q))
(<= (goal ?q 50)
    (role ?q)
    (finished ?p)
    (spoiled ?p))
)";

// The name of a place of the pyramid: the level, then the coordinates in the triangle of the level.
std::string place(int level, int x, int y) { return fmt::format("p{}_{}_{}", level, x, y); }

// Calls visit(level, x, y) for every place, from the ground up.
template <class Visit>
void for_each_place(int edge, Visit visit) {
  for (int level = 1; level <= edge; ++level) {
    const int side = edge - level + 1;
    for (int x = 1; x <= side; ++x) {
      for (int y = 1; x + y <= side + 1; ++y) visit(level, x, y);
    }
  }
}

void write_pyramid(Sheet& sheet, int edge) {
  std::vector<std::string> places;
  std::vector<std::string> ground;
  std::vector<std::string> rests;
  for_each_place(edge, [&](int level, int x, int y) {
    places.push_back(fmt::format("(place {})", place(level, x, y)));
    if (level == 1) {
      ground.push_back(fmt::format("(ground {})", place(level, x, y)));
    } else {
      rests.push_back(fmt::format("(rests {} {} {} {})", place(level, x, y), place(level - 1, x, y),
                                  place(level - 1, x + 1, y), place(level - 1, x, y + 1)));
    }
  });
  sheet.facts(places).facts(ground).facts(rests);
  sheet.facts({fmt::format("(top {})", place(edge, 1, 1))});
}

}  // namespace

Rules cubi_cup(const Sizes& sizes) {
  const Bound bounds[] = {{"N", 2, 12}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int edge = (*read)[0];

  Sheet sheet(fmt::format("cubi-cup {}", edge));
  sheet.comment(fmt::format(
      "Cubi Cup with an edge of {} cubes. The players yellow and red put cubes of their colour "
      "onto a pyramid, yellow first. A place is open if it is empty and lies on the ground or "
      "on three cubes. An open place above three cubes of one colour is a cup of that colour. "
      "The opponent of that colour must fill it before any other place. A player who fills a cup "
      "of the opponent moves again. Players may fill their own cups like any open place. The "
      "number of cubes is not limited. The player who places the top cube wins, 100 to 0, unless "
      "the top was a cup of the opponent: then the game is a draw, 50 each.",
      edge));
  sheet.gap()
      .rules("(role yellow)\n(role red)\n(opponent yellow red)\n(opponent red yellow)")
      .gap();
  sheet.comment("(rests P A B C): the place P is above the three places A, B and C.");
  write_pyramid(sheet, edge);
  sheet.gap().rules(cube_rules);
  return std::move(sheet).text();
}

}  // namespace zermelo::families
