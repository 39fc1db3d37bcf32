// Conditions that a well-formed game must satisfy during play, and properties of the game: each is
// proved, refuted with a line of play, or only sampled. None is decidable from the form of the
// rules, so there are three methods: enumerate all states if they are few; prove a bound on the
// length of play from the part of the game that no move can change; otherwise check random games.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "analysis/reachable.h"
#include "machine/machine.h"
#include "reference/reference.h"

namespace zermelo::analysis {

enum class Evidence : std::uint8_t {
  proved,   // holds in every reachable state
  refuted,  // `line` leads to a state where it does not hold
  sampled,  // holds in the states that were checked
};

struct Finding {
  Evidence evidence = Evidence::sampled;
  std::string reason;  // one sentence: how it is known
  Line line;           // only if refuted; empty if the initial state shows it
};

struct DynamicConditions {
  Finding has_moves;  // every role has a legal move in every non-terminal state
  Finding ends;       // play always reaches a terminal state
  // In every terminal state each role, except `random` of GDL-II, has exactly one goal value.
  Finding unique_goals;
  Finding turn_taking;   // never do two roles have more than one legal move
  Finding constant_sum;  // the goals of all roles have the same sum in all terminal states

  std::optional<std::size_t> longest_game;       // in joint moves; a proved bound
  std::optional<std::uint64_t> states;           // reachable states, if all were enumerated
  std::optional<std::uint64_t> terminal_states;  // likewise
  double max_joint_moves = 0;                    // in one state, if too many to enumerate; else 0
  std::optional<int> goal_sum;                   // of constant_sum, unless it is refuted
};

struct ConditionOptions {
  std::uint64_t max_states = 50'000;         // for enumeration
  std::uint64_t max_games = 200;             // for sampling
  std::size_t max_depth = 1'000;             // of a sampled game
  std::size_t max_steps = 10'000;            // for the proof of termination
  std::chrono::duration<double> seconds{2};  // for each of the three methods
  std::uint64_t max_joint_moves = 200'000;   // of a state, for enumeration
  std::uint64_t seed = 1;
  base::Limits limits = {};  // the conditions found when one is reached are kept
};

DynamicConditions check_dynamic_conditions(std::shared_ptr<const machine::Machine> machine,
                                           const ConditionOptions& options = {});
// For a game that was not grounded. Only enumeration can then prove that it ends.
DynamicConditions check_dynamic_conditions(reference::Reference& reference,
                                           const ConditionOptions& options = {});

}  // namespace zermelo::analysis
