// One person against agents in a game with hidden information. Gives only what the person's role
// may know.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "machine/machine.h"
#include "play/hidden_agent.h"
#include "play/match_record.h"

namespace zermelo::play {

class HiddenGame {
 public:
  // Starts in the initial state. The agents play all roles but `random` and the person's, whose
  // agent gives hints. Requires that the person's role is not `random`. Fails if the agent cannot
  // play such games.
  static base::Result<HiddenGame> make(std::shared_ptr<const machine::Machine> machine,
                                       std::size_t person, const AgentSpec& agent,
                                       std::uint64_t seed);

  const std::string& role() const { return machine_->roles()[person_]; }
  std::string move_name(Move move) const { return machine_->move_name(move); }
  bool terminal() { return stepper_.terminal(state_); }
  // Whether some role has no legal move, so that the game cannot continue.
  bool is_stuck();
  // The person's legal moves, sorted by name; none in a terminal state.
  const std::vector<Move>& moves() const { return moves_; }
  // The person's move of that name, in any layout, or else of that number in moves(), from 1.
  std::optional<Move> find(const std::string& text) const;
  // Makes the person's move and those of the others. Returns what the person then sees.
  std::vector<std::string> make_move(Move move);
  Move hint() { return agents_[person_]->choose(moves_, std::nullopt); }
  // The person's, of a terminal state.
  int goal();
  // The whole game; for the time after its end, since it shows everything.
  MatchRecord record(const std::string& opponent);

 private:
  HiddenGame(std::shared_ptr<const machine::Machine> machine, std::size_t person,
             std::vector<std::unique_ptr<HiddenAgent>> agents, std::uint64_t seed);

  void list_moves();

  std::shared_ptr<const machine::Machine> machine_;
  std::size_t person_;
  std::vector<std::unique_ptr<HiddenAgent>> agents_;  // by role; null for `random`
  base::Random random_;
  machine::Stepper stepper_;
  machine::State state_;
  std::vector<Move> moves_;
  std::vector<machine::State> states_;     // before every joint move
  std::vector<std::vector<Move>> joints_;  // made so far
};

}  // namespace zermelo::play
