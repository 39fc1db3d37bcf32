// Replaces all names in rules and moves by meaningless words, so that players cannot exploit the
// names. Keywords and numbers stay.
#pragma once

#include <cstdint>
#include <string>

#include "gdl/rulesheet.h"
#include "gdl/term_text.h"

namespace zermelo::serve {

class Scrambler {
 public:
  // The same seed gives the same words. The rulesheet must outlive the scrambler.
  Scrambler(const gdl::Rulesheet& rules, std::uint64_t seed);

  // Returns the rules in prefix syntax.
  std::string scrambled_rules() const;
  // Translate a printed term to the players' words and back. Unknown words stay unchanged.
  std::string scramble(const std::string& term) const { return gdl::translated(term, scrambled_); }
  std::string unscramble(const std::string& term) const { return gdl::translated(term, original_); }

 private:
  const gdl::Rulesheet& rules_;
  gdl::Dictionary scrambled_, original_;
};

}  // namespace zermelo::serve
