// The dependency graph of the predicates of a rulesheet. A node is a name with an arity: p(X) and
// p(X, Y) belong to different predicates.
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

// A clause for `head` has an atom of `body` among its conditions.
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
  // The first atom of the predicate in the source, in a head or a body.
  const Term& first_atom(PredicateId id) const { return *first_atoms_[id]; }
  std::optional<PredicateId> find(const Term& atom) const;
  // True if some clause has the predicate as its head.
  bool is_defined(PredicateId id) const { return defined_[id]; }

  // In source order.
  const std::vector<Dependency>& dependencies() const { return dependencies_; }

  // The strongly connected component. A component has a larger number than those it depends on.
  std::uint32_t component(PredicateId id) const { return components_[id]; }
  bool same_component(PredicateId a, PredicateId b) const {
    return components_[a] == components_[b];
  }

  // The first step of a shortest path of dependencies to a set of targets.
  struct Path {
    PredicateId next;    // the predicate itself if it is a target
    PredicateId target;  // `unreachable` if there is no path
  };
  static constexpr PredicateId unreachable = UINT32_MAX;
  // Returns the path from each predicate.
  std::vector<Path> paths_to(const std::vector<PredicateId>& targets) const;

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
