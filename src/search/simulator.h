// A game as search and play step it, whatever engine is below: the compiled machine where the game
// grounds, with playouts in lanes where those are quickly made, else the reference engine.
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
#include "machine/machine.h"

namespace zermelo::search {

using machine::Move;
// The fluents that hold, by numbers that the simulator understands.
using State = base::BitSet;

// A place in the game. Belongs to one thread.
class Walker {
 public:
  virtual ~Walker() = default;

  virtual void go_to(const State& state) = 0;
  virtual State state() = 0;
  virtual bool terminal() = 0;
  // Sorted by name; valid until the next call for the same role.
  virtual std::span<const Move> legal(std::size_t role) = 0;
  // The least where there are several, 0 where there is none.
  virtual int goal(std::size_t role) = 0;
  // One legal move per role.
  virtual void make(std::span<const Move> joint) = 0;
};

// Results of random games, one from each of some states.
struct PlayoutBatch {
  std::vector<float> rewards;            // by state and role, 0 to 1; 0 for games without an end
  std::vector<std::vector<Move>> lines;  // by state: joint moves, role by role; where they are seen
};

// What playouts prefer: nothing where there is none.
class MovePreference {
 public:
  virtual ~MovePreference() = default;
  // One of the moves, by its place.
  virtual std::size_t choose(std::size_t role, std::span<const Move> moves,
                             base::Random& random) const = 0;
};

// Plays random games. Belongs to one thread.
class Playouts {
 public:
  virtual ~Playouts() = default;
  // So many games are played in the time of one.
  virtual std::size_t lanes() const = 0;
  // States must be reachable. Gives up when told to stop; the batch then means nothing.
  virtual void play(std::span<const State> states, PlayoutBatch& batch,
                    const std::stop_token& stop = {}) = 0;
};

class Simulator {
 public:
  virtual ~Simulator() = default;

  virtual const std::vector<std::string>& roles() const = 0;
  virtual State initial() const = 0;
  virtual std::unique_ptr<Walker> walker() const = 0;
  // The fastest playouts there are.
  virtual std::unique_ptr<Playouts> playouts(std::uint64_t seed) const = 0;
  virtual std::string move_name(Move move) const = 0;
  // Sorted.
  virtual std::vector<std::string> fluent_names(const State& state) const = 0;
  // Whether several threads may have walkers at the same time.
  virtual bool parallel() const = 0;
  // All goal values of a role that can occur, ascending; empty where they are not known.
  virtual std::vector<int> goal_values(std::size_t role) const = 0;
  // The compiled game, whose states these are; null where it did not ground.
  virtual std::shared_ptr<const machine::Machine> machine() const = 0;
};

struct SimulatorOptions {
  base::Limits limits;  // for making it
  bool sliced = true;  // playouts in lanes, unless the game is so large that making them takes long
};

// Requires valid rules. Falls back to the reference engine where grounding or making the machine
// reaches a limit. Where no limit is reached, what kind of playouts it has depends on the game
// alone.
base::Result<std::shared_ptr<const Simulator>> make_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const SimulatorOptions& options);

// The parts of that. The compiled game, with playouts one at a time; fails at a limit.
base::Result<std::shared_ptr<const Simulator>> make_ground_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const base::Limits& limits);
// An simulator with playouts in lanes for the same machine, so that states and moves have the same
// numbers; fails at a limit.
base::Result<std::shared_ptr<const Simulator>> make_sliced_simulator(
    std::shared_ptr<const machine::Machine> machine, const base::Limits& limits);
// The slow simulator, which is mostly there at once. Requires valid rules; refuses GDL-II. The
// limits are kept from now on, as reference::Reference does: walkers throw reference::LimitReached.
base::Result<std::shared_ptr<const Simulator>> make_reference_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const base::Limits& limits = {});

// The legal move of that name.
std::optional<Move> find_move(const Simulator& simulator, Walker& walker, std::size_t role,
                              const std::string& name);

// Games one at a time with moves seen, on any engine. The simulator and the preference must outlive
// the playouts.
std::unique_ptr<Playouts> single_playouts(const Simulator& simulator, std::uint64_t seed,
                                          const MovePreference* preference);

// Playouts give up after so many joint moves.
inline constexpr std::uint32_t longest_playout = 2'000;

}  // namespace zermelo::search
