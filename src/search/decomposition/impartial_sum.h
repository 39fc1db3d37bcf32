// Sums of impartial games in normal play, such as nim, solved by the numbers of Sprague and Grundy.
//
//   if (const auto sum = ImpartialSum::find(machine)) sum->summarize(model);
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/subgames.h"
#include "base/limits.h"
#include "machine/machine.h"
#include "solve/summary.h"

namespace zermelo::search::decomposition {

class ImpartialSum {
 public:
  // Nothing unless the game is proved to be a sum of at least two impartial games in normal play,
  // or if its parts are too large; also at a limit.
  static std::optional<ImpartialSum> find(std::shared_ptr<const machine::Machine> machine,
                                          const base::Limits& limits = {});

  std::size_t parts() const { return parts_.size(); }
  // The number of states of all parts.
  std::size_t part_states() const;
  // The Grundy number of a reachable state. The player to move wins unless it is 0.
  std::uint32_t grundy_number(const machine::State& state) const;
  // The rewards with best play from a reachable state.
  const solve::Rewards& value(const machine::State& state) const;
  // What `solve` reports of the whole game.
  solve::Summary summarize(solve::OpponentModel model) const;

 private:
  using State = machine::State;

  static constexpr std::uint32_t never = ~std::uint32_t{0};

  struct LocalPosition {
    std::vector<std::uint32_t> successors;
    std::uint32_t grundy_number = 0;
    // The smallest even and odd number of moves that lead to it.
    std::array<std::uint32_t, 2> distances = {never, never};
  };
  struct Part {
    State mask;
    std::vector<bool> is_move;  // by move
    std::vector<State> states;
    std::vector<LocalPosition> positions;  // by state
    std::unordered_map<State, std::uint32_t> numbers;
  };
  // One of the two players to move.
  struct Turn {
    State time;  // the action-independent fluents
    std::uint32_t mover = 0;
    solve::Rewards rewards;  // if the mover cannot move
  };
  struct Totals;

  explicit ImpartialSum(std::shared_ptr<const machine::Machine> machine);

  bool find_parts(const base::Limits& limits);
  bool find_turns();
  bool set_mover(Turn& turn);
  bool is_of_part(machine::Move move) const;
  bool explore(Part& part, const base::Limits& limits);
  bool expand(Part& part, std::uint32_t position);
  std::optional<std::vector<std::uint32_t>> successors(Part& part, std::uint32_t position,
                                                       const Turn& turn);
  static std::uint32_t insert(Part& part, const State& state);
  static bool compute_numbers(Part& part);
  static void find_distances(Part& part);
  std::uint32_t longest_distance() const;
  bool ends_if_no_move_is_left() const;
  bool find_rewards();
  std::size_t turn_of(const State& state) const;
  std::vector<machine::Move> joint_move(const State& state, machine::Move move) const;
  std::vector<machine::Move> line() const;
  void add_counts(solve::Summary& summary) const;

  std::shared_ptr<const machine::Machine> machine_;
  std::shared_ptr<machine::Cursor> cursor_;
  State root_, time_mask_;
  analysis::Decomposition found_;
  std::vector<Part> parts_;
  Turn turns_[2];  // the first one is that of the root
};

}  // namespace zermelo::search::decomposition
