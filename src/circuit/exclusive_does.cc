// Every role makes exactly one move, which the rules do not state.
//
// A condition that requires two different moves of one role never holds. One that requires a move
// and excludes another is redundant. Rules that differ only in the move of a role become one
// condition, "the move is one of these", or, if these are most of the role's moves, "the move is
// none of the others". This shortens frame rules (a fluent stays if any of hundreds of other moves
// is made).
#include <algorithm>
#include <map>

#include "circuit/game_circuit.h"

namespace zermelo::circuit {

ExclusiveDoes::ExclusiveDoes(Circuit& circuit, const ground::Game& game,
                             const std::vector<Wire>& does)
    : circuit_(circuit), game_(game), does_(does) {
  for (std::uint32_t move = 0; move < does.size(); ++move) {
    const Node node = node_of(does[move]);
    if (move_of_node_.size() <= node) move_of_node_.resize(node + 1, no_move);
    move_of_node_[node] = move;
  }
}

std::uint32_t ExclusiveDoes::move_of(Wire wire) const {
  return node_of(wire) < move_of_node_.size() ? move_of_node_[node_of(wire)] : no_move;
}

std::uint32_t ExclusiveDoes::role_of(Wire wire) const {
  const std::uint32_t move = move_of(wire);
  return move == no_move ? no_move : game_.moves[move].role;
}

// Removes what a positive move of the same role implies. Returns false if the cube never holds.
bool ExclusiveDoes::drop_implied(Cube& cube) const {
  std::map<std::uint32_t, Wire> made;
  for (const Wire wire : cube) {
    const std::uint32_t role = role_of(wire);
    if (role == no_move || is_negated(wire)) continue;
    if (!made.emplace(role, wire).second) return false;
  }
  if (made.empty()) return true;
  std::erase_if(cube, [&](Wire wire) { return is_negated(wire) && made.contains(role_of(wire)); });
  return true;
}

Wire ExclusiveDoes::any_of_moves(std::uint32_t role, std::vector<Wire> moves) {
  const auto first = does_.begin() + game_.first_move_of[role];
  const auto last = does_.begin() + game_.first_move_of[role + 1];
  std::sort(moves.begin(), moves.end());
  std::vector<Wire> others;
  std::copy_if(first, last, std::back_inserter(others), [&](Wire wire) {
    return wire != always_false && !std::binary_search(moves.begin(), moves.end(), wire);
  });
  if (others.size() < moves.size()) return circuit_.any_of(std::move(others)) ^ 1;
  return circuit_.any_of(std::move(moves));
}

std::vector<Cube> ExclusiveDoes::simplify(std::vector<Cube> cubes) {
  std::map<std::pair<Cube, std::uint32_t>, std::vector<Wire>> groups;
  std::vector<Cube> result;
  for (Cube& cube : cubes) {
    if (!drop_implied(cube)) continue;
    const auto move = std::find_if(cube.begin(), cube.end(), [&](Wire wire) {
      return !is_negated(wire) && role_of(wire) != no_move;
    });
    if (move == cube.end()) {
      result.push_back(std::move(cube));
      continue;
    }
    const Wire made = *move;
    cube.erase(move);
    groups[{std::move(cube), role_of(made)}].push_back(made);
  }
  for (auto& [key, moves] : groups) {
    Cube cube = key.first;
    cube.push_back(any_of_moves(key.second, std::move(moves)));
    std::sort(cube.begin(), cube.end());
    result.push_back(std::move(cube));
  }
  return result;
}

}  // namespace zermelo::circuit
