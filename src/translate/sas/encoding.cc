#include "translate/sas/encoding.h"

#include <algorithm>

namespace zermelo::translate::sas {

namespace {

std::vector<std::vector<ground::Atom>> group_fluents(
    std::size_t count, const std::vector<analysis::MutexGroup>& groups,
    const std::vector<bool>& dropped) {
  std::vector<std::vector<ground::Atom>> result;
  std::vector<bool> grouped = dropped;
  for (const analysis::MutexGroup& group : groups) {
    std::vector<ground::Atom> fluents;
    for (const ground::Atom fluent : group.fluents) {
      if (!dropped[fluent]) fluents.push_back(fluent);
      grouped[fluent] = true;
    }
    if (!fluents.empty()) result.push_back(std::move(fluents));
  }
  for (ground::Atom fluent = 0; fluent < count; ++fluent) {
    if (!grouped[fluent]) result.push_back({fluent});
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

Encoding::Encoding(const ground::Game& game, const std::vector<analysis::MutexGroup>& groups,
                   const std::vector<bool>& dropped, std::vector<bool> known_none)
    : fluents(group_fluents(game.fluents.size(), groups, dropped)),
      places(game.fluents.size()),
      can_be_none(std::move(known_none)) {
  std::vector<bool> holds(game.fluents.size(), false);
  for (const ground::Atom fluent : game.initial) holds[fluent] = true;
  const bool is_guess = can_be_none.empty();
  can_be_none.resize(variables(), false);
  for (std::uint32_t v = 0; v < variables(); ++v) {
    initial.push_back(none(v));
    for (std::uint32_t value = 0; value < none(v); ++value) {
      places[fluents[v][value]] = {v, value};
      if (holds[fluents[v][value]]) initial.back() = value;
    }
    if (is_guess) can_be_none[v] = initial.back() == none(v) || none(v) == 1;
    domains.add(none(v) + can_be_none[v]);
  }
}

}  // namespace zermelo::translate::sas
