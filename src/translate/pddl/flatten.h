// The rules of a game without function terms, as PDDL needs them: every argument of every atom is a
// variable or an object.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "ground/program.h"

namespace zermelo::translate::pddl {

struct FlatRules {
  struct Fact {
    ground::PredicateId predicate;
    std::vector<gdl::Term> arguments;  // ground
  };

  // The rules that depend on the state or the moves. A predicate's `shape` says which atom of the
  // rulesheet it stands for: true(cell(X, Y)) is a predicate of two columns.
  ground::Program program;
  std::vector<Fact> facts;  // the atoms of all other predicates
  // Predicates that say of what a term is made: p(T, X, Y) holds for T = f(X, Y). By predicate, the
  // function. Only where terms can nest in themselves, as lists do.
  std::map<ground::PredicateId, gdl::Symbol> term_makers;
};

// Requires a valid rulesheet. Fails at a limit.
base::Result<FlatRules> flatten(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                const base::Limits& limits);

}  // namespace zermelo::translate::pddl
