// Plans of planners, read back as moves of the game.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "gdl/rulesheet.h"
#include "translate/glossary.h"

namespace zermelo::translate {

// The moves of a plan in Fast Downward's format: one action per line, (name argument ...), in any
// case; from a semicolon on a line is a comment. Actions that stand for no move are skipped. Fails
// with unreadable_input, naming the place, where a line is no action of the task.
base::Result<std::vector<gdl::Term>> read_plan(const base::Source& plan, const Glossary& glossary);

}  // namespace zermelo::translate
