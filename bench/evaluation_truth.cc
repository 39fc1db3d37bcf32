// Evaluations against exact values of small games.
//
//   evaluation_truth admissible STATES FILE...    distances of fluent graphs against exact ones
//   evaluation_truth ranks POSITIONS FOLDER EVALUATOR...
//
// `admissible` enumerates each game with at most so many states and compares, for every state and
// every fluent of the goals, the distance in the fluent graphs with the number of moves that are
// really needed. It prints how many pairs were compared, in how many the distance was too large
// (there must be none), exact, and rightly unreachable. Exit code 1 if one was too large.
//
// `ranks` takes different states of random games from a solution that `solve --out` stored, and
// prints Spearman's rank correlation between the exact result (the first role's reward less the
// second's) and what each evaluator expects of it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <unordered_set>

#include "analysis/fluent_graph.h"
#include "analysis/random_walk.h"
#include "analysis/reachable.h"
#include "eval/goal_formula.h"
#include "gdl/parser.h"
#include "ground/ground.h"
#include "search/make_evaluator.h"
#include "solve/folder/solution_reader.h"

namespace {

using namespace zermelo;
using analysis::FluentDistances;
using Graph = analysis::Reachable<machine::Stepper>;

std::shared_ptr<const machine::Machine> load(const std::string& file) {
  auto source = base::read_source(file);
  if (!source) return nullptr;
  auto parsed = gdl::parse(std::make_shared<const base::Source>(std::move(*source)));
  base::Limits limits(std::chrono::seconds(20), {});
  auto game =
      ground::ground(std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet)), {limits});
  if (!game) return nullptr;
  auto machine = machine::Machine::make(std::move(*game), limits);
  return machine ? *machine : nullptr;
}

// The edges of the graph against their direction.
struct Predecessors {
  explicit Predecessors(const Graph& graph) : first(graph.states.size() + 1) {
    for (const auto edge : graph.edges) ++first[edge + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
    states.resize(graph.edges.size());
    for (analysis::StateIndex s = 0; s < graph.expanded(); ++s) {
      for (auto e = graph.first_edge[s]; e < graph.first_edge[s + 1]; ++e) {
        states[next[graph.edges[e]]++] = s;
      }
    }
  }

  std::vector<std::uint64_t> first;  // by state; one more at the end
  std::vector<analysis::StateIndex> states;
};

constexpr std::uint32_t never = ~std::uint32_t{0};

// By state: the number of moves until the fluent can hold.
std::vector<std::uint32_t> exact_distances(const Graph& graph, const Predecessors& before,
                                           ground::Atom fluent) {
  std::vector<std::uint32_t> distance(graph.states.size(), never);
  std::vector<analysis::StateIndex> queue;
  for (analysis::StateIndex s = 0; s < graph.states.size(); ++s) {
    if (!graph.states[s].test(fluent)) continue;
    distance[s] = 0;
    queue.push_back(s);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (auto e = before.first[queue[i]]; e < before.first[queue[i] + 1]; ++e) {
      if (distance[before.states[e]] != never) continue;
      distance[before.states[e]] = distance[queue[i]] + 1;
      queue.push_back(before.states[e]);
    }
  }
  return distance;
}

// Returns whether no distance was too large.
bool check_game(const std::string& file, std::uint64_t max_states) {
  const auto machine = load(file);
  if (!machine) return std::cout << file << "\tnot loaded" << std::endl, true;
  machine::Stepper stepper(machine);
  analysis::ReachableLimits limits;
  limits.max_states = max_states;
  limits.limits = base::Limits(std::chrono::seconds(15), std::size_t{6} << 30);
  limits.max_joint_moves = 100'000;
  const Graph graph = enumerate(stepper, limits);
  if (!graph.complete) return std::cout << file << "\ttoo large" << std::endl, true;
  const auto graphs = analysis::make_fluent_graphs(machine);
  const Predecessors before(graph);
  std::uint64_t pairs = 0, too_large = 0, exact = 0, unreachable = 0, possible = 0;
  const eval::GoalFormula formula(machine->game());
  const base::Limits time(std::chrono::seconds(20), {});
  for (const auto& part : formula.parts()) {
    if (part.kind != eval::GoalFormula::Kind::fluent || time.exceeded()) continue;
    const FluentDistances distances(*graphs, part.atom);
    const auto truth = exact_distances(graph, before, part.atom);
    for (std::size_t s = 0; s < graph.states.size(); ++s) {
      const std::uint16_t bound = distances.to_target(graph.states[s]);
      const bool is_unreachable = bound == FluentDistances::unreachable;
      ++pairs;
      if (is_unreachable ? truth[s] != never : bound > truth[s]) ++too_large;
      if (truth[s] == 0) continue;
      (truth[s] == never ? unreachable : exact) +=
          truth[s] == never ? is_unreachable : bound == truth[s];
      ++possible;
    }
  }
  std::cout << file << '\t' << graph.states.size() << " states\t" << pairs << " pairs\t"
            << too_large << " too large\t" << exact << " exact\t" << unreachable
            << " proved unreachable\tof " << possible << " that do not hold" << std::endl;
  return too_large == 0;
}

// Equal values share the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t end = from;
    while (end < order.size() && values[order[end]] == values[order[from]]) ++end;
    for (std::size_t i = from; i < end; ++i) {
      result[order[i]] = static_cast<double>(from + end - 1) / 2;
    }
    from = end;
  }
  return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

