// Two-player games in normal play whose positions fall apart, solved by combinatorial game values.
//
//   if (auto sum = PartisanSum::find(machine)) sum->value(state);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/step_dependencies.h"
#include "base/limits.h"
#include "base/paced_limits.h"
#include "machine/machine.h"
#include "search/decomposition/short_games.h"
#include "solve/common/opponent_model.h"
#include "solve/summary.h"

namespace zermelo::search::decomposition {

class PartisanSum {
 public:
  // Null unless the game is proved to be a game of two players in normal play.
  static std::unique_ptr<PartisanSum> find(std::shared_ptr<const machine::Machine> machine,
                                           const base::Limits& limits = {});

  // The rewards with best play from a reachable state. Nothing if positions repeat, or if there are
  // too many positions or values; from then on always nothing. Also at a limit of `find`.
  std::optional<solve::Rewards> value(const machine::State& state);

  // What `solve` reports of the whole game, without numbers of states. Nothing if a value is
  // missing.
  std::optional<solve::Summary> summarize(solve::OpponentModel model);

  // The number of different positions of components met so far.
  std::size_t positions() const { return values_.size(); }
  // The number of components of a state.
  std::size_t components(const machine::State& state);

 private:
  using State = machine::State;
  using Moves = std::vector<std::uint32_t>;

  // The state of the time in which a player moves.
  struct Turn {
    State time;                 // the action-independent fluents
    solve::Rewards rewards;     // if the mover cannot move
    machine::Move waiting = 0;  // the only move of the other player
    std::unique_ptr<analysis::StepDependencies> rules;
  };
  // What a move reads and what it acts on, ascending.
  struct Reach {
    std::vector<ground::Atom> read, written;
  };
  // Moves that influence no others, with the fluents that they depend on.
  struct Component {
    Moves moves;
    State read;
  };
  enum class Mark : std::uint8_t { open, done };
  struct Position {
    Mark mark = Mark::open;
    GameValue value = 0;
  };

  PartisanSum(std::shared_ptr<const machine::Machine> machine, const base::Limits& limits);

  bool find_turns(const circuit::CircuitFacts& facts);
  bool set_waiting(Turn& turn) const;
  bool is_normal_play();
  bool add_reach();
  bool find_rewards();
  State at_turn(const State& state, std::size_t turn) const;

  Moves live_moves(const State& state, const Moves& among, State& changing);
  bool may_be_legal(std::uint32_t move, const State& state, const State& changing);
  std::vector<Component> split(const State& state, const Moves& among);
  GameValue value_of(const State& state, const Moves& among);
  GameValue value_of(const State& state, const Component& component);
  std::size_t mover_of(const State& state) const;
  State after(const State& state, machine::Move move);
  std::optional<std::vector<solve::MoveValue>> first_moves(solve::OpponentModel model);
  std::vector<machine::Move> line();
  std::vector<GameValue> options(const State& state, const Component& component, std::size_t turn);

  std::shared_ptr<const machine::Machine> machine_;
  const base::Limits limits_;
  base::PacedLimits paced_;
  machine::Cursor cursor_;
  State root_, time_mask_;
  Turn turns_[2];                                  // by role of the mover: Left is the first role
  Moves moves_;                                    // all that a mover can make, ascending
  std::vector<Reach> reach_;                       // by move
  std::vector<std::vector<circuit::Node>> cones_;  // by move: the gates of its legality, ascending
  std::vector<std::uint8_t> known_[2];  // by turn and node: the value in the current question
  ShortGames games_;
  std::unordered_map<State, Position> values_;  // by what a component reads
  bool has_failed_ = false;
};

}  // namespace zermelo::search::decomposition
