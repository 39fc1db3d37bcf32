// The native planner: the best line of a single-player game, found by searches that take turns.
//
//   auto planner = Planner::make(machine);
//   (*planner)->improve(limits, 10s);
//   (*planner)->best();        // the moves and their reward, as soon as there are any
//   (*planner)->is_optimal();  // whether they are proved to be the best
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "search/decomposition/factoring.h"
#include "search/planner/plan_search.h"
#include "search/planner/plan_space.h"
#include "search/planner/relaxed_task.h"

namespace zermelo::search::planner {

class Planner {
 public:
  // Plans from the initial state at first. Fails with not_applicable if the game has several roles.
  static base::Result<std::unique_ptr<Planner>> make(
      std::shared_ptr<const machine::Machine> machine, std::uint64_t seed = 1);
  ~Planner();

  // Plans from another state of the game from now on. What was found for the last one is dropped,
  // but for the rest of the best line if it leads through the state.
  void set_root(const State& state);
  const State& root() const { return space_->root(); }
  // Searches until the best line is proved, the time is over, or a limit is reached. If memory is
  // the limit, breadth-first search ends, and then the others start again, as long as that helps.
  void improve(const base::Limits& limits, std::chrono::duration<double> time);

  // Frees what the searches hold, except for the best line. They start again if asked to improve
  // it.
  void release();

  // The best line from the root; nothing while none is known.
  const std::optional<Line>& best() const;
  // Whether no line from the root has a higher reward. If there is no line at all, this says that
  // none ends the game with a reward.
  bool is_optimal() const;
  // No line from the root has a higher reward than this; -1 if none ends with a reward.
  int upper_bound() const;

 private:
  using Seconds = std::chrono::duration<double>;
  struct Turn;

  Planner(std::shared_ptr<const machine::Machine> machine, std::uint64_t seed);

  void start();
  bool make_room(const base::Limits& limits);
  void end_breadth_first();
  Turn* next_turn();
  void run(Turn& turn, const base::Limits& limits, Seconds left);
  void prepare(const base::Limits& limits, Seconds time);
  std::unique_ptr<PlanSearch> make_search(std::size_t kind, const base::Limits& limits);
  std::unique_ptr<PlanSearch> make_search_of_factors(const base::Limits& limits);

  std::shared_ptr<const machine::Machine> machine_;
  std::uint64_t seed_;
  std::unique_ptr<const RelaxedTask> task_;  // null: not made yet, or not possible
  Seconds task_time_;                        // for the next attempt to make it
  bool task_failed_ = false;                 // for a reason other than time
  decomposition::Factoring factoring_;
  std::unique_ptr<PlanSpace> space_;
  std::unique_ptr<PlanRecord> record_;
  std::vector<Turn> turns_;
};

}  // namespace zermelo::search::planner
