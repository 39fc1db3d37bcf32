// How properties of game trees affect Monte-Carlo tree search: the study of Finnsson and Björnsson,
// "Game-Tree Properties and MCTS Performance" (GIGA 2011), with fewer games per point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "base/result.h"
#include "base/statistics.h"

namespace zermelo::app {

struct PropertiesRequest {
  std::optional<std::uint32_t> trials =
      {};  // games per point and tries per position; nullopt: as the study needs
  std::optional<unsigned> threads = {};  // parallel games; nullopt: all cores
  bool quick = false;                    // few small points, for trying it out
  std::uint64_t seed = 1;
  std::string folder =
      {};  // for the CSV files and pictures; points that its CSV files have are not measured again
};

// Games of White, who searches, against an opponent without mistakes.
struct MatchPoint {
  std::string family;
  int first = 0, second = 0;      // the sizes: lanes and length, or active runners and depth factor
  std::uint64_t expansions = 0;   // per move; 0: unlimited
  std::uint64_t simulations = 0;  // per move; 0: unlimited
  std::uint32_t games = 0;
  base::Interval score = {};  // mean reward of White, 0 to 1
  double decided = 0;         // share of simulations that ended with a winner
};

// How often the search chooses a move in the position of a family.
struct ChoicePoint {
  int pawns = 0;
  std::uint64_t expansions = 0;
  std::uint32_t tries = 0;
  std::vector<std::pair<std::string, std::uint32_t>> moves;  // most frequent first
};

struct PropertiesStudy {
  std::vector<MatchPoint> races;            // Figure 2
  std::vector<MatchPoint> progression;      // Figures 4, 5 and 6
  std::vector<ChoicePoint> optimistic;      // Table 1
  base::Result<void> files;                 // the first error in writing them
  std::optional<base::Error> stopped = {};  // if it was cancelled: points are missing
};

// Fails with unwritable_output if the folder cannot be written, with unreadable_input if its files
// are not those of this study, and if it is cancelled before a point was measured.
base::Result<PropertiesStudy> study_properties(const PropertiesRequest& request,
                                               const Context& context = {});

std::string match_points_csv(const std::vector<MatchPoint>& points);
std::string choice_points_csv(const std::vector<ChoicePoint>& points);
// Inverse of the above; nullopt if the text is something else.
std::optional<std::vector<MatchPoint>> read_match_points(const std::string& csv);
std::optional<std::vector<ChoicePoint>> read_choice_points(const std::string& csv);

// Figure 2: the scores of one family of races by lanes and length.
std::string race_picture(const std::vector<MatchPoint>& races, const std::string& family);
// Figure 4 (expansions are limited) or 5 (simulations are): scores by depth factor, one curve per
// number of runners.
std::string progression_picture(const std::vector<MatchPoint>& points, bool by_expansions);
// The right half of Figure 4: scores by the share of simulations that end with a winner.
std::string decided_picture(const std::vector<MatchPoint>& points);
// Figure 6: scores by the number of active runners, for the largest depth factor.
std::string runners_picture(const std::vector<MatchPoint>& points);

}  // namespace zermelo::app
