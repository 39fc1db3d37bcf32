#include "ground/relation.h"

#include <algorithm>

namespace zermelo::ground {

namespace {

constexpr std::size_t min_table_size = 16;

std::uint64_t mix(std::uint64_t h, TermId term) {
  h = (h ^ term) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 32);
}

std::uint64_t hash(const TermId* row, std::size_t count) {
  std::uint64_t h = 0x243f6a8885a308d3u;
  for (std::size_t i = 0; i < count; ++i) h = mix(h, row[i]);
  return h;
}

// Rows are short, so an inline loop is faster than memcmp.
bool same(const TermId* a, const TermId* b, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

Relation::Relation(std::uint32_t arity)
    : arity_(arity), rows_(min_table_size, no_row), seen_(arity), distinct_(arity, 0) {}

Relation::Added Relation::add(const TermId* row) {
  const std::size_t mask = rows_.size() - 1;
  std::size_t slot = hash(row, arity_) & mask;
  for (; rows_[slot] != no_row; slot = (slot + 1) & mask) {
    if (same(row, this->row(rows_[slot]), arity_)) return {rows_[slot], false};
  }
  const RowId id = size_++;
  rows_[slot] = id;
  count_distinct(row);
  cells_.insert(cells_.end(), row, row + arity_);
  if (std::size_t{size_} * 2 > rows_.size()) grow_rows();
  for (Index& index : indexes_) add_to(index, id);
  return {id, true};
}

RowId Relation::find(const TermId* row) const {
  const std::size_t mask = rows_.size() - 1;
  std::size_t slot = hash(row, arity_) & mask;
  for (; rows_[slot] != no_row; slot = (slot + 1) & mask) {
    if (same(row, this->row(rows_[slot]), arity_)) return rows_[slot];
  }
  return no_row;
}

void Relation::grow_rows() {
  rows_.assign(rows_.size() * 2, no_row);
  const std::size_t mask = rows_.size() - 1;
  for (RowId id = 0; id < size_; ++id) {
    std::size_t slot = hash(row(id), arity_) & mask;
    while (rows_[slot] != no_row) slot = (slot + 1) & mask;
    rows_[slot] = id;
  }
}

void Relation::count_distinct(const TermId* row) {
  for (std::uint32_t c = 0; c < arity_; ++c) {
    std::vector<bool>& seen = seen_[c];
    if (row[c] >= seen.size()) seen.resize(row[c] + 1);
    if (seen[row[c]]) continue;
    seen[row[c]] = true;
    ++distinct_[c];
  }
}

std::uint32_t Relation::index_over(ColumnSet columns) {
  for (std::uint32_t i = 0; i < indexes_.size(); ++i) {
    if (indexes_[i].set == columns) return i;
  }
  Index& index = indexes_.emplace_back();
  index.set = columns;
  for (std::uint32_t c = 0; c < arity_; ++c) {
    if (columns >> c & 1) index.columns.push_back(c);
  }
  index.table.assign(min_table_size, no_row);
  for (RowId id = 0; id < size_; ++id) add_to(index, id);
  return static_cast<std::uint32_t>(indexes_.size() - 1);
}

std::uint64_t Relation::hash_row(RowId id, const std::vector<std::uint32_t>& columns) const {
  std::uint64_t h = 0x243f6a8885a308d3u;
  for (const std::uint32_t c : columns) h = mix(h, row(id)[c]);
  return h;
}

void Relation::add_to(Index& index, RowId id) {
  const std::size_t mask = index.table.size() - 1;
  const auto same_key = [&](RowId other) {
    return std::all_of(index.columns.begin(), index.columns.end(),
                       [&](std::uint32_t c) { return row(other)[c] == row(id)[c]; });
  };
  std::size_t slot = hash_row(id, index.columns) & mask;
  while (index.table[slot] != no_row && !same_key(index.table[slot])) slot = (slot + 1) & mask;
  index.older.push_back(index.table[slot]);
  index.keys += index.table[slot] == no_row;
  index.table[slot] = id;
  if (std::size_t{index.keys} * 2 > index.table.size()) grow(index);
}

void Relation::grow(Index& index) {
  std::vector<RowId> newest = std::move(index.table);
  index.table.assign(newest.size() * 2, no_row);
  const std::size_t mask = index.table.size() - 1;
  for (const RowId id : newest) {
    if (id == no_row) continue;
    std::size_t slot = hash_row(id, index.columns) & mask;
    while (index.table[slot] != no_row) slot = (slot + 1) & mask;
    index.table[slot] = id;
  }
}

RowId Relation::first(std::uint32_t number, const TermId* key) const {
  const Index& index = indexes_[number];
  const std::size_t mask = index.table.size() - 1;
  const auto has_key = [&](RowId id) {
    for (std::size_t i = 0; i < index.columns.size(); ++i) {
      if (row(id)[index.columns[i]] != key[i]) return false;
    }
    return true;
  };
  std::size_t slot = hash(key, index.columns.size()) & mask;
  while (index.table[slot] != no_row && !has_key(index.table[slot])) slot = (slot + 1) & mask;
  return index.table[slot];
}

}  // namespace zermelo::ground
