#include "eval/fuzzy_logic.h"

#include <algorithm>
#include <cmath>

namespace zermelo::eval {

float FuzzyLogic::all_of(std::span<const float> degrees) const {
  if (norm == Norm::product) {
    float product = 1;
    for (const float degree : degrees) product *= degree;
    return product;
  }
  float sum = 0;
  for (const float degree : degrees) sum += std::pow(1 - degree, yager_p);
  return std::max(0.0f, 1 - std::pow(sum, 1 / yager_p));
}

float FuzzyLogic::any_of(std::span<const float> degrees) const {
  if (norm == Norm::product) {
    float product = 1;
    for (const float degree : degrees) product *= 1 - degree;
    return 1 - product;
  }
  float sum = 0;
  for (const float degree : degrees) sum += std::pow(degree, yager_p);
  return std::min(1.0f, std::pow(sum, 1 / yager_p));
}

std::vector<float> FuzzyLogic::generalized_or(std::size_t instances) const {
  std::vector<float> result;
  for (std::size_t solutions = 0; solutions <= instances; ++solutions) {
    const auto hold = static_cast<float>(solutions),
               fail = static_cast<float>(instances - solutions);
    if (norm == Norm::product) {
      result.push_back(1 - std::pow(1 - holds, hold) * std::pow(1 - fails, fail));
    } else {
      const float sum = hold * std::pow(holds, yager_p) + fail * std::pow(fails, yager_p);
      result.push_back(std::min(1.0f, std::pow(sum, 1 / yager_p)));
    }
  }
  return result;
}

}  // namespace zermelo::eval
