#include "toss/tuple_set.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace zermelo::toss {
namespace {

bool less(const Element* a, const Element* b, std::size_t width) {
  return std::lexicographical_compare(a, a + width, b, b + width);
}

bool is_strictly_sorted(const std::vector<Element>& elements, std::size_t width) {
  for (std::size_t at = width; at < elements.size(); at += width) {
    if (!less(&elements[at - width], &elements[at], width)) return false;
  }
  return true;
}

void sort_single(std::vector<Element>& elements) {
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
}

void sort_pairs(std::vector<Element>& elements) {
  std::vector<std::uint64_t> pairs(elements.size() / 2);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = std::uint64_t{elements[2 * i]} << 32 | elements[2 * i + 1];
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  elements.clear();
  for (const std::uint64_t pair : pairs) {
    elements.push_back(static_cast<Element>(pair >> 32));
    elements.push_back(static_cast<Element>(pair));
  }
}

void sort_wide(std::vector<Element>& elements, std::size_t width) {
  std::vector<std::size_t> order(elements.size() / width);
  std::iota(order.begin(), order.end(), 0);
  const auto row = [&](std::size_t i) { return &elements[i * width]; };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return less(row(a), row(b), width); });
  std::vector<Element> sorted;
  sorted.reserve(elements.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && std::equal(row(order[i]), row(order[i]) + width, row(order[i - 1]))) continue;
    sorted.insert(sorted.end(), row(order[i]), row(order[i]) + width);
  }
  elements = std::move(sorted);
}

int compare_prefix(Tuple tuple, Tuple prefix) {
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    if (tuple[i] != prefix[i]) return tuple[i] < prefix[i] ? -1 : 1;
  }
  return 0;
}

}  // namespace

TupleSet::TupleSet(std::size_t width, std::vector<Element> elements)
    : width_(width), elements_(std::move(elements)) {
  assert(width > 0 && elements_.size() % width == 0);
  if (!is_strictly_sorted(elements_, width)) {
    if (width == 1) {
      sort_single(elements_);
    } else if (width == 2) {
      sort_pairs(elements_);
    } else {
      sort_wide(elements_, width);
    }
  }
  size_ = elements_.size() / width;
}

TupleSet TupleSet::unit() {
  TupleSet result(0);
  result.size_ = 1;
  return result;
}

std::size_t TupleSet::lower_bound(Tuple prefix) const {
  std::size_t first = 0, count = size_;
  const bool single = prefix.size() == 1;  // the usual case
  const auto is_before = [&](std::size_t i) {
    return single ? elements_[i * width_] < prefix[0] : compare_prefix((*this)[i], prefix) < 0;
  };
  while (count > 0) {
    const std::size_t half = count / 2;
    if (is_before(first + half)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

std::pair<std::size_t, std::size_t> TupleSet::range(Tuple prefix) const {
  if (prefix.empty()) return {0, size_};
  const std::size_t first = lower_bound(prefix);
  std::size_t last = first;
  while (last < size_ && compare_prefix((*this)[last], prefix) == 0) ++last;
  return {first, last};
}

bool TupleSet::contains(Tuple tuple) const {
  assert(tuple.size() == width_);
  const std::size_t first = lower_bound(tuple);
  return first < size_ && compare_prefix((*this)[first], tuple) == 0;
}

void TupleSet::erase(Tuple tuple) {
  if (!contains(tuple)) return;
  const auto begin = elements_.begin() + static_cast<std::ptrdiff_t>(lower_bound(tuple) * width_);
  elements_.erase(begin, begin + static_cast<std::ptrdiff_t>(width_));
  --size_;
}

void TupleSet::insert(Tuple tuple) {
  if (contains(tuple)) return;
  const std::vector<Element> copy(tuple.begin(), tuple.end());
  elements_.insert(elements_.begin() + static_cast<std::ptrdiff_t>(lower_bound(tuple) * width_),
                   copy.begin(), copy.end());
  ++size_;
}

TupleSet TupleSet::project(std::span<const std::size_t> columns) const {
  if (columns.empty()) return empty() ? TupleSet(0) : unit();
  std::vector<Element> elements;
  elements.reserve(size_ * columns.size());
  for (std::size_t i = 0; i < size_; ++i) {
    for (const std::size_t column : columns) elements.push_back((*this)[i][column]);
  }
  return TupleSet(columns.size(), std::move(elements));
}

TupleSet TupleSet::united(const TupleSet& other) const {
  assert(width_ == other.width_);
  if (other.empty()) return *this;
  if (empty() || width_ == 0) return other;
  std::vector<Element> all = elements_;
  all.insert(all.end(), other.elements_.begin(), other.elements_.end());
  return TupleSet(width_, std::move(all));
}

TupleSet TupleSet::without(const TupleSet& other) const {
  assert(width_ == other.width_);
  if (width_ == 0) return other.empty() ? *this : TupleSet(0);
  std::vector<Element> rest;
  for (std::size_t i = 0; i < size_; ++i) {
    const Tuple tuple = (*this)[i];
    if (!other.contains(tuple)) rest.insert(rest.end(), tuple.begin(), tuple.end());
  }
  return TupleSet(width_, std::move(rest));
}

std::size_t TupleSet::hash() const {
  std::uint64_t h = size_ * 0x9e3779b97f4a7c15u + width_;
  for (const Element element : elements_) {
    h = (h ^ element) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace zermelo::toss
