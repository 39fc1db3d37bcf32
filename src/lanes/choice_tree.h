// Uniform choice among the legal moves of a role, in all lanes at once.
//
// The legal bits are the leaves of a binary tree. Every inner node counts the legal leaves below
// it, with adders over bit-sliced numbers. Given a number below the root's count in every lane, the
// descent finds the leaf: at each level, masks hold the lane's current node and select the left
// child's count, and one comparison gives the direction and the remaining number. This takes about
// 13 operations per leaf and never processes single lanes.
#pragma once

#include <memory>
#include <vector>

#include "lanes/lane_program.h"

namespace zermelo::lanes {

class ChoiceTree {
 public:
  // Emits the counters. Requires at least one leaf.
  ChoiceTree(LaneBuilder& builder, std::vector<Value> leaves);

  // The number of legal leaves, least significant bit first.
  const std::vector<Value>& count() const { return root_->count; }
  // Emits the descent for the lanes of `lanes`. `number` must be below the count and have as many
  // bits. Returns, by leaf, the lanes that chose it.
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
