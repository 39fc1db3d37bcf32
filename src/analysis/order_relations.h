// Binary relations over terms, and the orders among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zermelo::analysis {

// The elements are all terms that occur in a pair.
class BinaryRelation {
 public:
  using Element = std::uint32_t;

  explicit BinaryRelation(const std::vector<std::pair<std::string, std::string>>& pairs);

  std::size_t size() const { return names_.size(); }
  const std::string& name(Element element) const { return names_[element]; }
  std::optional<Element> find(const std::string& name) const;
  const std::vector<std::pair<Element, Element>>& pairs() const { return pairs_; }

  // The rank of each element, from 0, if the relation is a total order: of two different elements,
  // the first is related to the second exactly if its rank is larger. Reflexive pairs are ignored.
  std::optional<std::vector<std::uint32_t>> total_order() const;
  // Whether each element has at most one successor and at most one predecessor, and no element
  // comes after itself: chains of numbers.
  bool is_successor() const;
  // Whether the relations have the same pairs, in the opposite order.
  bool is_inverse_of(const BinaryRelation& other) const;

 private:
  Element intern(const std::string& name);

  std::vector<std::string> names_;
  std::unordered_map<std::string, Element> elements_;
  std::vector<std::pair<Element, Element>> pairs_;  // ascending, without duplicates
};

}  // namespace zermelo::analysis
