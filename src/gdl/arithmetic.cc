#include "gdl/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace zermelo::gdl {
namespace {

constexpr std::string_view digits = "0123456789";

template <std::size_t n>
bool is_among(std::string_view name, const std::array<std::string_view, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 8> operators{"+", "-", "*", "/", "%", "^", "**", "//"};
constexpr std::array<std::string_view, 3> equalities{"=", "==", "is"};
constexpr std::array<std::string_view, 6> inequalities{"!=", "/=", "\\=", "~=", "<>", "neq"};
constexpr std::array<std::string_view, 5> comparisons{"<", ">", ">=", "=<", "=>"};

// The order of the arguments of `succ` that yields the result `y` of an operation on `x`.
std::string successor(std::string_view operation, Syntax syntax) {
  const bool down = operation == "-";
  if (syntax == Syntax::prefix) return down ? "(succ ?y ?x)" : "(succ ?x ?y)";
  return down ? "succ(Y, X)" : "succ(X, Y)";
}

}  // namespace

bool is_operator(std::string_view name) { return is_among(name, operators); }

std::string_view operator_in_name(std::string_view variable) {
  const std::size_t last = variable.find_last_not_of(digits);
  if (last == variable.npos || last == 0 || last + 1 == variable.size()) return {};
  const std::string_view found = variable.substr(last, 1);
  return is_operator(found) ? found : std::string_view();
}

std::string arithmetic_advice(std::string_view operation, Syntax syntax) {
  const bool prefix = syntax == Syntax::prefix;
  if (operation != "+" && operation != "-") {
    return fmt::format(
        "GDL has no arithmetic, so list the results as facts such as {} and use a condition",
        prefix ? "(times 2 3 6)" : "times(2, 3, 6)");
  }
  return fmt::format(
      "GDL has no arithmetic, so list the order of the numbers as facts such as {}, add the "
      "condition {} and use {}",
      prefix ? "(succ 1 2)" : "succ(1, 2)", successor(operation, syntax), prefix ? "?y" : "Y");
}

std::string comparison_advice(std::string_view predicate) {
  if (is_among(predicate, equalities)) {
    return "GDL has no equality, so use the same variable in both places";
  }
  if (is_among(predicate, inequalities)) return "use 'distinct'";
  if (is_among(predicate, comparisons)) {
    return fmt::format("GDL has no comparison, so list the pairs of numbers as facts of '{}'",
                       predicate);
  }
  if (is_operator(predicate)) {
    return fmt::format("GDL has no arithmetic, so list the results as facts of '{}'", predicate);
  }
  return {};
}

}  // namespace zermelo::gdl