struct Positions {
  std::vector<machine::State> states;
  std::vector<double> results;  // exact
};

Positions solved_positions(solve::SolutionReader& reader, std::size_t wanted) {
  Positions positions;
  std::unordered_set<machine::State> known;
  analysis::RandomWalk walk(reader.machine(), {.max_depth = 300});
  machine::Stepper stepper(reader.machine());
  for (std::size_t tries = 0; positions.states.size() < wanted && tries < 100 * wanted; ++tries) {
    const machine::State state = walk.state();
    const std::size_t depth = walk.depth();
    if (!walk.advance()) walk.restart();
    if (stepper.terminal(state) || !known.insert(state).second) continue;
    const auto value = reader.value(state, depth);
    if (!value || value->rewards.size() < 2) continue;
    positions.states.push_back(state);
    positions.results.push_back(value->rewards[0] - value->rewards[1]);
  }
  return positions;
}

int print_ranks(std::size_t wanted, const std::string& folder,
                std::span<char* const> specifications) {
  auto reader = solve::SolutionReader::open(folder);
  if (!reader) return std::cerr << reader.error().message << '\n', 1;
  const Positions positions = solved_positions(*reader, wanted);
  const std::vector<double> truth = ranks(positions.results);
  const auto simulator = search::make_sliced_simulator(reader->machine(), {});
  if (!simulator) return std::cerr << simulator.error().message << '\n', 1;
  const std::size_t roles = reader->machine()->roles().size();
  std::cout << folder << '\t' << positions.states.size();
  for (const char* specification : specifications) {
    const auto evaluator = search::make_evaluator(**simulator, {specification});
    if (!evaluator) {
      std::cout << "\t-";
      continue;
    }
    std::vector<float> values(positions.states.size() * roles);
    (*evaluator)->evaluate(positions.states, values);
    std::vector<double> expected;
    for (std::size_t i = 0; i < positions.states.size(); ++i) {
      expected.push_back(static_cast<double>(values[i * roles] - values[i * roles + 1]));
    }
    std::cout << '\t' << std::round(1000 * correlation(truth, ranks(expected))) / 1000;
  }
  std::cout << std::endl;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 3 ? argv[1] : "";
  if (mode == "ranks") {
    return print_ranks(std::stoul(argv[2]), argv[3],
                       {argv + 4, static_cast<std::size_t>(argc - 4)});
  }
  if (mode != "admissible") {
    std::cerr << "usage: evaluation_truth admissible STATES FILE...\n"
                 "       evaluation_truth ranks POSITIONS FOLDER EVALUATOR...\n";
    return 2;
  }
  bool all_right = true;
  for (int i = 3; i < argc; ++i) all_right &= check_game(argv[i], std::stoull(argv[2]));
  return all_right ? 0 : 1;
}
