// Checks that a formula or term means something: known relations and functions, arities, free
// variables that are allowed, and fixed points whose variable occurs positively only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "toss/formula.h"

namespace zermelo::toss {

struct KnownNames {
  std::map<std::string, std::size_t> relations;  // to arities, defined ones among them
  Names functions;
};

// Appends what is wrong. `where` names the allowed variables in messages.
void check_formula(const Formula& formula, const KnownNames& known, const Names& variables,
                   const std::string& where, std::vector<base::Diagnostic>& diagnostics);
void check_term(const Term& term, const KnownNames& known, const Names& variables,
                const std::string& where, std::vector<base::Diagnostic>& diagnostics);

}  // namespace zermelo::toss
