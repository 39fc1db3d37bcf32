// The properties that must hold for any input, for the fuzzer and for replaying its inputs.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "gdl/round_trip.h"
#include "gdl/validity.h"

namespace zermelo::gdl {

// True if every diagnostic lies in the text and can be formatted.
inline bool is_well_placed(const std::vector<Diagnostic>& diagnostics, const base::Source& source) {
  return std::all_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& diagnostic) {
    const bool inside =
        diagnostic.span.begin <= diagnostic.span.end && diagnostic.span.end <= source.text().size();
    return inside && !format(diagnostic, source).empty();
  });
}

// Parses, checks, prints and parses again. Returns a description of the failure, or an empty
// string.
inline std::string check_input(std::string bytes) {
  const auto source = std::make_shared<const base::Source>("input", std::move(bytes));
  const ParseResult parsed = parse(source);
  if (!is_well_placed(parsed.diagnostics, *source)) return "a syntax problem lies outside the text";
  if (!is_well_placed(check_validity(parsed.rulesheet), *source))
    return "a validity problem lies outside the text";
  if (has_errors(parsed.diagnostics)) return "";
  return round_trip_failure(parsed.rulesheet, Syntax::prefix) +
         round_trip_failure(parsed.rulesheet, Syntax::infix);
}

}  // namespace zermelo::gdl
