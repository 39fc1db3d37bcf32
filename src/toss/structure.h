// Finite relational structures with real-valued functions: the states of structure rewriting games
// and the two sides of their rules.
//
// A structure is a value. Relations are shared between copies, as a move changes few of them.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "toss/tuple_set.h"

namespace zermelo::toss {

struct RelationSymbol {
  std::string name;
  std::size_t arity = 0;
  auto operator<=>(const RelationSymbol&) const = default;
};

// What all structures of a game have; relations and functions are known by their number here.
struct Signature {
  std::vector<RelationSymbol> relations;
  std::vector<std::string> functions;
  bool operator==(const Signature&) const = default;
};

// A function from elements to reals: pairs sorted by element. It is 0 where it is not listed.
using Function = std::vector<std::pair<Element, double>>;

class Structure {
 public:
  Structure() = default;
  // No elements, and every relation of the signature empty.
  explicit Structure(const Signature& signature);

  // Ascending.
  const std::vector<Element>& universe() const { return universe_; }
  const TupleSet& relation(std::size_t symbol) const { return *relations_[symbol]; }
  const Function& function(std::size_t symbol) const { return *functions_[symbol]; }
  double value(std::size_t function, Element element) const;
  bool has(Element element) const;

  void set_universe(std::vector<Element> universe);
  void set_relation(std::size_t symbol, TupleSet tuples);
  void set_value(std::size_t function, Element element, double value);
  void set_function(std::size_t symbol, Function function);

  std::size_t hash() const;
  bool operator==(const Structure& other) const { return (*this <=> other) == 0; }
  std::strong_ordering operator<=>(const Structure& other) const;

 private:
  std::vector<Element> universe_;
  std::vector<std::shared_ptr<const TupleSet>> relations_;
  std::vector<std::shared_ptr<const Function>> functions_;
};

// A structure whose elements are numbered from 0 and have names.
struct NamedStructure {
  std::vector<std::string> names;
  Structure structure;
  bool operator==(const NamedStructure&) const = default;
};

}  // namespace zermelo::toss
