// The rules of a game at one position of its clock: the clock's fluents are replaced by their
// values, constants are folded, and only the rules are kept on which legal moves, termination,
// goals and the next values of variables depend. Positions with equal programs are one phase.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/game.h"
#include "symbolic/encoding.h"

namespace zermelo::symbolic {

enum class Known : std::uint8_t { no, yes, open };

class PhaseProgram {
 public:
  // Specialises the game, which must outlive this.
  PhaseProgram(const ground::Game& game, const Encoding& encoding, std::size_t clock_position);

  const ground::Game& game() const { return *game_; }
  Known known(ground::Atom atom) const {
    return atom == ground::no_atom ? Known::no : known_[atom];
  }
  // Whether a derived atom has no known value and something depends on it.
  bool needed(ground::Atom atom) const { return needed_[atom]; }
  std::size_t rules(ground::Atom derived) const {
    return first_rule_[derived - game_->first_derived + 1] -
           first_rule_[derived - game_->first_derived];
  }
  // The body without the literals that were known when the rule was folded. Never empty, and
  // without the derived atom itself. In a recursive component some literals become known later.
  std::span<const ground::Literal> body(ground::Atom derived, std::size_t rule) const {
    const std::size_t r = first_rule_[derived - game_->first_derived] + rule;
    return {literals_.data() + first_literal_[r], first_literal_[r + 1] - first_literal_[r]};
  }
  // The moves of a role that may be legal.
  const std::vector<std::uint32_t>& moves(std::size_t role) const { return moves_[role]; }

  // Programs with equal signatures are equal.
  const std::vector<std::uint32_t>& signature() const { return signature_; }

 private:
  void fold(ground::Atom begin, ground::Atom end);
  Known fold_rule(ground::Atom head, ground::RuleIndex rule);
  void choose_moves();
  void find_needed(const Encoding& encoding);
  void need(ground::Atom atom, std::vector<ground::Atom>& open);
  void sign(const Encoding& encoding);
  std::vector<ground::Atom> outputs(const Encoding& encoding) const;

  const ground::Game* game_;
  std::vector<Known> known_;               // by atom
  std::vector<bool> needed_;               // by atom
  std::vector<std::uint32_t> first_rule_;  // by derived atom, from first_derived; one more
  std::vector<std::size_t> first_literal_;
  std::vector<ground::Literal> literals_;
  std::vector<std::vector<std::uint32_t>> moves_;  // by role
  std::vector<std::uint32_t> signature_;
};

}  // namespace zermelo::symbolic
