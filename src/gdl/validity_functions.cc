// Declarations of computed functions, and the places in which functions are allowed.
//
// A function can make new numbers, so a recursive predicate that uses one may have infinitely many
// instances. Rules of recursive predicates therefore cannot have a function with a result among
// their conditions. The recursion through the states of a game is no such recursion.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "gdl/body.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

bool has_distinct_variables(const Term& function) {
  std::unordered_set<Symbol> names;
  return std::all_of(
      function.arguments.begin(), function.arguments.end(), [&](const Term& argument) {
        return argument.kind == Term::Kind::variable && names.insert(argument.name).second;
      });
}

class FunctionDeclarations {
 public:
  FunctionDeclarations(const CheckInput& input, Report& report) : input_(input), report_(report) {}

  void check(const Term& head) {
    const Term& module = head.arguments[0];
    const Term& function = head.arguments[1];
    const Term* source = input_.functions.source_of(module.name);
    if (source == nullptr) return check_not_included(head);
    if (!is_source(input_.rulesheet.symbols.name(source->name))) {
      report_.error(
          "function-source", source->span,
          fmt::format("functions of {} are not available; the sources are '{}', '{}' and "
                      "'{}'",
                      report_.quoted(*source), arithmetic_source, program_source, library_source));
    } else if (!has_distinct_variables(function)) {
      report_.error("function-arguments", function.span,
                    "the arguments of a function in 'use' must be different variables");
    } else if (input_.functions.find(function) == nullptr) {
      report_.error("unknown-function", function.span,
                    fmt::format("'{}' has no function {}; see the table of functions",
                                arithmetic_source, report_.with_arity(function)));
    }
  }

 private:
  static bool is_source(std::string_view name) {
    return name == arithmetic_source || name == program_source || name == library_source;
  }

  // Without variables, it is an ordinary fact of a predicate that happens to have this name.
  void check_not_included(const Term& head) {
    if (is_ground(head)) return;
    report_.error("module-not-included", head.arguments[0].span,
                  fmt::format("{} is not included; add a fact of 'include' with its source",
                              report_.quoted(head.arguments[0])));
  }

  const CheckInput& input_;
  Report& report_;
};

void check_not_defined(const CheckInput& input, const Term& head, Report& report) {
  if (input.functions.find(head) == nullptr) return;
  report.error("function-defined", head.span,
               fmt::format("{} is a computed function and cannot have clauses; use another name",
                           report.quoted(head)));
}

bool has_recursive_condition(const CheckInput& input, const Clause& clause) {
  const PredicateId head = *input.graph.find(clause.head);
  bool found = false;
  visit_literals(clause.body, [&](const Formula& literal, bool) {
    if (literal.kind != Formula::Kind::atom) return;
    found = found || input.graph.same_component(head, *input.graph.find(literal.atom));
  });
  return found;
}

void check_not_recursive(const CheckInput& input, const Clause& clause, Report& report) {
  visit_literals(clause.body, [&](const Formula& literal, bool) {
    if (literal.kind != Formula::Kind::atom) return;
    const UsedFunction* function = input.functions.find(literal.atom);
    if (function == nullptr || function->inputs == function->arity) return;
    if (!has_recursive_condition(input, clause)) return;
    report.error("function-in-recursion", literal.span,
                 fmt::format("{} depends on itself, and the results of {} could make it infinite; "
                             "compute the number outside the recursion",
                             report.quoted(clause.head), report.quoted(literal.atom)));
  });
}

}  // namespace

void check_functions(const CheckInput& input, Report& report) {
  FunctionDeclarations declarations(input, report);
  for (const Clause& clause : input.rulesheet.clauses) {
    if (input.functions.is_use(clause)) declarations.check(clause.head);
    if (input.functions.empty()) continue;
    check_not_defined(input, clause.head, report);
    check_not_recursive(input, clause, report);
  }
}

}  // namespace zermelo::gdl
