// Means with 95% confidence intervals.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

namespace zermelo::base {

// What a value can be.
struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
};

// An interval never leaves the range of possible values: what is outside is cut off.
struct Interval {
  double mean = 0;
  double half_width = 0;  // before it is cut
  double middle = mean;   // the centre of the interval before it is cut
  Range range = {};

  double low() const { return std::max(middle - half_width, range.lowest); }
  double high() const { return std::min(middle + half_width, range.highest); }
};

// The 97.5% quantile of Student's t distribution. Requires degrees >= 1.
double student_t_95(unsigned degrees);
// The half width is 0 for fewer than two values.
// Requires values in the range.
Interval confidence_95(std::span<const double> values, Range range = {});
// Wilson's interval for the probability of success. It has a positive width even if all or none of
// the trials succeeded, and is [0, 1] if there were no trials. It is not symmetric around the mean.
Interval share_95(std::uint64_t successes, std::uint64_t trials);

}  // namespace zermelo::base
