// What the states of a turn-taking game lead to, 256 states at a time: terminal rewards, the role
// that decides, and the successors. The common part of the explicit solver of one process
// (game_graph.h) and the one of several ranks.
//
//   TurnExpander expander(machine, limits);
//   expander.expand(steps_so_far, states);
//   for (i) expander.expanded()[i], expander.next_successor(), ...
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "solve/common/opponent_model.h"
#include "solve/explicit/packed_steps.h"

namespace zermelo::solve {

// States are the words of machine::State. Must be used by one thread only; `limits` must outlive
// it.
class TurnExpander {
 public:
  using Words = std::span<const std::uint64_t>;

  struct Expanded {
    bool is_terminal = false;
    Rewards rewards;        // if terminal
    std::size_t mover = 0;  // the role whose moves were followed
    std::size_t moves = 0;  // of that role: as many successors follow, possibly equal ones
  };

  TurnExpander(std::shared_ptr<const machine::Machine> machine, const base::Limits& limits);

  const machine::Machine& machine() const { return stepper_.machine(); }
  std::size_t words() const { return state_.words().size(); }
  machine::State initial_state() { return stepper_.initial_state(); }

  // Expands up to 256 states after `steps` steps. The results are valid until the next call, and
  // incomplete if there is a limit or a refusal.
  void expand(std::size_t steps, std::span<const Words> states);
  const std::vector<Expanded>& expanded() const { return expanded_; }
  // The successors of all states in order, words() words each.
  const std::vector<std::uint64_t>& successors() const { return successors_; }

  // The limit that was reached.
  std::optional<base::ErrorKind> limit() const { return limit_; }
  // With not_applicable: a state in which several roles decide or a role has no legal move. Or why
  // the programs for many states could not be made.
  const std::optional<base::Error>& refusal() const { return refusal_; }
  bool is_over() const { return limit_ || refusal_; }
  // To be called at every step of long work with the results. Polls the limits now and then.
  bool stop_at_limit();

 private:
  const std::vector<std::string>& roles() const { return stepper_.roles(); }
  std::vector<machine::Move>& legal(std::size_t i, std::size_t role) {
    return legal_[i * roles().size() + role];
  }
  void make_lanes();
  void enter(Words state);
  void look(std::size_t steps, std::span<const Words> states);
  void look_at_each(std::span<const Words> states);
  void look_at_lanes(std::size_t steps, std::span<const Words> states);
  void find_rewards(std::span<const Words> states);
  void follow_moves(std::size_t i);
  void add_move();
  void make_moves();
  void add_successor(Words words);
  void keep_the_decisive(std::size_t i);
  bool changes_successor(std::size_t i, std::size_t role);
  bool depends_on_more_than(std::size_t i, const std::vector<std::size_t>& decisive);
  machine::State successor(std::span<const machine::Move> joint);
  void refuse(const std::string& problem);

  machine::Stepper stepper_;
  const base::Limits& limits_;
  std::unique_ptr<const PackedSteps> programs_;  // of the lanes
  std::optional<PackedStepper> lanes_;           // once there are more than few_states
  std::uint64_t seen_ = 0;                       // states expanded
  machine::State state_;                         // the current one
  std::vector<Expanded> expanded_;
  std::vector<std::vector<machine::Move>> legal_;  // by state and role
  std::vector<std::uint64_t> successors_;
  std::vector<machine::Move> joint_;
  std::vector<std::size_t> choosers_;
  std::uint64_t steps_ = 0;
  std::optional<base::ErrorKind> limit_;
  std::optional<base::Error> refusal_;
};

}  // namespace zermelo::solve
