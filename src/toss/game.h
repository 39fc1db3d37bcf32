// A structure rewriting game as its file describes it (Kaiser and Stafiniak, "First-Order Logic
// with Counting for General Game Playing" and "Translating the Game Description Language to Toss",
// GIGA 2011, Definitions 1 to 3): players, defined relations, rewriting rules, a graph of locations
// whose edges are moves, and the structure that a play starts with.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "toss/formula.h"
#include "toss/structure.h"

namespace zermelo::toss {

struct Definition {
  std::string name;
  std::vector<std::string> parameters;
  FormulaPtr body;
};

// A rule L -> R. A match is injective on the elements of the left side, and maps the tuples of its
// relations to tuples; relations in `embedded` it reflects as well.
struct Rule {
  std::string name;
  NamedStructure left, right;
  // Atoms of defined relations on the left side, over its elements.
  std::vector<FormulaPtr> left_defined;
  // By element of the right side: the element of the left side whose place it takes; nothing for
  // an element that the rule creates.
  std::vector<std::optional<Element>> origin;
  std::vector<std::size_t> embedded;  // relations, ascending

  bool embeds(std::size_t relation) const {
    return std::binary_search(embedded.begin(), embedded.end(), relation);
  }
  FormulaPtr pre, post;  // null where there is none
};

struct Edge {
  std::size_t rule = 0;
  std::size_t target = 0;  // location
  auto operator<=>(const Edge&) const = default;
};

// What a player gets and may do in a location.
struct PlayerPart {
  TermPtr payoff;
  std::vector<Edge> moves;
};

struct Location {
  std::uint32_t number = 0;         // as in the file
  std::vector<PlayerPart> players;  // by player
};

struct Game {
  std::vector<std::string> players;
  Signature signature;
  std::vector<Definition> definitions;  // each uses only earlier ones
  std::vector<Rule> rules;
  std::vector<Location> locations;  // by number; the first is where a play starts
  NamedStructure start;
  std::optional<NamedStructure> model;  // a current structure, where the file gives one
};

// Whether two games are the same up to the places where they were read.
bool same(const Game& a, const Game& b);

}  // namespace zermelo::toss
