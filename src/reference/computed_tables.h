// The results of computed functions, each computed at its first use and then looked up.
#pragma once

#include <optional>
#include <span>
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
  std::optional<TermId> result(PredicateId predicate, std::span<const TermId> inputs);

 private:
  struct Call {
    PredicateId predicate;
    TermId first, second;
    bool operator==(const Call&) const = default;
  };
  struct CallHash {
    std::size_t operator()(const Call& call) const {
      return mix_hash(mix_hash(call.predicate, call.first), call.second);
    }
  };

  std::optional<TermId> compute(gdl::Arithmetic function, std::span<const TermId> inputs);
  std::optional<gdl::Decimal> number(TermId term) const;

  RuleProgram& program_;
  std::unordered_map<Call, std::optional<TermId>, CallHash> results_;
};

}  // namespace zermelo::reference
