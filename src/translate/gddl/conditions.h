// Conditions of a game as formulas of GDDL: the rules with variables, and ground conditions written
// out.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ground/game.h"
#include "translate/gddl/types.h"
#include "translate/pddl/flatten.h"
#include "translate/sas/axiom_table.h"
#include "translate/sas/encoding.h"

namespace zermelo::translate::gddl {

// (and a b), or the part itself if it is the only one. `word` is "and" or "or".
std::string connected(const std::string& word, const std::vector<std::string>& parts);

// What ends the game and what it is worth, from the rules as written.
class RuleConditions {
 public:
  RuleConditions(const pddl::FlatRules& rules, TypedNames& names) : rules_(rules), names_(names) {}

  std::string terminal();
  std::string gains();  // one (:gain ...) per line
  // Call the following two after the others: only predicates that were used are written.
  std::string derived();
  std::string predicates();
  std::vector<std::string> facts();

 private:
  struct RuleText {
    std::map<std::uint32_t, std::string> variables;  // names, by variable
    std::set<std::uint32_t> bound;                   // by the head
    std::vector<std::string> conditions;
  };

  std::string argument(const gdl::Term& term, TypeId type, RuleText& text);
  std::string literal(const ground::BodyLiteral& literal, const ground::Rule& rule, RuleText& text);
  std::string body(const ground::Rule& rule, RuleText& text);
  void add_gains(const ground::Rule& rule, std::string& out);
  void add_gain(const ground::Rule& rule, int value, std::string& out);
  std::string derived(const ground::Rule& rule);
  void use(ground::PredicateId predicate);

  const pddl::FlatRules& rules_;
  TypedNames& names_;
  std::set<ground::PredicateId> used_;
  std::vector<ground::PredicateId> open_;  // used, rules not written
};

// Ground conditions without derived predicates. They are substituted one into the other, in the
// order in which they depend on each other.
class GroundConditions {
 public:
  GroundConditions(const ground::Game& game, TypedNames& names) : game_(game), names_(names) {}

  std::string of(ground::Atom atom);
  // Of a derived variable of the direct translation.
  std::string of_axiom(const sas::AxiomTable& axioms, const sas::Encoding& encoding,
                       std::uint32_t variable);
  // That a variable which is not derived has a value, or does not.
  std::string of_fluent(const sas::Encoding& encoding, const sas::Condition& condition);
  // Why the conditions cannot be written out.
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  template <class Make>
  std::string remember(std::map<std::uint32_t, std::optional<std::string>>& known,
                       std::uint32_t key, Make make);

  const ground::Game& game_;
  TypedNames& names_;
  std::map<std::uint32_t, std::optional<std::string>> atoms_, axioms_;  // nothing while it is made
  std::size_t written_ = 0;
  std::optional<std::string> problem_;
};

}  // namespace zermelo::translate::gddl
