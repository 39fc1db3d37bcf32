// The goals of a game as formulas over fluents, for evaluation in fuzzy logic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/game.h"

namespace zermelo::eval {

// A formula whose parts are shared. A node only refers to nodes before it.
class GoalFormula {
 public:
  using Node = std::uint32_t;

  enum class Kind : std::uint8_t {
    fluent,    // `atom` holds
    opaque,    // `atom` holds: a derived atom that is not taken apart
    all,       // the product of the children
    any,       // the probabilistic sum of the children
    negation,  // of the only child
  };
  struct Part {
    Kind kind = Kind::all;
    ground::Atom atom = ground::no_atom;
    std::uint32_t first_child = 0, last_child = 0;
  };
  struct Goal {
    int value;
    Node node;
  };

  // Recursive atoms are opaque, and so is what is far from the goals in large games: rules are
  // followed until they have `max_literals` literals.
  explicit GoalFormula(const ground::Game& game, std::size_t max_literals = 100'000);

  std::span<const Part> parts() const { return parts_; }
  std::span<const Node> children(const Part& part) const {
    return {children_.data() + part.first_child, children_.data() + part.last_child};
  }
  std::span<const Goal> goals(std::size_t role) const { return goals_[role]; }

 private:
  class Builder;

  std::vector<Part> parts_;
  std::vector<Node> children_;
  std::vector<std::vector<Goal>> goals_;  // by role, ascending values
};

}  // namespace zermelo::eval
