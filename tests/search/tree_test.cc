// Nodes and edges: how they are counted and evicted.
#include "search/tree.h"

#include <gtest/gtest.h>

namespace zermelo::search {
namespace {

State numbered(std::size_t number) {
  State state(128);
  state.set(number);
  return state;
}

// Both roles have that many moves.
Node& root_with(Tree& tree, std::uint32_t moves) {
  Node& root = *tree.add(numbered(0), nullptr, 100).node;
  root.choices = std::make_unique<Choices>();
  root.choices->first = {0, moves, 2 * moves};
  root.choices->moves.resize(2 * moves);
  tree.count_choices(*root.choices);
  return root;
}

TEST(Tree, JointEdgesAreCountedWhenMade) {
  Tree tree;
  Choices& choices = *root_with(tree, 4).choices;
  Node& child = *tree.add(numbered(1), nullptr, 1).node;
  const std::size_t before = tree.bytes();
  const std::uint32_t indices[] = {2, 3};
  EXPECT_FALSE(Tree::leads_to_node(choices.edge(indices)));
  EXPECT_EQ(tree.bytes(), before);
  tree.connect(choices, indices, child);
  EXPECT_EQ(choices.edge(indices).node, &child);
  const std::size_t after = tree.bytes();
  EXPECT_GE(after, before + sizeof(Edge));
  tree.connect(choices, indices, child);
  EXPECT_EQ(tree.bytes(), after);
}

TEST(Tree, JointEdgesAreEvictedWithTheirNodes) {
  Tree tree;
  Node& root = root_with(tree, 10);
  for (std::uint32_t i = 1; i <= 100; ++i) {
    const std::uint32_t indices[] = {(i - 1) / 10, (i - 1) % 10};
    tree.connect(*root.choices, indices, *tree.add(numbered(i), nullptr, i).node);
  }
  const std::size_t full = tree.bytes();
  while (tree.nodes() > 1) tree.evict_oldest(&root);
  for (std::size_t part = tree.parts(); part > 0; --part) tree.evict_oldest(&root);
  EXPECT_TRUE(root.choices->joint_edges.empty());
  EXPECT_LT(tree.bytes(), full);
  for (std::uint32_t i = 1; i <= 100; ++i) {
    const std::uint32_t indices[] = {(i - 1) / 10, (i - 1) % 10};
    tree.connect(*root.choices, indices, *tree.add(numbered(i), nullptr, i).node);
  }
  EXPECT_EQ(tree.bytes(), full);
}

// One call covers one part, and parts() calls cover the tree; the last visited nodes remain.
TEST(Tree, TheOldestNodesAreEvictedPartByPart) {
  constexpr std::uint32_t count = 20'000;
  Tree tree;
  Node& root = *tree.add(State(128), nullptr, 0).node;
  for (std::uint32_t i = 1; i < count; ++i) {
    State state(count);
    state.set(i);
    tree.add(state, nullptr, i);
  }
  tree.evict_oldest(&root);
  EXPECT_GT(tree.nodes(), count - 2'000);
  EXPECT_LT(tree.nodes(), count);
  for (std::size_t part = 1; part < tree.parts(); ++part) tree.evict_oldest(&root);
  EXPECT_NEAR(static_cast<double>(tree.nodes()), count / 2, count / 10);
  State last(count), first(count);
  last.set(count - 1);
  first.set(1);
  EXPECT_NE(tree.find(last), nullptr);
  EXPECT_EQ(tree.find(first), nullptr);
  EXPECT_EQ(tree.find(State(128)), &root);
}

}  // namespace
}  // namespace zermelo::search
