// The tables of names.
#include "solve/common/algorithm.h"

#include <gtest/gtest.h>

namespace zermelo::solve {
namespace {

TEST(AlgorithmNames, EveryNameIsThatOfItsValue) {
  for (const auto& [engine, name] : engines) {
    EXPECT_EQ(name_of(engine), name);
    EXPECT_EQ(engine_named(name), engine);
  }
  for (const auto& [algorithm, name] : algorithms) {
    EXPECT_EQ(name_of(algorithm), name);
    EXPECT_EQ(algorithm_named(name), algorithm);
  }
}

TEST(AlgorithmNames, OtherTextsHaveNoValue) {
  EXPECT_FALSE(engine_named("Symbolic"));
  EXPECT_FALSE(engine_named(""));
  EXPECT_FALSE(algorithm_named("zero_sum"));
  EXPECT_FALSE(algorithm_named("explicit"));
}

TEST(AlgorithmNames, SetAlgorithmsHaveNoLayers) {
  EXPECT_FALSE(is_set_algorithm(Algorithm::automatic));
  EXPECT_FALSE(is_set_algorithm(Algorithm::layered));
  for (const Algorithm algorithm : {Algorithm::cfr_plus, Algorithm::sequence_form}) {
    EXPECT_FALSE(is_set_algorithm(algorithm));
    EXPECT_TRUE(is_hidden_algorithm(algorithm));
  }
  for (const Algorithm algorithm :
       {Algorithm::retrograde, Algorithm::matrix, Algorithm::partition, Algorithm::zero_sum}) {
    EXPECT_TRUE(is_set_algorithm(algorithm));
    EXPECT_FALSE(is_hidden_algorithm(algorithm));
  }
}

}  // namespace
}  // namespace zermelo::solve
