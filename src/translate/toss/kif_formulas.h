// Formulas of structure rewriting games as clauses of GDL.
//
// GDL has neither quantifiers nor fixed points. A disjunction, a negated formula of several parts,
// a quantifier under a negation, a transitive closure and a fixed point become auxiliary predicates
// whose arguments are the variables they share with their context. A variable that no positive
// literal binds is bound by (element. ?x). Names with a dot cannot clash with those of a file.
//
// A formula is read either in the current structure or, for a postcondition, in the structure after
// a rule was applied (`AfterRule`); relations and definitions that moves change then have a second
// predicate, with the elements of the match in front of its arguments.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "toss/fluents.h"
#include "toss/game.h"

namespace zermelo::translate::toss {

using Texts = std::vector<std::string>;

// "(first rest...)", or the first alone.
std::string kif(const std::string& first, const Texts& rest);

// Names of GDL for names of a Toss file. GDL does not distinguish case and reserves words; names
// that would become the same get a dot and a number.
class KifNames {
 public:
  std::string relation(const std::string& name) { return unique(relations_, name); }
  std::string element(const std::string& name) { return unique(elements_, name); }
  std::string move(const std::string& name) { return unique(moves_, name); }

 private:
  struct Names {
    std::map<std::string, std::string> given;
    std::set<std::string> used;
  };
  static std::string unique(Names& names, const std::string& name);

  Names relations_, elements_, moves_;
};

// The structure after `rule` was applied; `match` are the variables of its left side's elements.
struct AfterRule {
  std::size_t rule = 0;
  Texts match;
};

class KifFormulas {
 public:
  struct Literal {
    std::string text;
    std::set<std::string> variables;
    bool binds = false;
  };

  // The arguments must outlive this.
  KifFormulas(const zermelo::toss::Game& game, const base::Source& source, KifNames& names);

  // What the variables of a formula are called in GDL.
  using Variables = std::map<std::string, std::string>;

  // Writes clauses for `head`, which hold where the formula does and all `conditions`. The
  // arguments of the head are bound where the formula does not.
  void define(const std::string& head, const Texts& arguments,
              const zermelo::toss::Formula& formula, const Variables& variables,
              const std::optional<AfterRule>& after, const std::vector<Literal>& conditions = {});
  // Writes a clause as it is.
  void clause(const std::string& head, const Texts& body);

  // Whether a relation is a fluent of the GDL game.
  bool is_fluent(std::size_t relation) const { return !stable_.relations[relation]; }
  bool elements_change() const { return !stable_.universe; }
  // "(true (r a b))" or "(r a b)".
  std::string holds(std::size_t relation, const Texts& arguments);
  // The first thing that GDL cannot express.
  const std::optional<base::Error>& error() const { return error_; }
  void refuse(base::Span span, const std::string& message);
  std::string& text() { return text_; }

 private:
  // A relation that a formula binds.
  struct LocalRelation {
    std::string predicate;
    Texts parameters;
    bool complement = false;  // the predicate describes what is not in it
    bool recursive = false;   // its definition is being written
  };
  struct Scope {
    Variables variables;
    std::map<std::string, LocalRelation> relations;
    std::optional<AfterRule> after;
  };
  using Formula = zermelo::toss::Formula;

  void write(const std::string& head, const Texts& arguments, const Formula& formula, bool positive,
             const Scope& scope, const std::vector<Literal>& conditions = {});
  void add(const Formula& formula, bool positive, Scope scope, std::vector<Literal>& body);
  void add_atom(const Formula& formula, bool positive, const Scope& scope,
                std::vector<Literal>& body);
  void add_parts(const Formula& formula, bool positive, const Scope& scope,
                 std::vector<Literal>& body);
  void add_quantified(const Formula& formula, bool positive, Scope scope,
                      std::vector<Literal>& body);
  void add_recursion(const Formula& formula, bool positive, const Scope& scope,
                     std::vector<Literal>& body);
  void add_let(const Formula& formula, bool positive, Scope scope, std::vector<Literal>& body);
  // The literal of an auxiliary predicate that holds where the formula does.
  Literal auxiliary(const Formula& formula, bool positive, const Scope& scope);
  static Literal negated(Literal literal);
  Literal literal(const std::string& predicate, const Texts& arguments, bool positive) const;
  void require_outside_recursion(const Formula& formula, const Scope& scope, const char* what);
  bool uses_recursion(const Formula& formula, const Scope& scope) const;
  Texts context_of(const Formula& formula, const Scope& scope,
                   const std::vector<std::string>& bound = {}) const;
  std::string predicate_after(const AfterRule& after, std::size_t relation);
  std::string definition(std::size_t index, const std::optional<AfterRule>& after);
  std::string guard(const std::string& variable, const std::optional<AfterRule>& after);
  void write_relation_after(const AfterRule& after, std::size_t relation);
  std::string fresh_variable() { return "?v" + std::to_string(variables_++); }
  std::string fresh_predicate(const char* kind) {
    return std::string(kind) + "." + std::to_string(predicates_++);
  }

  const zermelo::toss::Game& game_;
  const base::Source& source_;
  KifNames& names_;
  zermelo::toss::StablePart stable_;
  zermelo::toss::FluentNames fluents_;
  std::optional<base::Error> error_;
  std::set<std::string> written_;  // predicates defined on demand
  std::size_t variables_ = 0;
  std::size_t predicates_ = 0;
  std::string text_;
};

}  // namespace zermelo::translate::toss
