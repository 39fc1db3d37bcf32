#include "base/statistics.h"

#include <cassert>
#include <cmath>
#include <iterator>

namespace zermelo::base {
namespace {

constexpr double z = 1.959964;  // the 97.5% quantile of the normal distribution

}  // namespace

// A table up to four degrees of freedom, then the Cornish-Fisher expansion around the normal
// distribution, which is accurate to 0.2%.
double student_t_95(unsigned degrees) {
  assert(degrees > 0);
  constexpr double exact[] = {12.7062, 4.30265, 3.18245, 2.77645};
  if (degrees <= std::size(exact)) return exact[degrees - 1];
  constexpr double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  const double n = degrees;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

Interval confidence_95(std::span<const double> values, Range range) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  if (values.size() < 2) return {mean, 0, mean, range};
  const double deviation = std::sqrt(squares / (n - 1));
  const auto degrees = static_cast<unsigned>(values.size() - 1);
  return {mean, student_t_95(degrees) * deviation / std::sqrt(n), mean, range};
}

Interval share_95(std::uint64_t successes, std::uint64_t trials) {
  constexpr Range shares{0, 1};  // against rounding: Wilson's interval is always inside
  if (trials == 0) return {0, 0.5, 0.5, shares};
  const auto n = static_cast<double>(trials);
  const double mean = static_cast<double>(successes) / n;
  const double z2n = z * z / n;
  return {mean, std::sqrt(z2n * (mean * (1 - mean) + z2n / 4)) / (1 + z2n),
          (mean + z2n / 2) / (1 + z2n), shares};
}

}  // namespace zermelo::base
