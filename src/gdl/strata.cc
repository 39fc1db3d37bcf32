// The 2008 specification requires stratified rules: no cycle of the predicates' dependency graph
// has a negative edge. Real rulesheets break this in one harmless way,
//
//   (<= (goal robot 100) (not (goal robot 0)))
//
// where the two atoms of one predicate never unify. So a component of predicates with a negative
// edge inside is refined: its clauses become the nodes, and a clause depends on those whose heads
// may match one of its conditions (constants and functions at the same position agree; repeated
// variables are ignored, which can only add edges). A cycle of ground atoms runs through a cycle of
// such clauses. So if no negative edge lies on a cycle of clauses, the ground rules are locally
// stratified (Przymusinski, On the declarative semantics of deductive databases and logic programs,
// 1988): they have exactly one perfect model, and evaluating the components of clauses in order
// finds it. Stratified rules are the special case that needs no refinement. The refinement compares
// every condition with every head; components where this is too much work are not refined.
#include "gdl/strata.h"

#include <algorithm>
#include <unordered_set>

#include "gdl/adjacency.h"

namespace zermelo::gdl {
namespace {

constexpr std::size_t max_comparisons = 2'000'000;

bool may_match(const Term& a, const Term& b) {
  if (a.kind == Term::Kind::variable || b.kind == Term::Kind::variable) return true;
  return a.name == b.name && std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(),
                                        b.arguments.end(), may_match);
}

// The clauses and inner dependencies of one component of predicates.
struct Part {
  std::vector<std::uint32_t> clauses;
  std::vector<std::uint32_t> dependencies;
  bool has_negation = false;
};

std::vector<Part> split(const Rulesheet& rulesheet, const DependencyGraph& graph) {
  std::vector<Part> parts(graph.size());
  for (std::uint32_t i = 0; i < rulesheet.clauses.size(); ++i) {
    parts[graph.component(*graph.find(rulesheet.clauses[i].head))].clauses.push_back(i);
  }
  for (std::uint32_t i = 0; i < graph.dependencies().size(); ++i) {
    const Dependency& edge = graph.dependencies()[i];
    if (!graph.same_component(edge.head, edge.body)) continue;
    Part& part = parts[graph.component(edge.head)];
    part.dependencies.push_back(i);
    part.has_negation |= edge.negative;
  }
  return parts;
}

// Orders the clauses of a part by their dependencies on each other.
class Refinement {
 public:
  Refinement(const Rulesheet& rulesheet, const DependencyGraph& graph, const Part& part)
      : rulesheet_(rulesheet), graph_(graph), part_(part) {
    for (const std::uint32_t dependency : part.dependencies) compare(dependency);
    components_ = Adjacency(part.clauses.size(), edges_).components();
    find_violations();
  }

  void add_to(Strata& strata) const {
    add_groups(strata);
    for (const std::uint32_t dependency : part_.dependencies) {
      if (!graph_.dependencies()[dependency].negative) continue;
      const bool violates = violations_.count(dependency) != 0;
      (violates ? strata.violations : strata.resolved).push_back(dependency);
    }
  }

 private:
  // The index of a clause in the part.
  std::uint32_t node_of(std::uint32_t clause) const {
    const auto found = std::lower_bound(part_.clauses.begin(), part_.clauses.end(), clause);
    return static_cast<std::uint32_t>(found - part_.clauses.begin());
  }

  void compare(std::uint32_t dependency) {
    const Dependency& edge = graph_.dependencies()[dependency];
    const std::uint32_t from = node_of(edge.clause);
    for (std::uint32_t to = 0; to < part_.clauses.size(); ++to) {
      if (!may_match(*edge.atom, rulesheet_.clauses[part_.clauses[to]].head)) continue;
      edges_.push_back({from, to});
      if (edge.negative) negative_edges_.push_back({dependency, {from, to}});
    }
  }

  void find_violations() {
    for (const auto& [dependency, edge] : negative_edges_) {
      if (components_[edge.from] == components_[edge.to]) violations_.insert(dependency);
    }
  }

  void add_groups(Strata& strata) const {
    const std::size_t first = strata.groups.size();
    const auto last = std::max_element(components_.begin(), components_.end());
    strata.groups.resize(first + *last + 1);
    for (std::size_t node = 0; node < part_.clauses.size(); ++node) {
      strata.groups[first + components_[node]].push_back(part_.clauses[node]);
    }
  }

  const Rulesheet& rulesheet_;
  const DependencyGraph& graph_;
  const Part& part_;
  std::vector<Edge> edges_;
  std::vector<std::pair<std::uint32_t, Edge>> negative_edges_;
  std::vector<std::uint32_t> components_;
  std::unordered_set<std::uint32_t> violations_;
};

void add_unrefined(const Part& part, const DependencyGraph& graph, Strata& strata) {
  strata.groups.push_back(part.clauses);
  for (const std::uint32_t dependency : part.dependencies) {
    if (graph.dependencies()[dependency].negative) strata.violations.push_back(dependency);
  }
}

}  // namespace

Strata find_strata(const Rulesheet& rulesheet, const DependencyGraph& graph) {
  Strata strata;
  for (const Part& part : split(rulesheet, graph)) {
    const std::size_t comparisons = part.clauses.size() * part.dependencies.size();
    if (part.clauses.empty()) continue;
    if (part.has_negation && comparisons <= max_comparisons) {
      Refinement(rulesheet, graph, part).add_to(strata);
    } else {
      add_unrefined(part, graph, strata);
    }
  }
  return strata;
}

}  // namespace zermelo::gdl
