// States in few bits: one field per mutex group, wide enough for the number of the fluent of the
// group that holds, and one bit for every fluent in no group.
//
// The packed state is the exclusive or of the codes of its fluents, so a state that differs in few
// fluents is packed by toggling their codes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/mutex_groups.h"
#include "ground/game.h"

namespace zermelo::solve {

class StatePacking {
 public:
  using Words = std::span<std::uint64_t>;
  using ConstWords = std::span<const std::uint64_t>;

  // The groups must hold in all states that are packed. No groups: a bit per fluent.
  StatePacking(std::size_t fluents, const std::vector<analysis::MutexGroup>& groups);

  // Of a packed state, at least 1, and of one that is not.
  std::size_t words() const { return words_; }
  std::size_t state_words() const { return state_words_; }
  std::size_t bits() const { return bits_; }

  void pack(ConstWords state, Words packed) const;
  void unpack(ConstWords packed, Words state) const;
  // Turns `packed` from the state `from` into the state `to`.
  void change(ConstWords from, ConstWords to, Words packed) const;

 private:
  struct Code {
    std::uint32_t word = 0;
    std::uint64_t bits = 0;
  };
  struct Field {
    std::uint32_t word;
    std::uint32_t shift;
    std::uint64_t mask;
    std::vector<ground::Atom> fluents;  // by value; no_atom where none of the group holds
  };

  void add_field(const std::vector<ground::Atom>& fluents, bool exactly_one);
  void toggle(std::size_t word, std::uint64_t fluents, Words packed) const;

  std::size_t state_words_;
  std::size_t words_ = 1;
  std::size_t bits_ = 0;
  std::uint32_t used_ = 0;  // bits of the last word
  std::vector<Field> fields_;
  std::vector<Code> codes_;  // by fluent
};

}  // namespace zermelo::solve
