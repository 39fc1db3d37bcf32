// The rules of a GDL game as the translation to Toss uses them: terms with names instead of
// symbols, bodies that are conjunctions of literals, and players in place of the variables that
// clearly stand for them (second paper, the transformation before its section on elements).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "gdl/rulesheet.h"

namespace zermelo::translate::toss {

struct GdlTerm {
  std::string name;
  bool is_variable = false;
  std::vector<GdlTerm> arguments = {};

  bool operator==(const GdlTerm& other) const;
  bool operator<(const GdlTerm& other) const;
};

GdlTerm gdl_variable(std::string name);
GdlTerm gdl_constant(std::string name);
// In prefix syntax, as engines print moves and fluents.
std::string print(const GdlTerm& term);
bool is_ground(const GdlTerm& term);
void collect_variables(const GdlTerm& term, std::set<std::string>& names);
GdlTerm from_gdl(const gdl::Term& term, const gdl::SymbolTable& symbols);

using Substitution = std::map<std::string, GdlTerm>;
GdlTerm substitute(const GdlTerm& term, const Substitution& substitution);
// Extends the substitution to a most general unifier of both terms. On failure it is undefined.
// Variables in `fixed` are treated as constants.
bool unify(const GdlTerm& a, const GdlTerm& b, Substitution& substitution,
           const std::set<std::string>& fixed = {});

struct GdlLiteral {
  enum class Kind : std::uint8_t {
    truth,     // true(term)
    does,      // does(arguments[0], arguments[1])
    distinct,  // arguments[0] and arguments[1] differ
    atom,      // of another predicate
  };
  Kind kind = Kind::atom;
  bool negated = false;
  GdlTerm term;

  bool operator==(const GdlLiteral&) const = default;
};

using GdlBody = std::vector<GdlLiteral>;

// The literal that says that two terms are equal: (not (distinct a b)).
GdlLiteral gdl_equation(GdlTerm a, GdlTerm b);

struct GdlClause {
  GdlTerm head;
  GdlBody body;
};

std::string print(const GdlLiteral& literal);
std::string print(const GdlClause& clause);
GdlLiteral substitute(const GdlLiteral& literal, const Substitution& substitution);
GdlClause substitute(const GdlClause& clause, const Substitution& substitution);
std::set<std::string> variables_of(const GdlClause& clause);
void collect_variables(const GdlBody& body, std::set<std::string>& names);
// The clause with all its variables renamed to "?N_k", where N is the number.
GdlClause renamed_apart(const GdlClause& clause, std::size_t number);

class GdlClauses {
 public:
  // Fails with not_applicable if disjunctions make too many clauses.
  static base::Result<GdlClauses> read(const gdl::Rulesheet& rules);
  // By predicate of the head.
  GdlClauses(std::vector<std::string> roles, std::map<std::string, std::vector<GdlClause>> clauses);

  const std::vector<std::string>& roles() const { return roles_; }
  // The clauses whose head has this predicate, e.g. "next".
  const std::vector<GdlClause>& of(const std::string& predicate) const;
  const std::map<std::string, std::vector<GdlClause>>& all() const { return clauses_; }
  bool depends_on_state(const std::string& predicate) const { return state_.count(predicate) > 0; }
  bool depends_on_moves(const std::string& predicate) const { return moves_.count(predicate) > 0; }

 private:
  GdlClauses() = default;
  void classify();

  std::vector<std::string> roles_;
  std::map<std::string, std::vector<GdlClause>> clauses_;
  std::set<std::string> state_, moves_;  // predicates that depend on true, on does
};

}  // namespace zermelo::translate::toss
