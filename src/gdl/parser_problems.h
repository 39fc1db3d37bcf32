// Syntax problems as they are met.
#pragma once

#include <string>
#include <vector>

#include "gdl/diagnostic.h"

namespace zermelo::gdl {

// The syntax problems of one file, of which a flood is cut short: once `full`, nothing more is
// taken and the parser should stop.
class Problems {
 public:
  static constexpr std::size_t limit = 100;

  void add(std::string code, base::Span span, std::string message);
  // Forgets what begins at an offset or behind it.
  void drop_from(std::uint32_t offset);
  bool full() const { return list_.size() > limit; }
  // All problems in source order.
  std::vector<Diagnostic> take_sorted();

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace zermelo::gdl
