// Means with the interval in which the true mean lies with 95% confidence.
#pragma once

#include <cstdint>
#include <span>

namespace zermelo::base {

struct Interval {
  double mean = 0;
  double half_width = 0;
  double middle = mean;  // of the interval

  double low() const { return middle - half_width; }
  double high() const { return middle + half_width; }
};

// The value that Student's t with so many degrees of freedom (at least 1) exceeds either way in 5%
// of all cases.
double student_t_95(unsigned degrees);
// Without a width for fewer than two values.
Interval confidence_95(std::span<const double> values);
// Of so many trials, each a success or not: Wilson's interval, which has a width also where all or
// none succeeded, and is from 0 to 1 where there were none. It reaches further to the side where
// there is more room.
Interval share_95(std::uint64_t successes, std::uint64_t trials);

}  // namespace zermelo::base
