// Ground terms as integers: equal terms have equal ids, so terms are compared and hashed as
// numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/symbol.h"

namespace zermelo::reference {

using TermId = std::uint32_t;
inline constexpr TermId no_term = ~TermId{0};

inline std::uint64_t mix_hash(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

std::uint64_t hash_terms(std::uint64_t seed, std::span<const TermId> terms);

class TermStore {
 public:
  TermStore();

  // Returns the id of name(arguments...), or of a constant if there are none. Invalidates spans
  // returned by `arguments`.
  TermId intern(gdl::Symbol name, std::span<const TermId> arguments);

  gdl::Symbol name(TermId term) const { return entries_[term].name; }
  std::span<const TermId> arguments(TermId term) const {
    const Entry& entry = entries_[term];
    return {arguments_.data() + entry.first, entry.count};
  }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    gdl::Symbol name;
    std::uint32_t first;
    std::uint32_t count;
    std::uint64_t hash;
  };

  bool same(const Entry& entry, gdl::Symbol name, std::span<const TermId> arguments) const;
  void grow();

  std::vector<Entry> entries_;
  std::vector<TermId> arguments_;
  std::vector<TermId> slots_;  // open addressing, a power of two
};

}  // namespace zermelo::reference
