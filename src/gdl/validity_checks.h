// The single validity checks and what they share. Only `validity.cc` and the checks include this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/dependency_graph.h"
#include "gdl/diagnostic.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// Collects what the checks find, and names things as the author wrote them.
class Report {
 public:
  explicit Report(const Rulesheet& rulesheet) : rulesheet_(rulesheet) {}

  void error(const char* code, base::Span span, std::string message);
  void warning(const char* code, base::Span span, std::string message);

  // The name of a variable, constant or function in the author's spelling.
  std::string name(const Term& term) const;
  // The name in quotes and shortened when very long, for messages.
  std::string quoted(const Term& term) const;
  std::string quoted(std::string_view name) const;
  // A predicate or function with its number of arguments: 'cell' with 3 arguments.
  std::string with_arity(const Term& term) const;
  // "line 12"
  std::string line(base::Span span) const;
  // An atom in the syntax of the rulesheet: (role player) or role(player).
  std::string example(std::string_view name, std::string_view argument) const;

  // In source order, and errors before warnings at the same place.
  std::vector<Diagnostic> take();

 private:
  const Rulesheet& rulesheet_;
  std::vector<Diagnostic> diagnostics_;
};

struct CheckInput {
  const Rulesheet& rulesheet;
  const DependencyGraph& graph;
};

// "3 arguments"
std::string counted_arguments(const Term& term);
// A word of the language other than `random`, which is an ordinary constant.
bool is_keyword(Symbol name);
// The number of arguments the language prescribes for a predicate.
std::optional<std::size_t> keyword_arity(Symbol name);
// One of `init`, `next`, `base`, `input`, `sees`: defined by clauses and never asked for in a body.
bool is_head_only(Symbol name);

void check_presence(const CheckInput& input, Report& report);
void check_places(const CheckInput& input, Report& report);
void check_negations(const CheckInput& input, Report& report);
void check_safety(const CheckInput& input, Report& report);
void check_dependencies(const CheckInput& input, Report& report);
void check_stratification(const CheckInput& input, Report& report);
void check_recursion(const CheckInput& input, Report& report);
void check_goal_values(const CheckInput& input, Report& report);

void warn_of_undefined_names(const CheckInput& input, Report& report);
void warn_of_unused_predicates(const CheckInput& input, Report& report);
void warn_of_unknown_roles(const CheckInput& input, Report& report);
void warn_of_varying_arity(const CheckInput& input, Report& report);
void warn_of_spellings(const CheckInput& input, Report& report);
void warn_of_variables(const CheckInput& input, Report& report);

}  // namespace zermelo::gdl
