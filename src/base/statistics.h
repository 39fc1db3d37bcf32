// Means with 95% confidence intervals.
#pragma once

#include <cstdint>
#include <span>

namespace zermelo::base {

struct Interval {
  double mean = 0;
  double half_width = 0;
  double middle = mean;  // the centre of the interval

  double low() const { return middle - half_width; }
  double high() const { return middle + half_width; }
};

// The 97.5% quantile of Student's t distribution. Requires degrees >= 1.
double student_t_95(unsigned degrees);
// The half width is 0 for fewer than two values.
Interval confidence_95(std::span<const double> values);
// Wilson's interval for the probability of success. It has a positive width even if all or none of
// the trials succeeded, and is [0, 1] if there were no trials. It is not symmetric around the mean.
Interval share_95(std::uint64_t successes, std::uint64_t trials);

}  // namespace zermelo::base
