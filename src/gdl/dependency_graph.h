// Which predicates a predicate is defined by, and which of them are defined by one another. The
// nodes are the predicates of a rulesheet: a name with an arity, so that p(X) and p(X, Y) are two.
//
//   gdl::DependencyGraph graph(rulesheet);
//   for (const gdl::Dependency& edge : graph.dependencies())
//     if (edge.negative && graph.same_component(edge.head, edge.body)) ...
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gdl/rulesheet.h"

namespace zermelo::gdl {

struct Predicate {
  Symbol name{};
  std::uint32_t arity = 0;
};

using PredicateId = std::uint32_t;

// A clause for `head` has the atom in its body.
struct Dependency {
  PredicateId head = 0;
  PredicateId body = 0;
  bool negative = false;
  const Term* atom = nullptr;
  std::uint32_t clause = 0;
};

class DependencyGraph {
 public:
  // The rulesheet must outlive the graph.
  explicit DependencyGraph(const Rulesheet& rulesheet);

  std::size_t size() const { return predicates_.size(); }
  const Predicate& predicate(PredicateId id) const { return predicates_[id]; }
  // The atom, in a head or a body, where the predicate first occurs.
  const Term& first_atom(PredicateId id) const { return *first_atoms_[id]; }
  std::optional<PredicateId> find(const Term& atom) const;
  // Whether some clause has it as head.
  bool is_defined(PredicateId id) const { return defined_[id]; }

  // In source order.
  const std::vector<Dependency>& dependencies() const { return dependencies_; }

  // The strongly connected component, numbered so that what a component depends on comes first.
  std::uint32_t component(PredicateId id) const { return components_[id]; }
  bool same_component(PredicateId a, PredicateId b) const {
    return components_[a] == components_[b];
  }

  // A shortest path of dependencies to one of some targets.
  struct Way {
    PredicateId next;    // itself for a target
    PredicateId target;  // `unreachable` where there is no way
  };
  static constexpr PredicateId unreachable = UINT32_MAX;
  // The way from each predicate.
  std::vector<Way> ways_to(const std::vector<PredicateId>& targets) const;

 private:
  PredicateId intern(const Term& atom);
  void add_clause(const Clause& clause, std::uint32_t index);
  void find_components();

  std::vector<Predicate> predicates_;
  std::vector<const Term*> first_atoms_;
  std::vector<bool> defined_;
  std::unordered_map<std::uint64_t, PredicateId> ids_;
  std::vector<Dependency> dependencies_;
  std::vector<std::uint32_t> components_;
};

}  // namespace zermelo::gdl
