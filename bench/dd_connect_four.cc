// Counts and strongly solves Connect Four with diagrams, from the cases of its moves:
//   dd_connect_four WIDTH HEIGHT [THREADS [MEGABYTES FOLDER]]
// With MEGABYTES, child arrays and frontiers beyond about that size go to files in FOLDER.
// Prints states, results by side to move, seconds of each part and peak memory.

#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "dd/connect_four.h"

namespace {

using namespace zermelo;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::size_t nodes_of(const std::vector<dd::Diagram>& diagrams) {
  std::size_t sum = 0;
  for (const dd::Diagram& diagram : diagrams) sum += diagram.nodes();
  return sum;
}

int failed(const base::Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return 1;
}

int run(int width, int height, const dd::Options& options) {
  const dd::ConnectFour game(width, height);
  const auto relation = dd::Relation::of_cases(game.domains(), game.cases());
  if (!relation) return 1;
  const double begin = seconds();
  const auto layers = game.layers(*relation, options);
  if (!layers) return failed(layers.error());
  const mpz_class count = game.count(*layers);
  const double counted = seconds();
  fmt::print("count {}x{}: {} states, {} nodes, {:.2f} s, peak {} MB\n", width, height,
             count.get_str(), nodes_of(*layers), counted - begin, peak_megabytes());
  const auto solved = game.solve(*layers, *relation, options);
  if (!solved) return failed(solved.error());
  const double ended = seconds();
  fmt::print("solve {}x{}: {} won, {} drawn, {} lost, {} nodes, {:.2f} s, peak {} MB\n", width,
             height, solved->won.get_str(), solved->drawn.get_str(), solved->lost.get_str(),
             nodes_of(solved->values), ended - counted, peak_megabytes());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: dd_connect_four WIDTH HEIGHT [THREADS [MEGABYTES FOLDER]]\n");
    return 2;
  }
  dd::Options options;
  if (argc > 3) options.threads = static_cast<unsigned>(std::atoi(argv[3]));
  if (argc > 5) {
    const std::size_t bytes = std::strtoull(argv[4], nullptr, 10) << 20;
    options = dd::with_scratch(options, bytes, argv[5]);
  }
  return run(std::atoi(argv[1]), std::atoi(argv[2]), options);
}
