#include "eval/network/domain_theory.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace zermelo::eval::network {

using Condition = DomainTheory::Condition;

Condition negation_of(Condition condition) {
  switch (condition.kind) {
    case Condition::Kind::never:
      return {Condition::Kind::always, {}};
    case Condition::Kind::always:
      return {Condition::Kind::never, {}};
    case Condition::Kind::literal:
      break;
  }
  condition.literal.negated = !condition.literal.negated;
  return condition;
}

DomainTheory::DomainTheory(std::size_t inputs) : inputs_(inputs) {
  std::iota(inputs_.begin(), inputs_.end(), ground::Atom{0});
}

// Inputs come first, so they are collected before any rule is added.
DomainTheory::DomainTheory(const ground::Game& game, std::size_t max_literals) {
  const GoalFormula formula(game, max_literals);
  for (const GoalFormula::Part& part : formula.parts()) {
    const bool is_input =
        part.kind == GoalFormula::Kind::fluent || part.kind == GoalFormula::Kind::opaque;
    if (is_input) inputs_.push_back(part.atom);
  }
  std::sort(inputs_.begin(), inputs_.end());
  inputs_.erase(std::unique(inputs_.begin(), inputs_.end()), inputs_.end());
  add_goals(formula, game);
}

void DomainTheory::add_goals(const GoalFormula& formula, const ground::Game& game) {
  std::vector<Condition> conditions, children;  // of the parts of the formula
  for (const GoalFormula::Part& part : formula.parts()) {
    children.clear();
    for (const GoalFormula::Node child : formula.children(part)) {
      children.push_back(conditions[child]);
    }
    switch (part.kind) {
      case GoalFormula::Kind::fluent:
      case GoalFormula::Kind::opaque: {
        const auto found = std::lower_bound(inputs_.begin(), inputs_.end(), part.atom);
        const auto node = static_cast<Node>(found - inputs_.begin());
        conditions.push_back({Condition::Kind::literal, {node, false}});
        break;
      }
      case GoalFormula::Kind::negation:
        conditions.push_back(negation_of(children.front()));
        break;
      case GoalFormula::Kind::all:
      case GoalFormula::Kind::any:
        conditions.push_back(
            add(part.kind == GoalFormula::Kind::all ? Operator::all : Operator::any, children));
        break;
    }
  }
  for (std::size_t role = 0; role < game.roles.size(); ++role) {
    std::vector<Goal>& of_role = goals_.emplace_back();
    for (const GoalFormula::Goal& goal : formula.goals(role)) {
      of_role.push_back({goal.value, conditions[goal.node]});
    }
  }
}

Condition DomainTheory::add(Operator connective, std::span<const Condition> conditions) {
  const bool is_all = connective == Operator::all;
  const auto deciding = is_all ? Condition::Kind::never : Condition::Kind::always;
  std::vector<Literal> literals;
  for (const Condition& condition : conditions) {
    if (condition.kind == deciding) return condition;
    if (condition.kind == Condition::Kind::literal) literals.push_back(condition.literal);
  }
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  const auto contradicts = [](const Literal& a, const Literal& b) { return a.node == b.node; };
  const bool is_decided =
      std::adjacent_find(literals.begin(), literals.end(), contradicts) != literals.end();
  if (is_decided) return {deciding, {}};
  if (literals.empty()) return {is_all ? Condition::Kind::always : Condition::Kind::never, {}};
  if (literals.size() == 1) return {Condition::Kind::literal, literals.front()};
  const auto [entry, is_new] =
      known_.try_emplace({connective, literals}, static_cast<Node>(nodes()));
  if (is_new) {
    std::uint32_t layer = 0;
    for (const Literal& literal : literals) {
      if (literal.node >= inputs()) layer = std::max(layer, rule(literal.node).layer);
    }
    rules_.push_back({connective, std::move(literals), layer + 1});
  }
  return {Condition::Kind::literal, {entry->second, false}};
}

DomainTheory DomainTheory::only(const Goal& goal) const {
  std::vector<bool> is_needed(nodes());
  const bool has_node = goal.condition.kind == Condition::Kind::literal;
  if (has_node) is_needed[goal.condition.literal.node] = true;
  for (auto node = static_cast<Node>(nodes()); node-- > inputs();) {
    if (!is_needed[node]) continue;
    for (const Literal& literal : rule(node).antecedents) is_needed[literal.node] = true;
  }
  DomainTheory result(std::size_t{0});
  std::vector<Condition> translated(nodes());
  for (Node node = 0; node < nodes(); ++node) {
    if (!is_needed[node]) continue;
    if (node < inputs()) {
      translated[node] = {Condition::Kind::literal, {static_cast<Node>(result.inputs()), false}};
      result.inputs_.push_back(inputs_[node]);
      continue;
    }
    std::vector<Condition> antecedents;
    for (const Literal& literal : rule(node).antecedents) {
      const Condition& of_node = translated[literal.node];
      antecedents.push_back(literal.negated ? negation_of(of_node) : of_node);
    }
    translated[node] = result.add(rule(node).connective, antecedents);
  }
  Goal translated_goal = goal;
  if (has_node) {
    const Condition& of_node = translated[goal.condition.literal.node];
    translated_goal.condition = goal.condition.literal.negated ? negation_of(of_node) : of_node;
  }
  result.goals_.push_back({translated_goal});
  return result;
}

std::size_t DomainTheory::max_antecedents() const {
  std::size_t most = 0;
  for (const Rule& rule : rules_) most = std::max(most, rule.antecedents.size());
  return most;
}

void DomainTheory::derive(std::vector<bool>& holds) const {
  for (auto node = static_cast<Node>(inputs()); node < nodes(); ++node) {
    const Rule& of_node = rule(node);
    const bool is_all = of_node.connective == Operator::all;
    holds[node] = is_all;
    for (const Literal& literal : of_node.antecedents) {
      if ((holds[literal.node] != literal.negated) != is_all) holds[node] = !is_all;
    }
  }
}

}  // namespace zermelo::eval::network
