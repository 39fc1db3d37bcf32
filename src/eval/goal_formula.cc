#include "eval/goal_formula.h"

#include <algorithm>

namespace zermelo::eval {

class GoalFormula::Builder {
 public:
  Builder(const ground::Game& game, GoalFormula& formula)
      : game_(game), formula_(formula), is_opaque_(game.atoms), nodes_(game.atoms) {}

  // Finds the atoms on which the goals depend, and builds them in ascending order, in which every
  // atom follows those it depends on.
  void build(std::size_t max_literals) {
    for (const Atom atom : needed_atoms(max_literals)) nodes_[atom] = make(atom);
    for (const std::vector<ground::Game::Goal>& goals : game_.goals) {
      std::vector<Goal>& of_role = formula_.goals_.emplace_back();
      for (const auto& goal : goals) of_role.push_back({goal.value, nodes_[goal.atom]});
    }
  }

 private:
  using Atom = ground::Atom;

  // Those nearest to the goals are taken apart first.
  std::vector<Atom> needed_atoms(std::size_t max_literals) {
    for (const ground::Game::Component& component : game_.recursive) {
      std::fill(is_opaque_.begin() + component.first, is_opaque_.begin() + component.last, true);
    }
    std::vector<bool> is_needed(game_.atoms);
    std::vector<Atom> queue;
    const auto need = [&](Atom atom) {
      if (is_needed[atom]) return;
      is_needed[atom] = true;
      queue.push_back(atom);
    };
    for (const auto& goals : game_.goals) {
      for (const ground::Game::Goal& goal : goals) need(goal.atom);
    }
    std::size_t literals = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Atom atom = queue[i];
      if (atom < game_.first_derived || is_opaque_[atom]) continue;
      if (literals >= max_literals) {
        is_opaque_[atom] = true;
        continue;
      }
      for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
        literals += game_.body(rule).size();
        for (const ground::Literal literal : game_.body(rule)) need(literal.atom());
      }
    }
    std::sort(queue.begin(), queue.end());
    return queue;
  }

  Node make(Atom atom) {
    if (atom < game_.fluents.size()) return add(Kind::fluent, atom, {});
    if (is_opaque_[atom]) return add(Kind::opaque, atom, {});
    std::vector<Node> rules;
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      rules.push_back(body(rule));
    }
    return rules.size() == 1 ? rules.front() : add(Kind::any, atom, rules);
  }

  Node body(ground::RuleIndex rule) {
    std::vector<Node> literals;
    for (const ground::Literal literal : game_.body(rule)) {
      const Node node = nodes_[literal.atom()];
      literals.push_back(literal.negated() ? add(Kind::negation, ground::no_atom, {node}) : node);
    }
    return literals.size() == 1 ? literals.front() : add(Kind::all, ground::no_atom, literals);
  }

  Node add(Kind kind, Atom atom, const std::vector<Node>& children) {
    Part part{kind, atom, static_cast<std::uint32_t>(formula_.children_.size()), 0};
    formula_.children_.insert(formula_.children_.end(), children.begin(), children.end());
    part.last_child = static_cast<std::uint32_t>(formula_.children_.size());
    formula_.parts_.push_back(part);
    return static_cast<Node>(formula_.parts_.size() - 1);
  }

  const ground::Game& game_;
  GoalFormula& formula_;
  std::vector<bool> is_opaque_;  // by atom
  std::vector<Node> nodes_;      // by needed atom
};

GoalFormula::GoalFormula(const ground::Game& game, std::size_t max_literals) {
  Builder(game, *this).build(max_literals);
}

}  // namespace zermelo::eval
