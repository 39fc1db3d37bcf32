// Resources that a construction of diagrams may use. The defaults are: everything in memory, one
// thread, no limit. The options never change a result, only whether and how fast it is reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/limits.h"

namespace zermelo::dd {

struct Options {
  // Checked many times per level; exceeding one ends the operation with that error.
  base::Limits limits;
  unsigned threads = 1;
  // Folder for child arrays, frontiers and results that exceed the sizes below. If empty,
  // everything stays in memory. The files are nameless and disappear with the operation, or with
  // its result.
  std::filesystem::path scratch_folder = {};
  std::size_t children_in_memory = std::numeric_limits<std::size_t>::max();  // bytes
  std::size_t frontier_in_memory = std::numeric_limits<std::size_t>::max();  // bytes
  std::size_t result_in_memory = std::numeric_limits<std::size_t>::max();    // bytes
  // Limit on the pairs in one tuple of an operation with a relation. Beyond it the moves are
  // processed in blocks; a single move may need any number.
  std::size_t longest_tuple = 4096;
};

// For operations that cannot be split. The lengths of tuples have 32 bits.
inline Options any_length(Options options) {
  options.longest_tuple = std::numeric_limits<std::uint32_t>::max();
  return options;
}

// Returns options for operations that should use about `bytes` of memory besides their operands, a
// few bytes per row of two levels and per node of the operands. At most an eighth of it is used for
// results.
inline Options with_scratch(Options options, std::size_t bytes, std::filesystem::path folder) {
  options.scratch_folder = std::move(folder);
  options.children_in_memory = bytes / 8;
  options.frontier_in_memory = bytes / 2;
  options.result_in_memory = bytes / 8;
  return options;
}

}  // namespace zermelo::dd
