// Atoms are numbered so that a rule's body stands below its head, so one pass upwards evaluates all
// rules; a recursive component is passed over again until nothing changes. What depends on the
// state alone is evaluated once per state and serves legal, terminal, goals and the first part of
// next.

#include "machine/machine.h"

#include <algorithm>
#include <utility>

namespace zermelo::machine {

using ground::Atom;
using ground::Literal;
using ground::RuleIndex;

static_assert(StateMachine<Stepper>);

Machine::Machine(ground::Game game) : game_(std::move(game)) {
  for (Move m = 0; m < game_.moves.size(); ++m) move_names_.push_back(game_.move_name(m));
  for (std::uint32_t r = 0; r < game_.roles.size(); ++r) {
    roles_.push_back(game_.role_name(r));
    std::vector<Move>& moves = moves_.emplace_back();
    for (Move m = game_.first_move_of[r]; m < game_.first_move_of[r + 1]; ++m) moves.push_back(m);
    std::sort(moves.begin(), moves.end(),
              [&](Move a, Move b) { return move_names_[a] < move_names_[b]; });
  }
}

Stepper::Stepper(std::shared_ptr<const Machine> machine)
    : machine_(std::move(machine)), game_(machine_->game()), values_(game_.atoms) {}

State Stepper::initial_state() const {
  State state(game_.fluents.size());
  for (const Atom fluent : game_.initial) state.set(fluent);
  return state;
}

std::vector<Move> Stepper::legal_moves(const State& state, std::size_t role) {
  enter(state);
  std::vector<Move> legal;
  for (const Move move : machine_->moves(role)) {
    if (holds(game_.legal[move])) legal.push_back(move);
  }
  return legal;
}

State Stepper::next_state(const State& state, std::span<const Move> joint) {
  enter(state);
  for (const Move move : joint) values_[game_.does(move)] = 1;
  evaluate(game_.first_after_does, game_.atoms);
  State next(game_.fluents.size());
  for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
    if (holds(game_.next[fluent])) next.set(fluent);
  }
  for (const Move move : joint) values_[game_.does(move)] = 0;
  return next;
}

bool Stepper::terminal(const State& state) {
  enter(state);
  return holds(game_.terminal);
}

std::vector<int> Stepper::goals(const State& state, std::size_t role) {
  enter(state);
  std::vector<int> values;
  for (const ground::Game::Goal& goal : game_.goals[role]) {
    if (holds(goal.atom)) values.push_back(goal.value);
  }
  return values;
}

std::vector<std::string> Stepper::fluent_names(const State& state) const {
  std::vector<std::string> names;
  state.for_each([&](std::size_t f) { names.push_back(game_.fluent_name(static_cast<Atom>(f))); });
  std::sort(names.begin(), names.end());
  return names;
}

void Stepper::enter(const State& state) {
  if (entered_ == state) return;
  std::fill_n(values_.begin(), game_.fluents.size(), std::uint8_t{0});
  state.for_each([&](std::size_t fluent) { values_[fluent] = 1; });
  evaluate(game_.first_derived, game_.first_after_does);
  entered_ = state;
}

void Stepper::evaluate(Atom first, Atom last) {
  auto component =
      std::lower_bound(game_.recursive.begin(), game_.recursive.end(), first,
                       [](const ground::Game::Component& c, Atom atom) { return c.first < atom; });
  for (Atom atom = first; atom < last;) {
    if (component != game_.recursive.end() && component->first == atom) {
      evaluate_component(*component);
      atom = component->last;
      ++component;
    } else {
      values_[atom] = derivable(atom);
      ++atom;
    }
  }
}

void Stepper::evaluate_component(ground::Game::Component component) {
  std::fill(values_.begin() + component.first, values_.begin() + component.last, std::uint8_t{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (Atom atom = component.first; atom < component.last; ++atom) {
      if (values_[atom] || !derivable(atom)) continue;
      values_[atom] = 1;
      changed = true;
    }
  }
}

bool Stepper::derivable(Atom atom) const {
  for (RuleIndex rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
    if (satisfied(rule)) return true;
  }
  return false;
}

bool Stepper::satisfied(RuleIndex rule) const {
  for (const Literal literal : game_.body(rule)) {
    if ((values_[literal.atom()] != 0) == literal.negated()) return false;
  }
  return true;
}

}  // namespace zermelo::machine
