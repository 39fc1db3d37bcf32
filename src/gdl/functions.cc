#include "gdl/functions.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace zermelo::gdl {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 9> arithmetic_names = {
    "add", "subtract", "multiply", "divide", "power", "minimum", "maximum", "less", "greater"};

}  // namespace

bool is_test(Arithmetic function) {
  return function == Arithmetic::less || function == Arithmetic::greater;
}

std::optional<Arithmetic> arithmetic_function(std::string_view name, std::size_t arity) {
  const auto found = std::find(arithmetic_names.begin(), arithmetic_names.end(), name);
  if (found == arithmetic_names.end()) return std::nullopt;
  const auto function = static_cast<Arithmetic>(found - arithmetic_names.begin());
  if (arity != (is_test(function) ? 2u : 3u)) return std::nullopt;
  return function;
}

bool holds(Arithmetic test, Decimal a, Decimal b) {
  assert(is_test(test));
  return test == Arithmetic::less ? a < b : a > b;
}

std::optional<Decimal> result_of(Arithmetic function, Decimal a, Decimal b) {
  switch (function) {
    case Arithmetic::add:
      return added(a, b);
    case Arithmetic::subtract:
      return subtracted(a, b);
    case Arithmetic::multiply:
      return multiplied(a, b);
    case Arithmetic::divide:
      return divided(a, b);
    case Arithmetic::power:
      return raised(a, b);
    case Arithmetic::minimum:
      return std::min(a, b);
    case Arithmetic::maximum:
      return std::max(a, b);
    case Arithmetic::less:
    case Arithmetic::greater:
      break;
  }
  assert(false);
  return std::nullopt;
}

bool FunctionTable::is_named(const Term& head, std::string_view name) const {
  return head.kind == Term::Kind::function && symbols_.name(head.name) == name;
}

bool FunctionTable::is_include(const Clause& clause) const {
  const auto& arguments = clause.head.arguments;
  return clause.body.empty() && is_named(clause.head, "include") && arguments.size() == 2 &&
         arguments[0].kind == Term::Kind::constant && arguments[1].kind == Term::Kind::constant;
}

bool FunctionTable::is_use(const Clause& clause) const {
  const auto& arguments = clause.head.arguments;
  return clause.body.empty() && is_named(clause.head, "use") && arguments.size() == 2 &&
         arguments[0].kind == Term::Kind::constant && arguments[1].kind == Term::Kind::function;
}

FunctionTable::FunctionTable(const Rulesheet& rulesheet) : symbols_(rulesheet.symbols) {
  for (const Clause& clause : rulesheet.clauses) {
    if (is_include(clause)) include(clause.head);
  }
  for (const Clause& clause : rulesheet.clauses) {
    if (is_use(clause)) use(clause.head);
  }
}

void FunctionTable::include(const Term& head) {
  sources_.try_emplace(head.arguments[0].name, &head.arguments[1]);
}

void FunctionTable::use(const Term& head) {
  const Term* source = source_of(head.arguments[0].name);
  if (source == nullptr || symbols_.name(source->name) != arithmetic_source) return;
  const Term& function = head.arguments[1];
  const auto arithmetic =
      arithmetic_function(symbols_.name(function.name), function.arguments.size());
  if (!arithmetic || !by_signature_.try_emplace(signature(function), functions_.size()).second) {
    return;
  }
  functions_.push_back({.name = function.name,
                        .arity = static_cast<std::uint32_t>(function.arguments.size()),
                        .inputs = 2,
                        .arithmetic = *arithmetic});
}

const UsedFunction* FunctionTable::find(const Term& atom) const {
  if (functions_.empty()) return nullptr;
  const auto found = by_signature_.find(signature(atom));
  return found == by_signature_.end() ? nullptr : &functions_[found->second];
}

const Term* FunctionTable::source_of(Symbol module) const {
  const auto found = sources_.find(module);
  return found == sources_.end() ? nullptr : found->second;
}

bool FunctionTable::is_declaration(const Clause& clause) const {
  if (is_include(clause)) return !functions_.empty();
  return is_use(clause) && source_of(clause.head.arguments[0].name) != nullptr;
}

}  // namespace zermelo::gdl
