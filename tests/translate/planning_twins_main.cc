// Compares games with the planning tasks made from them along random games of each file: fluents,
// applicable actions, the end, rewards and derived atoms. For the long comparison over a whole
// collection; the tests run a short one.
//
//   planning_twins PLAYOUTS SECONDS FILE...
//
// plays up to PLAYOUTS games of each file in each style, for at most SECONDS each, and prints a
// line per file. Exits with 1 when there is a difference.
#include <cstdlib>
#include <iostream>
#include <string>

#include "support/load.h"
#include "translate/planning_twins.h"

namespace {

using namespace zermelo;
using testing::PlanningStyle;

std::string describe(const testing::PlanningComparison& comparison) {
  if (comparison.refused) return "refused: " + *comparison.refused;
  const std::string counts = std::to_string(comparison.playouts) + " playouts " +
                             std::to_string(comparison.states) + " states";
  if (comparison.difference) return "DIFFERENCE " + counts + ": " + *comparison.difference;
  return (comparison.timed_out ? "slow " : "ok ") + counts;
}

bool report(const std::string& file, const testing::PlanningComparisonOptions& options) {
  bool same = true;
  std::cout << file;
  try {
    const auto rulesheet = testing::rulesheet_file(file);
    const std::pair<const char*, PlanningStyle> styles[] = {{"faithful", PlanningStyle::faithful},
                                                            {"ground", PlanningStyle::ground_pddl},
                                                            {"sas", PlanningStyle::sas}};
    for (const auto& [name, style] : styles) {
      const auto comparison = testing::compare_planning(rulesheet, style, options);
      same = same && !comparison.difference;
      std::cout << "\t" << name << " " << describe(comparison) << std::flush;
    }
  } catch (const std::exception& problem) {
    std::cout << "\tunreadable: " << problem.what();
  }
  std::cout << std::endl;
  return same;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    std::cerr << "usage: planning_twins PLAYOUTS SECONDS FILE...\n";
    return 2;
  }
  testing::PlanningComparisonOptions options;
  options.playouts = std::strtoull(arguments[1], nullptr, 10);
  options.seconds = std::chrono::duration<double>(std::atof(arguments[2]));
  bool same = true;
  for (int i = 3; i < count; ++i) same = report(arguments[i], options) && same;
  return same ? 0 : 1;
}
