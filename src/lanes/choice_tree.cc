#include "lanes/choice_tree.h"

#include <algorithm>
#include <bit>

namespace zermelo::lanes {

ChoiceTree::ChoiceTree(LaneBuilder& builder, std::vector<Value> leaves)
    : builder_(builder), leaves_(std::move(leaves)), root_(build(0, leaves_.size())) {}

// The size of the left part is a power of two, so that its counts have the fewest bits.
std::unique_ptr<ChoiceTree::TreeNode> ChoiceTree::build(std::size_t first, std::size_t last) {
  auto node = std::make_unique<TreeNode>();
  node->first = first;
  node->last = last;
  if (last - first == 1) {
    node->count = {leaves_[first]};
    return node;
  }
  const std::size_t middle = first + std::bit_floor(last - first - 1);
  node->left = build(first, middle);
  node->right = build(middle, last);
  node->count = add(node->left->count, node->right->count, last - first);
  return node;
}

// The sum of two numbers, which is known to be at most `largest`.
std::vector<Value> ChoiceTree::add(const std::vector<Value>& a, const std::vector<Value>& b,
                                   std::size_t largest) {
  std::vector<Value> sum;
  Value carry = builder_.zero();
  for (std::size_t bit = 0; bit < static_cast<std::size_t>(std::bit_width(largest)); ++bit) {
    const Value x = bit < a.size() ? a[bit] : builder_.zero();
    const Value y = bit < b.size() ? b[bit] : builder_.zero();
    const Value either = builder_.xor_(x, y);
    sum.push_back(builder_.xor_(either, carry));
    const bool is_last = bit + 1 == static_cast<std::size_t>(std::bit_width(largest));
    if (!is_last) carry = builder_.or_(builder_.and_(x, y), builder_.and_(either, carry));
  }
  return sum;
}

std::vector<Value> ChoiceTree::descend(std::vector<Value> number, Value lanes) {
  std::vector<Value> chosen(leaves_.size());
  std::vector<Branch> level{{root_.get(), lanes}};
  while (!level.empty()) {
    std::vector<Branch> inner;
    for (const Branch& place : level) {
      if (place.node->leaves() > 2) {
        inner.push_back(place);
      } else {
        choose_leaf(place, number[0], chosen);
      }
    }
    level.clear();
    if (inner.empty()) break;

    const std::vector<Value> left = left_count(inner);
    std::vector<Value> difference;
    Value borrow = builder_.zero();
    for (std::size_t bit = 0; bit < number.size(); ++bit) {
      const Value y = bit < left.size() ? left[bit] : builder_.zero();
      const Value either = builder_.xor_(number[bit], y);
      difference.push_back(builder_.xor_(either, borrow));
      borrow = builder_.or_(builder_.and_not(number[bit], y), builder_.and_not(either, borrow));
    }
    const Value goes_left = borrow;
    std::size_t largest = 1;
    for (const Branch& place : inner) {
      level.push_back({place.node->left.get(), builder_.and_(place.lanes, goes_left)});
      level.push_back({place.node->right.get(), builder_.and_not(goes_left, place.lanes)});
      largest = std::max({largest, place.node->left->leaves(), place.node->right->leaves()});
    }
    const std::size_t bits =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(largest - 1)));
    std::vector<Value> rest;
    for (std::size_t bit = 0; bit < std::min(bits, number.size()); ++bit) {
      rest.push_back(builder_.choose(goes_left, number[bit], difference[bit]));
    }
    number = std::move(rest);
  }
  return chosen;
}

void ChoiceTree::choose_leaf(const Branch& place, Value lowest_bit, std::vector<Value>& chosen) {
  const std::size_t first = place.node->first;
  if (place.node->leaves() == 1) {
    chosen[first] = place.lanes;
    return;
  }
  chosen[first] = builder_.and_(builder_.and_not(lowest_bit, leaves_[first]), place.lanes);
  chosen[first + 1] = builder_.and_not(chosen[first], place.lanes);
}

// By lane, the count of the left child of its current node.
std::vector<Value> ChoiceTree::left_count(const std::vector<Branch>& places) {
  std::vector<Value> result;
  for (const Branch& place : places) {
    const std::vector<Value>& count = place.node->left->count;
    if (result.size() < count.size()) result.resize(count.size(), builder_.zero());
    for (std::size_t bit = 0; bit < count.size(); ++bit) {
      const Value selected =
          places.size() == 1 ? count[bit] : builder_.and_(place.lanes, count[bit]);
      result[bit] = builder_.or_(result[bit], selected);
    }
  }
  return result;
}

}  // namespace zermelo::lanes
