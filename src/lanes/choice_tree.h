// Uniform choice among the legal moves of a role, in all lanes at once.
//
// The legal bits are the leaves of a binary tree; every inner node counts the legal leaves below
// it, by adders over bit-sliced numbers. Given a number below the root's count in every lane, the
// descent finds the leaf: at each level the lane's node is known by masks, the left child's count
// is selected by them, and one comparison tells which way to go and what is left of the number.
// About 13 operations per leaf, with no lane ever looked at alone.
#pragma once

#include <memory>
#include <vector>

#include "lanes/lane_program.h"

namespace zermelo::lanes {

class ChoiceTree {
 public:
  // Emits the counters. Needs at least one leaf.
  ChoiceTree(LaneBuilder& builder, std::vector<Value> leaves);

  // The number of legal leaves, least significant bit first.
  const std::vector<Value>& count() const { return root_->count; }
  // Emits the descent for a number below the count (as many bits) in the lanes of `lanes`; returns
  // for each leaf the lanes that chose it.
  std::vector<Value> descend(std::vector<Value> number, Value lanes);

 private:
  struct TreeNode {
    std::size_t first, last;  // leaves
    std::vector<Value> count;
    std::unique_ptr<TreeNode> left, right;

    std::size_t leaves() const { return last - first; }
  };
  struct Branch {
    const TreeNode* node;
    Value lanes;
  };

  std::unique_ptr<TreeNode> build(std::size_t first, std::size_t last);
  std::vector<Value> add(const std::vector<Value>& a, const std::vector<Value>& b,
                         std::size_t largest);
  std::vector<Value> left_count(const std::vector<Branch>& places);
  void choose_leaf(const Branch& place, Value lowest_bit, std::vector<Value>& chosen);

  LaneBuilder& builder_;
  std::vector<Value> leaves_;
  std::unique_ptr<TreeNode> root_;
};

}  // namespace zermelo::lanes
