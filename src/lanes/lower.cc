// A conjunction of many literals is built as a tree, and trees share equal branches. The literals
// are divided by the highest bit in which the numbers of their values differ, so sets with many
// common literals share most branches, whatever else they contain. A literal that is missing in one
// set (the attackers of a square except the captured one) costs a path of the tree. Such paths
// share their upper parts, since known branches are combined from the root down before the rest is
// built: all sets that lack one of n literals take about 2n operations.
#include "lanes/lower.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <unordered_map>
#include <unordered_set>

namespace zermelo::lanes {

Lowering::Lowering(LaneBuilder& builder, const circuit::GameCircuit& game)
    : builder_(builder), game_(game), values_(game.circuit.size()) {
  values_[0] = {builder.ones(), false};
}

void Lowering::bind(circuit::Wire input, Value value) {
  if (circuit::node_of(input) != 0) values_[circuit::node_of(input)] = {value, false};
}

Value Lowering::value(circuit::Wire wire) {
  for (const circuit::Node node : missing_nodes({wire})) values_[node] = conjunction(node);
  const Signed result = read(wire);
  return result.negated ? builder_.not_(result.value) : result.value;
}

// The gates below some wires that have no value yet, each after those it reads.
std::vector<circuit::Node> Lowering::missing_nodes(const std::vector<circuit::Wire>& roots) const {
  enum class Mark : std::uint8_t { open, done };
  std::unordered_map<circuit::Node, Mark> marks;
  std::vector<circuit::Node> result, stack;
  for (const circuit::Wire root : roots) stack.push_back(circuit::node_of(root));
  while (!stack.empty()) {
    const circuit::Node node = stack.back();
    if (values_[node].value != no_value) {
      stack.pop_back();
      continue;
    }
    const auto [mark, is_new] = marks.try_emplace(node, Mark::open);
    if (is_new) {
      for (const circuit::Wire wire : game_.circuit.wires(node)) {
        if (!is_known(wire) && !marks.contains(circuit::node_of(wire)))
          stack.push_back(circuit::node_of(wire));
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

// Values that do not depend on the loop's variables are computed before it.
void Lowering::emit_loop(const circuit::Loop& loop) {
  std::vector<Value> variables, values;
  for (const circuit::Wire variable : loop.variables) {
    variables.push_back(builder_.add_input());
    bind(variable, variables.back());
  }
  std::unordered_set<circuit::Node> varies;
  for (const circuit::Wire variable : loop.variables) varies.insert(circuit::node_of(variable));
  std::vector<circuit::Node> body;
  for (const circuit::Node node : missing_nodes(loop.functions)) {
    const auto wires = game_.circuit.wires(node);
    if (std::any_of(wires.begin(), wires.end(),
                    [&](circuit::Wire wire) { return varies.contains(circuit::node_of(wire)); })) {
      varies.insert(node);
      body.push_back(node);
    } else {
      values_[node] = conjunction(node);
    }
  }
  builder_.begin_loop();
  for (const circuit::Node node : body) values_[node] = conjunction(node);
  for (const circuit::Wire function : loop.functions) values.push_back(value(function));
  builder_.end_loop(std::move(variables), std::move(values));
}

Lowering::Signed Lowering::read(circuit::Wire wire) const {
  const Signed of_node = values_[circuit::node_of(wire)];
  assert(of_node.value != no_value);
  return {of_node.value, of_node.negated != circuit::is_negated(wire)};
}

Lowering::Signed Lowering::conjunction(circuit::Node node) {
  std::vector<Signed> parts;
  for (const circuit::Wire wire : game_.circuit.wires(node)) parts.push_back(read(wire));
  std::sort(parts.begin(), parts.end(),
            [](const Signed& a, const Signed& b) { return a.value < b.value; });
  tree_.clear();
  return whole(add_tree(parts));
}

// Adds the tree of the parts, which are in ascending order. Returns its root.
std::size_t Lowering::add_tree(std::span<const Signed> parts) {
  if (parts.size() == 1) {
    tree_.push_back({parts[0], 0, 0});
    return tree_.size() - 1;
  }
  const Value half = std::bit_floor(parts.front().value ^ parts.back().value);
  const auto middle = half == 0 ? parts.begin() + 1  // all the same value
                                : std::partition_point(
                                      parts.begin(), parts.end(),
                                      [&](const Signed& part) { return (part.value & half) == 0; });
  const std::size_t low = add_tree({parts.begin(), middle});
  const std::size_t high = add_tree({middle, parts.end()});
  tree_.push_back({known(tree_[low].value, tree_[high].value), low, high});
  return tree_.size() - 1;
}

Lowering::Signed Lowering::whole(std::size_t tree) {
  const Branch branch = tree_[tree];
  if (branch.is_known()) return branch.value;
  if (tree_[branch.low].is_known()) return with(tree_[branch.low].value, branch.high);
  if (tree_[branch.high].is_known()) return with(tree_[branch.high].value, branch.low);
  const Signed low = whole(branch.low);
  return both(low, whole(branch.high));
}

// The conjunction of `gathered` and a tree, known parts first.
Lowering::Signed Lowering::with(Signed gathered, std::size_t tree) {
  const Branch branch = tree_[tree];
  const bool low = !branch.is_known() && tree_[branch.low].is_known();
  const bool high = !branch.is_known() && tree_[branch.high].is_known();
  if (low == high) return both(gathered, whole(tree));
  const Signed more = both(gathered, tree_[low ? branch.low : branch.high].value);
  return with(more, low ? branch.high : branch.low);
}

namespace {

std::uint64_t code(Value value, bool negated) { return std::uint64_t{value} << 1 | negated; }

}  // namespace

std::uint64_t Lowering::key(Signed a, Signed b) {
  return code(a.value, a.negated) << 32 | code(b.value, b.negated);
}

Lowering::Signed Lowering::known(Signed a, Signed b) const {
  if (a.value == no_value || b.value == no_value) return {};
  const auto found = made_.find(key(a, b));
  return found == made_.end() ? Signed{} : found->second;
}

Lowering::Signed Lowering::both(Signed a, Signed b) {
  const auto [place, added] = made_.try_emplace(key(a, b));
  if (added) place->second = combine(a, b);
  return place->second;
}

Lowering::Signed Lowering::combine(Signed a, Signed b) {
  if (a.negated && b.negated) return {builder_.or_(a.value, b.value), true};
  if (a.negated) return {builder_.and_not(a.value, b.value), false};
  if (b.negated) return {builder_.and_not(b.value, a.value), false};
  return {builder_.and_(a.value, b.value), false};
}

}  // namespace zermelo::lanes
