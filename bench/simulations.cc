// Simulations of tree search a second: playouts backed up into the tree.
//
//   simulations GAME [SECONDS]
//
// Beside the search on one and on two threads stand what it is built on, the playouts alone, and
// the search as it is usually written: one leaf and one playout at a time. Rates are per second of
// processor time and per second of the clock; that two threads do so many times the work of one is
// by the clock, beside the most there can be: two independent searches at the same time.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

#include "search/uct.h"
#include "support/load.h"

namespace zermelo::search {
namespace {

using Clock = std::chrono::steady_clock;
using EnginePointer = std::shared_ptr<const Engine>;

double processor_seconds() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Rate {
  double per_processor_second = 0;
  double per_second = 0;
};

Rate measure(const char* name, const std::function<std::uint64_t()>& work) {
  const auto begin = Clock::now();
  const double processor = processor_seconds();
  const auto done = static_cast<double>(work());
  const Rate rate{done / (processor_seconds() - processor),
                  done / std::chrono::duration<double>(Clock::now() - begin).count()};
  std::printf("%-34s %12.0f %12.0f\n", name, rate.per_processor_second, rate.per_second);
  return rate;
}

std::uint64_t play_alone(const EnginePointer& engine, std::chrono::duration<double> time) {
  const auto playouts = engine->playouts(1);
  const std::vector<State> states(playouts->lanes(), engine->initial());
  PlayoutBatch batch;
  std::uint64_t played = 0;
  for (const auto end = Clock::now() + time; Clock::now() < end; played += states.size()) {
    playouts->play(states, batch);
  }
  return played;
}

std::uint64_t search(const EnginePointer& engine, unsigned threads,
                     std::chrono::duration<double> time) {
  UctOptions options;
  options.threads = threads;
  Uct uct(engine, options);
  uct.set_root(engine->initial());
  return uct.search({time, {}}).simulations;
}

std::uint64_t search_twice(const EnginePointer& engine, std::chrono::duration<double> time) {
  std::uint64_t first = 0, second = 0;
  {
    const std::jthread other([&] { first = search(engine, 1, time); });
    second = search(engine, 1, time);
  }
  return first + second;
}

void run(const std::string& path, std::chrono::duration<double> time) {
  const auto rules = testing::rulesheet_file(path);
  const EnginePointer engine = make_engine(rules, {}).value();
  EngineOptions options;
  options.sliced = false;
  const EnginePointer single = make_engine(rules, options).value();
  std::printf("%-34s %12s %12s\n", "", "cpu second", "second");
  measure("playouts alone", [&] { return play_alone(engine, time); });
  measure("search, one playout at a time", [&] { return search(single, 1, time); });
  const Rate one = measure("search, one thread", [&] { return search(engine, 1, time); });
  const Rate two = measure("search, two threads", [&] { return search(engine, 2, time); });
  const Rate most = measure("two searches at once", [&] { return search_twice(engine, time); });
  std::printf("two threads to one %.2f, two searches to one %.2f\n",
              two.per_second / one.per_second, most.per_second / one.per_second);
}

}  // namespace
}  // namespace zermelo::search

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: simulations GAME [SECONDS]\n", stderr), 2;
  zermelo::search::run(argv[1], std::chrono::duration<double>(argc > 2 ? std::atof(argv[2]) : 5));
}
