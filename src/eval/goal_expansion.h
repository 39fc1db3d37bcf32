// The goals of a game, taken apart with their variables.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/lifted_rules.h"

namespace zermelo::eval {

// Conditions that share variables, of which some assignment satisfies all; or a single condition.
struct GoalExpression {
  std::vector<gdl::Formula> conditions;
  std::set<gdl::Symbol> variables;
  std::string text;
};

// A tree of connectives over expressions. A part only refers to parts before it.
class GoalExpansion {
 public:
  using Node = std::uint32_t;

  enum class Kind : std::uint8_t { expression, all, any, negation };
  struct Part {
    Kind kind = Kind::expression;
    std::uint32_t expression = 0;
    std::vector<Node> children = {};
    std::string text = {};  // what was taken apart
  };
  struct Goal {
    int value;
    Node node;
  };

  // Beyond `max_parts` parts, conditions are not taken apart further.
  GoalExpansion(analysis::LiftedRules& rules, const ground::Game& game,
                std::size_t max_parts = 4'000);

  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<GoalExpression>& expressions() const { return expressions_; }
  const std::vector<Goal>& goals(std::size_t role) const { return goals_[role]; }

 private:
  Node expand_goal(const gdl::Term& goal);
  Node expand(const gdl::Formula& formula, int depth);
  Node expand_all(std::vector<gdl::Formula> conditions, std::string text, int depth);
  Node expand_group(std::vector<gdl::Formula> conditions, int depth);
  Node expand_predicate(const gdl::Formula& formula, int depth);
  bool inline_single_clauses(std::vector<gdl::Formula>& conditions);
  Node add(Part part);
  Node add_expression(std::vector<gdl::Formula> conditions);

  analysis::LiftedRules& rules_;
  std::size_t max_parts_;
  std::vector<Part> parts_;
  std::vector<GoalExpression> expressions_;
  std::vector<std::vector<Goal>> goals_;  // by role, ascending values
};

}  // namespace zermelo::eval
