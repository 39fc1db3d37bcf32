// Autonomous fluents: their next values depend neither on the moves nor on fluents outside the set.
// Examples are step counters, an alternating control, and constants.
//
//   const AutonomousFluents autonomous(game);
//   std::vector<Atom> now = autonomous.initial();
//   now = autonomous.after(now);  // what holds after one step, whatever the players do
//
// All states after the same number of steps agree on these fluents. Compiled programs treat those
// with a short period as constants (phases.h); diagrams replace all of them by the number of the
// layer (symbolic/clock.h).
#pragma once

#include <vector>

#include "base/limits.h"
#include "ground/game.h"

namespace zermelo::circuit {

class AutonomousFluents {
 public:
  // Finds the greatest such set. The game must outlive the result.
  // Throws base::LimitReached at a limit.
  explicit AutonomousFluents(const ground::Game& game, const base::Limits& limits = {});

  // Ascending.
  const std::vector<ground::Atom>& fluents() const { return fluents_; }
  // The same fluents, divided into the smallest parts such that no fluent depends on one of another
  // part. Ascending.
  const std::vector<std::vector<ground::Atom>>& parts() const { return parts_; }

  // The autonomous fluents that hold in the initial state, ascending.
  std::vector<ground::Atom> initial() const;
  // The autonomous fluents that hold after a step from a state in which `holding` do, ascending.
  std::vector<ground::Atom> after(const std::vector<ground::Atom>& holding) const;

 private:
  void derive(std::vector<bool>& values) const;
  std::size_t end_of_component(std::size_t from) const;
  bool holds(ground::Atom atom, const std::vector<bool>& values) const;

  const ground::Game& game_;
  std::vector<ground::Atom> fluents_;
  std::vector<std::vector<ground::Atom>> parts_;
  std::vector<ground::Atom> derived_;  // atoms that their next values depend on, ascending
};

}  // namespace zermelo::circuit
