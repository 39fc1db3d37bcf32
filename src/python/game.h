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
  const machine::Machine& machine() const { return *machine_; }
  const std::shared_ptr<const machine::Machine>& shared_machine() const { return machine_; }
  const ground::Game& ground() const { return machine_->game(); }
  std::size_t roles() const { return machine_->roles().size(); }
  // The position of a move among those of its role.
  std::uint32_t rank_of(machine::Move move) const { return ranks_[move]; }
  // Whether the next state depends on the move.
  bool acts(machine::Move move) const { return acting_[move]; }
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

  // The only position of this game, used by all its states in turn.
  machine::Cursor& cursor() { return cursor_; }
  machine::PerceptReader& percept_reader();
  // The state that the cursor is at, if any.
  const State* at = nullptr;
  // By role, the legal moves at the cursor; valid while `is_listed`.
  std::vector<std::span<const machine::Move>> legal;
  bool is_listed = false;

 private:
  Game(app::Rules rules, std::string name, std::shared_ptr<const machine::Machine> machine);

  app::Rules rules_;
  std::string name_;
  std::shared_ptr<const machine::Machine> machine_;
  std::vector<std::uint32_t> ranks_;
  std::vector<bool> acting_;
  std::vector<std::string> fluent_names_;
  machine::Cursor cursor_;
  std::optional<machine::PerceptReader> percept_reader_;
  std::mutex mutex_;  // guards the following
  std::shared_ptr<const lanes::BatchCode> batch_code_;
  std::shared_ptr<const lanes::SlicedCode> sliced_code_;
  app::Simulator simulator_;
  std::optional<analysis::Scene> scene_;
};

}  // namespace zermelo::python
