// Builds the levels from the last variable to the first. At each level, the assignments that agree
// in all variables above it are adjacent and form one row; equal rows become one node. The length
// of the common prefix of adjacent assignments, computed once, shows where rows begin.

#include "solve/explicit/table_diagram.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <unordered_map>

#include "dd/codes.h"

namespace zermelo::solve {
namespace {

using dd::NodeId;

// The rows of one level, each once.
class LevelBuilder {
 public:
  LevelBuilder(dd::Value values, NodeId base, dd::Reduction reduction)
      : values_(values), reduction_(reduction), base_(base) {}

  NodeId node(const std::vector<NodeId>& row) {
    if (const NodeId same = only_child(row); same != none) return same;
    const std::uint64_t hash = dd::hash_words(row.data(), row.size());
    const auto [begin, end] = known_.equal_range(hash);
    for (auto entry = begin; entry != end; ++entry) {
      const NodeId* at = &rows_[std::size_t{entry->second} * values_];
      if (std::equal(row.begin(), row.end(), at)) return base_ + entry->second;
    }
    const auto place = static_cast<NodeId>(rows_.size() / values_);
    known_.emplace(hash, place);
    rows_.insert(rows_.end(), row.begin(), row.end());
    return base_ + place;
  }
  NodeId next_id() const { return base_ + static_cast<NodeId>(rows_.size() / values_); }
  dd::Diagram::Level take() { return {base_, std::move(rows_)}; }

 private:
  static constexpr NodeId none = ~NodeId{0};

  // The child that replaces the whole row, if there is one.
  NodeId only_child(const std::vector<NodeId>& row) const {
    NodeId same = none;
    for (const NodeId child : row) {
      if (child == 0 && reduction_ == dd::Reduction::dont_care) continue;
      if (same != none && child != same) return none;
      same = child;
    }
    return same;
  }

  dd::Value values_;
  dd::Reduction reduction_;
  NodeId base_;
  std::vector<NodeId> rows_;
  std::unordered_multimap<std::uint64_t, NodeId> known_;
};

}  // namespace

void AssignmentTable::add(std::span<const dd::Value> assignment) {
  assert(assignment.size() == domains_.size());
  for (const dd::Value value : assignment) {
    assert(value <= 0xffff);
    values_.push_back(static_cast<std::uint16_t>(value));
  }
  ++size_;
}

std::vector<std::uint32_t> AssignmentTable::sort() {
  std::vector<std::uint32_t> order(size_);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare((*this)[a].begin(), (*this)[a].end(), (*this)[b].begin(),
                                        (*this)[b].end());
  });
  std::vector<std::uint16_t> sorted;
  sorted.reserve(values_.size());
  for (const std::uint32_t i : order) {
    sorted.insert(sorted.end(), (*this)[i].begin(), (*this)[i].end());
  }
  values_ = std::move(sorted);
  return order;
}

std::vector<std::uint32_t> AssignmentTable::common_prefixes() const {
  std::vector<std::uint32_t> prefixes(size_);
  for (std::size_t i = 1; i < size_; ++i) {
    const auto before = (*this)[i - 1], here = (*this)[i];
    const auto differ = std::mismatch(before.begin(), before.end(), here.begin());
    prefixes[i] = static_cast<std::uint32_t>(differ.first - before.begin());
  }
  return prefixes;
}

dd::Diagram AssignmentTable::diagram(std::span<const NodeId> constants, NodeId number_of_constants,
                                     dd::Reduction reduction) const {
  if (size_ == 0) return dd::Diagram::constant(domains_, number_of_constants, 0);
  const std::vector<std::uint32_t> prefixes = common_prefixes();
  std::vector<std::uint32_t> group(size_);  // the first assignment of each group at this level
  std::iota(group.begin(), group.end(), 0u);
  std::vector<NodeId> ids(constants.begin(), constants.end());
  std::vector<dd::Diagram::Level> levels(domains_.size());
  std::vector<NodeId> row;
  NodeId base = number_of_constants;
  for (std::size_t l = domains_.size(); l-- > 0;) {
    LevelBuilder builder(domains_[l], base, reduction);
    std::size_t groups = 0;
    for (std::size_t i = 0; i < group.size();) {
      row.assign(domains_[l], 0);
      const std::uint32_t first = group[i];
      do {
        row[(*this)[group[i]][l]] = ids[i];
        ++i;
      } while (i < group.size() && prefixes[group[i]] >= l);
      group[groups] = first;
      ids[groups++] = builder.node(row);
    }
    group.resize(groups);
    ids.resize(groups);
    base = builder.next_id();
    levels[l] = builder.take();
  }
  return dd::Diagram(domains_, number_of_constants, std::move(levels), ids.front());
}

}  // namespace zermelo::solve
