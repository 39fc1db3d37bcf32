#include "gdl/parser_problems.h"

#include <algorithm>

namespace zermelo::gdl {

void Problems::add(std::string code, base::Span span, std::string message) {
  if (full()) return;
  list_.push_back({Severity::error, std::move(code), span, std::move(message)});
  if (list_.size() == limit) {
    list_.push_back(
        {Severity::error, "too-many-problems", span, "too many problems; fix those above first"});
  }
}

void Problems::drop_from(std::uint32_t offset) {
  std::erase_if(list_, [&](const Diagnostic& problem) { return problem.span.begin >= offset; });
}

std::vector<Diagnostic> Problems::take_sorted() {
  const bool cut_short = full();
  std::stable_sort(
      list_.begin(), list_.end() - (cut_short ? 1 : 0),
      [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  return std::move(list_);
}

}  // namespace zermelo::gdl
