// The results of computed functions during grounding, each computed once.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "ground/program.h"
#include "ground/term_table.h"

namespace zermelo::ground {

class FunctionCalls {
 public:
  // Returns the result of a function of the program for these inputs, if there is one; any term if
  // a test holds. Adds terms and symbols. Throws LimitReached if a program or library fails.
  std::optional<TermId> result(const Program& program, TermTable& terms, std::uint32_t function,
                               std::span<const TermId> inputs);

 private:
  // The function, then the inputs.
  using Call = std::vector<TermId>;
  struct CallHash {
    std::size_t operator()(const Call& call) const;
  };

  Call call_;
  std::unordered_map<Call, std::optional<TermId>, CallHash> results_;
};

}  // namespace zermelo::ground
