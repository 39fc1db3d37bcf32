// Whether rules survive printing and reading, for tests and the fuzzer.
#pragma once

#include <memory>
#include <string>

#include "gdl/parser.h"
#include "gdl/printer.h"

namespace zermelo::gdl {

// The term in the symbols of another table.
inline Term translated(const Term& term, const SymbolTable& from, SymbolTable& to) {
  Term result = term;
  result.name = to.intern(from.name(term.name));
  for (Term& argument : result.arguments) argument = translated(argument, from, to);
  return result;
}

inline Formula translated(const Formula& formula, const SymbolTable& from, SymbolTable& to) {
  Formula result = formula;
  result.atom = translated(formula.atom, from, to);
  for (Formula& child : result.children) child = translated(child, from, to);
  return result;
}

inline Clause translated(const Clause& clause, const SymbolTable& from, SymbolTable& to) {
  Clause result = clause;
  result.head = translated(clause.head, from, to);
  for (Formula& condition : result.body) condition = translated(condition, from, to);
  return result;
}

// What goes wrong when the rules are printed in a syntax and read again; empty if nothing does.
inline std::string round_trip_failure(const Rulesheet& rules, Syntax syntax) {
  const std::string text = print(rules, syntax);
  ParseResult again = parse(std::make_shared<const base::Source>("printed", text));
  if (!again.diagnostics.empty()) return format(again.diagnostics.front(), *again.rulesheet.source);
  if (!rules.clauses.empty() && again.rulesheet.syntax != syntax)
    return "syntax not recognised\n" + text;
  if (again.rulesheet.clauses.size() != rules.clauses.size()) return "number of clauses\n" + text;
  for (std::size_t i = 0; i < rules.clauses.size(); ++i) {
    const Clause expected = translated(rules.clauses[i], rules.symbols, again.rulesheet.symbols);
    if (!(expected == again.rulesheet.clauses[i]))
      return print(expected, again.rulesheet.symbols, syntax);
  }
  if (print(again.rulesheet, syntax) != text) return "layout\n" + text;
  return "";
}

}  // namespace zermelo::gdl
