// Measured shares as cells of a CSV file.
#pragma once

#include <string>

#include "base/statistics.h"

namespace zermelo::app {

// "mean,low,high".
std::string csv_cells(const base::Interval& interval);

}  // namespace zermelo::app
