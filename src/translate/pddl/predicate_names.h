// The PDDL names of the predicates, fluents, moves and objects of flat rules.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "translate/glossary.h"
#include "translate/pddl/flatten.h"
#include "translate/planning_names.h"

namespace zermelo::translate::pddl {

// A kind of fluent or move: all with the same functions in the same places. The columns of its
// predicates are the variables of `shape`.
struct Kind {
  std::string name;  // cell for true(cell(X, Y))
  Pattern shape;
  std::uint32_t columns = 0;
};

class PredicateNames {
 public:
  // The rules must outlive the names.
  explicit PredicateNames(const FlatRules& rules);

  // Empty for a predicate that occurs neither in a rule nor as a fact.
  const std::string& of(ground::PredicateId predicate) const { return names_[predicate]; }
  const std::vector<Kind>& fluents() const { return fluents_; }
  const std::vector<Kind>& moves() const { return moves_; }
  // Predicates with a prefix: current-cell, does-move. A kind without a name has only the prefix.
  static std::string prefixed(const std::string& prefix, const Kind& kind);
  // The object of a ground term; named when first asked for.
  const std::string& object(const gdl::Term& term);
  const std::unordered_map<std::string, gdl::Term>& objects() const { return terms_; }

 private:
  void name_by_kind(ground::PredicateId predicate);
  const Kind& kind_of(std::map<std::string, std::size_t>& known, std::vector<Kind>& kinds,
                      Names& names, const Pattern& shape);
  std::string functions_of(const gdl::Term& term) const;
  std::string own_name(ground::PredicateId predicate) const;

  const FlatRules& rules_;
  std::vector<std::string> names_;  // by predicate
  std::vector<Kind> fluents_, moves_;
  std::map<std::string, std::size_t> fluent_kinds_, move_kinds_;  // by the text of the shape
  Names predicate_names_, fluent_names_, move_names_, object_names_;
  std::unordered_map<std::string, std::string> objects_;  // by the term's text
  std::unordered_map<std::string, gdl::Term> terms_;      // by object
};

// The columns of a shape: its variables, from left to right.
std::uint32_t count_columns(const gdl::Term& shape);

}  // namespace zermelo::translate::pddl
