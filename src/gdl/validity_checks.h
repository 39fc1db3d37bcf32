// The validity checks and their common parts. Only `validity.cc` and the checks include this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/dependency_graph.h"
#include "gdl/diagnostic.h"
#include "gdl/functions.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// Collects the diagnostics of the checks. Names are shown as spelled in the source.
class Report {
 public:
  explicit Report(const Rulesheet& rulesheet) : rulesheet_(rulesheet) {}

  void error(const char* code, base::Span span, std::string message);
  void warning(const char* code, base::Span span, std::string message);

  // The name of a variable, constant or function as spelled in the source.
  std::string name(const Term& term) const;
  // The name in quotes for messages, shortened if it is very long.
  std::string quoted(const Term& term) const;
  std::string quoted(std::string_view name) const;
  // A predicate or function with its number of arguments: 'cell' with 3 arguments.
  std::string with_arity(const Term& term) const;
  // "line 12"
  std::string line(base::Span span) const;
  // What is wrong with a variable such as ?x-1 that is used as if it were computed. Empty for
  // variables with other names.
  std::string computed_variable(const Term& variable) const;
  // "did you mean 'terminal'?" if a candidate is similar to the name, and the advice otherwise.
  // Looks for candidates only for the first names, since the rules may have very many.
  std::string suggestion(const Term& term, const std::vector<std::string>& candidates,
                         std::string_view advice);
  // An atom in the syntax of the rulesheet: (role player) or role(player).
  std::string example(std::string_view name, std::string_view argument) const;

  // Returns all diagnostics in source order, errors before warnings at the same position.
  std::vector<Diagnostic> take();

 private:
  const Rulesheet& rulesheet_;
  std::vector<Diagnostic> diagnostics_;
  std::size_t suggestions_left_ = 100;
};

struct CheckInput {
  const Rulesheet& rulesheet;
  const DependencyGraph& graph;
  const FunctionTable& functions;
};

// "3 arguments"
std::string counted_arguments(const Term& term);
// True for every keyword except `random`, which is an ordinary constant.
bool is_keyword(Symbol name);
// The keywords that can be conditions, or heads, as written in rules.
std::vector<std::string> condition_keywords();
std::vector<std::string> head_keywords();
// The number of arguments GDL prescribes for a predicate.
std::optional<std::size_t> keyword_arity(Symbol name);
// True for `init`, `next`, `base`, `input` and `sees`, which are only allowed in heads.
bool is_head_only(Symbol name);

void check_presence(const CheckInput& input, Report& report);
void check_places(const CheckInput& input, Report& report);
void check_negations(const CheckInput& input, Report& report);
void check_safety(const CheckInput& input, Report& report);
void check_dependencies(const CheckInput& input, Report& report);
void check_stratification(const CheckInput& input, Report& report);
void check_recursion(const CheckInput& input, Report& report);
void check_functions(const CheckInput& input, Report& report);
void check_goal_values(const CheckInput& input, Report& report);

void warn_about_goals(const CheckInput& input, Report& report);
void warn_about_undefined_names(const CheckInput& input, Report& report);
void warn_about_unused_predicates(const CheckInput& input, Report& report);
void warn_about_unknown_roles(const CheckInput& input, Report& report);
void warn_about_varying_arity(const CheckInput& input, Report& report);
void warn_about_spellings(const CheckInput& input, Report& report);
void warn_about_variables(const CheckInput& input, Report& report);
void warn_about_arithmetic(const CheckInput& input, Report& report);

}  // namespace zermelo::gdl
