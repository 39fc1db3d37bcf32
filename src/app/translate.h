// The game in another language.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/rules.h"

namespace zermelo::app {

enum class TargetLanguage : std::uint8_t { pddl, sas, gddl, toss, cpp };

// How a game becomes a planning task: docs/explanation/pddl.md.
enum class TaskStyle : std::uint8_t {
  faithful,  // the rules as derived predicates
  direct,    // one action per ground move
};

struct TranslateRequest {
  Rules rules = {};
  TargetLanguage target = TargetLanguage::pddl;
  TaskStyle style = TaskStyle::direct;  // of pddl
  bool drop_step_counter = false;       // of sas and of the direct style
  bool keep_derived = true;             // of gddl; otherwise derived predicates are compiled away
  bool paper_dialect = false;           // of toss: MODEL as in the paper instead of START
  ResourceLimits limits = {};
};

struct TranslatedFile {
  std::string name;  // empty if it is the only file
  std::string text;
};

// Returns the files of the translation: domain.pddl and problem.pddl for pddl, otherwise one. Fails
// with invalid_request for options that the target does not have, with not_applicable where the
// game has no translation, and at a limit.
base::Result<std::vector<TranslatedFile>> translate(const TranslateRequest& request,
                                                    const Context& context = {});

}  // namespace zermelo::app
