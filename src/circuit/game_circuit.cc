#include "circuit/game_circuit.h"

#include <algorithm>

#include "base/error_name.h"

namespace zermelo::circuit {

namespace {

using ground::Atom;
using ground::Game;
using ground::Literal;
using ground::RuleIndex;

// Builds nodes bottom-up; the atoms of a Game are in evaluation order.
class Builder {
 public:
  Builder(const Game& game, const FixedFluents& fixed, const CircuitPasses& passes,
          const base::Limits& limits)
      : game_(game), passes_(passes) {
    result_.circuit = Circuit(limits);
    wire_of_.assign(game.atoms, always_false);
    is_next_.assign(game.atoms, false);
    for (const Atom atom : game.next) {
      if (atom != ground::no_atom) is_next_[atom] = true;
    }
    for (const Game::Component& component : game.recursive) {
      std::fill(is_next_.begin() + component.first, is_next_.begin() + component.last, false);
    }
    add_inputs(fixed);
  }

  GameCircuit run() {
    ExclusiveDoes exclusive(result_.circuit, game_, result_.does);
    exclusive_ = &exclusive;
    auto loop = game_.recursive.begin();
    for (Atom atom = game_.first_derived; atom < game_.atoms;) {
      if (atom == game_.first_after_does) decide_moves();
      if (loop != game_.recursive.end() && loop->first == atom) {
        build_loop(*loop);
        atom = loop++->last;
      } else {
        if (!is_next_[atom]) wire_of_[atom] = function(atom);
        ++atom;
      }
    }
    build_next();
    read_outputs();
    return std::move(result_);
  }

  GameCircuit run_for_percepts() {
    GameCircuit result = run();
    result.legal.assign(game_.legal.size(), always_false);
    result.next = result.fluents;
    result.goals.clear();
    result.terminal = always_false;
    for (const Game::Percept& percept : game_.percepts) result.sees.push_back(output(percept.atom));
    return result;
  }

 private:
  void add_inputs(const FixedFluents& fixed) {
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      const Wire wire = fixed[fluent] ? (*fixed[fluent] ? always_true : always_false)
                                      : result_.circuit.add_input();
      result_.fluents.push_back(wire);
      wire_of_[fluent] = wire;
    }
    for (std::uint32_t move = 0; move < game_.moves.size(); ++move) {
      result_.does.push_back(result_.circuit.add_input());
      wire_of_[game_.does(move)] = result_.does.back();
    }
  }

  // Moves that are never legal are never made; the only possible move of a role is always made.
  void decide_moves() {
    for (std::uint32_t role = 0; role < game_.roles.size(); ++role) {
      std::vector<std::uint32_t> possible;
      for (std::uint32_t move = game_.first_move_of[role]; move < game_.first_move_of[role + 1];
           ++move) {
        if (wire_of_[game_.legal[move]] != always_false) possible.push_back(move);
        set_does(move,
                 wire_of_[game_.legal[move]] != always_false ? result_.does[move] : always_false);
      }
      if (possible.size() == 1) set_does(possible[0], always_true);
    }
  }

  void set_does(std::uint32_t move, Wire wire) {
    result_.does[move] = wire;
    wire_of_[game_.does(move)] = wire;
  }

  std::vector<Cube> cubes_of(Atom atom) {
    std::vector<Cube> cubes;
    for (RuleIndex rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      Cube cube;
      bool possible = true;
      result_.circuit.count_steps(1 + game_.body(rule).size());
      for (const Literal literal : game_.body(rule)) {
        const Wire wire = wire_of_[literal.atom()] ^ static_cast<Wire>(literal.negated());
        possible &= wire != always_false;
        if (wire != always_true) cube.push_back(wire);
      }
      if (!possible) continue;
      std::sort(cube.begin(), cube.end());
      cube.erase(std::unique(cube.begin(), cube.end()), cube.end());
      if (!contradicts_itself(cube)) cubes.push_back(std::move(cube));
    }
    return cubes;
  }

