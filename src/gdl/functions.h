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
//
// The source `program` or `library` of an include says that the functions are computed outside. The
// rules never say where: a person names the program for the module (ExternalModules).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
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

// The sources in an `include`.
inline constexpr std::string_view arithmetic_source = "builtin:arithmetic";
inline constexpr std::string_view program_source = "program";
inline constexpr std::string_view library_source = "library";

// Returns the function with that name and number of arguments, result included.
std::optional<Arithmetic> arithmetic_function(std::string_view name, std::size_t arity);
// A test holds or not; it has no result.
bool is_test(Arithmetic function);
// Returns whether the test holds.
bool holds(Arithmetic test, Decimal a, Decimal b);
// Returns the result of a function that is not a test, if it exists.
std::optional<Decimal> result_of(Arithmetic function, Decimal a, Decimal b);

// The functions of a module that are computed outside the rules and outside this process.
class ExternalModule {
 public:
  virtual ~ExternalModule() = default;
  // Returns the result, which is a name; nullopt if there is none. The inputs are terms in prefix
  // syntax. Throws base::LimitReached with an error that names the call if the module fails, and
  // then again at every call. Several threads may call it at the same time.
  virtual std::optional<std::string> call(const std::string& function,
                                          std::span<const std::string> inputs) = 0;
  // Returns why it failed, if it has.
  virtual std::optional<base::Error> failure() const = 0;
};

// By the name of the module in the rules, in lower case.
struct ExternalModules {
  std::map<std::string, std::shared_ptr<ExternalModule>> by_name;
};

// A function that the rules use.
struct UsedFunction {
  Symbol name{};
  std::uint32_t arity = 0;
  std::uint32_t inputs = 0;                       // the first arguments; at most one more
  std::optional<Arithmetic> arithmetic;           // or else it is external
  Symbol module{};                                // in which it is declared
  std::string text = {};                          // its name
  std::shared_ptr<ExternalModule> external = {};  // null if nobody allowed the module

  bool has_result() const { return inputs < arity; }
};

// Returns the result for these terms in prefix syntax, if there is one; for a test that holds, an
// empty text. Throws like ExternalModule::call. Requires `require_allowed`.
std::optional<std::string> compute(const UsedFunction& function,
                                   std::span<const std::string> inputs);

// Fails with not_applicable if the rules use functions of a module that nobody allowed. The message
// says how to allow it.
base::Result<void> require_allowed(const Rulesheet& rulesheet);

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
  std::shared_ptr<ExternalModule> external_module(Symbol module) const;

  const SymbolTable& symbols_;
  std::shared_ptr<const ExternalModules> external_;
  std::vector<UsedFunction> functions_;
  std::unordered_map<std::uint64_t, std::size_t> by_signature_;
  std::unordered_map<Symbol, const Term*> sources_;
};

}  // namespace zermelo::gdl
