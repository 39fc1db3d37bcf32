// Finds the subgames of any rulesheets, at both grains, and the stages, and checks them by random
// play:
//
//   build/develop/tests/subgame_twins STEPS FILE.kif...
//
// Prints a line per decomposition: the game, the grain or "stages", the number of subgames that
// moves act in or of stages, the processor time of the analysis, and what is wrong, if anything is.
// Games that cannot be grounded or analysed within some seconds are named. Ends with 1 if anything
// is wrong.
#include <cstdio>
#include <filesystem>
#include <string>

#include "analysis/independence.h"
#include "analysis/stage_check.h"
#include "support/load_game.h"
#include "support/processor_time.h"

namespace zermelo {
namespace {

constexpr std::chrono::duration<double> patience{10};

std::string kind_of(const analysis::Decomposition& found) {
  return std::to_string(found.parts()) + (found.is_parallel ? " parallel" : "");
}

// Whether random play agrees.
bool check_grain(const std::string& name, const testing::MachinePointer& machine,
                 analysis::Grain grain, std::size_t steps) {
  const char* grain_name = grain == analysis::Grain::symbol ? "symbol" : "ground";
  const auto begin = testing::thread_time();
  const auto found =
      analysis::find_subgames(*machine->compiled(), {grain, testing::thread_time_limit(patience)});
  const double seconds = std::chrono::duration<double>(testing::thread_time() - begin).count();
  if (!found) {
    std::printf("%s\t%s\t%s\n", name.c_str(), grain_name, found.error().message.c_str());
    return true;
  }
  if (!found->is_decomposed()) {
    std::printf("%s\t%s\t1\t%.3f\n", name.c_str(), grain_name, seconds);
    return true;
  }
  const auto wrong = testing::IndependenceCheck(machine, *found).run(steps);
  std::printf("%s\t%s\t%s\t%.3f\t%s\n", name.c_str(), grain_name, kind_of(*found).c_str(), seconds,
              wrong.value_or("confirmed").c_str());
  return !wrong;
}

// The same for the stages of serial compositions.
bool check_stages(const std::string& name, const testing::MachinePointer& machine,
                  std::size_t steps) {
  const auto begin = testing::thread_time();
  const auto found = analysis::find_serial_stages(machine, testing::thread_time_limit(patience));
  const double seconds = std::chrono::duration<double>(testing::thread_time() - begin).count();
  if (!found) {
    std::printf("%s\tstages\t%s\n", name.c_str(), found.error().message.c_str());
    return true;
  }
  std::optional<std::string> wrong;
  for (const analysis::SerialStage& stage : *found) {
    if (!wrong) wrong = testing::StageCheck(machine, stage).run(steps);
  }
  std::printf("%s\tstages\t%zu\t%.3f\t%s\n", name.c_str(), found->size(), seconds,
              wrong.value_or("confirmed").c_str());
  return !wrong;
}

bool check_file(const std::string& path, std::size_t steps) {
  const std::string name = std::filesystem::path(path).stem();
  auto game = ground::ground(testing::rulesheet_file(path), {testing::thread_time_limit(patience)});
  if (!game) {
    std::printf("%s\tcannot be grounded\n", name.c_str());
    return true;
  }
  const auto machine =
      machine::Machine::make(std::move(*game), testing::thread_time_limit(patience));
  if (!machine) {
    std::printf("%s\tcannot be compiled\n", name.c_str());
    return true;
  }
  bool is_right = true;
  for (const auto grain : {analysis::Grain::symbol, analysis::Grain::ground}) {
    is_right &= check_grain(name, *machine, grain, steps);
  }
  is_right &= check_stages(name, *machine, steps);
  std::fflush(stdout);
  return is_right;
}

}  // namespace
}  // namespace zermelo

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: subgame_twins STEPS FILE...\n");
    return 2;
  }
  bool is_right = true;
  for (int i = 2; i < count; ++i) {
    is_right &= zermelo::check_file(arguments[i], std::stoul(arguments[1]));
  }
  return is_right ? 0 : 1;
}
