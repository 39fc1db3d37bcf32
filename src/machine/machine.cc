// Evaluation is forward and sparse. Every rule with a positive literal watches one of them, a move
// if there is one, else the atom that occurs in the fewest bodies: the rule cannot hold before that
// atom does. An atom that becomes true announces itself to the rules that watch it, which then wait
// at the level of their head. Levels are evaluated upwards: everything in a body stands on a lower
// level than the head, so it is final, negated or not, when the head's level is reached. Rules
// without a positive literal always wait.
//
// A recursive component is on one level. If a rule of it waits, the whole component is brought to
// its least fixpoint by sweeping over it; if none waits, nothing outside supports it and it is
// false.
//
// The levels that depend on the state alone are evaluated once per state. What they announce to
// rules above stays pending for every joint move tried in that state.

#include "machine/machine.h"

#include <algorithm>
#include <utility>

namespace zermelo::machine {

using ground::Atom;
using ground::Literal;
using ground::RuleIndex;

static_assert(StateMachine<Stepper>);

Machine::Machine(ground::Game game) : game_(std::move(game)) {
  name_moves();
  find_heads_and_components();
  find_levels();
  watch();
}

void Machine::name_moves() {
  for (Move m = 0; m < game_.moves.size(); ++m) move_names_.push_back(game_.move_name(m));
  for (std::uint32_t r = 0; r < game_.roles.size(); ++r) {
    roles_.push_back(game_.role_name(r));
    std::vector<Move>& moves = moves_.emplace_back();
    for (Move m = game_.first_move_of[r]; m < game_.first_move_of[r + 1]; ++m) moves.push_back(m);
    std::sort(moves.begin(), moves.end(),
              [&](Move a, Move b) { return move_names_[a] < move_names_[b]; });
  }
}

void Machine::find_heads_and_components() {
  heads_.resize(game_.rules());
  for (Atom atom = game_.first_derived; atom < game_.atoms; ++atom) {
    std::fill(heads_.begin() + game_.rules_begin(atom), heads_.begin() + game_.rules_end(atom),
              atom);
  }
  component_of_.assign(game_.atoms, no_component);
  for (std::uint32_t c = 0; c < game_.recursive.size(); ++c) {
    std::fill(component_of_.begin() + game_.recursive[c].first,
              component_of_.begin() + game_.recursive[c].last, c);
  }
}

void Machine::find_levels() {
  levels_.assign(game_.atoms, 0);
  for (Atom atom = game_.first_derived; atom < game_.atoms;) {
    const bool recursive = component_of_[atom] != no_component;
    const Atom last = recursive ? game_.recursive[component_of_[atom]].last : atom + 1;
    const bool after_moves = atom >= game_.first_after_does;
    const Level level = level_above(atom, last, after_moves ? last_state_level_ + 1 : 1);
    std::fill(levels_.begin() + atom, levels_.begin() + last, level);
    last_level_ = std::max(last_level_, level);
    if (!after_moves) last_state_level_ = last_level_;
    atom = last;
  }
}

Machine::Level Machine::level_above(Atom first, Atom last, Level least) const {
  Level level = least;
  for (RuleIndex rule = game_.rules_begin(first); rule < game_.rules_end(last - 1); ++rule) {
    for (const Literal literal : game_.body(rule)) {
      if (literal.atom() < first) level = std::max(level, levels_[literal.atom()] + 1);
    }
  }
  return level;
}

void Machine::watch() {
  std::vector<std::uint32_t> occurrences(game_.atoms);
  for (const Literal literal : game_.literals) ++occurrences[literal.atom()];
  first_watcher_.assign(game_.atoms + 1, 0);
  for (RuleIndex rule = 0; rule < game_.rules(); ++rule) {
    if (const auto atom = watched_atom(rule, occurrences)) ++first_watcher_[*atom + 1];
  }
  for (Atom atom = 0; atom < game_.atoms; ++atom) first_watcher_[atom + 1] += first_watcher_[atom];
  watchers_.resize(first_watcher_.back());
  std::vector<std::uint32_t> next = first_watcher_;
  for (RuleIndex rule = 0; rule < game_.rules(); ++rule) {
    if (const auto atom = watched_atom(rule, occurrences)) {
      watchers_[next[*atom]++] = rule;
    } else {
      unwatched_.push_back(rule);
    }
  }
}

std::optional<Atom> Machine::watched_atom(RuleIndex rule,
                                          const std::vector<std::uint32_t>& occurrences) const {
  std::optional<Atom> best;
  for (const Literal literal : game_.body(rule)) {
    const Atom atom = literal.atom();
    if (literal.negated()) continue;
    if (atom >= game_.fluents.size() && atom < game_.first_derived) return atom;
    if (!best || occurrences[atom] < occurrences[*best]) best = atom;
  }
  return best;
}

Stepper::Stepper(std::shared_ptr<const Machine> machine)
    : machine_(std::move(machine)),
      game_(machine_->game()),
      values_(game_.atoms),
      pending_(machine_->last_level_ + 1),
      pending_in_state_(machine_->last_level_ + 1),
      evaluated_(game_.recursive.size()) {}

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
  const std::size_t trail_in_state = trail_.size();
  for (const Move move : joint) set(game_.does(move));
  evaluate(machine_->last_state_level_ + 1, machine_->last_level_);
  State next(game_.fluents.size());
  for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
    if (holds(game_.next[fluent])) next.set(fluent);
  }
  undo_to(trail_in_state);
  for (Machine::Level level = machine_->last_state_level_ + 1; level < pending_.size(); ++level) {
    pending_[level].resize(pending_in_state_[level]);
  }
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
  leave();
  for (const RuleIndex rule : machine_->unwatched_) {
    pending_[machine_->levels_[machine_->heads_[rule]]].push_back(rule);
  }
  state.for_each([&](std::size_t fluent) { set(static_cast<Atom>(fluent)); });
  evaluate(1, machine_->last_state_level_);
  for (std::size_t level = 0; level < pending_.size(); ++level) {
    pending_in_state_[level] = pending_[level].size();
  }
  entered_ = state;
}

