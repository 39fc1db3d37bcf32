// Parses and checks the sizes of a family.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace zermelo::families {

using Sizes = std::vector<std::string>;

// The name of a size as shown in the usage, and its range.
struct Bound {
  std::string_view name;
  int least;
  int most;
};

// Returns one number per bound, in order. Any number of the last `optional` sizes may be missing.
base::Result<std::vector<int>> read_sizes(const Sizes& sizes, std::span<const Bound> bounds,
                                          std::size_t optional = 0);

// Removes the word from the end of the sizes. Returns false if it is not there.
bool take_last(Sizes& sizes, std::string_view word);

// Parses one number within a bound.
base::Result<int> read_size(std::string_view text, const Bound& bound);

tl::unexpected<base::Error> wrong_sizes(std::string message);

}  // namespace zermelo::families
