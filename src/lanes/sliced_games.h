// 256 games in progress on a SlicedMachine: the parts of a step, shared by all players.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "lanes/frame.h"
#include "lanes/lane_executor.h"
#include "lanes/lane_random.h"
#include "lanes/sliced_machine.h"

namespace zermelo::lanes {

// The executors of a machine's programs; immutable, shared by threads.
class SlicedCode {
 public:
  explicit SlicedCode(std::shared_ptr<const SlicedMachine> machine);

  struct PhaseCode {
    std::unique_ptr<LaneExecutor> before_choice;
    std::unique_ptr<LaneExecutor> after_choice;
  };

  const SlicedMachine& machine() const { return *machine_; }
  const std::vector<PhaseCode>& phases() const { return phases_; }
  const LaneExecutor* goals() const { return goals_.get(); }

 private:
  std::shared_ptr<const SlicedMachine> machine_;
  std::vector<PhaseCode> phases_;
  std::unique_ptr<LaneExecutor> goals_;
};

// Compiles the machine and its executors. Fails at a limit.
base::Result<std::shared_ptr<const SlicedCode>> make_sliced_code(
    std::shared_ptr<const circuit::CompiledGame> compiled, const SlicedOptions& options);

class SlicedGames {
 public:
  SlicedGames(const SlicedCode& code, std::uint64_t seed);

  const SlicedMachine& machine() const { return code_.machine(); }
  const SlicedPhase& phase(std::size_t number) const { return machine().phases()[number]; }
  std::size_t phases() const { return machine().phases().size(); }
  std::size_t following(std::size_t number) const {
    return number + 1 == phases() ? 0 : number + 1;
  }
  Frame& frame() { return frame_; }

  // Computes the legal moves and draws one per role. Sets `can_move` to the lanes in which every
  // role has one.
  void begin_step(std::size_t number, Lanes& can_move);
  // Makes the moves. The next states are in the slots of the following phase.
  void end_step(std::size_t number);

  // A hash over all numbers drawn so far.
  const Lanes& trace() const { return trace_; }

  // The live fluents of one lane, or of some. `state` has all fluents of the game.
  void set_state(std::size_t number, std::size_t lane, const base::BitSet& state);
  void set_state(std::size_t number, const Lanes& lanes, const base::BitSet& state);

 private:
  const SlicedCode& code_;
  LaneRandom random_;
  Frame frame_;
  Lanes trace_{};
};

}  // namespace zermelo::lanes