void Stepper::leave() {
  undo_to(0);
  for (std::vector<RuleIndex>& rules : pending_) rules.clear();
}

void Stepper::evaluate(Machine::Level first, Machine::Level last) {
  ++passes_;
  for (Machine::Level level = first; level <= last; ++level) {
    for (std::size_t i = 0; i < pending_[level].size(); ++i) {
      const RuleIndex rule = pending_[level][i];
      const Atom head = machine_->heads_[rule];
      if (values_[head]) continue;
      if (machine_->component_of_[head] != Machine::no_component) {
        evaluate_component(machine_->component_of_[head]);
      } else if (satisfied(rule)) {
        set(head);
      }
    }
  }
}

void Stepper::evaluate_component(std::uint32_t component) {
  if (evaluated_[component] == passes_) return;
  evaluated_[component] = passes_;
  const auto [first, last] = game_.recursive[component];
  const std::size_t known = trail_.size();
  for (bool changed = true; changed;) {
    changed = false;
    for (Atom atom = first; atom < last; ++atom) {
      if (values_[atom] || !derivable(atom)) continue;
      values_[atom] = 1;
      trail_.push_back(atom);
      changed = true;
    }
  }
  for (std::size_t i = known; i < trail_.size(); ++i) announce(trail_[i]);
}

void Stepper::set(Atom atom) {
  values_[atom] = 1;
  trail_.push_back(atom);
  announce(atom);
}

// Tells the rules above that the atom holds; those of its own component were seen to already.
void Stepper::announce(Atom atom) {
  const Machine::Level own = machine_->levels_[atom];
  for (const RuleIndex rule : machine_->watchers(atom)) {
    const Machine::Level level = machine_->levels_[machine_->heads_[rule]];
    if (level > own) pending_[level].push_back(rule);
  }
}

void Stepper::undo_to(std::size_t trail_size) {
  for (; trail_.size() > trail_size; trail_.pop_back()) values_[trail_.back()] = 0;
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
