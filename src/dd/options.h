// What a construction of diagrams may use. The defaults are: everything in memory, one thread, no
// limit. No choice made here changes a result, only whether and how fast it is reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/limits.h"

namespace zermelo::dd {

struct Options {
  // Looked at many times per level; passing one ends the operation with that error.
  base::Limits limits;
  unsigned threads = 1;
  // Where child arrays, frontiers and results go that exceed the sizes below. Empty: nowhere, all
  // stays in memory. Files there have no name and vanish with the operation, or with its result.
  std::filesystem::path scratch_folder = {};
  std::size_t children_in_memory = std::numeric_limits<std::size_t>::max();  // bytes
  std::size_t frontier_in_memory = std::numeric_limits<std::size_t>::max();  // bytes
  std::size_t result_in_memory = std::numeric_limits<std::size_t>::max();    // bytes
  // Pairs in one tuple of an operation with a relation. Beyond it the moves are taken in blocks; a
  // single move may have any number.
  std::size_t longest_tuple = 4096;
};

// For tuples that cannot be divided. Their lengths have 32 bits.
inline Options any_length(Options options) {
  options.longest_tuple = std::numeric_limits<std::uint32_t>::max();
  return options;
}

// Options for operations that should do with about that much memory beside their operands, a few
// bytes per row of two levels and per node of the operands. Of results at most an eighth of that
// stays in memory.
inline Options with_scratch(Options options, std::size_t bytes, std::filesystem::path folder) {
  options.scratch_folder = std::move(folder);
  options.children_in_memory = bytes / 8;
  options.frontier_in_memory = bytes / 2;
  options.result_in_memory = bytes / 8;
  return options;
}

}  // namespace zermelo::dd
