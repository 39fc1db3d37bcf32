#include "symbolic/phase_program.h"

#include <algorithm>

namespace zermelo::symbolic {

using ground::Atom;
using ground::Literal;

PhaseProgram::PhaseProgram(const ground::Game& game, const Encoding& encoding,
                           std::size_t clock_position)
    : game_(&game), known_(game.atoms, Known::open), needed_(game.atoms, false) {
  for (const Atom fluent : encoding.clock().fluents) known_[fluent] = Known::no;
  for (const Atom fluent : encoding.clock().showing[clock_position]) known_[fluent] = Known::yes;
  for (const Variable& variable : encoding.variables()) {
    if (variable.values() == 1) known_[variable.fluents.front()] = Known::yes;
  }
  first_rule_.push_back(0);
  first_literal_.push_back(0);
  fold(game.first_derived, game.first_after_does);
  choose_moves();
  fold(game.first_after_does, game.atoms);
  find_needed(encoding);
  sign(encoding);
}

void PhaseProgram::fold(Atom begin, Atom end) {
  for (Atom atom = begin; atom < end; ++atom) {
    const std::size_t first = first_literal_.size();
    for (auto rule = game_->rules_begin(atom); rule < game_->rules_end(atom); ++rule) {
      if (fold_rule(atom, rule) == Known::yes) known_[atom] = Known::yes;
    }
    if (first_literal_.size() == first && known_[atom] == Known::open) known_[atom] = Known::no;
    first_rule_.push_back(static_cast<std::uint32_t>(first_literal_.size() - 1));
  }
}

// Keeps the rule unless its body is known to hold or known to fail. A rule whose body contains its
// own head adds nothing to the least model, so it is treated like one that fails.
Known PhaseProgram::fold_rule(Atom head, ground::RuleIndex rule) {
  const std::size_t first = literals_.size();
  for (const Literal literal : game_->body(rule)) {
    const Known value = literal == Literal(head, false) ? Known::no : known_[literal.atom()];
    if (value == Known::open) {
      literals_.push_back(literal);
    } else if ((value == Known::yes) == literal.negated()) {
      literals_.resize(first);
      return Known::no;
    }
  }
  if (literals_.size() == first) return Known::yes;
  first_literal_.push_back(literals_.size());
  return Known::open;
}

// Moves that cannot be legal are never made; the only possible move of a role is always made.
void PhaseProgram::choose_moves() {
  moves_.resize(game_->roles.size());
  for (std::size_t role = 0; role < moves_.size(); ++role) {
    for (std::uint32_t m = game_->first_move_of[role]; m < game_->first_move_of[role + 1]; ++m) {
      known_[game_->does(m)] = Known::no;
      if (known(game_->legal[m]) != Known::no) moves_[role].push_back(m);
    }
    const Known made = moves_[role].size() == 1 ? Known::yes : Known::open;
    for (const std::uint32_t m : moves_[role]) known_[game_->does(m)] = made;
  }
}

// The atoms that the program must define; may contain no_atom.
std::vector<Atom> PhaseProgram::outputs(const Encoding& encoding) const {
  std::vector<Atom> result = {game_->terminal};
  for (const auto& moves : moves_) {
    for (const std::uint32_t move : moves) result.push_back(game_->legal[move]);
  }
  for (const auto& goals : game_->goals) {
    for (const auto& goal : goals) result.push_back(goal.atom);
  }
  for (const Variable& variable : encoding.variables()) {
    for (const Atom fluent : variable.fluents) result.push_back(game_->next[fluent]);
  }
  return result;
}

void PhaseProgram::need(Atom atom, std::vector<Atom>& open) {
  if (known(atom) != Known::open || atom < game_->first_derived || needed_[atom]) return;
  needed_[atom] = true;
  open.push_back(atom);
}

void PhaseProgram::find_needed(const Encoding& encoding) {
  std::vector<Atom> open;
  for (const Atom atom : outputs(encoding)) need(atom, open);
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    for (std::size_t rule = 0; rule < rules(atom); ++rule) {
      for (const Literal literal : body(atom, rule)) need(literal.atom(), open);
    }
  }
}

void PhaseProgram::sign(const Encoding& encoding) {
  for (const auto& moves : moves_) {
    signature_.push_back(static_cast<std::uint32_t>(moves.size()));
    signature_.insert(signature_.end(), moves.begin(), moves.end());
  }
  for (const Atom atom : outputs(encoding)) {
    signature_.push_back(static_cast<std::uint32_t>(known(atom)));
  }
  for (Atom atom = game_->first_derived; atom < game_->atoms; ++atom) {
    if (!needed_[atom]) continue;
    signature_.push_back(atom);
    for (std::size_t rule = 0; rule < rules(atom); ++rule) {
      const auto literals = body(atom, rule);
      signature_.push_back(static_cast<std::uint32_t>(literals.size()));
      for (const Literal literal : literals) {
        signature_.push_back(literal.atom() << 1 | static_cast<Atom>(literal.negated()));
        signature_.push_back(static_cast<std::uint32_t>(known(literal.atom())));
      }
    }
  }
}

}  // namespace zermelo::symbolic
