// Play is simulated once, with every move unknown, in Kleene's three-valued logic: an atom is
// false, unknown or true. What the rules derive is true (or false) after every sequence of moves of
// that length. Fluents that depend on the moves become unknown and stay so. The others, the
// autonomous part of the game such as a step counter, keep their values. If `terminal` becomes
// true, every game has ended by then. If the three-valued state repeats, it never will.
//
// One fact about moves is used: every role makes exactly one of its legal moves. So an atom that
// follows from each possible move of one role is true although every single move is unknown. Rules
// for a counter that mention `does` without need are of this kind.
//
// The least fixpoint over the order false < unknown < true is correct for recursive components: its
// true atoms follow from what is true, and its false atoms do not follow even if everything unknown
// is true.

#include "analysis/step_bound.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace zermelo::analysis {

namespace {

using ground::Atom;
using ground::Game;
using ground::Literal;
using ground::RuleIndex;

enum class Truth : std::uint8_t { no, unknown, yes };

Truth negation(Truth truth) {
  return static_cast<Truth>(static_cast<int>(Truth::yes) - static_cast<int>(truth));
}

class Simulation {
 public:
  explicit Simulation(const Game& game)
      : game_(game), values_(game.atoms, Truth::no), counted_(game.moves.size()) {
    for (const Atom fluent : game.initial) values_[fluent] = Truth::yes;
  }

  bool ended() {
    evaluate(game_.first_derived, game_.first_after_does);
    return value(game_.terminal) == Truth::yes;
  }

  void step() {
    for (std::uint32_t role = 0; role < game_.roles.size(); ++role) set_moves(role);
    evaluate(game_.first_after_does, game_.atoms);
    std::vector<Truth> next;
    for (const Atom atom : game_.next) next.push_back(value(atom));
    std::copy(next.begin(), next.end(), values_.begin());
  }

  std::vector<Truth> state() const {
    return {values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(game_.fluents.size())};
  }

 private:
  Truth value(Atom atom) const { return atom == ground::no_atom ? Truth::no : values_[atom]; }

  void set_moves(std::uint32_t role) {
    std::uint32_t possible = 0;
    for (std::uint32_t m = game_.first_move_of[role]; m < game_.first_move_of[role + 1]; ++m) {
      const bool legal = value(game_.legal[m]) != Truth::no;
      values_[game_.does(m)] = legal ? Truth::unknown : Truth::no;
      possible += legal;
    }
    possible_moves_.resize(game_.roles.size());
    possible_moves_[role] = possible;
  }

  void evaluate(Atom first, Atom last) {
    auto component = std::find_if(game_.recursive.begin(), game_.recursive.end(),
                                  [&](const Game::Component& c) { return c.first >= first; });
    for (Atom atom = first; atom < last;) {
      if (component != game_.recursive.end() && component->first == atom) {
        evaluate_component(*component);
        atom = component->last;
        ++component;
      } else {
        values_[atom] = derive(atom);
        ++atom;
      }
    }
  }

  void evaluate_component(Game::Component component) {
    std::fill(values_.begin() + component.first, values_.begin() + component.last, Truth::no);
    for (bool changed = true; changed;) {
      changed = false;
      for (Atom atom = component.first; atom < component.last; ++atom) {
        const Truth derived = derive(atom);
        changed = changed || derived != values_[atom];
        values_[atom] = derived;
      }
    }
  }

  Truth derive(Atom atom) {
    Truth truth = Truth::no;
    for (RuleIndex r = game_.rules_begin(atom); r < game_.rules_end(atom); ++r) {
      truth = std::max(truth, body_value(r));
      if (truth == Truth::yes) return truth;
    }
    if (truth == Truth::unknown && follows_from_every_move(atom)) return Truth::yes;
    return truth;
  }

  Truth body_value(RuleIndex rule) const {
    Truth truth = Truth::yes;
    for (const Literal literal : game_.body(rule)) {
      const Truth value = values_[literal.atom()];
      truth = std::min(truth, literal.negated() ? negation(value) : value);
      if (truth == Truth::no) break;
    }
    return truth;
  }

  bool is_move(Atom atom) const {
    return atom >= game_.fluents.size() && atom < game_.first_derived;
  }

  // Returns the only move that decides whether the body holds, if there is one.
  std::optional<std::uint32_t> deciding_move(RuleIndex rule) const {
    std::optional<std::uint32_t> move;
    for (const Literal literal : game_.body(rule)) {
      const Truth value = values_[literal.atom()];
      if ((literal.negated() ? negation(value) : value) == Truth::yes) continue;
      if (move || literal.negated() || !is_move(literal.atom()) || value == Truth::no) {
        return std::nullopt;
      }
      move = literal.atom() - static_cast<Atom>(game_.fluents.size());
    }
    return move;
  }

  bool follows_from_every_move(Atom atom) {
    if (atom < game_.first_after_does) return false;
    ++count_;
    std::vector<std::uint32_t> deciding(game_.roles.size());
    for (RuleIndex r = game_.rules_begin(atom); r < game_.rules_end(atom); ++r) {
      const std::optional<std::uint32_t> move = deciding_move(r);
      if (!move || counted_[*move] == count_) continue;
      counted_[*move] = count_;
      const std::uint32_t role = game_.moves[*move].role;
      if (++deciding[role] == possible_moves_[role]) return true;
    }
    return false;
  }

  const Game& game_;
  std::vector<Truth> values_;
  std::vector<std::uint32_t> possible_moves_;  // by role
  std::vector<std::uint64_t> counted_;         // by move: the last count that included it
  std::uint64_t count_ = 0;
};

}  // namespace

std::optional<std::size_t> prove_step_bound(const Game& game, std::size_t max_steps,
                                            const base::Limits& limits) {
  if (game.terminal == ground::no_atom) return std::nullopt;
  Simulation simulation(game);
  std::set<std::vector<Truth>> seen;
  for (std::size_t steps = 0; steps <= max_steps; ++steps) {
    if (simulation.ended()) return steps;
    if (limits.exceeded() || !seen.insert(simulation.state()).second) return std::nullopt;
    simulation.step();
  }
  return std::nullopt;
}

}  // namespace zermelo::analysis
