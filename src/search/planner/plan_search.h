// What the searches for one plan have in common: the best line so far, the best that is possible,
// and the interface by which they take turns.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "search/planner/plan_space.h"

namespace zermelo::search::planner {

class PlanRecord {
 public:
  // No line has a reward above `upper_bound`.
  explicit PlanRecord(int upper_bound) : upper_bound_(upper_bound) {}

  const std::optional<Line>& best() const { return best_; }
  // The reward of the best line; -1 if there is none.
  int reward() const { return best_ ? best_->reward : -1; }
  int upper_bound() const { return upper_bound_; }
  bool is_optimal() const { return reward() >= upper_bound_; }

  void offer(std::optional<Line> line) {
    if (line && line->reward > reward()) best_ = std::move(line);
  }
  void lower_bound_to(int bound) { upper_bound_ = std::min(upper_bound_, bound); }
  // No line is better than the best so far.
  void prove() { upper_bound_ = reward(); }

 private:
  std::optional<Line> best_;
  int upper_bound_;
};

// A move from a node.
struct LastMove {
  NodeIndex from;
  Move move;
};

// Offers the line that ends with the move to the record, if its reward is better. The cursor must
// be at the state that the move leads to, and the game must be over there.
void offer_end(const machine::Cursor& cursor, const PlanSpace& space, const NodeTable& nodes,
               const LastMove& last, PlanRecord& record);

// When a search makes room for others.
class Pause {
 public:
  using Clock = std::chrono::steady_clock;

  // The limits must outlive this. Without a time, only they end a search.
  explicit Pause(const base::Limits& limits) : limits_(limits), until_(Clock::time_point::max()) {}
  Pause(const base::Limits& limits, std::chrono::duration<double> time)
      : limits_(limits), until_(Clock::now() + std::chrono::duration_cast<Clock::duration>(time)) {}

  // Looks at the limits too, but only once a millisecond, so that every step of a search may ask:
  // some games take milliseconds for a step.
  bool is_due() const {
    const Clock::time_point now = Clock::now();
    if (now >= until_) return true;
    if (now < next_look_) return false;
    next_look_ = now + std::chrono::milliseconds(1);
    return limits_.exceeded().has_value();
  }

 private:
  const base::Limits& limits_;
  Clock::time_point until_;
  mutable Clock::time_point next_look_ = Clock::time_point::min();
};

enum class SearchEnd {
  paused,
  optimal,    // the record's line is
  exhausted,  // it has nothing left to search, which may or may not prove something
};

class PlanSearch {
 public:
  virtual ~PlanSearch() = default;
  // Continues, and offers the lines it finds to the record.
  virtual SearchEnd run(const Pause& pause) = 0;
};

}  // namespace zermelo::search::planner
