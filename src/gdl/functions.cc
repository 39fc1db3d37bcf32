#include "gdl/functions.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "gdl/require_no_functions.h"

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

std::optional<std::string> compute(const UsedFunction& function,
                                   std::span<const std::string> inputs) {
  if (!function.arithmetic) {
    assert(function.external);
    return function.external->call(function.text, inputs);
  }
  const auto a = Decimal::parse(inputs[0]), b = Decimal::parse(inputs[1]);
  if (!a || !b) return std::nullopt;
  if (is_test(*function.arithmetic)) {
    return holds(*function.arithmetic, *a, *b) ? std::optional<std::string>("") : std::nullopt;
  }
  const auto result = result_of(*function.arithmetic, *a, *b);
  return result ? std::optional(result->text()) : std::nullopt;
}

base::Result<void> require_no_functions(const Rulesheet& rulesheet, std::string_view user) {
  const FunctionTable table(rulesheet);
  if (table.empty()) return {};
  return base::fail(base::ErrorKind::not_applicable,
                    "the rules use computed functions such as '" + table.functions().front().text +
                        "', which " + std::string(user) + " does not support");
}

base::Result<void> require_allowed(const Rulesheet& rulesheet) {
  const FunctionTable table(rulesheet);
  for (const UsedFunction& function : table.functions()) {
    if (function.arithmetic || function.external) continue;
    const std::string& module = rulesheet.symbols.name(function.module);
    return base::fail(base::ErrorKind::not_applicable,
                      "the rules compute '" + function.text + "' by the " +
                          rulesheet.symbols.name(table.source_of(function.module)->name) + " '" +
                          module + "', which was not allowed to run; --allow " + module +
                          "=PATH allows it");
  }
  return {};
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

FunctionTable::FunctionTable(const Rulesheet& rulesheet)
    : symbols_(rulesheet.symbols), external_(rulesheet.external) {
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
  if (source == nullptr) return;
  const Term& declared = head.arguments[1];
  const auto arity = static_cast<std::uint32_t>(declared.arguments.size());
  UsedFunction function{.name = declared.name,
                        .arity = arity,
                        .inputs = arity - 1,
                        .arithmetic = {},
                        .module = head.arguments[0].name,
                        .text = symbols_.name(declared.name)};
  const std::string& kind = symbols_.name(source->name);
  if (kind == arithmetic_source) {
    function.arithmetic = arithmetic_function(function.text, arity);
    if (!function.arithmetic) return;
    function.inputs = 2;
  } else if (kind == program_source || kind == library_source) {
    function.external = external_module(function.module);
  } else {
    return;
  }
  if (!by_signature_.try_emplace(signature(declared), functions_.size()).second) return;
  functions_.push_back(std::move(function));
}

std::shared_ptr<ExternalModule> FunctionTable::external_module(Symbol module) const {
  if (!external_) return nullptr;
  const auto found = external_->by_name.find(symbols_.name(module));
  return found == external_->by_name.end() ? nullptr : found->second;
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
