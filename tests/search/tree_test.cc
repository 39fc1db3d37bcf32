// The edges of nodes in which several decide at once: how they are counted and given up.
#include "search/tree.h"

#include <gtest/gtest.h>

namespace zermelo::search {
namespace {

State numbered(std::size_t number) {
  State state(128);
  state.set(number);
  return state;
}

// Both roles have so many moves.
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
  const std::uint32_t places[] = {2, 3};
  EXPECT_FALSE(Tree::leads_to_node(choices.edge(places)));
  EXPECT_EQ(tree.bytes(), before);
  tree.connect(choices, places, child);
  EXPECT_EQ(choices.edge(places).node, &child);
  const std::size_t after = tree.bytes();
  EXPECT_GE(after, before + sizeof(Edge));
  tree.connect(choices, places, child);
  EXPECT_EQ(tree.bytes(), after);
}

TEST(Tree, JointEdgesAreGivenUpWithTheirNodes) {
  Tree tree;
  Node& root = root_with(tree, 10);
  const std::size_t alone = tree.bytes();
  for (std::uint32_t i = 1; i <= 100; ++i) {
    const std::uint32_t places[] = {(i - 1) / 10, (i - 1) % 10};
    tree.connect(*root.choices, places, *tree.add(numbered(i), nullptr, i).node);
  }
  tree.drop_oldest(&root);
  EXPECT_EQ(tree.nodes(), 51u);
  EXPECT_EQ(root.choices->joint_edges.size(), 50u);
  while (tree.nodes() > 1) tree.drop_oldest(&root);
  EXPECT_TRUE(root.choices->joint_edges.empty());
  EXPECT_EQ(tree.bytes(), alone);
}

}  // namespace
}  // namespace zermelo::search
