// Rules and moves with all names replaced by meaningless words, so that players cannot use what a
// name tells. Keywords and numbers stay.
#pragma once

#include <cstdint>
#include <string>

#include "gdl/rulesheet.h"
#include "gdl/term_text.h"

namespace zermelo::serve {

class Scrambler {
 public:
  // The same words for the same seed. The rulesheet must outlive the scrambler.
  Scrambler(const gdl::Rulesheet& rules, std::uint64_t seed);

  // In prefix syntax.
  std::string scrambled_rules() const;
  // A term of the game, printed, in the words of the players; and back, where words that are none
  // of theirs stay.
  std::string scramble(const std::string& term) const { return gdl::translated(term, scrambled_); }
  std::string unscramble(const std::string& term) const { return gdl::translated(term, original_); }

 private:
  const gdl::Rulesheet& rules_;
  gdl::Dictionary scrambled_, original_;
};

}  // namespace zermelo::serve
