#include "machine/lower.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <unordered_set>

namespace zermelo::machine {

Lowering::Lowering(LaneBuilder& builder, const GameCircuit& game)
    : builder_(builder), game_(game), values_(game.circuit.size()) {
  values_[0] = {builder.ones(), false};
}

void Lowering::bind(Wire input, Value value) {
  if (node_of(input) != 0) values_[node_of(input)] = {value, false};
}

Value Lowering::value(Wire wire) {
  for (const Node node : missing_nodes({wire})) values_[node] = conjunction(node);
  const Signed result = read(wire);
  return result.negated ? builder_.not_(result.value) : result.value;
}

// The gates below some wires that have no value yet, each after those it reads.
std::vector<Node> Lowering::missing_nodes(const std::vector<Wire>& roots) const {
  enum class Mark : std::uint8_t { open, done };
  std::unordered_map<Node, Mark> marks;
  std::vector<Node> result, stack;
  for (const Wire root : roots) stack.push_back(node_of(root));
  while (!stack.empty()) {
    const Node node = stack.back();
    if (values_[node].value != no_value) {
      stack.pop_back();
      continue;
    }
    const auto [mark, is_new] = marks.try_emplace(node, Mark::open);
    if (is_new) {
      for (const Wire wire : game_.circuit.wires(node)) {
        if (!is_known(wire) && !marks.contains(node_of(wire))) stack.push_back(node_of(wire));
      }
      continue;
    }
    if (mark->second == Mark::open) result.push_back(node);
    mark->second = Mark::done;
    stack.pop_back();
  }
  return result;
}

void Lowering::emit_loops(std::size_t first, std::size_t last) {
  for (std::size_t loop = first; loop < last; ++loop) emit_loop(game_.loops[loop]);
}

// What does not depend on the loop's variables is computed before it.
void Lowering::emit_loop(const Loop& loop) {
  std::vector<Value> variables, values;
  for (const Wire variable : loop.variables) {
    variables.push_back(builder_.add_input());
    bind(variable, variables.back());
  }
  std::unordered_set<Node> varies;
  for (const Wire variable : loop.variables) varies.insert(node_of(variable));
  std::vector<Node> body;
  for (const Node node : missing_nodes(loop.functions)) {
    const auto wires = game_.circuit.wires(node);
    if (std::any_of(wires.begin(), wires.end(),
                    [&](Wire wire) { return varies.contains(node_of(wire)); })) {
      varies.insert(node);
      body.push_back(node);
    } else {
      values_[node] = conjunction(node);
    }
  }
  builder_.begin_loop();
  for (const Node node : body) values_[node] = conjunction(node);
  for (const Wire function : loop.functions) values.push_back(value(function));
  builder_.end_loop(std::move(variables), std::move(values));
}

Lowering::Signed Lowering::read(Wire wire) const {
  const Signed of_node = values_[node_of(wire)];
  assert(of_node.value != no_value);
  return {of_node.value, of_node.negated != is_negated(wire)};
}

Lowering::Signed Lowering::conjunction(Node node) {
  std::vector<Signed> parts;
  for (const Wire wire : game_.circuit.wires(node)) parts.push_back(read(wire));
  std::sort(parts.begin(), parts.end(),
            [](const Signed& a, const Signed& b) { return a.value < b.value; });
  Signed result = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) result = both(result, parts[i]);
  return result;
}

Lowering::Signed Lowering::both(Signed a, Signed b) {
  if (a.negated && b.negated) return {builder_.or_(a.value, b.value), true};
  if (a.negated) return {builder_.and_not(a.value, b.value), false};
  if (b.negated) return {builder_.and_not(b.value, a.value), false};
  return {builder_.and_(a.value, b.value), false};
}

}  // namespace zermelo::machine
