// Random games from given states, for tree search: many leaves at once, each with its own result.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "base/bit_set.h"
#include "lanes/sliced_games.h"

namespace zermelo::lanes {

struct LeafPlayout {
  enum class Outcome : std::uint8_t { ended, stuck, abandoned };

  Outcome outcome = Outcome::ended;
  std::uint32_t depth = 0;  // joint moves made
  std::vector<int> goals;   // the rewards by role (base/reward.h), if ended
};

// Plays one random game from each state. States must be reachable, so that each is in some phase.
// Adjacent equal states are started together. Reuses its memory between calls. Not thread-safe.
class SlicedLeafPlayouts {
 public:
  SlicedLeafPlayouts(const SlicedCode& code, std::uint64_t seed, std::uint32_t max_depth = 10'000);

  // Returns the results by state, valid until the next call. A stop request abandons the unfinished
  // games.
  const std::vector<LeafPlayout>& play(std::span<const base::BitSet> states,
                                       const std::stop_token& stop = {});

  // Whether the moves of the games are recorded: the code was made with observe_chosen_moves. Then
  // at most lane_count states may be played at once.
  bool records_moves() const { return made_.has_value(); }
  // By move, the games of the last call in which it was made: lane i for state i. Null if moves are
  // not recorded.
  const Frame* made() const { return made_ ? &*made_ : nullptr; }

 private:
  static constexpr std::uint32_t idle = ~std::uint32_t{0};

  void queue(std::span<const base::BitSet> states);
  void fill(std::size_t phase, std::span<const base::BitSet> states);
  void fill_by_number(std::size_t phase, std::span<const base::BitSet> states);
  void begin_in(std::size_t lane, std::uint32_t state);
  void record(std::size_t phase);
  void step(std::size_t phase);
  void end(std::size_t phase, std::size_t lane);
  void leave(std::size_t lane, LeafPlayout::Outcome outcome);
  void abandon_longest();
  void abandon_all();
  void evaluate_pending();
  void score(const Frame& frame, const std::vector<Slot>& goals, std::size_t lane,
             LeafPlayout& playout) const;

  const SlicedCode& code_;
  SlicedGames games_;
  std::uint32_t max_depth_;
  std::vector<std::vector<std::uint32_t>> waiting_;  // by phase: states not started yet
  std::vector<std::uint32_t> state_of_;              // by lane: the state it plays from, or idle
  std::vector<std::uint32_t> pending_;  // by lane: the state whose goals are still needed
  std::vector<std::uint64_t> begun_;    // by lane: after how many steps
  std::uint64_t steps_ = 0;             // in this call
  Lanes playing_{};
  std::optional<Frame> made_;
  std::vector<std::vector<std::uint32_t>>
      possible_;  // by phase: moves that can be made, if recorded
  std::optional<Frame> goal_frame_;
  std::vector<LeafPlayout> playouts_;
  std::size_t open_ = 0;
};

}  // namespace zermelo::lanes
