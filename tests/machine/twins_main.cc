// Compares Machine and Reference along random games of each file: legal moves, successors, terminal
// and goals. For the long comparison over a whole collection; the tests run a short one.
//
//   twins GAMES SECONDS FILE...
//
// plays up to GAMES games of each file for at most SECONDS (grounding has as much again), and
// prints a line per file. Exits with 1 when there is a difference.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "ground/ground.h"
#include "machine/machine.h"
#include "reference/reference.h"
#include "support/compare_engines.h"
#include "support/load.h"

namespace {

using namespace zermelo;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t memory_for_grounding = std::size_t{4} << 30;

struct Task {
  std::uint64_t games;
  Seconds seconds;
};

std::string describe(const testing::Comparison& comparison, Seconds taken) {
  const std::string counts = std::to_string(comparison.games) + " games " +
                             std::to_string(comparison.states) + " states " +
                             std::to_string(taken.count()) + " s";
  if (comparison.difference) return "DIFFERENCE " + counts + ": " + *comparison.difference;
  return (comparison.stopped ? "slow " : "ok ") + counts;
}

std::string compare(const std::string& file, const Task& task) {
  const auto rulesheet = testing::rulesheet_file(file);
  auto reference = reference::Reference::make(rulesheet);
  if (!reference) return "refused: " + reference.error().message;
  auto game = ground::ground(rulesheet, {.limits = {task.seconds, memory_for_grounding}});
  if (!game) return "not grounded: " + game.error().message;
  machine::Stepper stepper(std::make_shared<const machine::Machine>(std::move(*game)));
  const auto start = Clock::now();
  const testing::ComparisonOptions options{
      .games = task.games, .stop = [&] { return Clock::now() - start > task.seconds; }};
  const testing::Comparison comparison = testing::compare_engines(stepper, *reference, options);
  return describe(comparison, Clock::now() - start);
}

bool report(const std::string& file, const Task& task) {
  std::string outcome;
  try {
    outcome = compare(file, task);
  } catch (const std::exception& problem) {
    outcome = std::string("unreadable: ") + problem.what();
  }
  std::cout << file << ' ' << outcome << std::endl;
  return !outcome.starts_with("DIFFERENCE");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    std::cerr << "usage: twins GAMES SECONDS FILE...\n";
    return 2;
  }
  const Task task{std::strtoull(arguments[1], nullptr, 10), Seconds(std::atof(arguments[2]))};
  bool agree = true;
  for (int i = 3; i < count; ++i) agree = report(arguments[i], task) && agree;
  return agree ? 0 : 1;
}
