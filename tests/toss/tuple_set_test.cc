#include "toss/tuple_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"

namespace zermelo::toss {
namespace {

std::set<std::vector<Element>> plain(const TupleSet& tuples) {
  std::set<std::vector<Element>> result;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    result.emplace(tuples[i].begin(), tuples[i].end());
  }
  return result;
}

// Against std::set, in all widths that are sorted differently.
TEST(TupleSetTwins, BehaveAsSets) {
  base::Random random(3);
  for (std::size_t width = 1; width <= 4; ++width) {
    for (int round = 0; round < 50; ++round) {
      std::set<std::vector<Element>> expected;
      std::vector<Element> flat;
      for (std::uint32_t i = random.below(20); i > 0; --i) {
        std::vector<Element> tuple;
        for (std::size_t c = 0; c < width; ++c) tuple.push_back(random.below(3));
        flat.insert(flat.end(), tuple.begin(), tuple.end());
        expected.insert(tuple);
      }
      TupleSet tuples(width, flat);
      EXPECT_EQ(plain(tuples), expected);
      EXPECT_EQ(tuples.size(), expected.size());
      const std::vector<Element> one(width, 1);
      EXPECT_EQ(tuples.contains(one), expected.count(one) > 0);
      const auto [first, last] = tuples.range(Tuple(one).first(1));
      const auto begins_with_one = [](const auto& tuple) { return tuple[0] == 1; };
      EXPECT_EQ(static_cast<std::ptrdiff_t>(last - first),
                std::count_if(expected.begin(), expected.end(), begins_with_one));
      const TupleSet other(width, one);
      EXPECT_EQ(tuples.without(other).size() + (tuples.contains(one) ? 1 : 0), tuples.size());
      tuples.insert(one);
      expected.insert(one);
      EXPECT_EQ(plain(tuples), expected);
      EXPECT_EQ(tuples, tuples.united(other));
      tuples.erase(one);
      expected.erase(one);
      EXPECT_EQ(plain(tuples), expected);
    }
  }
}

TEST(TupleSet, HasTwoSetsOfWidthZero) {
  EXPECT_TRUE(TupleSet(0).empty());
  EXPECT_EQ(TupleSet::unit().size(), 1u);
  EXPECT_TRUE(TupleSet::unit().contains({}));
  EXPECT_EQ(TupleSet(2, {1, 2, 3, 4}).project({}), TupleSet::unit());
  TupleSet none = TupleSet::unit();
  none.erase({});
  EXPECT_EQ(none, TupleSet(0));
}

TEST(TupleSet, ProjectsAndReordersColumns) {
  const TupleSet tuples(3, {1, 2, 3, 1, 5, 3});
  const std::size_t swapped[] = {2, 0};
  EXPECT_EQ(tuples.project(swapped), TupleSet(2, {3, 1}));
}

}  // namespace
}  // namespace zermelo::toss
