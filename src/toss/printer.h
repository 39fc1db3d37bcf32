// Games, formulas and terms as text. What `print` writes reads back as the same game.
#pragma once

#include <string>

#include "toss/game.h"

namespace zermelo::toss {

enum class Dialect : std::uint8_t {
  start,  // the starting structure after START, a block per player
  paper,  // the same after MODEL, as in the paper on the translation from GDL
};

// The paper's dialect has one structure only: a current one beside the starting one is left out.
std::string print(const Game& game, Dialect dialect = Dialect::start);
std::string print(const Formula& formula);
std::string print(const Term& term);
// A structure over several lines if it is long.
std::string print(const NamedStructure& structure, const Signature& signature);

}  // namespace zermelo::toss
