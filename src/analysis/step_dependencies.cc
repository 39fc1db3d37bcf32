// The rules of a phase become a circuit (circuit/game_circuit.h), which folds constants and shares
// equal conditions. What a condition depends on is then read from its inputs.
//
// Whether a move acts on a fluent is decided by substitution, not by occurrence, because frame
// rules mention the moves that do *not* act. In the condition of the next value, the move becomes
// true and the other moves of its role false. If the result is the fluent itself, the move has
// neither a potential positive nor a potential negative effect (Definition 2 of "Factoring General
// Games" by Günther, Schiffel and Thielscher, on ground rules). If it is not, the conditions under
// which the move is legal are substituted, too: an effect that the move has only where it is not
// legal is none. Equal results are equal functions,
// because equal conditions are one node. The converse may fail: a move may be said to act although
// it never does, which can only merge subgames.
//
// With several players the paper's definition is too coarse: `noop` of one player is compatible
// with every effect of a move of another. The phases of the clock remove most of these cases,
// because the only possible move of a player who waits is a constant. If several players choose at
// once, the moves of each player are compared with each other instead: the largest set of moves
// with the same result does not act.
//
// Recursive conditions are inputs here, so that substitution does not reach into them. A fluent
// whose next value reads recursive rules over moves counts as acted on by every move that these
// rules mention, unless the result of the substitution is the fluent itself.
#include "analysis/step_dependencies.h"

#include <algorithm>
#include <map>

namespace zermelo::analysis {

using circuit::Node;
using circuit::node_of;
using circuit::Wire;
using ground::Atom;

namespace {

constexpr std::uint32_t no_index = ~std::uint32_t{0};
// Selections shared by many fluents would make their conditions look dependent on each other.
constexpr circuit::CircuitPasses passes{.select_by_move = false};

circuit::GameCircuit step_circuit(const ground::Game& game, const circuit::FixedFluents& fixed,
                                  const base::Limits& limits) {
  auto built = circuit::build_circuit_within(limits, game, fixed, passes);
  if (!built) throw base::LimitReached(built.error().kind, "looking for subgames");
  return std::move(*built);
}

}  // namespace

StepDependencies::StepDependencies(const ground::Game& game, const circuit::FixedFluents& fixed,
                                   const base::Limits& limits)
    : game_(game),
      steps_(limits, "looking for subgames"),
      step_(step_circuit(game, fixed, limits)),
      original_nodes_(step_.circuit.size()),
      possible_(game.roles.size()),
      visited_in_(original_nodes_),
      substituted_(original_nodes_) {
  for (std::uint32_t move = 0; move < game.moves.size(); ++move) {
    if (is_possible(move)) ++possible_[game.moves[move].role];
  }
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
    if (possible_[role] > 1) choosers_.push_back(role);
  }
  name_nodes();
  mark_nodes_over_moves();
}

void StepDependencies::name_nodes() {
  fluent_of_.assign(original_nodes_, ground::no_atom);
  move_of_.assign(original_nodes_, no_index);
  loop_of_.assign(original_nodes_, no_index);
  for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
    if (!is_fixed(fluent)) fluent_of_[node_of(step_.fluents[fluent])] = fluent;
  }
  for (std::uint32_t move = 0; move < game_.moves.size(); ++move) {
    if (node_of(step_.does[move]) != 0) move_of_[node_of(step_.does[move])] = move;
  }
  for (std::uint32_t loop = 0; loop < step_.loops.size(); ++loop) {
    for (const Wire variable : step_.loops[loop].variables) loop_of_[node_of(variable)] = loop;
  }
}

void StepDependencies::mark_nodes_over_moves() {
  is_over_moves_.assign(original_nodes_, false);
  for (Node node = 0; node < original_nodes_; ++node) {
    const auto wires = step_.circuit.wires(node);
    is_over_moves_[node] = move_of_[node] != no_index ||
                           std::any_of(wires.begin(), wires.end(),
                                       [&](Wire wire) { return is_over_moves_[node_of(wire)]; });
  }
}

void StepDependencies::take_steps(std::size_t steps) {
  work_ += steps;
  steps_.take(steps);
}

void StepDependencies::reach(Wire wire) {
  const Node node = node_of(wire);
  if (visited_in_[node] == search_) return;
  visited_in_[node] = search_;
  open_.push_back(node);
}

ConditionSupport StepDependencies::support(Wire wire) {
  ConditionSupport result;
  ++search_;
  reach(wire);
  while (!open_.empty()) {
    const Node node = open_.back();
    open_.pop_back();
    take_steps(1 + step_.circuit.wires(node).size());
    if (fluent_of_[node] != ground::no_atom) result.fluents.push_back(fluent_of_[node]);
    if (move_of_[node] != no_index) result.moves.push_back(move_of_[node]);
    if (loop_of_[node] != no_index) {
      result.has_recursion_over_moves |= loop_of_[node] >= step_.state_loops;
      for (const Wire function : step_.loops[loop_of_[node]].functions) reach(function);
    }
    for (const Wire input : step_.circuit.wires(node)) reach(input);
  }
  std::sort(result.fluents.begin(), result.fluents.end());
  std::sort(result.moves.begin(), result.moves.end());
  return result;
}

std::vector<Wire> StepDependencies::conjuncts_of_legal(std::uint32_t move) const {
  const Wire legal = step_.legal[move];
  if (circuit::is_negated(legal) || !step_.circuit.is_gate(node_of(legal))) return {legal};
  const auto wires = step_.circuit.wires(node_of(legal));
  return {wires.begin(), wires.end()};
}

