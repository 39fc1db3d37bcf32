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
  assert(inputs.size() == 2);
  const Call call{predicate, inputs[0], inputs[1]};
  if (const auto known = results_.find(call); known != results_.end()) return known->second;
  if (results_.size() >= most_results) results_.clear();
  const auto result = compute(program_.predicates[predicate].function.arithmetic, inputs);
  results_.emplace(call, result);
  return result;
}

std::optional<TermId> ComputedTables::compute(gdl::Arithmetic function,
                                              std::span<const TermId> inputs) {
  const auto a = number(inputs[0]);
  const auto b = number(inputs[1]);
  if (!a || !b) return std::nullopt;
  if (gdl::is_test(function)) {
    return gdl::holds(function, *a, *b) ? std::optional(inputs[0]) : std::nullopt;
  }
  const auto result = gdl::result_of(function, *a, *b);
  if (!result) return std::nullopt;
  return program_.terms.intern(program_.symbols.intern(result->text()), {});
}

std::optional<gdl::Decimal> ComputedTables::number(TermId term) const {
  if (!program_.terms.arguments(term).empty()) return std::nullopt;
  return gdl::Decimal::parse(program_.symbols.name(program_.terms.name(term)));
}

}  // namespace zermelo::reference
