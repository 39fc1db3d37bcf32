// The sizes given to a family, read and checked.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace zermelo::families {

using Sizes = std::vector<std::string>;

// A size's name as the usage shows it, and the values it may have.
struct Bound {
  std::string_view name;
  int least;
  int most;
};

// One number for each bound, in order; of the last `optional` bounds any number may be missing.
base::Result<std::vector<int>> read_sizes(const Sizes& sizes, std::span<const Bound> bounds,
                                          std::size_t optional = 0);

// Whether the word stands at the end of the sizes; takes it away.
bool take_last(Sizes& sizes, std::string_view word);

// One number within a bound.
base::Result<int> read_size(std::string_view text, const Bound& bound);

tl::unexpected<base::Error> wrong_sizes(std::string message);

}  // namespace zermelo::families
