// Matching and applying structure rewriting rules (Definitions 1 and 2 of the papers).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "toss/game.h"
#include "toss/query.h"

namespace zermelo::toss {

// The elements of a match, by element of the rule's left side.
using Match = std::vector<Element>;

struct Application {
  const Rule* rule;
  Match match;
};

// The numbers and names of elements that rules create, the same in every play of a game: elements
// of the starting structure come first, then those created, as `b_1`, `b_2` from the right side's
// `b`.
class ElementNames {
 public:
  explicit ElementNames(const Game& game);

  std::string name(Element element) const;
  // The least element that the right side's name may stand for and that is not in use. The elements
  // in use are ascending.
  Element create(const std::string& name, const std::vector<Element>& used) const;

 private:
  std::vector<std::string> start_;
  std::vector<std::string> created_;  // names of right sides
  std::vector<std::string> stems_;    // by name, such that no element of the start is called alike
};

// The left side and the precondition as a formula: its free variables are the elements' names.
FormulaPtr match_condition(const Rule& rule, const Signature& signature);
// The literals of the left side alone; tuples of embedded relations that it lacks are negated.
std::vector<FormulaPtr> left_literals(const Rule& rule, const Signature& signature);

struct Rewritten {
  Structure structure;
  std::vector<std::vector<Element>> right;  // by application: what its right side became
};

// Applies rules at once, each on a match in the structure. One application gives the structure of
// Definition 2. With several, a tuple or element is removed if one of them removes it, and what the
// right sides have is added afterwards, unless it names an element that another removes.
Rewritten rewrite(const Structure& structure, std::span<const Application> applications,
                  const Game& game, const ElementNames& names);

}  // namespace zermelo::toss
