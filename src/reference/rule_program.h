// The rules of a rulesheet in a form for goal-directed evaluation: numbered predicates, bodies as
// conjunctions (one rule per disjunct), ground facts separate from rules, and one predicate
// true(f(...)) for each f.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/limited_steps.h"
#include "base/result.h"
#include "gdl/functions.h"
#include "gdl/rulesheet.h"
#include "reference/symbol_names.h"
#include "reference/terms.h"
#include "reference/tuples.h"

namespace zermelo::reference {

using PredicateId = std::uint32_t;
using VariableId = std::uint32_t;
using ExpressionId = std::uint32_t;

// A term of a rule. Ground terms of any depth are constants.
struct Expression {
  enum class Kind : std::uint8_t { constant, variable, function };
  Kind kind;
  std::uint32_t value;  // TermId, VariableId or gdl::Symbol
  ExpressionId first_argument = 0;
  std::uint32_t arguments = 0;
};

struct BodyLiteral {
  enum class Kind : std::uint8_t { holds, fails, differ, same };
  Kind kind;
  PredicateId predicate = 0;  // holds, fails
  std::vector<ExpressionId> arguments;
};

struct Rule {
  PredicateId head;
  std::vector<ExpressionId> arguments;
  std::vector<BodyLiteral> body;
  std::uint32_t variables;
};

struct Predicate {
  // The source of the tuples: the rulesheet, the state, the moves, rules, or a function.
  enum class Kind : std::uint8_t { facts, fluent, does, derived, computed };
  // What the tuples depend on. With `moves` they may also depend on the state.
  enum class Depends : std::uint8_t { nothing, state, moves };
  Kind kind = Kind::facts;
  Depends depends = Depends::nothing;
  std::size_t arity = 0;
  std::vector<std::uint32_t> rules;
  gdl::UsedFunction function = {};  // of a computed predicate
};

struct RuleProgram {
  SymbolNames symbols;
  TermStore terms;
  std::vector<Expression> expressions;
  std::vector<Rule> rules;
  std::vector<Predicate> predicates;
  std::vector<TupleSet> relations;  // by predicate: facts, or the current fluents or moves

  std::vector<TermId> initial_facts;  // the ground facts of `init`

  PredicateId role, init, next, legal, goal, terminal, does, sees;
  PredicateId any_fluent;                                              // true(?x)
  std::map<std::pair<gdl::Symbol, std::size_t>, PredicateId> fluents;  // true(f(...)) by f
  std::map<std::pair<gdl::Symbol, std::size_t>, PredicateId> named;    // all others, by name

  // Calls visit(variable) for every variable of a term, once per occurrence.
  void for_each_variable(ExpressionId expression,
                         const std::function<void(VariableId)>& visit) const;
};

// Fails with memory_limit if the disjunctions of one clause expand to too many rules, and with
// not_applicable if the rules use a program or library that nobody allowed. Throws LimitReached.
// The rulesheet must outlive the program.
base::Result<RuleProgram> make_program(const gdl::Rulesheet& rulesheet, base::LimitedSteps& steps);

}  // namespace zermelo::reference
