// All reachable states of a game as sets, one per position of the clock, and the operations of the
// set algorithms.
//
//   auto space = StateSpace::find(model, options);
//   StateSets won = space->terminal(outcome);
//   space->spread(won, [&](std::size_t p, const dd::Diagram& front) { return ...; });
//   if (space->failure()) ...
//
// The successors of states at one position are at the next one. Operations can fail only at a
// limit. After a failure all operations return the empty set, so that fixpoint iterations end, and
// the caller checks failure() once.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "solve/common/opponent_model.h"
#include "symbolic/layers.h"
#include "symbolic/model.h"

namespace zermelo::solve {

class StateClasses;

using StateSets = std::vector<dd::Diagram>;  // by position of the clock, constants 0 and 1

bool is_empty(const dd::Diagram& set);
bool is_empty(const StateSets& sets);

class StateSpace {
 public:
  // The model must outlive the result. Fails like StateClasses::classify, and with the limit that
  // is reached.
  static base::Result<StateSpace> find(
      const symbolic::Model& model, const dd::Options& options,
      const std::function<void(const symbolic::LayerStatistics&)>& progress = {});

  const symbolic::Model& model() const { return *model_; }
  const std::vector<Rewards>& outcomes() const { return outcomes_; }
  const std::vector<bool>& deciding() const { return deciding_; }  // by role, whether it ever does
  // By the minimum number of moves, with the constants of a solution's diagram of states.
  const std::vector<dd::Diagram>& layers() const { return layers_; }
  std::size_t roles() const { return model_->machine().roles().size(); }
  std::size_t positions() const { return model_->encoding().clock().positions(); }
  std::size_t next(std::size_t position) const;

  const StateSets& open() const { return open_; }  // all states that are not terminal
  const StateSets& terminal(std::size_t outcome) const { return terminal_[outcome]; }
  // The states in which the role decides; role 0 also has the states in which no role decides.
  const StateSets& moving(std::size_t role) const { return moving_[role]; }

  // By role, like moving, but states without a choice belong to role 1 if it has a move with an
  // effect and role 0 does not. Requires two roles.
  std::vector<StateSets> turns();

  dd::Diagram none() const;
  StateSets nowhere() const { return StateSets(positions(), none()); }
  dd::Diagram unite(const dd::Diagram& a, const dd::Diagram& b);
  dd::Diagram common(const dd::Diagram& a, const dd::Diagram& b);
  dd::Diagram without(const dd::Diagram& a, const dd::Diagram& b);
  StateSets unite(const StateSets& a, const StateSets& b);
  StateSets without(const StateSets& a, const StateSets& b);

  // Weak preimage: the states of `within` at a position that have a successor in the set. Requires
  // states that are not terminal.
  dd::Diagram before(std::size_t position, const dd::Diagram& set, const dd::Diagram& within);
  // Strong preimage: the states that have a successor in `front` and none in `outside`.
  dd::Diagram only_before(std::size_t position, const dd::Diagram& front,
                          const dd::Diagram& outside, const dd::Diagram& within);
  // Weak if the role moves, strong if another one does.
  dd::Diagram forced_before(std::size_t position, std::size_t role, const dd::Diagram& front,
                            const dd::Diagram& outside, const dd::Diagram& within);

  // Calls the step with each position before one with seeds, and with those seeds. The states it
  // returns become further seeds.
  using Step = std::function<dd::Diagram(std::size_t position, const dd::Diagram& front)>;
  void spread(StateSets seeds, const Step& step);

  // Whether states can repeat.
  bool can_repeat();

  const std::optional<base::Error>& failure() const { return failure_; }

 private:
  StateSpace(const symbolic::Model& model, dd::Options options);
  base::Result<void> explore(const std::function<void(const symbolic::LayerStatistics&)>& progress);
  base::Result<void> add_layer(StateClasses& classes, const dd::Diagram& found);
  void divide();
  dd::Diagram acting(std::size_t position, std::size_t role);
  dd::Diagram kept(base::Result<dd::Diagram> result);
  dd::Diagram marked(const dd::Diagram& diagram, const std::function<bool(dd::NodeId)>& wanted);

  const symbolic::Model* model_;
  dd::Options options_;
  std::vector<Rewards> outcomes_;
  std::vector<bool> deciding_;
  std::vector<dd::Diagram> layers_;
  StateSets open_;
  std::vector<StateSets> terminal_, moving_;
  std::optional<base::Error> failure_;
};

}  // namespace zermelo::solve
