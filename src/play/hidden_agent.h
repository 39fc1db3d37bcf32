// Players of games with hidden information (GDL-II). They are not given the state, only what their
// role sees.
//
//   auto:time=1s                    information-set MCTS
//   ismcts:simulations=1000         the same
//   determinise:simulations=1000    samples states and searches each as if it was known
//   random, legal                   as for other games
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "know/belief.h"
#include "machine/machine.h"
#include "play/agent.h"

namespace zermelo::play {

class HiddenAgent {
 public:
  virtual ~HiddenAgent() = default;

  // Returns one of the legal moves, which are sorted by name. If `time` is given, it replaces the
  // time of the agent's specification. May throw base::LimitReached.
  virtual Move choose(std::span<const Move> legal, std::optional<Seconds> time) = 0;
  // After every joint move: the move of the role, and its percepts, ascending. May throw
  // base::LimitReached.
  virtual void observe(Move move, std::span<const base::Percept> percepts) = 0;
  // What the agent considers possible; null if it keeps no belief.
  virtual const know::Belief* belief() const { return nullptr; }
};

struct HiddenSeat {
  std::shared_ptr<const machine::Machine> machine;
  std::size_t role = 0;  // not `random`
  std::uint64_t seed = 1;
  base::Limits limits = {};
};

// Fails with not_applicable for players that need to see the state.
base::Result<std::unique_ptr<HiddenAgent>> make_hidden_agent(const AgentSpec& spec,
                                                             const HiddenSeat& seat);

}  // namespace zermelo::play
