// What the names in a planning task stand for in the game it was made from: the way back from a
// planner's actions to moves and from its facts to fluents.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "gdl/rulesheet.h"

namespace zermelo::translate {

// A term whose variables are the numbers of parameters, counted from 0.
using Pattern = gdl::Term;

struct Glossary {
  struct Action {
    std::uint32_t parameters = 0;
    std::optional<Pattern> move;  // nothing for actions that stand for no move (eval, reach-goal)
  };

  std::shared_ptr<const gdl::Rulesheet> rulesheet;  // the symbols of all terms below
  std::unordered_map<std::string, Action> actions;
  std::unordered_map<std::string, gdl::Term> objects;
  std::unordered_map<std::string, Pattern> fluents;  // by predicate
  std::unordered_map<std::string, Pattern> derived;  // by predicate: an atom of the rulesheet
};

// The pattern with its parameters replaced. Requires an argument for each of them.
gdl::Term instantiate(const Pattern& pattern, std::span<const gdl::Term> arguments);

}  // namespace zermelo::translate
