#include "ground/game.h"

#include "gdl/printer.h"

namespace zermelo::ground {

std::string Game::role_name(std::uint32_t role) const {
  return rulesheet->symbols.name(roles[role]);
}

std::optional<std::uint32_t> Game::random_role() const {
  for (std::uint32_t role = 0; role < roles.size(); ++role) {
    if (is_random(role)) return role;
  }
  return std::nullopt;
}

std::string Game::fluent_name(Atom fluent) const {
  return gdl::print(fluents[fluent], rulesheet->symbols);
}

std::vector<std::string> Game::fluent_names() const {
  std::vector<std::string> names;
  for (Atom fluent = 0; fluent < fluents.size(); ++fluent) names.push_back(fluent_name(fluent));
  return names;
}

std::unordered_map<std::string, Atom> Game::fluents_by_name() const {
  std::unordered_map<std::string, Atom> result;
  for (Atom fluent = 0; fluent < fluents.size(); ++fluent) result[fluent_name(fluent)] = fluent;
  return result;
}

std::string Game::move_name(std::uint32_t move) const {
  return gdl::print(moves[move].term, rulesheet->symbols);
}

std::string Game::percept_name(std::uint32_t percept) const {
  return gdl::print(percepts[percept].term, rulesheet->symbols);
}

}  // namespace zermelo::ground
