#include "gdl/parser.h"

#include "gdl/parser_core.h"

namespace zermelo::gdl {

ParseResult parse(std::shared_ptr<const base::Source> source, const base::Limits& limits) {
  ParseResult result;
  Problems problems;
  base::LimitedSteps steps(limits, "reading the rules");
  result.rulesheet.syntax = recognise_syntax(source->text());
  result.rulesheet.source = std::move(source);
  if (result.rulesheet.syntax == Syntax::prefix) {
    PrefixParser(result.rulesheet, problems, steps).run();
  } else {
    InfixParser(result.rulesheet, problems, steps).run();
  }
  result.diagnostics = problems.take_sorted();
  return result;
}

}  // namespace zermelo::gdl
