// The solution of a game with hidden information as users see it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solve/hidden/hidden_solver.h"

namespace zermelo::app {

struct HiddenView {
  struct Step {
    std::string move;                   // what the player did
    bool had_choice = false;            // whether it had other legal moves
    std::vector<std::string> percepts;  // and then saw
  };
  struct Choice {
    std::string move;
    double probability = 0;
  };
  // An information set with several legal moves.
  struct Decision {
    std::size_t player = 0;
    std::uint32_t round = 0;
    std::vector<Step> memory;  // by round
    std::vector<Choice> moves;
  };

  std::vector<std::string> players;    // the roles without `random`
  std::vector<double> low, high;       // by player, on the expected reward, or on the lead
  double exploitability = 0;           // half the distance between the bounds
  std::vector<std::size_t> decisions;  // by player, their number
  std::vector<std::size_t> sequences;  // by player, their number
  std::size_t rounds = 0;              // until the end, at most
  std::uint64_t worlds = 0;            // of all rounds
  std::uint64_t terminal_worlds = 0;
  std::uint64_t iterations = 0;      // of CFR+
  std::string exact_value;           // with one player, its expected reward as a fraction
  std::vector<Decision> strategies;  // all decisions, by player and round; empty if too many
};

// What a stored solution says about a position, or about what a role knows.
struct HiddenAnswer {
  std::vector<std::string> players;  // the roles without `random`
  std::vector<double> low, high;     // by player, of the whole game
  double exploitability = 0;
  std::string exact_value;                      // with one player, its expected reward
  bool is_lead = false;                         // whether the bounds are of leads
  std::vector<int> goals;                       // by player, of a terminal position
  std::vector<HiddenView::Decision> decisions;  // of the players that have a choice there
};

// With more decisions, a view has no strategies.
inline constexpr std::size_t max_shown_decisions = 20'000;

HiddenView view_of(const solve::HiddenSolution& solution);

}  // namespace zermelo::app
