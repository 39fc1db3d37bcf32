// States in few bits: one field per mutex group with the number of its fluent that holds, and one
// bit for every fluent in no group.
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

  // Bits of one word that hold the number of a fluent.
  struct Field {
    std::size_t first_bit;  // of the packed state
    std::size_t width;
    std::vector<ground::Atom> fluents;  // by value; no_atom if no fluent of the group holds
  };

  // The groups must hold in all states that are packed. No groups: a bit per fluent.
  StatePacking(std::size_t fluents, const std::vector<analysis::MutexGroup>& groups);

  const std::vector<Field>& fields() const { return fields_; }
  // Of a packed state; at least 1 word.
  std::size_t words() const { return words_; }
  std::size_t bits() const { return bits_; }

  void pack(const std::vector<ground::Atom>& state, Words packed) const;

 private:
  void add_field(std::vector<ground::Atom> fluents);

  std::vector<Field> fields_;
  std::size_t words_ = 1;
  std::size_t bits_ = 0;
};

}  // namespace zermelo::solve
