#include "circuit/live_fluents.h"

#include <algorithm>

namespace zermelo::circuit {

using ground::Atom;

std::vector<Atom> find_live(const GameCircuit& whole) {
  std::vector<Atom> fluent_of(whole.circuit.size(), ground::no_atom);
  for (Atom fluent = 0; fluent < whole.fluents.size(); ++fluent)
    fluent_of[node_of(whole.fluents[fluent])] = fluent;
  std::vector<bool> reached(whole.circuit.size());
  std::vector<Node> open;
  const auto reach = [&](Wire wire) {
    if (reached[node_of(wire)]) return;
    reached[node_of(wire)] = true;
    open.push_back(node_of(wire));
  };
  for (const Wire wire : whole.legal) reach(wire);
  for (const GameCircuit::Goal& goal : whole.goals) reach(goal.wire);
  for (const Loop& loop : whole.loops) {
    for (const Wire wire : loop.functions) reach(wire);
  }
  reach(whole.terminal);
  std::vector<Atom> live;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (fluent_of[node] != ground::no_atom) {
      live.push_back(fluent_of[node]);
      reach(whole.next[fluent_of[node]]);
    }
    for (const Wire wire : whole.circuit.wires(node)) reach(wire);
  }
  std::sort(live.begin(), live.end());
  return live;
}

}  // namespace zermelo::circuit
