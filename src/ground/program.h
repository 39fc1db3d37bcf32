// The rules between the rulesheet and the ground game: a normal logic program whose terms are still
// patterns with variables. Every normalisation pass takes a Program and leaves an equivalent one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gdl/rulesheet.h"

namespace zermelo::ground {

using gdl::Symbol;
using gdl::Term;
using PredicateId = std::uint32_t;

// What a predicate is to the game.
enum class Kind : std::uint8_t {
  derived,  // defined by the rules
  fluent,   // true(f): chosen by the state
  does,     // does(r, m): chosen by the players
  guard,    // derived, but only says which atoms can matter; not part of the ground game
};

// A predicate of the program. `keyword` is the word of the language it stands for (next, legal,
// ...; the own name for predicates of the rulesheet). Passes that take arguments apart, as
// true(cell(X, Y)) to a predicate of two columns, keep in `shape` how the original arguments are
// put together again: terms whose variables are the numbers of the columns.
struct Predicate {
  Symbol keyword{};
  Kind kind = Kind::derived;
  std::vector<Term> shape;
  std::uint32_t arity = 0;
};

struct BodyLiteral {
  enum class Kind : std::uint8_t { positive, negative, distinct, equal };

  Kind kind = Kind::positive;
  PredicateId predicate = 0;  // of positive and negative literals; the others compare two arguments
  std::vector<Term> arguments;

  bool operator==(const BodyLiteral&) const = default;
};

struct Rule {
  PredicateId head = 0;
  std::vector<Term> arguments;
  std::vector<BodyLiteral> body;
  std::uint32_t clause = no_clause;  // of the rulesheet
  // Variables that split_functions left whole: they stand for a constant or for a function that can
  // contain itself.
  std::vector<std::uint32_t> whole = {};
  // False for rules that only say what can become true (true from next, does from legal, guards).
  bool emits = true;

  static constexpr std::uint32_t no_clause = ~std::uint32_t{0};
};

struct Program {
  std::shared_ptr<const gdl::Rulesheet> rulesheet;
  std::vector<Predicate> predicates;
  std::vector<Rule> rules;
  std::uint32_t variables = 0;  // all variables made so far, each with a number of its own

  PredicateId add_predicate(Predicate predicate);
  Term fresh_variable();
  // A new predicate over the given number of columns that stands for nothing in the rulesheet.
  PredicateId add_auxiliary(Kind kind, std::uint32_t arity);
};

// A variable's number.
inline std::uint32_t variable_of(const Term& term) { return static_cast<std::uint32_t>(term.name); }
Term make_variable(std::uint32_t number);

bool is_ground(const Term& term);
// Appends the variables of a term in order, repeated ones repeatedly.
void collect_variables(const Term& term, std::vector<std::uint32_t>& out);
// The variables of terms, ascending, each once.
std::vector<std::uint32_t> variables_of(const std::vector<Term>& terms);
bool contains_variable(const std::vector<Term>& terms, std::uint32_t variable);

// Replaces a variable everywhere.
void substitute(Term& term, std::uint32_t variable, const Term& replacement);
void substitute(Rule& rule, std::uint32_t variable, const Term& replacement);

// The error of a limit reached: names the clause that grows and how many instances (or rules) it
// has made.
base::Error limit_error(const Program& program, base::ErrorKind kind, std::uint32_t clause,
                        std::size_t instances);

// For every rule the numbers of its variables are its own, so that rules can be joined freely.
void rename_variables(Program& program, Rule& rule);

}  // namespace zermelo::ground
