// Sets of tuples of elements, all of one width, sorted and each stored once. Relations of
// structures and the tables of evaluation are such sets.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace zermelo::toss {

// An element of a structure, by number.
using Element = std::uint32_t;
using Tuple = std::span<const Element>;

class TupleSet {
 public:
  explicit TupleSet(std::size_t width = 0) : width_(width) {}
  // The tuples one after another; they need be neither sorted nor distinct. Requires width > 0.
  TupleSet(std::size_t width, std::vector<Element> elements);
  // The set of width 0 that contains the empty tuple.
  static TupleSet unit();

  std::size_t width() const { return width_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Tuple operator[](std::size_t i) const { return Tuple(elements_).subspan(i * width_, width_); }

  // The tuples that begin with the prefix: [first, last).
  std::pair<std::size_t, std::size_t> range(Tuple prefix) const;
  bool contains(Tuple tuple) const;

  // The set without and with one more tuple.
  void erase(Tuple tuple);
  void insert(Tuple tuple);

  // Each tuple's elements at the given columns, which may be fewer, reordered or repeated.
  TupleSet project(std::span<const std::size_t> columns) const;
  // Requires the same width.
  TupleSet united(const TupleSet& other) const;
  TupleSet without(const TupleSet& other) const;

  std::size_t hash() const;
  auto operator<=>(const TupleSet&) const = default;

 private:
  std::size_t lower_bound(Tuple prefix) const;

  std::size_t width_ = 0;
  std::size_t size_ = 0;
  std::vector<Element> elements_;
};

}  // namespace zermelo::toss
