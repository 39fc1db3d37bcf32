// Sets of pairs of a relation's node and a diagram's node, as sorted words: the tuples of the
// operations with relations. A word has 32 bits if that is enough for both, else 64.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "dd/diagram.h"
#include "dd/relation.h"

namespace zermelo::dd {

struct PairFormat {
  unsigned shift;  // the relation's node is in the upper bits
  bool short_words;

  static PairFormat of(const Relation& relation, const Diagram& diagram) {
    const auto shift = static_cast<unsigned>(std::bit_width(diagram.ids() - 1));
    const auto above = static_cast<unsigned>(std::bit_width(relation.widest() - 1));
    return {shift, shift + above <= 32 && shift < 32};
  }
};

template <class PairWord>
class Pairs {
 public:
  explicit Pairs(PairFormat format)
      : shift_(format.shift), mask_((PairWord{1} << format.shift) - 1) {}

  PairWord pair(NodeId relation_node, NodeId node) const {
    return (static_cast<PairWord>(relation_node) << shift_) | node;
  }
  NodeId relation_node(PairWord pair) const { return static_cast<NodeId>(pair >> shift_); }
  NodeId node(PairWord pair) const { return static_cast<NodeId>(pair & mask_); }

 private:
  unsigned shift_;
  PairWord mask_;
};

// Sorts words and removes duplicates; returns the new end. Most sets have only a few words.
template <class Word>
Word* sort_unique(Word* begin, Word* end) {
  constexpr std::ptrdiff_t few = 24;
  if (end - begin < 2) return end;
  if (end - begin > few) {
    std::sort(begin, end);
  } else {
    for (Word* i = begin + 1; i < end; ++i) {
      const Word word = *i;
      Word* j = i;
      for (; j > begin && j[-1] > word; --j) *j = j[-1];
      *j = word;
    }
  }
  return std::unique(begin, end);
}

// Writes the pairs of the next level if no pair depends on the variable of this level, else returns
// false. The order of node numbers is preserved, so a sorted set stays sorted.
template <class Word>
bool pass_by(const Pairs<Word>& format, const Relation::Level& level, NodeId base,
             std::span<const Word> pairs, Word* words) {
  for (const Word pair : pairs) {
    const NodeId relation_node = format.relation_node(pair), node = format.node(pair);
    if (node >= base || !level.is_identity(relation_node)) return false;
    *words++ = format.pair(level.after_identity(relation_node), node);
  }
  return true;
}

// Calls follow(relation node, diagram node) for each successor of a pair if the variable of the
// level has that value on that side. child(value) is the diagram's next node.
template <class Child, class Follow>
void for_each_step(const Relation::Level& level, Relation::Side side, NodeId relation_node,
                   Value value, Child child, Follow follow) {
  if (level.is_identity(relation_node)) {
    follow(level.after_identity(relation_node), child(value));
    return;
  }
  for (const Relation::Step& step : level.steps(side, relation_node, value)) {
    follow(step.target, child(step.value));
  }
}

}  // namespace zermelo::dd
