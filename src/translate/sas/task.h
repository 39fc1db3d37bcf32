// A planning task over finite-domain variables (SAS+ with conditional effects, costs and axioms):
// what the direct translation makes of a game, and what is written as ground PDDL or as SAS+.
//
// A state gives every variable that is not derived a value. An operator whose precondition holds
// may be applied: all effects whose conditions hold in the old state happen at once, and no two of
// them disagree in a reachable state. A derived variable has the value `derived_true` when one of
// its axioms' conditions holds, by the least fixpoint layer after layer; a condition that it is
// false only stands in axioms of later layers, in operators and in the goal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "translate/glossary.h"
#include "translate/sas/cube.h"

namespace zermelo::translate::sas {

inline constexpr std::uint32_t derived_true = 0;
inline constexpr std::uint32_t derived_false = 1;

struct Variable {
  // What the values say: "cell(1, 1, b)". The last may be empty: none of the others holds.
  std::vector<std::string> values;
  std::uint32_t initial = 0;  // derived_false for a derived variable
  bool is_derived = false;
  std::uint32_t layer = 0;  // of a derived variable
};

struct Effect {
  Cube conditions;
  std::uint32_t variable = 0;
  std::uint32_t value = 0;
  bool operator==(const Effect&) const = default;
};

struct Operator {
  std::string name;  // legal in PDDL, and no other operator's
  Cube precondition;
  std::vector<Effect> effects;  // not empty
  int cost = 0;
  std::optional<std::uint32_t> move;  // of the game; nothing for reach-goal
};

// Makes a derived variable true.
struct Axiom {
  std::uint32_t variable = 0;
  Cube conditions;
};

// What became of a fluent.
struct FluentPlace {
  enum class Kind : std::uint8_t {
    value,     // it holds when the variable has the value
    constant,  // it always holds as it does at the start
    left_out,  // nothing that matters depends on it
  };
  Kind kind = Kind::value;
  std::uint32_t variable = 0;
  std::uint32_t value = 0;
};

struct Task {
  std::vector<Variable> variables;
  std::vector<Operator> operators;
  std::vector<Axiom> axioms;
  Cube goal;
  std::vector<FluentPlace> fluents;         // by fluent of the game
  std::vector<std::uint32_t> step_counter;  // the fluents dropped as such; see DirectOptions
  bool uses_costs = true;                   // otherwise every operator counts 1
  Glossary glossary;                        // of operators; `fluents` by "cell(1, 1, b)"
};

}  // namespace zermelo::translate::sas
