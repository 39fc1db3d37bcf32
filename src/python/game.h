// A game as Python sees it, with what is derived from its rules on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/scene.h"
#include "app/context.h"
#include "app/players.h"
#include "app/rules.h"
#include "lanes/game_batch.h"
#include "lanes/sliced_games.h"
#include "machine/machine.h"
#include "python/position.h"

namespace zermelo::python {

class State;

// Used under Python's lock, except where a function says otherwise.
class Game {
 public:
  // Grounds and compiles valid rules. Does not use Python. Throws Failure.
  static std::shared_ptr<Game> make(app::Rules rules, std::string name, const app::Context& context,
                                    const app::ResourceLimits& limits);

  const std::string& name() const { return name_; }
  const app::Rules& rules() const { return rules_; }
  const machine::Machine& machine() const { return *facts_.machine; }
  const ground::Game& ground() const { return machine().game(); }
  std::size_t roles() const { return machine().roles().size(); }
  const MoveFacts& move_facts() const { return facts_; }
  // The position of a move among those of its role.
  std::uint32_t rank_of(machine::Move move) const { return facts_.ranks[move]; }
  std::vector<std::string> move_names(std::size_t role) const;
  // Throws Failure if there is no such role, move or fluent.
  std::size_t checked_role(std::int64_t role) const;
  machine::Move move_named(std::size_t role, const std::string& text) const;
  const std::vector<std::string>& fluent_names() const { return fluent_names_; }

  // Each is made by the first call. They may be called by several threads and do not use Python.
  std::shared_ptr<const lanes::BatchCode> batch_code();
  std::shared_ptr<const lanes::SlicedCode> sliced_code();
  app::Simulator simulator();
  const analysis::Scene& scene();

  // Shared by all states of this game, see State.
  Position& position() { return position_; }
  // The state that the position is at; null if that is none of a State.
  const State* at = nullptr;
  machine::PerceptReader& percept_reader();

 private:
  Game(app::Rules rules, std::string name, std::shared_ptr<const machine::Machine> machine);

  app::Rules rules_;
  std::string name_;
  MoveFacts facts_;
  std::vector<std::string> fluent_names_;
  Position position_;
  std::optional<machine::PerceptReader> percept_reader_;
  std::mutex mutex_;  // guards the following
  std::shared_ptr<const lanes::BatchCode> batch_code_;
  std::shared_ptr<const lanes::SlicedCode> sliced_code_;
  app::Simulator simulator_;
  std::optional<analysis::Scene> scene_;
};

}  // namespace zermelo::python
