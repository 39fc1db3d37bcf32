// Evaluates some derived atoms of a game, given others.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ground/game.h"

namespace zermelo::analysis {

// What is known of atoms, by atom: it surely holds, or it possibly does.
struct AtomBounds {
  explicit AtomBounds(std::size_t atoms) : surely(atoms), possibly(atoms) {}

  void set(ground::Atom atom, bool value) { surely[atom] = possibly[atom] = value; }
  void forget(ground::Atom atom) {
    surely[atom] = false;
    possibly[atom] = true;
  }

  std::vector<std::uint8_t> surely, possibly;  // 0 or 1
};

class RuleEvaluator {
 public:
  // For the roots and everything they depend on, down to given atoms. Fluents and moves are always
  // given. The game must outlive this.
  RuleEvaluator(const ground::Game& game, const std::vector<ground::Atom>& roots,
                const std::function<bool(ground::Atom)>& is_given);

  // The given atoms that the roots depend on, ascending.
  const std::vector<ground::Atom>& given() const { return given_; }
  // The number of atoms that are computed and of literals in their rules, that is what derive costs
  // at most.
  std::size_t size() const { return size_; }
  // Computes all other atoms from the given ones, in Kleene's logic of three values.
  void derive(AtomBounds& bounds) const;

 private:
  bool derive(ground::Atom atom, AtomBounds& bounds) const;
  std::size_t end_of_component(std::size_t from) const;

  const ground::Game& game_;
  std::vector<ground::Atom> given_, derived_;  // ascending
  std::size_t size_ = 0;
};

}  // namespace zermelo::analysis
