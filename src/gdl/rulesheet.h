// The rules of a game as written: symbols, terms, formulas and clauses, each with its span in the
// source. A Rulesheet returned by the parser is a well-formed list of clauses. `gdl/validity.h`
// checks whether it is valid GDL. No later stage parses text again.
//
//   auto source = std::make_shared<const base::Source>("nim.kif", text);
//   gdl::ParseResult parsed = gdl::parse(source);
//   for (const gdl::Clause& clause : parsed.rulesheet.clauses) ...
#pragma once

#include <memory>
#include <vector>

#include "base/source.h"
#include "gdl/symbol.h"

namespace zermelo::gdl {

// A variable, a constant, or a function applied to terms. An atom is a term too: its name is the
// predicate, and a predicate without arguments is a constant.
struct Term {
  enum class Kind : std::uint8_t { variable, constant, function };

  Kind kind = Kind::constant;
  Symbol name{};
  std::vector<Term> arguments;  // not empty for a function, empty for the others
  base::Span span;
};

// Compares structure only; spans are ignored.
bool operator==(const Term& a, const Term& b);

// Name and arity in one number.
inline std::uint64_t signature(const Term& term) {
  return static_cast<std::uint64_t>(term.name) << 32 | term.arguments.size();
}

// A condition in a body. `distinct` keeps its two terms as the arguments of `atom`.
struct Formula {
  enum class Kind : std::uint8_t { atom, distinct, negation, conjunction, disjunction };

  Kind kind = Kind::atom;
  Term atom;                      // atom, distinct
  std::vector<Formula> children;  // one for a negation, any number for the connectives
  base::Span span;
};

bool operator==(const Formula& a, const Formula& b);

// head <= body[0] & body[1] & ...; a fact has an empty body.
struct Clause {
  Term head;
  std::vector<Formula> body;
  base::Span span;
};

bool operator==(const Clause& a, const Clause& b);

enum class Syntax : std::uint8_t { prefix, infix };

struct ExternalModules;  // gdl/functions.h

struct Rulesheet {
  std::shared_ptr<const base::Source> source;
  Syntax syntax = Syntax::prefix;
  SymbolTable symbols;
  std::vector<Clause> clauses;
  // The programs and libraries that may compute functions of the rules. Never set by reading.
  std::shared_ptr<const ExternalModules> external = {};
};

// Returns the same rules, with the same symbols.
Rulesheet copy(const Rulesheet& rulesheet);

}  // namespace zermelo::gdl
