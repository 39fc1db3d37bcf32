#include "reference/computed_tables.h"

#include <cassert>

namespace zermelo::reference {
namespace {

// The table is emptied when it has this many results, so that a game with ever new numbers does not
// fill the memory with them.
constexpr std::size_t most_results = 1'000'000;

}  // namespace

std::optional<TermId> ComputedTables::result(PredicateId predicate,
                                             std::span<const TermId> inputs) {
  call_.assign(1, predicate);
  call_.insert(call_.end(), inputs.begin(), inputs.end());
  if (const auto known = results_.find(call_); known != results_.end()) return known->second;
  if (results_.size() >= most_results) results_.clear();
  const auto result = compute(program_.predicates[predicate].function, inputs);
  results_.emplace(call_, result);
  return result;
}

std::optional<TermId> ComputedTables::compute(const gdl::UsedFunction& function,
                                              std::span<const TermId> inputs) {
  if (function.arithmetic) return compute_arithmetic(*function.arithmetic, inputs);
  std::vector<std::string> texts;
  for (const TermId input : inputs) texts.push_back(text(input));
  const auto result = gdl::compute(function, texts);
  return result ? std::optional(constant(*result)) : std::nullopt;
}

std::optional<TermId> ComputedTables::compute_arithmetic(gdl::Arithmetic function,
                                                         std::span<const TermId> inputs) {
  assert(inputs.size() == 2);
  const auto a = number(inputs[0]);
  const auto b = number(inputs[1]);
  if (!a || !b) return std::nullopt;
  if (gdl::is_test(function)) {
    return gdl::holds(function, *a, *b) ? std::optional(inputs[0]) : std::nullopt;
  }
  const auto result = gdl::result_of(function, *a, *b);
  return result ? std::optional(constant(result->text())) : std::nullopt;
}

std::optional<gdl::Decimal> ComputedTables::number(TermId term) const {
  if (!program_.terms.arguments(term).empty()) return std::nullopt;
  return gdl::Decimal::parse(program_.symbols.name(program_.terms.name(term)));
}

std::string ComputedTables::text(TermId term) const {
  std::string result = program_.symbols.name(program_.terms.name(term));
  if (program_.terms.arguments(term).empty()) return result;
  for (const TermId argument : program_.terms.arguments(term)) result += ' ' + text(argument);
  return '(' + result + ')';
}

TermId ComputedTables::constant(const std::string& name) {
  return program_.terms.intern(program_.symbols.intern(name), {});
}

}  // namespace zermelo::reference
