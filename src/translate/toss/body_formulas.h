// Bodies of GDL clauses as formulas over the elements of the structure.
//
// A variable of GDL stands for a term, a variable of Toss for an element. A variable of GDL is
// therefore carried: it is the value of some element at a key position of its mask. Positive `true`
// atoms introduce elements; other occurrences of a variable become conditions on keys. Static atoms
// become stable relations of the elements that carry their variables; variables that occur only in
// static atoms are joined away. A variable that needs a carrier and has none gets an element of the
// mask of values. At content positions variables are replaced by all their values.
//
// Predicates that depend on the state become defined relations, once for each way in which their
// arguments are carried; recursive ones become least fixed points.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "toss/formula.h"
#include "translate/toss/element_structure.h"
#include "translate/toss/gdl_clauses.h"

namespace zermelo::translate::toss {

// Why a game cannot be translated: thrown where a restriction is not met.
struct NotTranslatable {
  std::string reason;  // one sentence
};

struct Carrier {
  std::string element;  // a variable of Toss
  std::size_t position = 0;
};

// What is known at a place in a formula.
struct CarrierScope {
  struct Bound {
    std::size_t mask = 0;
    std::vector<GdlTerm> keys;  // by key of the mask; empty if unknown
  };
  std::map<std::string, Carrier> carriers;  // by variable of GDL
  std::map<std::string, Bound> elements;    // by variable of Toss
};

class BodyFormulas {
 public:
  using FormulaPtr = zermelo::toss::FormulaPtr;

  // The arguments must outlive this.
  BodyFormulas(const GdlClauses& rules, ElementStructure& structure);

  // The conjunction as a formula whose free variables are elements of the scope.
  FormulaPtr body(GdlBody literals, const CarrierScope& scope);
  // Adds an element with these keys to the scope: free variables among the keys are carried by it.
  // Returns the conditions on it.
  FormulaPtr introduce(const std::string& element, std::size_t mask,
                       const std::vector<GdlTerm>& keys, CarrierScope& scope);
  // A predicate without arguments as a formula.
  FormulaPtr sentence(const std::string& predicate);
  // The goal of a role with this value.
  FormulaPtr goal(const std::string& role, const std::string& value);

  // REL lines, in order of definition.
  const std::string& definitions() const { return definitions_; }
  std::string fresh_element() { return "e" + std::to_string(elements_++); }

 private:
  // How an argument of a defined predicate is given: a constant or a place of a column.
  struct Argument {
    std::string constant;
    KeyPlace place;
    bool is_constant = false;
  };
  struct CallPattern {
    std::vector<std::size_t> masks;  // by column
    std::vector<Argument> arguments;
    std::string text(const std::string& predicate) const;
  };
  struct Conditions {
    std::vector<std::string> elements;  // of the columns
    StableRelation relation;
  };
  struct Conjunction;

  FormulaPtr split_contents(const GdlBody& literals, const CarrierScope& scope, bool& is_split);
  void add_true(const GdlLiteral& literal, Conjunction& all);
  void add_static(const GdlBody& literals, Conjunction& all);
  void add_static_group(const GdlBody& group, bool negated, Conjunction& all);
  void add_comparison(const GdlLiteral& literal, Conjunction& all);
  void add_call(const GdlLiteral& literal, Conjunction& all);
  void carry_by_value(const std::string& variable, Conjunction& all);
  FormulaPtr call(const GdlTerm& atom, const CarrierScope& scope);
  std::string define(const std::string& predicate, const CallPattern& pattern);
  FormulaPtr clause_formula(const GdlClause& clause, const CallPattern& pattern,
                            const std::vector<std::string>& parameters);
  FormulaPtr atoms(const std::vector<Conditions>& conditions);
  bool is_static(const std::string& predicate) const;

  const GdlClauses& rules_;
  ElementStructure& structure_;
  std::map<std::string, std::string> defined_;  // by call pattern
  std::vector<std::string> open_;               // call patterns being defined
  std::set<std::string> recursive_;
  std::string definitions_;
  std::size_t elements_ = 0;
  std::size_t clauses_ = 0;
  std::size_t size_ = 0;  // conjunctions made
};

}  // namespace zermelo::translate::toss
