// Walking through the conditions of a clause, whatever the nesting of `and`, `or` and `not`.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// Called with each atom or `distinct` of a body in source order. It stands positive when an even
// number of negations is around it.
using LiteralVisitor = std::function<void(const Formula& literal, bool positive)>;
void visit_literals(const std::vector<Formula>& body, const LiteralVisitor& visit);

// Called with a term and each of its subterms, outermost first.
using TermVisitor = std::function<void(const Term&)>;
void visit_subterms(const Term& term, const TermVisitor& visit);

bool is_ground(const Term& term);

// Empties a hash table and forgets its size: clear() would cost as much as the fullest it ever was.
template <class Table>
void start_anew(Table& table) {
  table = Table();
}

// What positive conditions provide (variables they bind, terms they mention), and where it holds: a
// conjunction provides what any part provides, a disjunction what every branch provides, and inside
// a branch holds what the branch itself and all that encloses it provide. This decides for every
// branch of the disjunctive normal form without making it.
class Support {
 public:
  using Key = std::uint32_t;
  // Appends what a positive atom provides.
  using Provider = std::function<void(const Term& atom, std::vector<Key>& keys)>;
  // Called with each literal while `holds` answers for its place.
  using Visitor = std::function<void(const Formula& literal, bool positive)>;

  explicit Support(Provider provider) : provider_(std::move(provider)) {}

  // From now on `holds` answers for the head of a clause with this body.
  void enter_body(const std::vector<Formula>& body);
  // Visits the literals of the body that was entered.
  void visit(const std::vector<Formula>& body, const Visitor& visit);
  bool holds(Key key) const { return holding_.count(key) != 0; }

 private:
  using Keys = std::vector<Key>;  // sorted, each once

  Keys provided(const Formula& formula, bool positive);
  Keys provided_by_atom(const Term& atom) const;
  Keys provided_by_all(const Formula& formula, bool positive);
  Keys provided_by_any(const Formula& formula, bool positive);
  void visit_inside(const Formula& formula, bool positive, const Visitor& visit);
  void enter(const Keys& keys);
  void leave(const Keys& keys);

  Provider provider_;
  std::unordered_map<const Formula*, Keys> inside_;  // what each compound condition provides
  std::unordered_map<Key, std::uint32_t> holding_;   // how many enclosing places provide the key
};

}  // namespace zermelo::gdl
