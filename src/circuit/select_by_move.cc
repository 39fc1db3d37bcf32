// Selection by the move, such as "which piece is moved", built once for all target fluents.
//
// Rules such as next(cell(T, P)) :- does(R, move(F, T)), true(cell(F, P)) give every target T a
// disjunction over its moves of does(m) & X(m). The condition X(m), here the content of the origin,
// is one of a few that many targets share. Since a role makes exactly one move,
//
//   OR over m in S of does(m) & X(m)  =  (some move of S) & OR over X of (some move of T_X) & X
//
// if the intersection of S and T_X, all moves that any rule combines with the condition X, is
// exactly the set of moves that S combines with X. The disjunction on the right does not depend on
// the target, so it is built once for all fluents of a family (connected by common conditions).
#include <algorithm>
#include <map>
#include <numeric>

#include "circuit/game_circuit.h"

namespace zermelo::circuit {

namespace {

constexpr std::size_t fewest_conditions = 3;
constexpr std::size_t largest_family = 4000;

// The moves of one role that a fluent's rules combine with each condition, and its other rules.
struct Selection {
  std::uint32_t role = 0;
  std::map<Wire, std::vector<Wire>> moves_by_condition;  // moves ascending
  std::vector<Cube> others;
};

class SelectByMove {
 public:
  SelectByMove(Circuit& circuit, ExclusiveDoes& exclusive)
      : circuit_(circuit), exclusive_(exclusive) {}

  std::vector<Wire> run(std::vector<std::vector<Cube>> fluents) {
    std::vector<Selection> selections;
    for (const std::vector<Cube>& cubes : fluents) selections.push_back(read(cubes));
    find_families(selections);
    std::vector<Wire> result;
    for (std::size_t i = 0; i < fluents.size(); ++i) {
      result.push_back(applies(selections[i])
                           ? build(selections[i])
                           : factor(circuit_, exclusive_.simplify(std::move(fluents[i]))));
    }
    return result;
  }

 private:
  struct Condition {
    std::uint32_t family;
    std::vector<Wire> moves;  // T_X, ascending
  };
  using Key = std::pair<std::uint32_t, Wire>;  // role and condition

  Selection read(const std::vector<Cube>& cubes) {
    Selection selection;
    bool has_role = false;
    for (const Cube& cube : cubes) {
      const auto move = std::find_if(cube.begin(), cube.end(), [&](Wire wire) {
        return !is_negated(wire) && exclusive_.is_move(wire) &&
               (!has_role || exclusive_.role_of(wire) == selection.role);
      });
      if (move == cube.end() || cube.size() == 1) {
        selection.others.push_back(cube);
        continue;
      }
      selection.role = exclusive_.role_of(*move);
      has_role = true;
      Cube rest = cube;
      rest.erase(rest.begin() + (move - cube.begin()));
      selection.moves_by_condition[circuit_.all_of(std::move(rest))].push_back(*move);
    }
    for (auto& [condition, moves] : selection.moves_by_condition) {
      std::sort(moves.begin(), moves.end());
      moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    }
    return selection;
  }

  void find_families(const std::vector<Selection>& selections) {
    for (const Selection& selection : selections) {
      const Condition* first = nullptr;
      for (const auto& [wire, moves] : selection.moves_by_condition) {
        const auto [place, added] = conditions_.try_emplace({selection.role, wire});
        if (added) {
          place->second.family = static_cast<std::uint32_t>(leader_.size());
          leader_.push_back(place->second.family);
        }
        std::vector<Wire> together;
        std::set_union(place->second.moves.begin(), place->second.moves.end(), moves.begin(),
                       moves.end(), std::back_inserter(together));
        place->second.moves = std::move(together);
        if (first) leader_[find(place->second.family)] = find(first->family);
        first = &place->second;
      }
    }
    for (const auto& [key, condition] : conditions_)
      members_[find(condition.family)].push_back(key);
  }

  // Halves the path on the way: chains of families can be as long as the game has fluents.
  std::uint32_t find(std::uint32_t family) {
    while (leader_[family] != family) family = leader_[family] = leader_[leader_[family]];
    return family;
  }

  std::uint32_t family_of(const Selection& selection) {
    return find(
        conditions_.at({selection.role, selection.moves_by_condition.begin()->first}).family);
  }

  static std::vector<Wire> all_moves(const Selection& selection) {
    std::vector<Wire> moves;
    for (const auto& [condition, some] : selection.moves_by_condition)
      moves.insert(moves.end(), some.begin(), some.end());
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    return moves;
  }

  bool applies(const Selection& selection) {
    if (selection.moves_by_condition.size() < fewest_conditions) return false;
    const std::vector<Key>& family = members_.at(family_of(selection));
    if (family.size() > largest_family) return false;
    const std::vector<Wire> moves = all_moves(selection);
    return std::all_of(family.begin(), family.end(), [&](const Key& key) {
      std::vector<Wire> meet;
      const std::vector<Wire>& of_condition = conditions_.at(key).moves;
      std::set_intersection(moves.begin(), moves.end(), of_condition.begin(), of_condition.end(),
                            std::back_inserter(meet));
      const auto own = selection.moves_by_condition.find(key.second);
      return own == selection.moves_by_condition.end() ? meet.empty() : meet == own->second;
    });
  }

  Wire build(const Selection& selection) {
    const Wire moved = exclusive_.any_of_moves(selection.role, all_moves(selection));
    std::vector<Wire> parts{circuit_.all_of({moved, family_wire(family_of(selection))})};
    parts.push_back(factor(circuit_, exclusive_.simplify(selection.others)));
    return circuit_.any_of(std::move(parts));
  }

  Wire family_wire(std::uint32_t family) {
    const auto [place, added] = built_.try_emplace(family, always_false);
    if (!added) return place->second;
    std::vector<Wire> parts;
    for (const Key& key : members_.at(family)) {
      parts.push_back(circuit_.all_of(
          {exclusive_.any_of_moves(key.first, conditions_.at(key).moves), key.second}));
    }
    return place->second = circuit_.any_of(std::move(parts));
  }

  Circuit& circuit_;
  ExclusiveDoes& exclusive_;
  std::map<Key, Condition> conditions_;
  std::vector<std::uint32_t> leader_;  // of families, as a forest
  std::map<std::uint32_t, std::vector<Key>> members_;
  std::map<std::uint32_t, Wire> built_;
};

}  // namespace

std::vector<Wire> select_by_move(Circuit& circuit, ExclusiveDoes& exclusive,
                                 std::vector<std::vector<Cube>> fluents) {
  return SelectByMove(circuit, exclusive).run(std::move(fluents));
}

}  // namespace zermelo::circuit
