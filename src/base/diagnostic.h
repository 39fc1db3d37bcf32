// What is wrong or suspicious in an input, and where.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"

namespace zermelo::base {

enum class Severity : std::uint8_t { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;  // stable, kebab-case, listed in docs/reference/diagnostics.md or toss.md
  Span span;
  std::string message;  // one sentence: what is wrong and how to fix it
};

bool has_errors(const std::vector<Diagnostic>& diagnostics);

// file:line:column: severity: message [code], the source line, and a caret below the place.
std::string format(const Diagnostic& diagnostic, const Source& source);

}  // namespace zermelo::base
