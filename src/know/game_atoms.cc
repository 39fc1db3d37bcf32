#include "know/game_atoms.h"

#include <algorithm>

namespace zermelo::know {

GameAtoms::GameAtoms(const machine::Machine& machine) {
  const ground::Game& game = machine.game();
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
    if (!game.is_random(role)) agents_.push_back(machine.roles()[role]);
  }
  for (ground::Atom fluent = 0; fluent < game.fluents.size(); ++fluent)
    add(game.fluent_name(fluent), {Kind::fluent, fluent});
  for (Move move = 0; move < game.moves.size(); ++move) {
    add("(legal " + machine.roles()[game.moves[move].role] + " " + machine.move_name(move) + ")",
        {Kind::legal, move});
  }
  add("terminal", {Kind::terminal, 0});
  for (std::uint32_t role = 0; role < game.goals.size(); ++role) {
    for (const ground::Game::Goal& goal : game.goals[role]) {
      add("(goal " + machine.roles()[role] + " " + std::to_string(goal.value) + ")",
          {Kind::goal, role, goal.value});
    }
  }
}

void GameAtoms::add(std::string name, const Atom& atom) {
  const auto number = static_cast<std::uint32_t>(atoms_.size());
  if (!numbers_.try_emplace(name, number).second) return;
  atoms_.push_back(atom);
  names_.push_back(std::move(name));
}

std::optional<std::uint32_t> GameAtoms::find(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

Vocabulary GameAtoms::vocabulary() const {
  return {agents_, [this](const std::string& name) { return find(name); }};
}

// Atoms depend only on the state, so they are evaluated once per state.
Frame GameAtoms::frame(const Developments& developments,
                       const std::vector<std::uint32_t>& atoms) const {
  const Round& round = developments.last();
  const ground::Game& game = developments.machine().game();
  Frame frame;
  frame.worlds = round.worlds.size();
  frame.class_of = round.information;
  machine::Cursor cursor(developments.shared_machine());
  std::vector<Truth> by_state(atoms.size(), Truth(round.states.size()));
  for (std::size_t s = 0; s < round.states.size(); ++s) {
    cursor.reset(round.states[s]);
    for (std::size_t a = 0; a < atoms.size(); ++a)
      by_state[a][s] = holds(atoms_[atoms[a]], cursor, round.states[s], game) ? 1 : 0;
  }
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    Truth values;
    for (const World& world : round.worlds) values.push_back(by_state[a][world.state]);
    frame.atoms.emplace(atoms[a], std::move(values));
  }
  return frame;
}

bool GameAtoms::holds(const Atom& atom, machine::Cursor& cursor, const machine::State& state,
                      const ground::Game& game) {
  switch (atom.kind) {
    case Kind::fluent:
      return state.test(atom.index);
    case Kind::legal: {
      const auto legal = cursor.legal(game.moves[atom.index].role);
      return std::find(legal.begin(), legal.end(), atom.index) != legal.end();
    }
    case Kind::terminal:
      return cursor.terminal();
    case Kind::goal: {
      const std::vector<int> goals = cursor.goals(atom.index);
      return std::find(goals.begin(), goals.end(), atom.value) != goals.end();
    }
  }
  return false;
}

}  // namespace zermelo::know
