// Errors and warnings about a rulesheet, with their positions.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"

namespace zermelo::gdl {

enum class Severity : std::uint8_t { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;  // stable, kebab-case, listed in docs/reference/diagnostics.md
  base::Span span;
  std::string message;  // one sentence: what is wrong and how to fix it
};

bool has_errors(const std::vector<Diagnostic>& diagnostics);

// Returns "file:line:column: severity: message [code]", the source line, and a caret line below it.
std::string format(const Diagnostic& diagnostic, const base::Source& source);

}  // namespace zermelo::gdl
