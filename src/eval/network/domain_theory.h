// The goals of a game as a propositional domain theory: conjunctions and disjunctions of literals,
// in layers. It is what the transformations to networks start from (logic_network.h).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "eval/goal_formula.h"

namespace zermelo::eval::network {

// Nodes below inputs() are inputs, node inputs() + i is rule i. A rule refers only to nodes before
// it. Equal rules are one rule, constants are folded, and every rule has at least two antecedents.
class DomainTheory {
 public:
  using Node = std::uint32_t;
  enum class Operator : std::uint8_t { all, any };

  struct Literal {
    Node node = 0;
    bool negated = false;
    auto operator<=>(const Literal&) const = default;
  };
  struct Rule {
    Operator connective = Operator::all;
    std::vector<Literal> antecedents;  // different nodes
    std::uint32_t layer = 1;           // one more than the largest of the antecedents; inputs are 0
  };
  // A condition: a constant, or a literal.
  struct Condition {
    enum class Kind : std::uint8_t { never, always, literal } kind = Kind::never;
    Literal literal = {};
  };
  struct Goal {
    int value;
    Condition condition;
  };

  // The goals of all roles. Atoms that GoalFormula does not take apart are inputs.
  explicit DomainTheory(const ground::Game& game, std::size_t max_literals = 100'000);
  // A theory without goals, to which rules are added.
  explicit DomainTheory(std::size_t inputs);

  // The condition that `connective` of the conditions is. Adds a rule if there is no equal one.
  Condition add(Operator connective, std::span<const Condition> conditions);
  // The rules that the condition of the goal depends on. Its only goal is goals(0)[0].
  DomainTheory only(const Goal& goal) const;

  std::size_t inputs() const { return inputs_.size(); }
  std::size_t nodes() const { return inputs_.size() + rules_.size(); }
  // The fluent, or the derived atom that is not taken apart, of an input.
  ground::Atom atom(Node input) const { return inputs_[input]; }
  const std::vector<Rule>& rules() const { return rules_; }
  const Rule& rule(Node node) const { return rules_[node - inputs_.size()]; }
  std::size_t roles() const { return goals_.size(); }
  const std::vector<Goal>& goals(std::size_t role) const { return goals_[role]; }
  // The largest number of antecedents; 0 without rules.
  std::size_t max_antecedents() const;

  // Which nodes hold, given the inputs. `holds` has room for all nodes.
  void derive(std::vector<bool>& holds) const;

 private:
  struct Key {
    Operator connective;
    std::vector<Literal> antecedents;
    auto operator<=>(const Key&) const = default;
  };

  void add_goals(const GoalFormula& formula, const ground::Game& game);

  std::vector<ground::Atom> inputs_;
  std::vector<Rule> rules_;
  std::map<Key, Node> known_;             // rules by their antecedents, sorted
  std::vector<std::vector<Goal>> goals_;  // by role, ascending values
};

DomainTheory::Condition negation_of(DomainTheory::Condition condition);

}  // namespace zermelo::eval::network
