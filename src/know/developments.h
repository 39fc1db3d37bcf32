// Developments and what the roles know of them, round by round.
//
// A development is a sequence of joint moves from the initial state (Definition 2 of Ruan and
// Thielscher, "On the Epistemic Logic behind the Game Description Language"). A role cannot
// distinguish two developments of the same length if it made the same moves and saw the same
// percepts in both. So the developments of a round are partitioned into information sets, one
// partition per role: the epistemic model of the round (Definition 6 and Proposition 1). The model
// checker, solvers and players share this structure.
//
//   Developments developments(machine, {});
//   while (*developments.advance()) use(developments.last());
//
// An agent is a role other than `random`, which nobody plays.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/limited_steps.h"
#include "base/result.h"
#include "know/knowledge.h"
#include "know/tuple_table.h"
#include "machine/machine.h"

namespace zermelo::know {

using machine::Move;

// Developments that no formula about this or a later round distinguishes: they lead to the same
// state, and every agent has the same information.
struct World {
  std::uint32_t state;         // of Round::states
  std::uint32_t parent;        // the world of the previous round from which one of them comes
  std::uint32_t joint;         // the last joint move of that one, see Developments::joint
  std::uint64_t developments;  // how many they are; the largest number if there are more
};

// What an agent has seen and done: what it had before, its last move and its last percepts.
struct InformationSet {
  std::uint32_t before;  // of the previous round
  Move move;
  std::uint32_t percepts;  // see Developments::percepts
};

struct Round {
  std::vector<machine::State> states;  // without duplicates; empty for all rounds but the last
  std::vector<World> worlds;
  std::vector<std::vector<std::uint32_t>> information;  // by agent and world: its information set
  std::vector<std::vector<InformationSet>> information_sets;  // by agent; empty for round 0

  // The sum over the worlds, limited to the largest number.
  std::uint64_t developments() const;
  std::size_t information_set_count(std::size_t agent) const;
};

struct DevelopmentsOptions {
  bool merge = true;  // false: every development is a world of its own
  base::Limits limits = {};
};

class Developments {
 public:
  // Starts with round 0: the initial state.
  Developments(std::shared_ptr<const machine::Machine> machine, const DevelopmentsOptions& options);
  Developments(const Developments&) = delete;
  Developments& operator=(const Developments&) = delete;

  const machine::Machine& machine() const { return *machine_; }
  const std::shared_ptr<const machine::Machine>& shared_machine() const { return machine_; }
  // By agent, the number of its role.
  const std::vector<std::uint32_t>& agents() const { return agents_; }
  std::string agent_name(std::size_t agent) const { return machine_->roles()[agents_[agent]]; }

  std::size_t rounds() const { return rounds_.size(); }
  const Round& round(std::size_t number) const { return rounds_[number]; }
  const Round& last() const { return rounds_.back(); }

  // Builds the next round. Returns false, and adds no round, if no development continues: all have
  // ended, or a role has no legal move. Fails at a limit; the rounds built before stay valid.
  base::Result<bool> advance();

  // One joint move, by role.
  std::span<const std::uint32_t> joint(std::uint32_t number) const { return joints_[number]; }
  // The percepts of an information set, as numbers of the Game, ascending.
  const std::vector<base::Percept>& percepts(std::uint32_t number) const {
    return *percepts_[number];
  }
  // A joint move from a world of the round before the last to a world of the last.
  struct Edge {
    std::uint32_t from, joint, to;
    auto operator<=>(const Edge&) const = default;
  };
  // All of them, ascending. Valid until the next advance.
  std::span<const Edge> edges() const { return edges_; }
  // The moves of one development of the world.
  Line line_to(std::size_t round, std::uint32_t world) const;
  // The world of the last round that a joint move leads to, from a world of the round before.
  // nullopt if the move is not legal there.
  std::optional<std::uint32_t> successor(std::uint32_t world, std::span<const Move> joint) const;

 private:
  struct Step;
  class Expansion;

  std::vector<Step> steps_of(const machine::State& state, Expansion& next);
  std::uint32_t percept_number(const base::BitSet& seen, std::uint32_t role);

  std::shared_ptr<const machine::Machine> machine_;
  DevelopmentsOptions options_;
  base::LimitedSteps steps_;
  std::vector<std::uint32_t> agents_;
  std::vector<Round> rounds_;
  machine::Cursor cursor_;
  machine::PerceptReader reader_;
  TupleTable joints_;
  std::map<std::vector<base::Percept>, std::uint32_t> percept_numbers_;
  std::vector<const std::vector<base::Percept>*> percepts_;  // by number, into the map
  std::vector<Edge> edges_;
};

}  // namespace zermelo::know
