// What a valid game must satisfy as it is played, and what kind of game it is: proved, refuted with
// a line of play, or only sampled. None of it is decidable from the form of the rules, so there are
// three ways: enumerate all states where they are few, prove a bound on the length of play from the
// part of the game that no move can change, and otherwise look at random games.
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
  sampled,  // holds in the states that were looked at
};

struct Finding {
  Evidence evidence = Evidence::sampled;
  std::string reason;  // one sentence: by what it is known
  Line line;           // refuted only; may be empty, when the initial state shows it
};

struct DynamicConditions {
  Finding has_moves;     // every role has a legal move in every state that is not terminal
  Finding ends;          // play always reaches a terminal state
  Finding unique_goals;  // in a terminal state every role has exactly one goal value
  Finding turn_taking;   // never have two roles more than one legal move
  Finding constant_sum;  // the goals of all roles add up to the same number in all terminal states

  std::optional<std::size_t> longest_game;       // joint moves; a bound that is proved
  std::optional<std::uint64_t> states;           // reachable, where all were enumerated
  std::optional<std::uint64_t> terminal_states;  // likewise
  std::optional<int> goal_sum;                   // of constant_sum, unless it is refuted
};

struct ConditionOptions {
  std::uint64_t max_states = 50'000;         // to enumerate
  std::uint64_t max_games = 200;             // to sample
  std::size_t max_depth = 1'000;             // of a sampled game
  std::size_t max_steps = 10'000;            // of the proof of termination
  std::chrono::duration<double> seconds{2};  // for each of the three
  std::uint64_t seed = 1;
};

DynamicConditions check_dynamic_conditions(std::shared_ptr<const machine::Machine> machine,
                                           const ConditionOptions& options = {});
// For a game that was not grounded. Nothing but enumeration can prove then that it ends.
DynamicConditions check_dynamic_conditions(reference::Reference& reference,
                                           const ConditionOptions& options = {});

}  // namespace zermelo::analysis
