#include "solve/common/turn.h"

#include <algorithm>

#include "machine/perft.h"

namespace zermelo::solve {

using machine::Move;

std::vector<bool> moves_with_effect(const ground::Game& game) {
  std::vector<bool> asked(game.atoms, false);
  std::vector<ground::Atom> open;
  const auto ask = [&](ground::Atom atom) {
    if (atom == ground::no_atom || asked[atom]) return;
    asked[atom] = true;
    if (atom >= game.first_derived) open.push_back(atom);
  };
  for (const ground::Atom next : game.next) ask(next);
  while (!open.empty()) {
    const ground::Atom atom = open.back();
    open.pop_back();
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      for (const ground::Literal literal : game.body(rule)) ask(literal.atom());
    }
  }
  const auto first = asked.begin() + static_cast<std::ptrdiff_t>(game.fluents.size());
  return {first, asked.begin() + static_cast<std::ptrdiff_t>(game.first_derived)};
}

std::size_t listed_role(machine::Stepper& stepper, const machine::State& state,
                        const std::vector<std::vector<Move>>& legal) {
  std::vector<Move> joint;
  for (const std::vector<Move>& moves : legal) joint.push_back(moves.front());
  const machine::State next = stepper.next_state(state, joint);
  const auto decides = [&](std::size_t role) {
    std::vector<Move> other = joint;
    return std::any_of(legal[role].begin() + 1, legal[role].end(), [&](Move move) {
      other[role] = move;
      return stepper.next_state(state, other) != next;
    });
  };
  for (std::size_t role = 0; role < legal.size(); ++role) {
    if (decides(role)) return role;
  }
  const std::vector<bool> has_effect = moves_with_effect(stepper.machine().game());
  for (std::size_t role = 0; role < legal.size(); ++role) {
    if (std::any_of(legal[role].begin(), legal[role].end(),
                    [&](Move move) { return has_effect[move]; })) {
      return role;
    }
  }
  return 0;
}

machine::State state_after(machine::Stepper& stepper, const machine::State& state, std::size_t role,
                           machine::Move move) {
  std::vector<machine::Move> joint;
  for (const auto& of_role : machine::all_legal_moves(stepper, state)) {
    joint.push_back(of_role.front());
  }
  joint[role] = move;
  return stepper.next_state(state, joint);
}

}  // namespace zermelo::solve
