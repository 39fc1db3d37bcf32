// Measures how often a search finds the right move in a position, by the number of simulations: the
// experiment of Gudmundsson and Bjornsson (GIGA 2011) in Breakthrough.
#pragma once

#include "base/statistics.h"
#include "search/uct.h"

namespace zermelo::search {

struct TestPosition {
  std::shared_ptr<const Simulator> simulator;
  State state;
  std::size_t role = 0;
  Move solution = 0;
};

// Returns a position of Breakthrough 8x8 with White to move, in which only a5-a6 wins. Returns
// nullopt if the simulator is of another game.
std::optional<TestPosition> breakthrough_position(std::shared_ptr<const Simulator> simulator);

struct StudyOptions {
  std::uint32_t simulations = 3'000;
  std::uint32_t every = 50;  // simulations between two questions to the search
  std::uint32_t trials = 1'000;
  unsigned threads = 1;  // trials at the same time
  std::uint64_t seed = 1;
  std::stop_token stop = {};  // begins no further trial; the shares then mean nothing
};

// Returns, by question, the share of trials in which the solution has the highest estimate of all
// moves, with its 95% interval. Every trial has its own seed and tree.
std::vector<base::Interval> how_often_solved(const TestPosition& position, const UctOptions& agent,
                                             const StudyOptions& options);

}  // namespace zermelo::search
