#include "app/experiments/curves.h"

#include <fmt/format.h>

namespace zermelo::app {

base::Error cancelled_experiment() {
  return {base::ErrorKind::time_limit, "the experiment was cancelled"};
}

std::string csv_cells(const base::Interval& interval) {
  return fmt::format("{:.4f},{:.4f},{:.4f}", interval.mean, interval.low(), interval.high());
}

}  // namespace zermelo::app