  static bool contradicts_itself(const Cube& cube) {
    for (std::size_t i = 1; i < cube.size(); ++i) {
      if (cube[i] == (cube[i - 1] ^ 1)) return true;
    }
    return false;
  }

  Wire function(Atom atom) {
    std::vector<Cube> cubes = cubes_of(atom);
    if (passes_.exclusive_does) cubes = exclusive_->simplify(std::move(cubes));
    return passes_.factor ? factor(result_.circuit, std::move(cubes)) : sum(std::move(cubes));
  }

  Wire sum(std::vector<Cube> cubes) {
    std::vector<Wire> wires;
    for (Cube& cube : cubes) wires.push_back(result_.circuit.all_of(std::move(cube)));
    return result_.circuit.any_of(std::move(wires));
  }

  void build_loop(const Game::Component& component) {
    Loop loop;
    for (Atom atom = component.first; atom < component.last; ++atom) {
      wire_of_[atom] = result_.circuit.add_input();
      loop.variables.push_back(wire_of_[atom]);
    }
    for (Atom atom = component.first; atom < component.last; ++atom)
      loop.functions.push_back(function(atom));
    result_.loops.push_back(std::move(loop));
    if (component.first < game_.first_after_does) ++result_.state_loops;
  }

  // No other atoms read those of `next`, so they are built together at the end.
  void build_next() {
    std::vector<Atom> atoms;
    for (Atom atom = game_.first_derived; atom < game_.atoms; ++atom) {
      if (is_next_[atom]) atoms.push_back(atom);
    }
    if (!passes_.select_by_move) {
      for (const Atom atom : atoms) wire_of_[atom] = function(atom);
      return;
    }
    std::vector<std::vector<Cube>> cubes;
    for (const Atom atom : atoms) cubes.push_back(cubes_of(atom));
    const std::vector<Wire> wires = select_by_move(result_.circuit, *exclusive_, std::move(cubes));
    for (std::size_t i = 0; i < atoms.size(); ++i) wire_of_[atoms[i]] = wires[i];
  }

  Wire output(Atom atom) const { return atom == ground::no_atom ? always_false : wire_of_[atom]; }

  void read_outputs() {
    for (const Atom atom : game_.legal) result_.legal.push_back(output(atom));
    for (const Atom atom : game_.next) result_.next.push_back(output(atom));
    for (std::uint32_t role = 0; role < game_.goals.size(); ++role) {
      for (const Game::Goal& goal : game_.goals[role]) {
        result_.goals.push_back({role, goal.value, output(goal.atom)});
      }
    }
    result_.terminal = output(game_.terminal);
  }

  const Game& game_;
  const CircuitPasses passes_;
  GameCircuit result_;
  ExclusiveDoes* exclusive_ = nullptr;
  std::vector<Wire> wire_of_;  // by atom
  std::vector<bool> is_next_;  // by atom
};

}  // namespace

GameCircuit build_circuit(const Game& game, const FixedFluents& fixed,
                          const CircuitPasses& passes) {
  return Builder(game, fixed, passes, base::Limits()).run();
}

base::Result<GameCircuit> build_circuit_within(const base::Limits& limits, const Game& game,
                                               const FixedFluents& fixed,
                                               const CircuitPasses& passes) {
  return base::within_limits([&] { return Builder(game, fixed, passes, limits).run(); });
}

base::Result<GameCircuit> build_percept_circuit(const base::Limits& limits, const Game& game) {
  return base::within_limits([&] {
    return Builder(game, FixedFluents(game.fluents.size()), {}, limits).run_for_percepts();
  });
}

GameCircuit::Size GameCircuit::size() const {
  std::vector<bool> reached(circuit.size());
  std::vector<Node> open;
  const auto reach = [&](Wire wire) {
    if (reached[node_of(wire)] || !circuit.is_gate(node_of(wire))) return;
    reached[node_of(wire)] = true;
    open.push_back(node_of(wire));
  };
  for_each_output(*this, reach);
  Size result;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    ++result.gates;
    result.wires += circuit.wires(node).size();
    for (const Wire wire : circuit.wires(node)) reach(wire);
  }
  return result;
}

}  // namespace zermelo::circuit
