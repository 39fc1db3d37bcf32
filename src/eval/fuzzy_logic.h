// Degrees of truth from 0 to 1 and their connectives.
//
// `product` is the logic of the papers: a conjunction is the product of its parts, and a
// disjunction is their probabilistic sum. `yager` is the family of Yager with the parameter p:
//
//   a and b = max(0, 1 - ((1 - a)^p + (1 - b)^p)^(1/p))
//   a or b  = min(1, (a^p + b^p)^(1/p))
//
// A negation is 1 - a in both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::eval {

struct FuzzyLogic {
  enum class Norm : std::uint8_t { product, yager };

  Norm norm = Norm::product;
  float yager_p = 2;

  // What a fluent is worth that holds, or does not. With 1 and 0 the logic is that of the rules.
  float holds = 0.9f, fails = 0.1f;

  float all_of(std::span<const float> degrees) const;
  float any_of(std::span<const float> degrees) const;

  // By the number of solutions, from 0 to `instances`: the disjunction of all instances, of which
  // the solutions hold and the others do not.
  std::vector<float> generalized_or(std::size_t instances) const;
};

}  // namespace zermelo::eval
