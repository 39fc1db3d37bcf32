// The results of computed functions, each computed at its first use and then looked up.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "gdl/decimal.h"
#include "reference/rule_program.h"

namespace zermelo::reference {

class ComputedTables {
 public:
  // Keeps a reference to the program and adds terms to it.
  explicit ComputedTables(RuleProgram& program) : program_(program) {}

  // Returns the result for these inputs, if there is one. A test that holds returns any term.
  // Throws LimitReached if a program or library fails.
  std::optional<TermId> result(PredicateId predicate, std::span<const TermId> inputs);

 private:
  // The predicate, then the inputs.
  using Call = std::vector<TermId>;
  struct CallHash {
    std::size_t operator()(const Call& call) const { return hash_terms(0, call); }
  };

  std::optional<TermId> compute(const gdl::UsedFunction& function, std::span<const TermId> inputs);
  std::optional<TermId> compute_arithmetic(gdl::Arithmetic function,
                                           std::span<const TermId> inputs);
  std::optional<gdl::Decimal> number(TermId term) const;
  std::string text(TermId term) const;
  TermId constant(const std::string& name);

  RuleProgram& program_;
  Call call_;
  std::unordered_map<Call, std::optional<TermId>, CallHash> results_;
};

}  // namespace zermelo::reference
