// Diagrams of explicitly listed states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dd/diagram.h"
#include "dd/reduce.h"

namespace zermelo::solve {

// Different assignments in lexicographic order, one after another.
class AssignmentTable {
 public:
  explicit AssignmentTable(dd::Domains domains) : domains_(std::move(domains)) {}

  void reserve(std::size_t assignments) { values_.reserve(assignments * domains_.size()); }
  void add(std::span<const dd::Value> assignment);
  // Sorts the assignments. Returns the old index by new index.
  std::vector<std::uint32_t> sort();

  // The diagram that maps each assignment to its constant, and all others to 0. Requires sorted
  // assignments and constants other than 0.
  dd::Diagram diagram(std::span<const dd::NodeId> constants, dd::NodeId number_of_constants,
                      dd::Reduction reduction) const;

 private:
  std::span<const std::uint16_t> operator[](std::size_t i) const {
    return {values_.data() + i * domains_.size(), domains_.size()};
  }
  std::vector<std::uint32_t> common_prefixes() const;

  dd::Domains domains_;
  std::vector<std::uint16_t> values_;
  std::size_t size_ = 0;
};

}  // namespace zermelo::solve
