#include "analysis/order_relations.h"

#include <algorithm>

namespace zermelo::analysis {

BinaryRelation::BinaryRelation(const std::vector<std::pair<std::string, std::string>>& pairs) {
  for (const auto& [first, second] : pairs) {
    const Element a = intern(first), b = intern(second);
    pairs_.emplace_back(a, b);
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

BinaryRelation::Element BinaryRelation::intern(const std::string& name) {
  const auto [entry, is_new] = elements_.try_emplace(name, static_cast<Element>(names_.size()));
  if (is_new) names_.push_back(name);
  return entry->second;
}

std::optional<BinaryRelation::Element> BinaryRelation::find(const std::string& name) const {
  const auto found = elements_.find(name);
  return found == elements_.end() ? std::nullopt : std::optional(found->second);
}

// In a total order, an element's rank is the number of elements that it is related to. The other
// direction: the ranks are 0, 1, 2, ..., and there are as many pairs as pairs of elements, each
// from a larger rank to a smaller one.
std::optional<std::vector<std::uint32_t>> BinaryRelation::total_order() const {
  std::vector<std::uint32_t> ranks(size());
  std::size_t pairs = 0;
  for (const auto& [a, b] : pairs_) {
    if (a == b) continue;
    ++ranks[a];
    ++pairs;
  }
  if (size() < 2 || pairs != size() * (size() - 1) / 2) return std::nullopt;
  for (const auto& [a, b] : pairs_) {
    if (a != b && ranks[a] <= ranks[b]) return std::nullopt;
  }
  return ranks;
}

bool BinaryRelation::is_inverse_of(const BinaryRelation& other) const {
  if (pairs_.size() != other.pairs_.size() || size() != other.size()) return false;
  return std::all_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) {
    const auto a = other.find(names_[pair.second]), b = other.find(names_[pair.first]);
    return a && b &&
           std::binary_search(other.pairs_.begin(), other.pairs_.end(), std::pair(*a, *b));
  });
}

bool BinaryRelation::is_successor() const {
  constexpr Element none = ~Element{0};
  std::vector<Element> successor(size(), none), predecessor(size(), none);
  for (const auto& [a, b] : pairs_) {
    if (a == b || successor[a] != none || predecessor[b] != none) return false;
    successor[a] = b;
    predecessor[b] = a;
  }
  // Chains start at elements without a predecessor; what they do not reach is a cycle.
  std::size_t reached = 0;
  for (Element start = 0; start < size(); ++start) {
    if (predecessor[start] != none) continue;
    for (Element element = start; element != none; element = successor[element]) ++reached;
  }
  return size() > 0 && reached == size();
}

}  // namespace zermelo::analysis
