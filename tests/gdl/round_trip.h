// Checks that printed rules parse to the same rules, for tests and the fuzzer.
#pragma once

#include <memory>
#include <string>

#include "gdl/parser.h"
#include "gdl/printer.h"

namespace zermelo::gdl {

// Replaces the symbols of one table by those of another.
class Translation {
 public:
  Translation(const SymbolTable& from, SymbolTable& to) : from_(from), to_(to) {}

  void apply(Term& term) {
    term.name = to_.intern(from_.name(term.name));
    for (Term& argument : term.arguments) apply(argument);
  }

  void apply(Formula& formula) {
    apply(formula.atom);
    for (Formula& child : formula.children) apply(child);
  }

  void apply(Clause& clause) {
    apply(clause.head);
    for (Formula& condition : clause.body) apply(condition);
  }

 private:
  const SymbolTable& from_;
  SymbolTable& to_;
};

// Prints the rules in a syntax and parses them again. Returns a description of the difference, or
// an empty string.
inline std::string round_trip_failure(const Rulesheet& rules, Syntax syntax) {
  const std::string text = print(rules, syntax);
  ParseResult again = parse(std::make_shared<const base::Source>("printed", text));
  if (!again.diagnostics.empty()) return format(again.diagnostics.front(), *again.rulesheet.source);
  if (!rules.clauses.empty() && again.rulesheet.syntax != syntax)
    return "syntax not recognised\n" + text;
  if (again.rulesheet.clauses.size() != rules.clauses.size()) return "number of clauses\n" + text;
  Translation translation(rules.symbols, again.rulesheet.symbols);
  for (std::size_t i = 0; i < rules.clauses.size(); ++i) {
    Clause expected = rules.clauses[i];
    translation.apply(expected);
    if (!(expected == again.rulesheet.clauses[i]))
      return print(expected, again.rulesheet.symbols, syntax);
  }
  if (print(again.rulesheet, syntax) != text) return "layout\n" + text;
  return "";
}

}  // namespace zermelo::gdl
