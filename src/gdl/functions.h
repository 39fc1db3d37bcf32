// Functions that are computed outside the rules: the keywords `include` and `use` of Sheng and
// Thuente (Extending the General Game Playing Framework to Other Languages, 2011).
//
//   (include arithmetic builtin:arithmetic)
//   (use arithmetic (add ?a ?b ?sum))
//   (<= (next (price ?new)) (true (price ?old)) (add ?old 1 ?new))
//
// An atom of a used function is a condition. Its last argument is the result and the others are the
// inputs; tests such as `less` have only inputs. A function has at most one result for its inputs.
// The condition does not hold if there is none. The declarations stay clauses of the rulesheet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdl/decimal.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

enum class Arithmetic : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  power,
  minimum,
  maximum,
  less,
  greater,
};

// The source of the arithmetic functions in an `include`.
inline constexpr std::string_view arithmetic_source = "builtin:arithmetic";

// Returns the function with that name and number of arguments, result included.
std::optional<Arithmetic> arithmetic_function(std::string_view name, std::size_t arity);
// A test holds or not; it has no result.
bool is_test(Arithmetic function);
// Returns whether the test holds.
bool holds(Arithmetic test, Decimal a, Decimal b);
// Returns the result of a function that is not a test, if it exists.
std::optional<Decimal> result_of(Arithmetic function, Decimal a, Decimal b);

// A function that the rules use.
struct UsedFunction {
  Symbol name{};
  std::uint32_t arity = 0;
  std::uint32_t inputs = 0;  // the first arguments; at most one more
  Arithmetic arithmetic = Arithmetic::add;
};

// The functions of a rulesheet. Declarations with errors declare nothing; `check_validity` reports
// them.
class FunctionTable {
 public:
  // The rulesheet must outlive the table.
  explicit FunctionTable(const Rulesheet& rulesheet);

  bool empty() const { return functions_.empty(); }
  std::span<const UsedFunction> functions() const { return functions_; }
  // Returns the function of an atom, or nullptr. The pointer is valid as long as the table.
  const UsedFunction* find(const Term& atom) const;
  // Returns the source of an included module, or nullptr.
  const Term* source_of(Symbol module) const;

  // Whether a clause has the form (use MODULE (FUNCTION ...)), with a module included or not.
  bool is_use(const Clause& clause) const;
  // Whether a clause is a `use` of an included module, or the rules use functions and it is an
  // `include`. Such clauses define no predicate.
  bool is_declaration(const Clause& clause) const;

 private:
  bool is_include(const Clause& clause) const;
  void include(const Term& head);
  void use(const Term& head);
  bool is_named(const Term& head, std::string_view name) const;

  const SymbolTable& symbols_;
  std::vector<UsedFunction> functions_;
  std::unordered_map<std::uint64_t, std::size_t> by_signature_;
  std::unordered_map<Symbol, const Term*> sources_;
};

}  // namespace zermelo::gdl
