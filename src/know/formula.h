// Epistemic formulas: what holds, who knows it, and what is common knowledge.
//
//   attack(3am) and not K(generalb, attack(3am))
//
// Atoms are written as in infix GDL. `not` binds most tightly, then `and`, `or` and `implies`,
// which groups to the right. The operators are upper-case; lower-case letters are ordinary names.
//
//   K(role, f)      the role knows that f holds
//   Kw(role, f)     the role knows whether f holds
//   E({roles}, f)   each of the roles knows that f holds
//   D({roles}, f)   the roles would know f if they shared what they know
//   C({roles}, f)   f is common knowledge among the roles
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace zermelo::know {

struct Formula {
  enum class Kind : std::uint8_t {
    atom,
    negation,
    conjunction,
    disjunction,
    implication,
    knows,
    knows_whether,
    everybody_knows,
    distributed_knowledge,
    common_knowledge,
  };

  Kind kind = Kind::atom;
  std::uint32_t atom = 0;             // of the vocabulary
  std::vector<std::uint32_t> agents;  // of the epistemic operators; one for K and Kw
  std::vector<Formula> children;      // one, or two for the binary connectives
  std::string text;                   // of an atom, as written
};

// The names that a formula may use.
struct Vocabulary {
  std::vector<std::string> agents;
  // The number of an atom, given in the layout of gdl::print (prefix syntax, lower case); nullopt
  // if there is none.
  std::function<std::optional<std::uint32_t>(const std::string& name)> atom;
};

// Fails with invalid_request; the message locates the problem in the text.
base::Result<Formula> parse_formula(std::string_view text, const Vocabulary& vocabulary);

// The atoms of a formula, ascending, without duplicates.
std::vector<std::uint32_t> atoms_of(const Formula& formula);

}  // namespace zermelo::know
