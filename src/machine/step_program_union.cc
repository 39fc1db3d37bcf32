#include "machine/step_program_union.h"

#include <algorithm>

namespace zermelo::machine {

namespace {

// How far below the next value of a fluent its own value is looked for.
constexpr int levels_to_simplify = 4;
// Larger conjunctions are not written out within others.
constexpr std::size_t small_conjunction = 4;

// Rebuilds one phase's circuit within the union.
class PhaseCopy {
 public:
  PhaseCopy(StepUnion& target, const GameCircuit& phase) : target_(target), phase_(phase) {
    wires_.assign(phase.circuit.size(), unknown);
    wires_[0] = always_true;
    bind(phase.fluents, target.fluents);
    bind(phase.does, target.does);
  }

  StepUnion::Phase run() {
    for (std::size_t i = 0; i < phase_.loops.size(); ++i) copy_loop(i);
    StepUnion::Phase result;
    for (const Wire wire : phase_.legal) result.legal.push_back(copied(wire));
    for (std::size_t f = 0; f < phase_.fluents.size(); ++f) {
      const bool is_fixed = node_of(phase_.fluents[f]) == 0;
      const Wire fluent = target_.fluents[f];
      const Wire next = copied(phase_.next[f]);
      result.turns_on.push_back(is_fixed ? always_false : both_if(fluent ^ 1, next));
      result.turns_off.push_back(is_fixed ? always_false : both_if(fluent, next ^ 1));
    }
    for (const GameCircuit::Goal& goal : phase_.goals) {
      result.goals.push_back({goal.role, goal.value, copied(goal.wire)});
    }
    result.terminal = copied(phase_.terminal);
    return result;
  }

 private:
  static constexpr Wire unknown = ~Wire{0};

  void bind(const std::vector<Wire>& inputs, const std::vector<Wire>& values) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (node_of(inputs[i]) != 0) wires_[node_of(inputs[i])] = values[i];
    }
  }

  // A loop of another phase is the same one if its variables make the functions the same.
  void copy_loop(std::size_t index) {
    const Loop& loop = phase_.loops[index];
    if (index < target_.loops.size() &&
        target_.loops[index].variables.size() == loop.variables.size()) {
      touched_.clear();
      if (functions(loop, target_.loops[index].variables) == target_.loops[index].functions) return;
      for (const Node node : touched_) wires_[node] = unknown;
    }
    Loop copy;
    for (std::size_t i = 0; i < loop.variables.size(); ++i) {
      copy.variables.push_back(target_.circuit.add_input());
    }
    copy.functions = functions(loop, copy.variables);
    target_.loops.push_back(std::move(copy));
  }

  std::vector<Wire> functions(const Loop& loop, const std::vector<Wire>& variables) {
    bind(loop.variables, variables);
    std::vector<Wire> result;
    for (const Wire wire : loop.functions) result.push_back(copied(wire));
    return result;
  }

  Wire copied(Wire wire) {
    std::vector<Node> open{node_of(wire)};
    while (!open.empty()) {
      const Node node = open.back();
      if (wires_[node] != unknown) {
        open.pop_back();
        continue;
      }
      const std::size_t before = open.size();
      for (const Wire child : phase_.circuit.wires(node)) {
        if (wires_[node_of(child)] == unknown) open.push_back(node_of(child));
      }
      if (open.size() == before) add(node);
    }
    return wires_[node_of(wire)] ^ (wire & 1);
  }

  void add(Node node) {
    std::vector<Wire> wires;
    for (const Wire wire : phase_.circuit.wires(node)) {
      wires.push_back(wires_[node_of(wire)] ^ (wire & 1));
    }
    wires_[node] = target_.circuit.all_of(std::move(wires));
    touched_.push_back(node);
  }

  // The conjunction of an input's literal and another wire.
  Wire both_if(Wire literal, Wire wire) {
    const Wire other = assume(literal, wire, levels_to_simplify);
    const auto parts = target_.circuit.wires(node_of(other));
    std::vector<Wire> wires{literal};
    if (!is_negated(other) && !parts.empty() && parts.size() <= small_conjunction) {
      wires.insert(wires.end(), parts.begin(), parts.end());
    } else {
      wires.push_back(other);
    }
    return target_.circuit.all_of(std::move(wires));
  }

  // A wire that is equal to the given one whenever the literal is true.
  Wire assume(Wire literal, Wire wire, int levels) {
    if (node_of(wire) == node_of(literal)) return wire == literal ? always_true : always_false;
    const auto parts = target_.circuit.wires(node_of(wire));
    if (levels == 0 || parts.empty()) return wire;
    const std::vector<Wire> before(parts.begin(), parts.end());
    std::vector<Wire> after;
    for (const Wire part : before) after.push_back(assume(literal, part, levels - 1));
    return before == after ? wire : target_.circuit.all_of(std::move(after)) ^ (wire & 1);
  }

  StepUnion& target_;
  const GameCircuit& phase_;
  std::vector<Wire> wires_;    // by node of the phase
  std::vector<Node> touched_;  // since the last attempt at a loop
};

}  // namespace

StepUnion unite_phases(const std::vector<GameCircuit>& phases) {
  StepUnion result;
  for (std::size_t i = 0; i < phases[0].fluents.size(); ++i) {
    result.fluents.push_back(result.circuit.add_input());
  }
  for (std::size_t i = 0; i < phases[0].does.size(); ++i) {
    result.does.push_back(result.circuit.add_input());
  }
  for (const GameCircuit& phase : phases) {
    result.phases.push_back(PhaseCopy(result, phase).run());
  }
  return result;
}

}  // namespace zermelo::machine
