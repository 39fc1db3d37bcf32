// Formulas with definitions inserted and bound variables renamed, ready for normal forms.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "toss/game.h"

namespace zermelo::toss {

// Inserts local definitions and those definitions of the game for which `inserted` says so, and
// renames bound variables so that each is bound once and no free variable is. Throws LimitReached
// where the result would be too large.
FormulaPtr expand(const Game& game, const Formula& formula,
                  const std::function<bool(const Definition&)>& inserted);

// The formula with free variables renamed; bound ones must differ from the new names.
FormulaPtr rename(const FormulaPtr& formula, const std::map<std::string, std::string>& names);

// A name that begins like the given one and is not among those used; it is added to them.
std::string fresh_name(const std::string& name, Names& used);

}  // namespace zermelo::toss
