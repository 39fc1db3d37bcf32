// Traversal of the conditions of a clause, with any nesting of `and`, `or` and `not`.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// Called with each atom or `distinct` of a body in source order. `positive` is true if the number
// of enclosing negations is even.
using LiteralVisitor = std::function<void(const Formula& literal, bool positive)>;
void visit_literals(const std::vector<Formula>& body, const LiteralVisitor& visit);

// Called with a term and each of its subterms, outermost first.
using TermVisitor = std::function<void(const Term&)>;
void visit_subterms(const Term& term, const TermVisitor& visit);

bool is_ground(const Term& term);

// Empties a hash table and frees its buckets. clear() takes time proportional to the largest size
// the table ever had.
template <class Table>
void reset_table(Table& table) {
  table = Table();
}

// Computes which keys (variables bound, terms mentioned) positive conditions provide, and where
// these keys hold. A conjunction provides the keys of any part, a disjunction the keys common to
// all branches. Inside a branch, the keys of the branch and of everything around it hold. The
// result is the same as checking every branch of the disjunctive normal form, without expanding it.
class Support {
 public:
  using Key = std::uint32_t;
  // Appends the keys a positive atom provides.
  using Provider = std::function<void(const Term& atom, std::vector<Key>& keys)>;
  // Called with each literal. During the call `holds` answers for the position of this literal.
  using Visitor = std::function<void(const Formula& literal, bool positive)>;

  explicit Support(Provider provider) : provider_(std::move(provider)) {}

  // After this call `holds` answers for the head of a clause with this body.
  void enter_body(const std::vector<Formula>& body);
  // Visits the literals of a body. Requires that `enter_body` was called with the same body.
  void visit(const std::vector<Formula>& body, const Visitor& visit);
  bool holds(Key key) const { return holding_.count(key) != 0; }

 private:
  using Keys = std::vector<Key>;  // sorted, without duplicates

  Keys provided(const Formula& formula, bool positive);
  Keys provided_by_atom(const Term& atom) const;
  Keys provided_by_all(const Formula& formula, bool positive);
  Keys provided_by_any(const Formula& formula, bool positive);
  void visit_inside(const Formula& formula, bool positive, const Visitor& visit);
  void enter(const Keys& keys);
  void leave(const Keys& keys);

  Provider provider_;
  std::unordered_map<const Formula*, Keys> inside_;  // the keys of each compound condition
  std::unordered_map<Key, std::uint32_t>
      holding_;  // number of enclosing conditions that provide it
};

}  // namespace zermelo::gdl
