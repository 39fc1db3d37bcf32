#include "solve/explicit/state_packing.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace zermelo::solve {

using ground::Atom;

StatePacking::StatePacking(std::size_t fluents, const std::vector<analysis::MutexGroup>& groups) {
  std::vector<bool> grouped(fluents, false);
  for (const analysis::MutexGroup& group : groups) {
    std::vector<Atom> values = group.fluents;
    if (!group.exactly_one) values.insert(values.begin(), ground::no_atom);
    add_field(std::move(values));
    for (const Atom fluent : group.fluents) grouped[fluent] = true;
  }
  for (Atom fluent = 0; fluent < fluents; ++fluent) {
    if (!grouped[fluent]) add_field({ground::no_atom, fluent});
  }
}

void StatePacking::add_field(std::vector<Atom> fluents) {
  const auto width = static_cast<std::size_t>(std::bit_width(fluents.size() - 1));
  std::size_t first = fields_.empty() ? 0 : fields_.back().first_bit + fields_.back().width;
  if (first % 64 + width > 64 || first == words_ * 64) first = words_++ * 64;
  bits_ += width;
  fields_.push_back({first, width, std::move(fluents)});
}

void StatePacking::pack(const std::vector<Atom>& state, Words packed) const {
  std::fill(packed.begin(), packed.end(), 0);
  for (const Field& field : fields_) {
    const auto found =
        std::find_first_of(field.fluents.begin(), field.fluents.end(), state.begin(), state.end());
    const auto value = static_cast<std::uint64_t>(found - field.fluents.begin());
    if (found != field.fluents.end()) packed[field.first_bit / 64] |= value << field.first_bit % 64;
  }
}

}  // namespace zermelo::solve
