// Formulas with their names resolved: variables are numbers that stand for one thing each, negation
// stands only before what cannot be negated further inside, universal quantifiers are negated
// existential ones, definitions are inlined, and existential quantifiers do not stand before
// disjunctions. This is what `plan.cc` makes queries from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "toss/query.h"

namespace zermelo::toss {

using Variable = std::uint32_t;
using Variables = std::vector<Variable>;

struct Node;
struct TermNode;
using NodePtr = std::shared_ptr<const Node>;
using TermNodePtr = std::shared_ptr<const TermNode>;

// A relation that its body describes: a fixed point or a transitive closure. Its columns are those
// of the relation and then the parameters, the free variables of the formula around them.
struct Recursion {
  enum class Kind : std::uint8_t { least, greatest, closure };
  Kind kind = Kind::least;
  std::size_t slot = 0;  // where the relation is while its body is evaluated
  Variables columns;     // as the body names them
  NodePtr body;
  bool closed = false;  // depends on no slot but its own
  bool recurs = true;   // depends on its own slot
};

struct DefinedRelations;

// The fixed points that definitions consist of, resolved and planned once for all queries of a
// theory, so that their numbers of slots differ from those of all other fixed points.
struct SharedRecursions {
  std::shared_ptr<const DefinedRelations> relations;  // the names of the game
  std::map<const Formula*, std::shared_ptr<const Recursion>> by_body;
  std::map<const Recursion*, std::shared_ptr<const Step>> plans;
  std::size_t slots = 0;
};

// Where the tuples of an atom come from: exactly one of these.
struct Source {
  enum class Kind : std::uint8_t { stored, slot, table, recursion };
  Kind kind = Kind::stored;
  std::size_t index = 0;  // of the stored relation or slot
  std::shared_ptr<const TupleSet> table;
  std::shared_ptr<const Recursion> recursion;
};

// What a formula or term depends on.
struct Dependence {
  Variables free;                  // ascending
  std::vector<std::size_t> slots;  // ascending; those bound outside
  bool stable = true;              // uses only what no move changes, slots aside
};

struct Node : Dependence {
  enum class Kind : std::uint8_t {
    atom,
    equal,
    compare,
    negation,  // of an atom, equality, comparison or existential formula
    conjunction,
    disjunction,
    exists,
  };
  Kind kind = Kind::conjunction;
  Source source;
  Variables variables;  // arguments, or those bound
  std::vector<NodePtr> parts;
  TermNodePtr term;
  Comparison comparison = Comparison::equal;
};

struct TermNode : Dependence {
  Term::Kind kind = Term::Kind::number;
  double number = 0;
  std::size_t function = 0;
  Variables variables;
  NodePtr formula;
  std::vector<TermNodePtr> parts;
  // Values by element, evaluated in advance; then only the free variable counts.
  std::shared_ptr<const std::vector<double>> table;
};

struct Resolution {
  NodePtr node;
  TermNodePtr term;
  Variables variables;  // of the names given
  std::size_t slots = 0;
};

// Resolves a formula or term whose free variables are among the names.
Resolution resolve_formula(const Theory& theory, const Formula& formula,
                           const std::vector<std::string>& names);
Resolution resolve_term(const Theory& theory, const Term& term);

}  // namespace zermelo::toss
