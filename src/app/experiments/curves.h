// What experiments that measure shares have in common.
#pragma once

#include <string>

#include "base/result.h"
#include "base/statistics.h"

namespace zermelo::app {

// The error of an experiment that is cancelled before its end.
base::Error cancelled_experiment();

// "mean,low,high".
std::string csv_cells(const base::Interval& interval);

}  // namespace zermelo::app
