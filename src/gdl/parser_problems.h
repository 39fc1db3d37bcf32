// Collects syntax problems.
#pragma once

#include <string>
#include <vector>

#include "gdl/diagnostic.h"

namespace zermelo::gdl {

// The syntax problems of one file, up to a limit. Once `full`, nothing more is added and the parser
// should stop.
class Problems {
 public:
  static constexpr std::size_t limit = 100;

  void add(std::string code, base::Span span, std::string message);
  // Drops the problems that start at the offset or after it.
  void drop_from(std::uint32_t offset);
  bool full() const { return list_.size() > limit; }
  // Returns all problems in source order and leaves the list empty.
  std::vector<Diagnostic> take_sorted();

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace zermelo::gdl
