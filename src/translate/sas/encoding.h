// The fluents of a game as values of variables, one variable per mutex group.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/mutex_groups.h"
#include "ground/game.h"
#include "translate/sas/cube.h"

namespace zermelo::translate::sas {

struct Encoding {
  struct Place {
    std::uint32_t variable;
    std::uint32_t value;
  };

  // `dropped` fluents have no variable. Where `can_be_none` is false, one fluent of the group
  // always holds; it must have an entry per variable, or be empty, when it is guessed from the
  // start.
  Encoding(const ground::Game& game, const std::vector<analysis::MutexGroup>& groups,
           const std::vector<bool>& dropped, std::vector<bool> can_be_none);

  std::uint32_t variables() const { return static_cast<std::uint32_t>(fluents.size()); }
  // The value that says that no fluent of the variable holds.
  std::uint32_t none(std::uint32_t variable) const {
    return static_cast<std::uint32_t>(fluents[variable].size());
  }

  std::vector<std::vector<ground::Atom>> fluents;  // by variable and value
  std::vector<Place> places;                       // by fluent
  std::vector<bool> can_be_none;                   // by variable
  std::vector<std::uint32_t> initial;              // by variable
  Domains domains;
};

}  // namespace zermelo::translate::sas
