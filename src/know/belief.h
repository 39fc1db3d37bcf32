// What a player considers possible while it plays: the worlds of its information set.
//
//   Belief belief(machine, role, {.seed = 1});
//   belief.observe(move, percepts);      // after every joint move
//   belief.sample(random).state;         // a state that may be the true one
//
// Developments builds all rounds of a game at once; a belief follows one play, and knows only what
// its player has seen and done.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/limited_steps.h"
#include "base/random.h"
#include "machine/machine.h"

namespace zermelo::know {

// A hash of all that a role has seen and done. Information sets with the same hash are taken for
// the same one; with 64 bits, that two of them share it is unlikely even among a billion.
using InformationKey = std::uint64_t;

// The key after a further move, given what all roles then see.
InformationKey information_after(InformationKey before, machine::Move move,
                                 const base::BitSet& seen, const ground::Game& game,
                                 std::uint32_t role);

struct PossibleWorld {
  machine::State state;
  std::vector<InformationKey> information;  // by role; 0 for `random`
  double weight = 1;                        // its probability, up to a common factor
};

struct BeliefOptions {
  std::uint64_t seed = 1;
  std::size_t max_worlds = 4096;    // more are replaced by a sample
  std::size_t max_steps = 100'000;  // joint moves per round; if there are more, some are sampled
  base::Limits limits = {};
};

class Belief {
 public:
  // The probability that a role makes a move, if it has this information and so many legal moves.
  using Expectation = std::function<double(std::size_t role, InformationKey information,
                                           machine::Move move, std::size_t legal)>;

  // Starts at the initial state.
  Belief(std::shared_ptr<const machine::Machine> machine, std::size_t role,
         const BeliefOptions& options);

  // Continues after a joint move: the role made this move and then saw these percepts, ascending.
  // `expects` weights the moves of the other players; those of `random` are equally likely. Throws
  // base::LimitReached at a limit, and std::logic_error if no development fits, which does not
  // happen if all percepts come from the same rules.
  void observe(machine::Move move, std::span<const base::Percept> percepts,
               const Expectation& expects = uniform);

  // Not empty. Without duplicates while it is exact.
  const std::vector<PossibleWorld>& worlds() const { return worlds_; }
  // Whether the worlds are all that are possible, and not a sample.
  bool is_exact() const { return is_exact_; }
  // Chosen by weight.
  const PossibleWorld& sample(base::Random& random) const;

  static double uniform(std::size_t role, InformationKey information, machine::Move move,
                        std::size_t legal);

 private:
  struct Observation {
    machine::Move move;
    std::vector<base::Percept> percepts;
  };

  bool look(const PossibleWorld& world, machine::Move own);
  std::size_t joint_moves() const;
  bool fits(const base::BitSet& seen, const Observation& observation) const;
  PossibleWorld after(const PossibleWorld& world, std::span<const machine::Move> joint,
                      const base::BitSet& seen);
  double expectation(const PossibleWorld& world, std::span<const machine::Move> joint,
                     const Expectation& expects) const;
  void draw_joint_move(const PossibleWorld& world, const Expectation& expects);
  std::vector<PossibleWorld> all_continuations(const Observation& observation,
                                               const Expectation& expects, bool& is_complete);
  std::vector<PossibleWorld> some_continuations(const Observation& observation,
                                                const Expectation& expects);
  void replay();
  bool replay_from(const PossibleWorld& world, std::size_t round);
  void reduce(std::vector<PossibleWorld>& worlds);
  void keep(std::vector<PossibleWorld> worlds);
  PossibleWorld start() const;

  std::shared_ptr<const machine::Machine> machine_;
  std::size_t role_;
  BeliefOptions options_;
  base::LimitedSteps steps_;
  base::Random random_;
  machine::Cursor cursor_;
  machine::PerceptReader reader_;
  std::vector<std::vector<machine::Move>> legal_;  // by role, of the world looked at
  std::vector<machine::Move> joint_;
  std::vector<Observation> past_;  // by round
  std::vector<PossibleWorld> worlds_;
  std::vector<double> sums_;  // of weights, by world: its own and those before it
  bool is_exact_ = true;
};

}  // namespace zermelo::know
