// States per second of the evaluators that are read from the rules, one thread: states of random
// games, in batches and one at a time. The baseline of the same run is the single-state engine: how
// many states of random games it steps through in a second. Counts processor time.
//
//   evaluations FILE...
//
// prints a line per file and evaluator: the time to make it, states per second in batches of 4096
// and one at a time, the ratio of the former to the baseline, and the mean value as a signature.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <numeric>

#include "analysis/random_walk.h"
#include "eval/distance_evaluator.h"
#include "eval/fuzzy_evaluator.h"
#include "eval/network/network_evaluator.h"
#include "gdl/parser.h"
#include "ground/ground.h"

namespace {

using namespace zermelo;
using MachinePointer = std::shared_ptr<const machine::Machine>;

constexpr double seconds_each = 0.5;

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

std::vector<machine::State> states_of(const MachinePointer& machine) {
  analysis::RandomWalk walk(machine, {.max_depth = 500});
  std::vector<machine::State> states;
  while (states.size() < 4096) {
    states.push_back(walk.state());
    if (!walk.advance()) walk.restart();
  }
  return states;
}

// How many states per second `work` handles, which handles so many in one call.
template <class Work>
double rate(std::size_t states, Work work) {
  const double start = processor_seconds();
  double calls = 0;
  do {
    work();
    ++calls;
  } while (processor_seconds() - start < seconds_each);
  return calls * static_cast<double>(states) / (processor_seconds() - start);
}

template <class Make>
void measure(const char* name, const MachinePointer& machine,
             const std::vector<machine::State>& states, double baseline, Make make) {
  const double start = processor_seconds();
  const auto evaluator = make();
  const double made = processor_seconds() - start;
  if (!evaluator) {
    std::cout << "  " << name << ": " << evaluator.error().message << std::endl;
    return;
  }
  std::vector<float> values(states.size() * machine->roles().size());
  const double batches = rate(states.size(), [&] { (*evaluator)->evaluate(states, values); });
  std::size_t next = 0;
  const double single = rate(1, [&] {
    (*evaluator)->evaluate({&states[next++ % states.size()], 1}, values);
  });
  (*evaluator)->evaluate(states, values);
  const float mean =
      std::accumulate(values.begin(), values.end(), 0.0f) / static_cast<float>(values.size());
  std::cout << "  " << name << ": made in " << made << " s, " << batches << " states/s in batches, "
            << single << " one at a time, " << batches / baseline << " times the baseline, mean "
            << mean << std::endl;
}

base::Result<std::shared_ptr<const eval::Evaluator>> make_network(const MachinePointer& machine,
                                                                  std::size_t hidden) {
  auto network = eval::network::GameNetwork::make(machine, {.hidden = hidden});
  if (!network) return tl::unexpected(network.error());
  return std::make_shared<const eval::network::NetworkEvaluator>(std::move(*network));
}

void measure_game(const std::string& file) {
  auto parsed = gdl::parse(std::make_shared<const base::Source>(base::read_source(file).value()));
  const auto machine = std::make_shared<const machine::Machine>(
      ground::ground(std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet))).value());
  const std::vector<machine::State> states = states_of(machine);
  const double baseline = rate(states.size(), [&] { states_of(machine); });
  std::cout << file << ": baseline " << baseline << " states/s" << std::endl;
  measure("basic", machine, states, baseline,
          [&] { return eval::DistanceEvaluator::make(machine, {.distances = false}); });
  measure("distance", machine, states, baseline,
          [&] { return eval::DistanceEvaluator::make(machine, {}); });
  measure("fuzzy", machine, states, baseline,
          [&] { return eval::FuzzyEvaluator::make(machine, {}); });
  for (const std::size_t hidden : {0, 32}) {
    const std::string name = "network with " + std::to_string(hidden) + " hidden neurons";
    measure(name.c_str(), machine, states, baseline, [&] { return make_network(machine, hidden); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: evaluations FILE...\n";
    return 2;
  }
  for (int i = 1; i < argc; ++i) measure_game(argv[i]);
}
