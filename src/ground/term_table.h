// Interned ground terms: equal terms have equal numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "gdl/rulesheet.h"

namespace zermelo::ground {

using TermId = std::uint32_t;

class TermTable {
 public:
  TermId constant(gdl::Symbol name);
  std::optional<TermId> find_constant(gdl::Symbol name) const;
  TermId function(gdl::Symbol name, std::span<const TermId> arguments);

  gdl::Symbol name(TermId id) const { return entries_[id].name; }
  std::span<const TermId> arguments(TermId id) const {
    return {arguments_.data() + entries_[id].first_argument, entries_[id].arguments};
  }
  std::size_t size() const { return entries_.size(); }

  // Returns the full term.
  gdl::Term term(TermId id) const;

 private:
  struct Entry {
    gdl::Symbol name;
    std::uint32_t first_argument;
    std::uint32_t arguments;
  };

  TermId add(gdl::Symbol name, std::span<const TermId> arguments);

  std::vector<Entry> entries_;
  std::vector<TermId> arguments_;
  std::unordered_map<std::uint32_t, TermId> constants_;
  std::unordered_multimap<std::uint64_t, TermId> functions_;
};

}  // namespace zermelo::ground
