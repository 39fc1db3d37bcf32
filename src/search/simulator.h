// The interface through which search and play use a game, whatever the engine: the compiled machine
// if the game grounds, with bit-sliced playouts if these can be prepared quickly, else the
// reference engine.
//
//   auto simulator = make_simulator(rulesheet, {});
//   auto walker = (*simulator)->walker();
//   walker->go_to((*simulator)->initial());
//   while (!walker->terminal()) walker->make(choose(walker->legal(0), ...));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/random.h"
#include "base/result.h"
#include "gdl/rulesheet.h"
#include "lanes/sliced_games.h"
#include "machine/machine.h"

namespace zermelo::search {

using machine::Move;
// The fluents that are true, by the simulator's numbers.
using State = base::BitSet;

// A current position in the game. Must be used by one thread only.
class Walker {
 public:
  virtual ~Walker() = default;

  virtual void go_to(const State& state) = 0;
  virtual State state() = 0;
  virtual bool terminal() = 0;
  // Sorted by name; valid until the next call for the same role.
  virtual std::span<const Move> legal(std::size_t role) = 0;
  // Returns the reward of the role (base/reward.h).
  virtual int goal(std::size_t role) = 0;
  // Makes one legal move per role.
  virtual void make(std::span<const Move> joint) = 0;
  // Takes back the last move since go_to; there must be one.
  virtual void unmake() = 0;
};

// Results of random games, one from each of the given states.
struct PlayoutBatch {
  std::vector<float> rewards;            // by state and role, 0 to 1; 0 for unfinished games
  std::vector<std::vector<Move>> lines;  // by state: joint moves, role by role, if recorded
  // By move, the playouts in which it was made, one bit each; null if recorded as lines or not at
  // all. Valid until the next batch.
  const lanes::Frame* made = nullptr;
};

// A preference among moves for playouts. Without one, moves are chosen uniformly.
class MovePreference {
 public:
  virtual ~MovePreference() = default;
  // Returns the index of the chosen move.
  virtual std::size_t choose(std::size_t role, std::span<const Move> moves,
                             base::Random& random) const = 0;
};

// Plays random games. Must be used by one thread only.
class Playouts {
 public:
  virtual ~Playouts() = default;
  // Returns how many games are played at the same time.
  virtual std::size_t lanes() const = 0;
  // Plays one game from each state. The states must be reachable. Returns early if a stop is
  // requested; the batch is then undefined.
  virtual void play(std::span<const State> states, PlayoutBatch& batch,
                    const std::stop_token& stop = {}) = 0;
};

class Simulator {
 public:
  virtual ~Simulator() = default;

  virtual const std::vector<std::string>& roles() const = 0;
  virtual State initial() const = 0;
  virtual std::unique_ptr<Walker> walker() const = 0;
  // Returns the fastest playouts available.
  virtual std::unique_ptr<Playouts> playouts(std::uint64_t seed) const = 0;
  // Returns the fastest playouts that record the moves made. The first call may take as long as
  // the preparation of the simulator.
  virtual std::unique_ptr<Playouts> recorded_playouts(std::uint64_t seed) const;
  virtual std::string move_name(Move move) const = 0;
  // Sorted.
  virtual std::vector<std::string> fluent_names(const State& state) const = 0;
  // Returns whether several threads may use walkers at the same time.
  virtual bool parallel() const = 0;
  // Returns all goal values of a role that can occur, ascending; empty if they are not known.
  virtual std::vector<int> goal_values(std::size_t role) const = 0;
  // Returns the programs of bit-sliced playouts; null if the simulator has none.
  virtual const lanes::SlicedCode* sliced() const { return nullptr; }
  // Returns the compiled game, which has the same states; null if the game was not grounded.
  virtual std::shared_ptr<const machine::Machine> machine() const = 0;
};

struct SimulatorOptions {
  base::Limits limits;                 // for building the simulator
  bool sliced = true;                  // prepare bit-sliced playouts, unless the game is very large
  base::Limits reference_limits = {};  // for the reference engine, if it has to be used
};

// Requires valid rules. Falls back to the reference engine if grounding or compiling reaches a
// limit, and for rules that compute too many numbers. If no limit is reached, the kind of playouts
// depends on the game alone.
base::Result<std::shared_ptr<const Simulator>> make_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const SimulatorOptions& options);

// The steps of make_simulator. This one returns the compiled game with single playouts; fails at a
// limit.
base::Result<std::shared_ptr<const Simulator>> make_ground_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const base::Limits& limits);
// Returns a simulator with bit-sliced playouts for the same machine, with the same numbers of
// states and moves. Fails at a limit.
base::Result<std::shared_ptr<const Simulator>> make_sliced_simulator(
    std::shared_ptr<const machine::Machine> machine, const base::Limits& limits);
// Returns a simulator with single playouts of a compiled game. The only one for games with hidden
// information (GDL-II): it steps states, and the caller is responsible for what roles see.
std::shared_ptr<const Simulator> simulator_of(std::shared_ptr<const machine::Machine> machine);
// Returns the slow simulator, which is usually available at once. Requires valid rules; rejects
// GDL-II. The limits stay in force afterwards: walkers throw base::LimitReached.
base::Result<std::shared_ptr<const Simulator>> make_reference_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const base::Limits& limits = {});

// Returns the legal move of that name, if any.
std::optional<Move> find_move(const Simulator& simulator, Walker& walker, std::size_t role,
                              const std::string& name);

// Returns playouts that play one game at a time and record the moves, on any engine. The simulator
// and the preference must outlive the playouts.
std::unique_ptr<Playouts> single_playouts(const Simulator& simulator, std::uint64_t seed,
                                          const MovePreference* preference);

// Playouts end after this many joint moves.
inline constexpr std::uint32_t longest_playout = 2'000;

}  // namespace zermelo::search
