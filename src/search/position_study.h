// How often a search names the right move of a position, by the number of simulations: the
// experiment of Gudmundsson and Bjornsson (GIGA 2011) in Breakthrough.
#pragma once

#include "base/statistics.h"
#include "search/uct.h"

namespace zermelo::search {

struct Riddle {
  std::shared_ptr<const Simulator> simulator;
  State state;
  std::size_t role = 0;
  Move solution = 0;
};

// White to move in Breakthrough, 8 by 8, on the engine of its rules: a5-a6 wins and nothing else
// does. Nothing where the engine is of another game.
std::optional<Riddle> breakthrough_riddle(std::shared_ptr<const Simulator> simulator);

struct StudyOptions {
  std::uint32_t simulations = 3'000;
  std::uint32_t every = 50;  // the search is asked after every so many simulations
  std::uint32_t trials = 1'000;
  unsigned threads = 1;  // trials at the same time
  std::uint64_t seed = 1;
  std::stop_token stop = {};  // begins no further trial; the shares then mean nothing
};

// By the times the search is asked: the share of trials in which the solution has the highest
// estimate of all moves, with its 95% interval. Every trial has a seed and a tree of its own.
std::vector<base::Interval> how_often_solved(const Riddle& riddle, const UctOptions& agent,
                                             const StudyOptions& options);

}  // namespace zermelo::search
