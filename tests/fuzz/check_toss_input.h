// What must hold for any bytes read as a .toss file, for the fuzzer and for replaying its inputs.
#pragma once

#include <string>

#include "toss/parser.h"
#include "toss/printer.h"

namespace zermelo::toss {

// Reads, prints in both dialects and reads again. Returns what is wrong with us, or nothing.
inline std::string check_input(std::string bytes) {
  const base::Source source("input", std::move(bytes));
  const ParseResult parsed = parse(source);
  for (const base::Diagnostic& diagnostic : parsed.diagnostics) {
    const base::Span span = diagnostic.span;
    if (span.begin > span.end || span.end > source.text().size()) return "a place outside the text";
    if (base::format(diagnostic, source).empty()) return "a diagnostic that cannot be shown";
  }
  if (base::has_errors(parsed.diagnostics)) return "";
  Game expected = parsed.game;
  for (const Dialect dialect : {Dialect::start, Dialect::paper}) {
    const base::Source printed("printed", print(parsed.game, dialect));
    const ParseResult again = parse(printed);
    if (dialect == Dialect::paper) expected.model.reset();
    if (base::has_errors(again.diagnostics)) {
      return "not readable: " + base::format(again.diagnostics.front(), printed);
    }
    if (!same(expected, again.game)) return "another game when read back";
  }
  return "";
}

}  // namespace zermelo::toss
