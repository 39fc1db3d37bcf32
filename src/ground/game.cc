#include "ground/game.h"

#include "gdl/printer.h"

namespace zermelo::ground {

std::string Game::role_name(std::uint32_t role) const {
  return rulesheet->symbols.name(roles[role]);
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

}  // namespace zermelo::ground
