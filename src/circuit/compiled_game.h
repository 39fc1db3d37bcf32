// A game and everything that is derived from its rules before it is played, counted or solved. Each
// part is computed on first use, once per game, and shared by all users.
//
// The parts build on each other:
//
//   Game ──▶ autonomous fluents ──────────┐
//     ├────▶ whole circuit ──▶ facts: lasting facts, phases, live fluents
//     │                                   └──▶ a circuit per phase ──▶ the same, reduced
//     └────▶ percept circuit (GDL-II)
//
// `machine::Machine` compiles its program from the circuits per phase, `lanes` and the packed steps
// of `solve` from the reduced ones, and `symbolic` replaces the autonomous fluents by the number of
// a layer.
//
//   const auto game = std::make_shared<const CompiledGame>(std::move(*ground::ground(rulesheet)));
//   const auto machine = machine::Machine::make(game, limits);
//   const auto lanes = lanes::SlicedMachine::make(game, options);  // reuses the phases
//
// A CompiledGame is logically immutable and thread-safe. If several threads request the same part
// at the same time, one computes it and the others wait. Each call has its own limits. An attempt
// that ends at a limit leaves nothing behind, so a call with more time may succeed.
//
// Facts are small and kept. Circuits are kept unless they are large: a large one exists as long as
// a user holds it, because most games need it only until the programs are compiled. Hold a large
// circuit while it is needed; otherwise the next call computes it again.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "circuit/autonomous.h"
#include "circuit/game_circuit.h"
#include "circuit/lasting.h"
#include "circuit/lazy.h"
#include "ground/game.h"

namespace zermelo::circuit {

// Facts derived from the whole circuit.
struct CircuitFacts {
  LastingFacts lasting;
  // By phase, the values of fixed fluents. A state after n steps is in phase n modulo their number.
  std::vector<FixedFluents> phases;
  // The fluents that legal, goals and terminal depend on, directly or over time; ascending.
  std::vector<ground::Atom> live;
};

class CompiledGame {
 public:
  explicit CompiledGame(std::shared_ptr<const ground::Game> game);
  explicit CompiledGame(ground::Game game);

  const ground::Game& game() const { return *game_; }

  // Throws base::LimitReached at a limit.
  const AutonomousFluents& autonomous(const base::Limits& limits = {}) const;
  // The following fail at a limit.
  //
  // The circuit with no fluent fixed.
  base::Result<CircuitPointer> whole(const base::Limits& limits = {}) const;
  base::Result<std::shared_ptr<const CircuitFacts>> facts(const base::Limits& limits = {}) const;
  // The circuit of each phase, built with one thread each. If no fluent is fixed, it is the whole
  // circuit.
  base::Result<std::shared_ptr<const Circuits>> phase_circuits(
      const base::Limits& limits = {}) const;
  // The same after share_pairs, for programs that evaluate all gates. Building them may take many
  // times longer.
  base::Result<std::shared_ptr<const Circuits>> reduced_circuits(
      const base::Limits& limits = {}) const;
  // The circuit whose outputs are the percepts of GDL-II, with no fluent fixed.
  base::Result<CircuitPointer> percepts(const base::Limits& limits = {}) const;

 private:
  // Builds the circuit of a phase in which these fluents are fixed.
  using MakePhase =
      std::function<base::Result<CircuitPointer>(std::size_t phase, const FixedFluents& fixed)>;

  base::Result<CircuitFacts> find_facts(const base::Limits& limits) const;
  base::Result<Circuits> make_phases(const base::Limits& limits, const MakePhase& make) const;
  base::Result<CircuitPointer> make_plain(const FixedFluents& fixed,
                                          const base::Limits& limits) const;
  base::Result<CircuitPointer> make_reduced(const FixedFluents& fixed, CircuitPointer plain,
                                            const base::Limits& limits) const;

  std::shared_ptr<const ground::Game> game_;
  mutable std::once_flag autonomous_is_made_;
  mutable std::unique_ptr<const AutonomousFluents> autonomous_;
  mutable Lazy<GameCircuit> whole_, percepts_;
  mutable Lazy<CircuitFacts> facts_;
  mutable Lazy<Circuits> phase_circuits_, reduced_circuits_;
};

}  // namespace zermelo::circuit
