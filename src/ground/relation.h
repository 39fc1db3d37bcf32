// A set of rows of terms in insertion order, with hash indexes over any columns. Rows are never
// removed, so row numbers and index chains stay valid while rows are added.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/term_table.h"

namespace zermelo::ground {

using RowId = std::uint32_t;
inline constexpr RowId no_row = ~RowId{0};

// A set of columns as a bit mask.
using ColumnSet = std::uint64_t;
inline constexpr std::uint32_t max_columns = 64;

class Relation {
 public:
  explicit Relation(std::uint32_t arity);

  std::uint32_t arity() const { return arity_; }
  RowId size() const { return size_; }
  // Valid until the next row is added.
  const TermId* row(RowId id) const { return cells_.data() + std::size_t{id} * arity_; }

  struct Added {
    RowId row;
    bool is_new;
  };
  Added add(const TermId* row);
  RowId find(const TermId* row) const;
  // The number of distinct terms in a column.
  std::uint32_t distinct(std::uint32_t column) const { return distinct_[column]; }

  // True if the column contains the term.
  bool holds(std::uint32_t column, TermId term) const {
    return term < seen_[column].size() && seen_[column][term];
  }

  // Returns the number of the index over the columns. Creates it if it does not exist.
  std::uint32_t index_over(ColumnSet columns);
  // `first` returns the newest row with the given key (one term per column of the index,
  // ascending). `older` returns the next older row with the same key. Both return no_row if there
  // is none.
  RowId first(std::uint32_t index, const TermId* key) const;
  RowId older(std::uint32_t index, RowId row) const { return indexes_[index].older[row]; }

 private:
  struct Index {
    ColumnSet set;
    std::vector<std::uint32_t> columns;
    std::vector<RowId> table;  // open addressing, the newest row of each key
    std::uint32_t keys = 0;
    std::vector<RowId> older;
  };

  std::uint64_t hash_row(RowId id, const std::vector<std::uint32_t>& columns) const;
  void add_to(Index& index, RowId id);
  void grow(Index& index);
  void grow_rows();
  void count_distinct(const TermId* row);

  std::uint32_t arity_;
  RowId size_ = 0;
  std::vector<TermId> cells_;
  std::vector<RowId> rows_;  // open addressing over whole rows
  std::vector<Index> indexes_;
  std::vector<std::vector<bool>> seen_;  // by column, by term
  std::vector<std::uint32_t> distinct_;
};

}  // namespace zermelo::ground
