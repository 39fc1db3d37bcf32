#include "families/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/spelling.h"
#include "families/makers.h"

namespace zermelo::families {
namespace {

struct Entry {
  Family family;
  Rules (*make)(const Sizes&);
};

constexpr std::array entries = {
    Entry{{"blocks", "N", "26", "blocks world: turn a tower of N blocks upside down"}, blocks},
    Entry{{"breakthrough", "W H", "50 50", "pawns race to the other side of the board"},
          breakthrough},
    Entry{{"chomp", "W H", "50 50", "bite off chocolate; the poisoned piece loses"}, chomp},
    Entry{{"clobber", "W H [tokens]", "50 50",
           "capture adjacent tokens; a player who cannot move loses"},
          clobber},
    Entry{{"connect-four", "W H [K]", "50 50 50", "drop discs; K in a line win (default K = 4)"},
          connect_four},
    Entry{{"cubi-cup", "N", "12", "build a pyramid of cubes; the top cube wins"}, cubi_cup},
    Entry{{"dining-cryptographers", "N", "12", "who has paid for the dinner? (GDL-II)"},
          dining_cryptographers},
    Entry{{"hanoi", "DISKS PEGS [unlimited]", "30 10", "the Towers of Hanoi in the fewest moves"},
          hanoi},
    Entry{{"knights-tour", "W H", "50 50", "visit every cell with a knight"}, knights_tour},
    Entry{{"liars-dice", "SIDES", "12", "bid on two dice or call the other a liar (GDL-II)"},
          liars_dice},
    Entry{{"lights-out", "W H", "50 50", "switch all lights off"}, lights_out},
    Entry{{"muddy-children", "N", "12", "is my forehead muddy? (GDL-II)"}, muddy_children},
    Entry{{"nim", "HEAPS...", "1000 ...", "take objects from heaps; the last object wins"}, nim},
    Entry{{"optimistic", "PAWNS", "6", "breakthrough with a tempting move that loses"}, optimistic},
    Entry{{"pancakes", "N", "60", "sort a stack by flipping its upper part"}, pancakes},
    Entry{{"peg", "english|european|wiegleb|triangle [ROWS]|rectangle W H", "rectangle 26 26",
           "peg solitaire on boards of several shapes"},
          peg},
    Entry{
        {"penalties", "LANES LENGTH", "20 20", "race; every square outside the safe lane costs 1"},
        penalties},
    Entry{{"progression", "ACTIVE FACTOR", "10 50",
           "race of ten runners, some of which only wait, with a step limit"},
          progression},
    Entry{{"punishment", "LANES LENGTH", "20 20", "race; squares cost more with every step"},
          punishment},
    Entry{{"queens", "N", "100", "place N queens that do not attack each other"}, queens},
    Entry{{"russian-cards", "A B C", "8 8 8", "hands of A, B and C cards; who has what? (GDL-II)"},
          russian_cards},
    Entry{{"shock-step", "LANES LENGTH", "20 20", "race; squares cost more in distant lanes"},
          shock_step},
    Entry{{"sliding-tiles", "W H [STEPS|unlimited]", "20 20 100000",
           "the 8-puzzle, the 15-puzzle and other sizes"},
          sliding_tiles},
    Entry{{"sum-and-product", "MAX", "200", "numbers from their sum and their product (GDL-II)"},
          sum_and_product},
    Entry{{"tic-tac-toe", "W H K", "50 50 50", "mark cells; K in a line win"}, tic_tac_toe},
};

constexpr auto families = [] {
  std::array<Family, entries.size()> all;
  for (std::size_t i = 0; i < entries.size(); ++i) all[i] = entries[i].family;
  return all;
}();

// Names the families, unless the one that was meant is known.
std::string unknown_family(std::string_view family) {
  std::vector<std::string> names;
  for (const Family& known : families) names.emplace_back(known.name);
  const std::string similar = base::did_you_mean(family, names);
  return fmt::format(
      "unknown family \"{}\"{}", family,
      similar.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : similar);
}

}  // namespace

std::span<const Family> list() { return families; }

base::Result<std::string> generate(std::string_view family, const std::vector<std::string>& sizes) {
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& candidate) {
    return candidate.family.name == family;
  });
  if (entry == entries.end()) {
    return wrong_sizes(unknown_family(family));
  }
  Rules rules = entry->make(sizes);
  if (rules) return rules;
  return wrong_sizes(fmt::format("{} {}: {}", family, entry->family.usage, rules.error().message));
}

}  // namespace zermelo::families
