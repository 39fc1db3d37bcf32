// Simulations (playouts that are backed up into the tree) per second of tree search.
//
//   simulations GAME [SECONDS [ROUNDS]]
//
// Measures four things in turn, SECONDS each per round: the playouts alone, the search on one thread, the search on two
// threads, and a search that plays out one leaf at a time, as it is usually written. Prints the medians of the rounds,
// because single runs on a shared machine differ by a fifth. Rates are per second of processor time and per second of
// wall-clock time. The speed-up by a second thread uses wall-clock time; its upper bound, two independent searches at
// the same time, is printed beside it.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

#include "search/uct.h"
#include "support/load.h"

namespace zermelo::search {
namespace {

using Clock = std::chrono::steady_clock;
using SimulatorPointer = std::shared_ptr<const Simulator>;

double processor_seconds() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Measure {
  const char* name;
  std::function<std::uint64_t()> work;
  std::vector<double> per_processor_second = {};  // of every round
  std::vector<double> per_second = {};
};

void run_once(Measure& measure) {
  const auto begin = Clock::now();
  const double processor = processor_seconds();
  const auto done = static_cast<double>(measure.work());
  measure.per_processor_second.push_back(done / (processor_seconds() - processor));
  measure.per_second.push_back(done / std::chrono::duration<double>(Clock::now() - begin).count());
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const auto size = values.size();
  return (values[(size - 1) / 2] + values[size / 2]) / 2;
}

std::uint64_t play_alone(const SimulatorPointer& simulator, std::chrono::duration<double> time) {
  const auto playouts = simulator->playouts(1);
  const std::vector<State> states(playouts->lanes(), simulator->initial());
  PlayoutBatch batch;
  std::uint64_t played = 0;
  for (const auto end = Clock::now() + time; Clock::now() < end; played += states.size()) {
    playouts->play(states, batch);
  }
  return played;
}

std::uint64_t search(const SimulatorPointer& simulator, unsigned threads,
                     std::chrono::duration<double> time) {
  UctOptions options;
  options.threads = threads;
  Uct uct(simulator, options);
  uct.set_root(simulator->initial());
  return uct.search({time, {}}).simulations;
}

std::uint64_t search_twice(const SimulatorPointer& simulator, std::chrono::duration<double> time) {
  std::uint64_t first = 0, second = 0;
  {
    const std::jthread other([&] { first = search(simulator, 1, time); });
    second = search(simulator, 1, time);
  }
  return first + second;
}

void run(const std::string& path, std::chrono::duration<double> time, int rounds) {
  const auto rules = testing::rulesheet_file(path);
  const SimulatorPointer simulator = make_simulator(rules, {}).value();
  SimulatorOptions options;
  options.sliced = false;
  const SimulatorPointer single = make_simulator(rules, options).value();
  Measure alone{"playouts alone", [&] { return play_alone(simulator, time); }};
  Measure usual{"search, one playout at a time", [&] { return search(single, 1, time); }};
  Measure one{"search, one thread", [&] { return search(simulator, 1, time); }};
  Measure two{"search, two threads", [&] { return search(simulator, 2, time); }};
  Measure most{"two searches at once", [&] { return search_twice(simulator, time); }};
  const std::array measures{&alone, &usual, &one, &two, &most};
  for (int round = 0; round < rounds; ++round) {
    for (Measure* measure : measures) run_once(*measure);
  }
  std::printf("%-34s %12s %12s\n", "", "cpu second", "second");
  for (const Measure* measure : measures) {
    std::printf("%-34s %12.0f %12.0f\n", measure->name, median(measure->per_processor_second),
                median(measure->per_second));
  }
  const double base = median(one.per_second);
  std::printf("two threads to one %.2f, two searches to one %.2f\n", median(two.per_second) / base,
              median(most.per_second) / base);
}

}  // namespace
}  // namespace zermelo::search

int main(int argc, char** argv) {
  const double seconds = argc > 2 ? std::atof(argv[2]) : 3;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  if (argc < 2 || seconds <= 0 || rounds <= 0) {
    return std::fputs("usage: simulations GAME [SECONDS [ROUNDS]]\n", stderr), 2;
  }
  zermelo::search::run(argv[1], std::chrono::duration<double>(seconds), rounds);
}
