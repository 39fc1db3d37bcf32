// The intermediate form between the rulesheet and the ground game: a normal logic program with
// variables. Every normalisation pass turns a Program into an equivalent one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gdl/functions.h"
#include "gdl/rulesheet.h"

namespace zermelo::ground {

using gdl::Symbol;
using gdl::Term;
using PredicateId = std::uint32_t;

// The role of a predicate in the game.
enum class Kind : std::uint8_t {
  derived,  // defined by the rules
  fluent,   // true(f): given by the state
  does,     // does(r, m): given by the players
  guard,    // derived; restricts the instances and is not part of the ground game
};

// A predicate of the program. `keyword` is the GDL keyword it stands for (next, legal, ...), or its
// own name for other predicates of the rulesheet. Passes can split arguments into columns, for
// example true(cell(X, Y)) into two. `shape` keeps the original arguments, as terms whose variables
// are the numbers of the columns.
struct Predicate {
  Symbol keyword{};
  Kind kind = Kind::derived;
  std::vector<Term> shape;
  std::uint32_t arity = 0;
};

struct BodyLiteral {
  // A computed literal is a computed function of its first arguments, and its negation
  // not_computed.
  enum class Kind : std::uint8_t { positive, negative, distinct, equal, computed, not_computed };

  Kind kind = Kind::positive;
  // If positive or negative. If computed, the number of the function. Others compare two arguments.
  PredicateId predicate = 0;
  std::vector<Term> arguments;
  std::uint32_t inputs = 0;  // of the function; at most one more argument, the result

  bool has_predicate() const { return kind == Kind::positive || kind == Kind::negative; }
  bool has_result() const { return kind == Kind::computed && inputs < arguments.size(); }
  bool operator==(const BodyLiteral&) const = default;
};

struct Rule {
  PredicateId head = 0;
  std::vector<Term> arguments;
  std::vector<BodyLiteral> body;
  std::uint32_t clause = no_clause;  // of the rulesheet
  // Variables that split_functions did not split: their values are constants or functions that can
  // contain themselves.
  std::vector<std::uint32_t> whole = {};
  // False for rules that only define what can become true (true from next, does from legal,
  // guards).
  bool emits = true;

  static constexpr std::uint32_t no_clause = ~std::uint32_t{0};
};

struct Program {
  std::shared_ptr<const gdl::Rulesheet> rulesheet;
  // If the rules use functions: the rulesheet, which gets the symbols of their results.
  std::shared_ptr<gdl::Rulesheet> extended;
  std::vector<gdl::UsedFunction> functions;
  std::vector<Predicate> predicates;
  std::vector<Rule> rules;
  std::uint32_t variables = 0;  // the number of variables created so far

  PredicateId add_predicate(Predicate predicate);
  Term fresh_variable();
  // Adds a predicate with the given number of columns that is not in the rulesheet.
  PredicateId add_auxiliary(Kind kind, std::uint32_t arity);
};

// The number of a variable.
inline std::uint32_t variable_of(const Term& term) { return static_cast<std::uint32_t>(term.name); }
Term make_variable(std::uint32_t number);

bool is_ground(const Term& term);
// Appends the variables of a term in order, with duplicates.
void collect_variables(const Term& term, std::vector<std::uint32_t>& out);
// The variables of terms, ascending, without duplicates.
std::vector<std::uint32_t> variables_of(const std::vector<Term>& terms);
bool contains_variable(const std::vector<Term>& terms, std::uint32_t variable);

// Replaces a variable everywhere.
void substitute(Term& term, std::uint32_t variable, const Term& replacement);
void substitute(Rule& rule, std::uint32_t variable, const Term& replacement);

// Returns the error for a limit that was reached. It names the clause and the number of instances
// (or rules) generated from it.
base::Error limit_error(const Program& program, base::ErrorKind kind, std::uint32_t clause,
                        std::size_t instances);

// Gives the rule fresh variables. No two rules then have a variable in common.
void rename_variables(Program& program, Rule& rule);

}  // namespace zermelo::ground
