// The atoms of formulas about a game: fluents, legal(role, move), terminal and goal(role, value).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "know/developments.h"
#include "know/entailment.h"
#include "know/formula.h"

namespace zermelo::know {

class GameAtoms {
 public:
  explicit GameAtoms(const machine::Machine& machine);

  // The players and atoms of the game. Valid as long as this object.
  Vocabulary vocabulary() const;
  // The last round as a model, with the values of these atoms.
  Frame frame(const Developments& developments, const std::vector<std::uint32_t>& atoms) const;

  std::optional<std::uint32_t> find(const std::string& name) const;
  const std::string& name(std::uint32_t atom) const { return names_[atom]; }
  std::size_t size() const { return names_.size(); }
  bool is_fluent(std::uint32_t atom) const { return atoms_[atom].kind == Kind::fluent; }

 private:
  enum class Kind : std::uint8_t { fluent, legal, terminal, goal };
  struct Atom {
    Kind kind;
    std::uint32_t index;  // the fluent or the move; of a goal: the role
    int value = 0;        // of a goal
  };

  void add(std::string name, const Atom& atom);
  static bool holds(const Atom& atom, machine::Cursor& cursor, const machine::State& state,
                    const ground::Game& game);

  std::vector<std::string> agents_;
  std::vector<Atom> atoms_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace zermelo::know
