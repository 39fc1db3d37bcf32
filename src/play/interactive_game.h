// One person against agents: the game behind a dialogue, without the dialogue.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/scene.h"
#include "eval/state_values.h"
#include "play/agent.h"
#include "play/match_record.h"

namespace zermelo::play {

class InteractiveGame {
 public:
  using Agents = std::vector<std::unique_ptr<Agent>>;  // by role; the person's gives hints

  // `values` may be null.
  InteractiveGame(std::shared_ptr<const search::Simulator> simulator, std::size_t person,
                  Agents agents, std::shared_ptr<const eval::StateValues> values);

  const std::vector<std::string>& roles() const { return simulator_->roles(); }
  // The role of the person.
  std::size_t person() const { return person_; }
  std::string move_name(Move move) const { return simulator_->move_name(move); }

  bool terminal() { return walker_->terminal(); }
  // The fluents of the current state, sorted.
  std::vector<std::string> fluents() { return simulator_->fluent_names(walker_->state()); }
  // The picture of the current state. The first call recognises the scene of the game.
  analysis::Picture picture();
  // The first role without a legal move: the game cannot continue.
  std::optional<std::string> role_without_move();
  // By role; of a terminal state.
  std::vector<int> goals();

  // The person's legal moves, sorted by name; none in a terminal state.
  const std::vector<Move>& moves() const { return moves_; }
  // The person's move of that name, in any layout, or else of that number in moves(), from 1.
  std::optional<Move> find(const std::string& text);
  // The value of the state after the person's move if the others make their first moves. Nothing
  // where it is not known.
  std::optional<eval::Rewards> value_after(Move move);

  // Makes the person's move and those that the agents choose; returns the joint move. Every role
  // must have a legal move.
  std::vector<Move> make(Move move);
  // Returns to the person's last decision, a state where there were several moves. False where
  // there was none.
  bool undo();
  // The move that the agent would make for the person.
  Move hint() { return agents_[person_]->choose(walker_->state(), std::nullopt); }
  // The first error met while reading stored values, by an agent or for value_after.
  std::optional<base::Error> read_error() const;
  // The game so far, with the players' names by role.
  MatchRecord record(std::vector<std::string> players);
  // Lets the agents think about the current state while the person does.
  void ponder();

 private:
  struct Step {
    State state;
    std::vector<Move> joint;
  };

  void list_moves();

  std::shared_ptr<const search::Simulator> simulator_;
  std::size_t person_;
  Agents agents_;
  std::shared_ptr<const eval::StateValues> values_;
  std::unique_ptr<search::Walker> walker_;
  std::optional<analysis::Scene> scene_;
  std::vector<Move> moves_;
  std::vector<Step> steps_;             // made so far
  std::vector<std::size_t> decisions_;  // the steps in which the person chose
};

}  // namespace zermelo::play
