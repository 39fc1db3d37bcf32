// Permanent, persistent and ephemeral facts, after Algorithm 1 of Saffidine and Cazenave, "A
// forward chaining based game description language compiler" (2011). They label predicates; here
// single fluents and conditions are labelled, which is finer: a board has cells that change and
// cells that never do.
//
// Permanent. For each wire, the analysis computes whether it can be true and whether it can be
// false in some reachable state. Initially every fluent has its value in the initial state, and
// every move can be made or not. A conjunction can be true if all its literals can, and false if
// one of them can; a fluent can become what its next wire can be. The least fixpoint covers all
// reachable states, since it treats wires as independent. A fluent with only one possible value
// never changes. Variables of loops are assumed to have both. With a worklist, this is linear in
// the circuit.
//
// Persistent. A fluent stays true if its next wire is a disjunction that contains the fluent, and
// stays false if it is a conjunction that contains it. A condition stays true if all its literals
// do. (The paper finds the first case by the rule next(q) <= q; staying false is useful for
// negations, which the paper labels ephemeral.) factor.cc simplifies the `next` of a fluent that
// stays true: it drops the negated fluent from the other ways to make it true.
#include "circuit/lasting.h"

#include <algorithm>

namespace zermelo::circuit {

namespace {

using ground::Atom;

// Which values each node can have.
class PossibleValues {
 public:
  PossibleValues(const ground::Game& game, const GameCircuit& whole)
      : whole_(whole), possible_(whole.circuit.size() * 2), missing_(whole.circuit.size()) {
    index_readers();
    add(always_true);
    for (Atom fluent = 0; fluent < whole.fluents.size(); ++fluent) {
      const bool holds = std::binary_search(game.initial.begin(), game.initial.end(), fluent);
      add(whole.fluents[fluent] ^ static_cast<Wire>(!holds));
    }
    for (const Wire move : whole.does) add_both(move);
    for (const Loop& loop : whole.loops) {
      for (const Wire variable : loop.variables) add_both(variable);
    }
    while (!open_.empty()) spread();
  }

  bool can_be_true(Wire wire) const { return possible_[wire]; }

 private:
  void index_readers() {
    const Circuit& circuit = whole_.circuit;
    readers_.resize(circuit.size());
    for (Node node = 0; node < circuit.size(); ++node) {
      missing_[node] = static_cast<std::uint32_t>(circuit.wires(node).size());
      for (const Wire wire : circuit.wires(node)) readers_[node_of(wire)].push_back(node);
    }
    next_of_.resize(circuit.size());
    for (Atom fluent = 0; fluent < whole_.fluents.size(); ++fluent)
      next_of_[node_of(whole_.next[fluent])].push_back(fluent);
  }

  void add_both(Wire wire) {
    if (node_of(wire) == 0) return;
    add(wire);
    add(wire ^ 1);
  }

  // Notes that the literal can be true.
  void add(Wire wire) {
    if (possible_[wire]) return;
    possible_[wire] = true;
    open_.push_back(wire);
  }

  void spread() {
    const Wire wire = open_.back();
    open_.pop_back();
    for (const Node reader : readers_[node_of(wire)]) {
      const auto wires = whole_.circuit.wires(reader);
      if (!std::binary_search(wires.begin(), wires.end(), wire)) {
        add(reader * 2 + 1);
      } else if (--missing_[reader] == 0) {
        add(reader * 2);
      }
    }
    for (const Atom fluent : next_of_[node_of(wire)]) {
      if (node_of(whole_.fluents[fluent]) == 0) continue;
      add(whole_.fluents[fluent] ^ static_cast<Wire>(whole_.next[fluent] != wire));
    }
  }

  const GameCircuit& whole_;
  std::vector<bool> possible_;              // by wire
  std::vector<std::uint32_t> missing_;      // by gate: literals that cannot be true so far
  std::vector<std::vector<Node>> readers_;  // by node
  std::vector<std::vector<Atom>> next_of_;  // by node
  std::vector<Wire> open_;
};

// Whether `wire` implies the literal, as far as one conjunction shows.
bool needs(const Circuit& circuit, Wire wire, Wire literal) {
  if (wire == literal || wire == always_false) return true;
  const auto wires = circuit.wires(node_of(wire));
  return !is_negated(wire) && std::binary_search(wires.begin(), wires.end(), literal);
}

std::size_t count_lasting_gates(const GameCircuit& whole, const LastingFacts& facts) {
  std::vector<bool> lasts(whole.circuit.size() * 2);  // by wire
  for (Atom fluent = 0; fluent < whole.fluents.size(); ++fluent) {
    lasts[whole.fluents[fluent]] = facts.constant[fluent] || facts.stays_true[fluent];
    lasts[whole.fluents[fluent] ^ 1] = facts.constant[fluent] || facts.stays_false[fluent];
  }
  std::size_t count = 0;
  for (Node node = 0; node < whole.circuit.size(); ++node) {
    if (!whole.circuit.is_gate(node)) continue;
    const auto wires = whole.circuit.wires(node);
    lasts[node * 2] = std::all_of(wires.begin(), wires.end(), [&](Wire w) { return lasts[w]; });
    lasts[node * 2 + 1] =
        std::all_of(wires.begin(), wires.end(), [&](Wire w) { return lasts[w ^ 1]; });
    count += lasts[node * 2] || lasts[node * 2 + 1];
  }
  return count;
}

}  // namespace

LastingFacts find_lasting(const ground::Game& game, const GameCircuit& whole) {
  const PossibleValues values(game, whole);
  LastingFacts facts;
  for (Atom fluent = 0; fluent < whole.fluents.size(); ++fluent) {
    const Wire now = whole.fluents[fluent], next = whole.next[fluent];
    const bool can_hold = values.can_be_true(now), can_fail = values.can_be_true(now ^ 1);
    const bool changes = can_hold && can_fail;
    facts.constant.push_back(changes ? std::nullopt : std::optional<bool>(can_hold));
    facts.stays_true.push_back(changes && needs(whole.circuit, next ^ 1, now ^ 1));
    facts.stays_false.push_back(changes && needs(whole.circuit, next, now));
  }
  facts.lasting_gates = count_lasting_gates(whole, facts);
  return facts;
}

}  // namespace zermelo::circuit
