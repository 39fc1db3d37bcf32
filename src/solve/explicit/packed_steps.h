// The legal moves and successors of 256 packed states at once, with the executors of bit-sliced
// play.
//
//   PackedStepper stepper(steps);
//   stepper.look(steps_so_far, states);              // at up to 256 states
//   stepper.legal(move), stepper.terminal();         // as lanes
//   stepper.add(states[3], joint);                   // up to 256 pairs
//   stepper.run([](StatePacking::ConstWords successor) { ... });
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "base/state_machine.h"
#include "circuit/compiled_game.h"
#include "ground/game.h"
#include "lanes/sliced_games.h"
#include "solve/explicit/state_packing.h"

namespace zermelo::solve {

// Programs that read and write packed states. Immutable, shared by threads.
class PackedSteps {
 public:
  struct PackedProgram {
    lanes::LaneProgram operations;
    lanes::SlotMap slots;
    std::unique_ptr<lanes::LaneExecutor> code;  // refers to both
    std::vector<lanes::Slot> state;             // by bit of the packed state
    std::vector<lanes::Slot> does;              // by move
    std::vector<lanes::Slot> outputs;
  };
  struct PhasePrograms {
    PackedProgram look;  // legal by move, followed by terminal
    PackedProgram step;  // the successor, by bit
  };

  // Fails at a limit.
  static base::Result<PackedSteps> make(const circuit::CompiledGame& game,
                                        const StatePacking& packing, const base::Limits& limits);

  // A state after n steps is in phase n modulo the number of phases.
  const std::vector<std::unique_ptr<const PhasePrograms>>& phases() const { return phases_; }
  std::size_t words() const { return words_; }

 private:
  std::vector<std::unique_ptr<const PhasePrograms>> phases_;
  std::size_t words_ = 0;  // of a state
};

// Runs the programs in one thread.
class PackedStepper {
 public:
  using Words = StatePacking::ConstWords;

  // `steps` must outlive this.
  explicit PackedStepper(const PackedSteps& steps);

  // Computes the legal moves and terminal states of states after `steps` steps. The lanes are valid
  // until the next look; those beyond the states are undefined.
  void look(std::size_t steps, std::span<const Words> states);
  const lanes::Lanes& legal(machine::Move move) const;
  const lanes::Lanes& terminal() const;
  // Calls visit(lane) for every lane among the given ones in which the move is legal.
  template <class Visit>
  void for_each_legal(machine::Move move, const lanes::Lanes& among, Visit visit) const {
    const lanes::Lanes lanes = legal(move) & among;
    for (std::size_t w = 0; w < lanes::lane_words; ++w) {
      for (std::uint64_t rest = lanes[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }
  static lanes::Lanes first_lanes(std::size_t count);

  // Adds a state after the same number of steps, with a legal joint move. Must not be full.
  void add(Words state, std::span<const machine::Move> joint);
  bool is_full() const { return pairs_ == lanes::lane_count; }
  // Calls visit(successor) for every pair that was added since the last run.
  template <class Visit>
  void run(Visit visit) {
    step();
    for (std::size_t pair = 0; pair < pairs_; ++pair) visit(successor(pair));
    pairs_ = 0;
  }

 private:
  struct Frames {
    lanes::Frame look, step;
  };

  const PackedSteps::PhasePrograms& phase() const { return *steps_.phases()[phase_]; }
  lanes::Lanes& row(std::size_t word, std::size_t lane) {
    return rows_[static_cast<lanes::Slot>(word * 64 + lane % 64)];
  }
  void put(std::size_t lane, Words state);
  void load(const PackedSteps::PackedProgram& program, lanes::Frame& frame);
  void step();
  Words successor(std::size_t pair);

  const PackedSteps& steps_;
  std::vector<Frames> frames_;  // by phase
  std::size_t phase_ = 0;
  std::size_t pairs_ = 0;
  std::vector<machine::Move> made_;  // by all pairs
  lanes::Frame rows_;                // 64 for each word of a state; four states side by side
  std::vector<std::uint64_t> successor_;
};

}  // namespace zermelo::solve
