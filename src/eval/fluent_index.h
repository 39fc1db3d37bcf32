// Finds the fluents of a game that match a term with variables.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ground/game.h"

namespace zermelo::eval {

class FluentIndex {
 public:
  // The game must outlive this.
  explicit FluentIndex(const ground::Game& game);

  const gdl::Term& term(ground::Atom fluent) const { return game_.fluents[fluent]; }
  // The fluents with the same name and number of arguments.
  const std::vector<ground::Atom>& alike(const gdl::Term& fluent) const;
  // The instances of a fluent with variables, ascending.
  std::vector<ground::Atom> matching(const gdl::Term& pattern) const;
  // The text of an argument of a fluent.
  const std::string& argument(ground::Atom fluent, std::size_t position) const {
    return arguments_[fluent][position];
  }
  std::string text(const gdl::Term& term) const;

 private:
  const ground::Game& game_;
  std::unordered_map<std::uint64_t, std::vector<ground::Atom>> alike_;  // by signature
  std::vector<std::vector<std::string>> arguments_;                     // by fluent
};

}  // namespace zermelo::eval
