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
  // Puts the assignments in order; returns by new place the old one.
  std::vector<std::uint32_t> sort();

  // By assignment its constant, 0 for all that are not listed. Requires the order, and a constant
  // other than 0 for each.
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
