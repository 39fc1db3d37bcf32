#include "gdl/dependency_graph.h"

#include "gdl/adjacency.h"
#include "gdl/body.h"

namespace zermelo::gdl {
DependencyGraph::DependencyGraph(const Rulesheet& rulesheet) {
  for (std::size_t i = 0; i < rulesheet.clauses.size(); ++i) {
    add_clause(rulesheet.clauses[i], static_cast<std::uint32_t>(i));
  }
  find_components();
}

std::optional<PredicateId> DependencyGraph::find(const Term& atom) const {
  const auto found = ids_.find(signature(atom));
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

PredicateId DependencyGraph::intern(const Term& atom) {
  const auto [entry, is_new] =
      ids_.try_emplace(signature(atom), static_cast<PredicateId>(predicates_.size()));
  if (is_new) {
    predicates_.push_back({atom.name, static_cast<std::uint32_t>(atom.arguments.size())});
    first_atoms_.push_back(&atom);
    defined_.push_back(false);
  }
  return entry->second;
}

void DependencyGraph::add_clause(const Clause& clause, std::uint32_t index) {
  const PredicateId head = intern(clause.head);
  defined_[head] = true;
  visit_literals(clause.body, [&](const Formula& literal, bool positive) {
    if (literal.kind != Formula::Kind::atom) return;
    dependencies_.push_back({head, intern(literal.atom), !positive, &literal.atom, index});
  });
}

void DependencyGraph::find_components() {
  std::vector<Edge> edges;
  for (const Dependency& dependency : dependencies_) {
    edges.push_back({dependency.head, dependency.body});
  }
  components_ = Adjacency(size(), edges).components();
}

std::vector<DependencyGraph::Path> DependencyGraph::paths_to(
    const std::vector<PredicateId>& targets) const {
  std::vector<Edge> to_users;
  for (const Dependency& dependency : dependencies_) {
    to_users.push_back({dependency.body, dependency.head});
  }
  const Adjacency edges(size(), to_users);
  std::vector<Path> paths(size(), {unreachable, unreachable});
  std::vector<PredicateId> queue = targets;
  for (const PredicateId target : targets) paths[target] = {target, target};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const PredicateId used = queue[i];
    for (std::uint32_t at = edges.begin(used); at != edges.end(used); ++at) {
      const PredicateId user = edges.target(at);
      if (paths[user].target != unreachable) continue;
      paths[user] = {used, paths[used].target};
      queue.push_back(user);
    }
  }
  return paths;
}

}  // namespace zermelo::gdl
