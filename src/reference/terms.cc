#include "reference/terms.h"

#include <algorithm>

namespace zermelo::reference {

std::uint64_t hash_terms(std::uint64_t seed, std::span<const TermId> terms) {
  for (const TermId term : terms) seed = mix_hash(seed, term);
  return seed;
}

TermStore::TermStore() : slots_(1024, no_term) {}

TermId TermStore::intern(gdl::Symbol name, std::span<const TermId> arguments) {
  const std::uint64_t hash =
      hash_terms(mix_hash(arguments.size(), static_cast<std::uint32_t>(name)), arguments);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != no_term; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot]];
    if (entry.hash == hash && same(entry, name, arguments)) return slots_[slot];
  }
  const auto id = static_cast<TermId>(entries_.size());
  slots_[slot] = id;
  entries_.push_back({name, static_cast<std::uint32_t>(arguments_.size()),
                      static_cast<std::uint32_t>(arguments.size()), hash});
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  if (entries_.size() * 2 > slots_.size()) grow();
  return id;
}

bool TermStore::same(const Entry& entry, gdl::Symbol name,
                     std::span<const TermId> arguments) const {
  return entry.name == name && entry.count == arguments.size() &&
         std::equal(arguments.begin(), arguments.end(), arguments_.begin() + entry.first);
}

void TermStore::grow() {
  slots_.assign(slots_.size() * 2, no_term);
  const std::size_t mask = slots_.size() - 1;
  for (TermId id = 0; id < entries_.size(); ++id) {
    std::size_t slot = entries_[id].hash & mask;
    while (slots_[slot] != no_term) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

}  // namespace zermelo::reference
