// Compares bit-sliced play with Stepper, lane by lane, and Stepper with Reference where that is
// quick. For the long comparisons; the tests run short ones.
//
//   sliced_twins files STEPS LANES SECONDS FILE...
//
// grounds each file within SECONDS and compares LANES lanes for STEPS steps, or as many rounds of a
// quarter of that as fit into SECONDS;
//
//   sliced_twins seeds FIRST LAST
//
// does so with all three engines for the random games of those seeds. All executors are compared
// that the processor has. Prints a line per file, and for seeds one per difference; exits
// with 1 when there is a difference.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "analysis/exclusive_moves.h"
#include "ground/ground.h"
#include "lanes/sliced_games.h"
#include "machine/machine.h"
#include "reference/reference.h"
#include "support/compare_engines.h"
#include "support/compare_sliced.h"
#include "support/load.h"
#include "support/random_game.h"

namespace {

using namespace zermelo;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using Rulesheet = std::shared_ptr<const gdl::Rulesheet>;

constexpr std::size_t memory_for_grounding = std::size_t{8} << 30;
constexpr std::size_t rounds = 4;

struct Task {
  std::size_t steps;
  std::size_t lanes;
  Seconds seconds;
};

struct Outcome {
  std::string text;
  bool agree = true;
};

struct Backend {
  lanes::LaneBackend backend;
  const char* name;
};
constexpr Backend backends[] = {{lanes::LaneBackend::avx512, "AVX-512"},
                                {lanes::LaneBackend::avx2, "AVX2"},
                                {lanes::LaneBackend::interpreter, "interpreter"}};

std::shared_ptr<const lanes::SlicedMachine> make_sliced(
    const std::shared_ptr<const circuit::CompiledGame>& compiled, lanes::LaneBackend backend) {
  const lanes::SlicedOptions options{.exclusive_moves = analysis::exclusive_moves(compiled->game()),
                                     .backend = backend,
                                     .observe_moves = true};
  return lanes::SlicedMachine::make(compiled, options).value();
}

// A file's ground game with what is needed to compare it.
class SlicedTwins {
 public:
  SlicedTwins(ground::Game game, const Task& task)
      : task_(task), stepper_(std::make_shared<const machine::Machine>(std::move(game))) {}

  Outcome compare() {
    for (const Backend& backend : backends) {
      if (lanes::is_available(backend.backend)) compare(backend);
    }
    return outcome_;
  }

 private:
  void compare(const Backend& backend) {
    const auto start = Clock::now();
    const auto sliced = make_sliced(stepper_.machine().compiled(), backend.backend);
    const lanes::SlicedCode code(sliced);
    say(backend.name);
    say(std::to_string(sliced->operations()) + " operations built in");
    say(std::to_string(Seconds(Clock::now() - start).count()) + " s,");
    say(std::to_string(play(code)) + " steps;");
  }

  std::size_t play(const lanes::SlicedCode& code) {
    const auto start = Clock::now();
    std::size_t round = 0;
    for (; round < rounds && outcome_.agree && Clock::now() - start < task_.seconds; ++round) {
      const auto difference =
          testing::compare_sliced(code, stepper_, task_.steps / rounds, task_.lanes, 1 + round);
      if (difference) differ(*difference);
    }
    return round * (task_.steps / rounds);
  }

  void differ(const std::string& difference) {
    outcome_.agree = false;
    say("DIFFERENCE " + difference + ";");
  }

  void say(const std::string& words) { outcome_.text += " " + words; }

  const Task& task_;
  machine::Stepper stepper_;
  Outcome outcome_;
};

Outcome compare_file(const std::string& file, const Task& task) {
  try {
    const auto start = Clock::now();
    auto game = ground::ground(testing::rulesheet_file(file),
                               {.limits = {task.seconds, memory_for_grounding}});
    if (!game) return {" not grounded: " + game.error().message};
    const std::string grounded =
        " grounded in " + std::to_string(Seconds(Clock::now() - start).count()) + " s;";
    Outcome outcome = SlicedTwins(std::move(*game), task).compare();
    return {(outcome.agree ? " ok" : " DIFFERENCE") + grounded + outcome.text, outcome.agree};
  } catch (const std::exception& problem) {
    return {std::string(" unreadable: ") + problem.what()};
  }
}

bool compare_files(int count, char** arguments) {
  const Task task{std::strtoull(arguments[0], nullptr, 10),
                  std::strtoull(arguments[1], nullptr, 10), Seconds(std::atof(arguments[2]))};
  bool agree = true;
  for (int i = 3; i < count; ++i) {
    const Outcome outcome = compare_file(arguments[i], task);
    std::cout << arguments[i] << outcome.text << std::endl;
    agree = agree && outcome.agree;
  }
  return agree;
}

Outcome compare_with_reference(const Rulesheet& rulesheet, ground::Game game, std::uint64_t seed) {
  auto reference = reference::Reference::make(rulesheet);
  if (!reference) return {" DIFFERENCE refused: " + reference.error().message, false};
  machine::Stepper stepper(std::make_shared<const machine::Machine>(std::move(game)));
  const auto comparison = testing::compare_engines(stepper, *reference, {.games = 2, .seed = seed});
  if (!comparison.difference) return {};
  return {" DIFFERENCE to Reference: " + *comparison.difference, false};
}

Outcome compare_seed(std::uint64_t seed) {
  const Rulesheet rulesheet = testing::rulesheet(testing::random_game(seed));
  auto game = ground::ground(rulesheet);
  if (!game) return {" DIFFERENCE not grounded: " + game.error().message, false};
  const Outcome twins = compare_with_reference(rulesheet, *game, seed);
  const Outcome sliced =
      SlicedTwins(std::move(*game), {.steps = 40, .lanes = 8, .seconds = Seconds(60)}).compare();
  return {twins.text + sliced.text, twins.agree && sliced.agree};
}

bool compare_seeds(std::uint64_t first, std::uint64_t last) {
  std::uint64_t different = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Outcome outcome = compare_seed(seed);
    if (outcome.agree) continue;
    ++different;
    std::cout << "seed " << seed << outcome.text << std::endl;
  }
  std::cout << last - first + 1 << " seeds, " << different << " with a difference" << std::endl;
  return different == 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "";
  if (mode == "files" && count > 5) return compare_files(count - 2, arguments + 2) ? 0 : 1;
  if (mode == "seeds" && count == 4) {
    return compare_seeds(std::strtoull(arguments[2], nullptr, 10),
                         std::strtoull(arguments[3], nullptr, 10))
               ? 0
               : 1;
  }
  std::cerr << "usage: sliced_twins files STEPS LANES SECONDS FILE... | seeds FIRST LAST\n";
  return 2;
}
