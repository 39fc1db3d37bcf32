#include "machine/step_program_union.h"

#include <algorithm>

namespace zermelo::machine {

namespace {

// The number of levels below the next value of a fluent that are searched for its own value.
constexpr int levels_to_simplify = 4;
// Larger conjunctions are not inlined.
constexpr std::size_t small_conjunction = 4;

// Rebuilds one phase's circuit within the union.
class PhaseCopy {
 public:
  PhaseCopy(StepUnion& target, const circuit::GameCircuit& phase) : target_(target), phase_(phase) {
    wires_.assign(phase.circuit.size(), unknown);
    wires_[0] = circuit::always_true;
    bind(phase.fluents, target.fluents);
    bind(phase.does, target.does);
  }

  StepUnion::PhaseWires run() {
    for (std::size_t i = 0; i < phase_.loops.size(); ++i) copy_loop(i);
    StepUnion::PhaseWires result;
    for (const circuit::Wire wire : phase_.legal) result.legal.push_back(copied(wire));
    for (std::size_t f = 0; f < phase_.fluents.size(); ++f) {
      const bool is_fixed = circuit::node_of(phase_.fluents[f]) == 0;
      const circuit::Wire fluent = target_.fluents[f];
      const circuit::Wire next = copied(phase_.next[f]);
      result.turns_on.push_back(is_fixed ? circuit::always_false : both_if(fluent ^ 1, next));
      result.turns_off.push_back(is_fixed ? circuit::always_false : both_if(fluent, next ^ 1));
    }
    for (const circuit::GameCircuit::Goal& goal : phase_.goals) {
      result.goals.push_back({goal.role, goal.value, copied(goal.wire)});
    }
    result.terminal = copied(phase_.terminal);
    for (const circuit::Wire wire : phase_.sees) result.sees.push_back(copied(wire));
    return result;
  }

 private:
  static constexpr circuit::Wire unknown = ~circuit::Wire{0};

  void bind(const std::vector<circuit::Wire>& inputs, const std::vector<circuit::Wire>& values) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (circuit::node_of(inputs[i]) != 0) wires_[circuit::node_of(inputs[i])] = values[i];
    }
  }

  // A loop of another phase is reused if its variables make the functions equal.
  void copy_loop(std::size_t index) {
    const circuit::Loop& loop = phase_.loops[index];
    if (index < target_.loops.size() &&
        target_.loops[index].variables.size() == loop.variables.size()) {
      touched_.clear();
      if (functions(loop, target_.loops[index].variables) == target_.loops[index].functions) return;
      for (const circuit::Node node : touched_) wires_[node] = unknown;
    }
    circuit::Loop copy;
    for (std::size_t i = 0; i < loop.variables.size(); ++i) {
      copy.variables.push_back(target_.circuit.add_input());
    }
    copy.functions = functions(loop, copy.variables);
    target_.loops.push_back(std::move(copy));
  }

  std::vector<circuit::Wire> functions(const circuit::Loop& loop,
                                       const std::vector<circuit::Wire>& variables) {
    bind(loop.variables, variables);
    std::vector<circuit::Wire> result;
    for (const circuit::Wire wire : loop.functions) result.push_back(copied(wire));
    return result;
  }

  circuit::Wire copied(circuit::Wire wire) {
    std::vector<circuit::Node> open{circuit::node_of(wire)};
    while (!open.empty()) {
      const circuit::Node node = open.back();
      if (wires_[node] != unknown) {
        open.pop_back();
        continue;
      }
      const std::size_t before = open.size();
      for (const circuit::Wire child : phase_.circuit.wires(node)) {
        if (wires_[circuit::node_of(child)] == unknown) open.push_back(circuit::node_of(child));
      }
      if (open.size() == before) add(node);
    }
    return wires_[circuit::node_of(wire)] ^ (wire & 1);
  }

  void add(circuit::Node node) {
    std::vector<circuit::Wire> wires;
    for (const circuit::Wire wire : phase_.circuit.wires(node)) {
      wires.push_back(wires_[circuit::node_of(wire)] ^ (wire & 1));
    }
    wires_[node] = target_.circuit.all_of(std::move(wires));
    touched_.push_back(node);
  }

  // The conjunction of an input's literal and another wire.
  circuit::Wire both_if(circuit::Wire literal, circuit::Wire wire) {
    const circuit::Wire other = assume(literal, wire, levels_to_simplify);
    const auto parts = target_.circuit.wires(circuit::node_of(other));
    std::vector<circuit::Wire> wires{literal};
    if (!circuit::is_negated(other) && !parts.empty() && parts.size() <= small_conjunction) {
      wires.insert(wires.end(), parts.begin(), parts.end());
    } else {
      wires.push_back(other);
    }
    return target_.circuit.all_of(std::move(wires));
  }

  // A wire that is equal to the given one whenever the literal is true.
  circuit::Wire assume(circuit::Wire literal, circuit::Wire wire, int levels) {
    if (circuit::node_of(wire) == circuit::node_of(literal))
      return wire == literal ? circuit::always_true : circuit::always_false;
    const auto parts = target_.circuit.wires(circuit::node_of(wire));
    if (levels == 0 || parts.empty()) return wire;
    const std::vector<circuit::Wire> before(parts.begin(), parts.end());
    target_.circuit.count_steps(before.size());
    std::vector<circuit::Wire> after;
    for (const circuit::Wire part : before) after.push_back(assume(literal, part, levels - 1));
    return before == after ? wire : target_.circuit.all_of(std::move(after)) ^ (wire & 1);
  }

  StepUnion& target_;
  const circuit::GameCircuit& phase_;
  std::vector<circuit::Wire> wires_;    // by node of the phase
  std::vector<circuit::Node> touched_;  // since the last attempt at a loop
};

}  // namespace

StepUnion unite_phases(const circuit::Circuits& phases, const base::Limits& limits) {
  StepUnion result;
  result.circuit = circuit::Circuit(limits);
  for (std::size_t i = 0; i < phases[0]->fluents.size(); ++i) {
    result.fluents.push_back(result.circuit.add_input());
  }
  for (std::size_t i = 0; i < phases[0]->does.size(); ++i) {
    result.does.push_back(result.circuit.add_input());
  }
  for (const circuit::CircuitPointer& phase : phases) {
    result.phases.push_back(PhaseCopy(result, *phase).run());
  }
  return result;
}

}  // namespace zermelo::machine
