// Values per second of the heuristics of Toss games, one thread: positions of random games, each
// evaluated once for the first player. Counts processor time, not the clock's.
//
//   toss_heuristic VALUES FILE...
//
// prints a line per file and method: values per second, the mean of the values as a signature, and
// the time it took to derive the heuristic.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

#include "base/random.h"
#include "toss/heuristic.h"
#include "toss/parser.h"

namespace {

using namespace zermelo;

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

std::vector<toss::StructureMachine::State> positions(toss::StructureMachine& machine,
                                                     std::size_t count) {
  base::Random random(1);
  std::vector<toss::StructureMachine::State> result;
  auto state = machine.initial_state();
  while (result.size() < count) {
    result.push_back(state);
    std::vector<toss::Move> joint;
    for (std::size_t r = 0; r < machine.roles().size() && !machine.terminal(state); ++r) {
      const auto legal = machine.legal_moves(state, r);
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    state = joint.empty() ? machine.initial_state() : machine.next_state(state, joint);
  }
  return result;
}

void measure(toss::StructureMachine& machine, toss::HeuristicMethod method, std::uint64_t values) {
  toss::HeuristicOptions options;
  options.method = method;
  const double start = processor_seconds();
  const auto heuristic = toss::make_heuristic(machine, options);
  if (!heuristic) {
    std::cout << "  " << heuristic.error().message << std::endl;
    return;
  }
  const toss::HeuristicEvaluator evaluator(machine.theory(), *heuristic);
  const double made = processor_seconds();
  const auto states = positions(machine, 200);
  const double ready = processor_seconds();
  double total = 0;
  for (std::uint64_t i = 0; i < values; ++i) {
    const auto& state = states[i % states.size()];
    total += evaluator.value(state.location(), state.structure(), 0);
  }
  const double seconds = processor_seconds() - ready;
  const bool existential = method == toss::HeuristicMethod::existential;
  std::cout << (existential ? "  existential: " : "  rule conditions: ")
            << static_cast<double>(values) / seconds << " values/s, mean "
            << total / static_cast<double>(values) << ", derived in " << made - start << " s"
            << std::endl;
}

bool measure_file(const std::string& file, std::uint64_t values) {
  const auto source = base::read_source(file);
  if (!source) return std::cerr << source.error().message << '\n', false;
  toss::ParseResult parsed = toss::parse(*source);
  if (base::has_errors(parsed.diagnostics)) {
    return std::cerr << base::format(parsed.diagnostics.front(), *source), false;
  }
  auto machine =
      toss::StructureMachine::make(std::make_shared<const toss::Game>(std::move(parsed.game)));
  if (!machine) return std::cerr << machine.error().message << '\n', false;
  std::cout << file << std::endl;
  measure(*machine, toss::HeuristicMethod::existential, values);
  measure(*machine, toss::HeuristicMethod::rule_conditions, values);
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::cerr << "usage: toss_heuristic VALUES FILE...\n";
    return 2;
  }
  const std::uint64_t values = std::strtoull(arguments[1], nullptr, 10);
  bool good = true;
  for (int i = 2; i < count; ++i) good = measure_file(arguments[i], values) && good;
  return good ? 0 : 1;
}