MoveEffect StepDependencies::effect(Atom fluent) {
  MoveEffect result;
  if (is_fixed(fluent)) return result;
  const ConditionSupport next = of_next(fluent);
  Wire idle = step_.next[fluent];
  for (const std::uint32_t role : choosers_) {
    const RoleEffect of_role = effect(fluent, next, role);
    result.moves.insert(result.moves.end(), of_role.acting.begin(), of_role.acting.end());
    if (of_role.idle) idle = with_move(idle, role, *of_role.idle);
    if (of_role.is_kept) idle = step_.fluents[fluent];
  }
  result.is_kept = idle == step_.fluents[fluent];
  return result;
}

StepDependencies::RoleEffect StepDependencies::effect(Atom fluent, const ConditionSupport& next,
                                                      std::uint32_t role) {
  RoleEffect effect = results(fluent, next, role);
  const bool is_only_chooser = choosers_.size() == 1;
  auto idle =
      is_only_chooser ? effect.by_result.find(step_.fluents[fluent]) : effect.by_result.end();
  if (idle == effect.by_result.end()) {
    idle = std::max_element(
        effect.by_result.begin(), effect.by_result.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  } else {
    effect.is_kept = true;
  }
  for (auto entry = effect.by_result.begin(); entry != effect.by_result.end(); ++entry) {
    const std::vector<std::uint32_t>& moves = entry->second;
    if (entry == idle) {
      effect.idle = moves.front();
    } else {
      effect.acting.insert(effect.acting.end(), moves.begin(), moves.end());
    }
  }
  std::sort(effect.acting.begin(), effect.acting.end());
  return effect;
}

// Sorts the moves of a role by the condition of the next value after them.
StepDependencies::RoleEffect StepDependencies::results(Atom fluent, const ConditionSupport& next,
                                                       std::uint32_t role) {
  RoleEffect effect;
  std::optional<Wire> of_others;
  for (std::uint32_t m = game_.first_move_of[role]; m < game_.first_move_of[role + 1]; ++m) {
    if (!is_possible(m)) continue;
    take_steps(1);
    const bool is_mentioned = std::binary_search(next.moves.begin(), next.moves.end(), m);
    if (!is_mentioned && !of_others) of_others = next_after(fluent, m);
    const Wire after = result(fluent, m, is_mentioned ? next_after(fluent, m) : *of_others);
    if (is_mentioned && next.has_recursion_over_moves && after != step_.fluents[fluent]) {
      effect.acting.push_back(m);
    } else {
      effect.by_result[after].push_back(m);
    }
  }
  return effect;
}

// The condition of the next value after a move, which is the fluent itself if the move keeps it.
Wire StepDependencies::result(Atom fluent, std::uint32_t move, Wire next) {
  const Wire kept = step_.fluents[fluent];
  if (next == kept || choosers_.size() > 1) return next;
  return keeps_if_legal(fluent, move) ? kept : next;
}

// Returns the condition if the role makes this move.
Wire StepDependencies::with_move(Wire wire, std::uint32_t role, std::uint32_t move) {
  ++search_;
  open_cone(wire, false);
  rewrite_cone(role, move);
  return substitute(wire);
}

// Whether the next value is the value, given that the move is legal.
bool StepDependencies::keeps_if_legal(Atom fluent, std::uint32_t move) {
  ++search_;
  for (const Wire condition : conjuncts_of_legal(move)) {
    visited_in_[node_of(condition)] = search_;
    substituted_[node_of(condition)] = circuit::always_true ^ (condition & 1);
  }
  open_cone(step_.next[fluent], true);
  rewrite_cone(game_.moves[move].role, move);
  return substitute(step_.next[fluent]) == substitute(step_.fluents[fluent]);
}

// Rewrites the open nodes, for a role that makes this move.
void StepDependencies::rewrite_cone(std::uint32_t role, std::uint32_t move) {
  std::sort(open_.begin(), open_.end());
  for (const Node node : open_) {
    if (node < original_nodes_ && move_of_[node] != no_index) {
      const bool is_of_role = game_.moves[move_of_[node]].role == role;
      substituted_[node] = !is_of_role              ? node << 1
                           : move_of_[node] == move ? circuit::always_true
                                                    : circuit::always_false;
      continue;
    }
    if (!step_.circuit.is_gate(node)) {
      substituted_[node] = node << 1;
      continue;
    }
    std::vector<Wire> inputs;
    for (const Wire input : step_.circuit.wires(node)) inputs.push_back(substitute(input));
    substituted_[node] = step_.circuit.all_of(std::move(inputs));
  }
  open_.clear();
  visited_in_.resize(step_.circuit.size());
  substituted_.resize(step_.circuit.size());
}

// Opens the nodes that a substitution may change: of moves, or also of conditions on the state.
void StepDependencies::open_cone(Wire wire, bool has_assumptions) {
  const auto is_changed = [&](Wire w) {
    return has_assumptions || node_of(w) >= original_nodes_ || is_over_moves_[node_of(w)];
  };
  if (is_changed(wire)) reach(wire);
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const Node node = open_[i];
    take_steps(1 + step_.circuit.wires(node).size());
    for (const Wire input : step_.circuit.wires(node)) {
      if (is_changed(input)) reach(input);
    }
  }
}

Wire StepDependencies::substitute(Wire wire) const {
  if (visited_in_[node_of(wire)] != search_) return wire;
  return substituted_[node_of(wire)] ^ (wire & 1);
}

}  // namespace zermelo::analysis
