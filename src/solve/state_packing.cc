#include "solve/state_packing.h"

#include <algorithm>
#include <bit>

namespace zermelo::solve {

using ground::Atom;

StatePacking::StatePacking(std::size_t fluents, const std::vector<analysis::MutexGroup>& groups)
    : state_words_((fluents + 63) / 64), codes_(fluents) {
  std::vector<bool> grouped(fluents, false);
  for (const analysis::MutexGroup& group : groups) {
    add_field(group.fluents, group.exactly_one);
    for (const Atom fluent : group.fluents) grouped[fluent] = true;
  }
  for (Atom fluent = 0; fluent < fluents; ++fluent) {
    if (!grouped[fluent]) add_field({fluent}, false);
  }
}

// A field lies within one word.
void StatePacking::add_field(const std::vector<Atom>& fluents, bool exactly_one) {
  Field field{0, 0, 0, fluents};
  if (!exactly_one) field.fluents.insert(field.fluents.begin(), ground::no_atom);
  const auto width = static_cast<std::uint32_t>(std::bit_width(field.fluents.size() - 1));
  if (used_ + width > 64) {
    ++words_;
    used_ = 0;
  }
  field.word = static_cast<std::uint32_t>(words_ - 1);
  field.shift = used_ % 64;
  field.mask = (std::uint64_t{1} << width) - 1;
  used_ += width;
  bits_ += width;
  for (std::uint64_t value = 0; value < field.fluents.size(); ++value) {
    const Atom fluent = field.fluents[value];
    if (fluent != ground::no_atom) codes_[fluent] = {field.word, value << field.shift};
  }
  fields_.push_back(std::move(field));
}

void StatePacking::toggle(std::size_t word, std::uint64_t fluents, Words packed) const {
  for (; fluents != 0; fluents &= fluents - 1) {
    const Code& code = codes_[word * 64 + static_cast<std::size_t>(std::countr_zero(fluents))];
    packed[code.word] ^= code.bits;
  }
}

void StatePacking::pack(ConstWords state, Words packed) const {
  std::fill(packed.begin(), packed.end(), 0);
  for (std::size_t w = 0; w < state.size(); ++w) toggle(w, state[w], packed);
}

void StatePacking::change(ConstWords from, ConstWords to, Words packed) const {
  for (std::size_t w = 0; w < to.size(); ++w) toggle(w, from[w] ^ to[w], packed);
}

void StatePacking::unpack(ConstWords packed, Words state) const {
  std::fill(state.begin(), state.end(), 0);
  for (const Field& field : fields_) {
    const Atom fluent = field.fluents[packed[field.word] >> field.shift & field.mask];
    if (fluent != ground::no_atom) state[fluent / 64] |= std::uint64_t{1} << fluent % 64;
  }
}

}  // namespace zermelo::solve
