// GDDL as rules of a game.
#pragma once

#include <string>

#include "base/result.h"
#include "base/source.h"

namespace zermelo::translate::gddl {

// The game of a GDDL file as GDL in prefix syntax. Requires is_gddl. Fails with invalid_rules and a
// place where the file is not understood.
base::Result<std::string> to_kif(const base::Source& source);

}  // namespace zermelo::translate::gddl
