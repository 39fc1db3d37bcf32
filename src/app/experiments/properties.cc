// White searches with PlainMcts, the algorithm of the paper. Black plays a fixed move that loses
// nothing: its safe lane in the races, always the same active runner in progression. Each game has
// a seed of its own, so the result does not depend on the number of threads. The tree is not kept
// between moves; the paper does not say whether its tree is.
//
// The paper plays 1,000 games per point of Figure 2 on a grid of 323 points per family, 2,000 per
// point of Figures 4 and 5, and 1,000 tries per cell of Table 1, with up to 50,000,000 expansions.
// Here there are every second number of lanes and length, 60 games per point of Figure 2, 20 of
// Figures 4 and 5, and 50 tries per row of Table 1 with up to 2,500,000 expansions.
#include "app/experiments/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <thread>

#include "app/experiments/curves.h"
#include "app/output_folder.h"
#include "base/source.h"
#include "families/families.h"
#include "gdl/read_rules.h"
#include "search/plain_mcts.h"
#include "search/simulator.h"
#include "search/threads.h"

namespace zermelo::app {
namespace {

using MachinePointer = std::shared_ptr<const machine::Machine>;

constexpr std::uint64_t race_expansions = 5'000;
constexpr std::uint64_t progression_expansions = 100'000;
constexpr std::uint64_t progression_simulations = 1'000;
const std::vector<std::string> race_families = {"penalties", "shock-step", "punishment"};

base::Result<MachinePointer> make_machine(const std::string& family,
                                          const std::vector<std::string>& sizes) {
  const auto text = families::generate(family, sizes);
  if (!text) return tl::unexpected(text.error());
  const auto rules = gdl::read_rules(std::make_shared<const base::Source>(family, *text));
  if (!rules) return tl::unexpected(rules.error());
  const auto simulator = search::make_ground_simulator(*rules, {});
  if (!simulator) return tl::unexpected(simulator.error());
  return (*simulator)->machine();
}

std::vector<MatchPoint> race_points(const PropertiesRequest& request) {
  const int step = request.quick ? 8 : 2;
  std::vector<MatchPoint> points;
  for (const std::string& family : race_families) {
    for (int lanes = 2; lanes <= (request.quick ? 10 : 20); lanes += step) {
      for (int length = 4; length <= (request.quick ? 12 : 20); length += step)
        points.push_back({family, lanes, length, race_expansions});
    }
  }
  for (MatchPoint& point : points) point.games = request.trials.value_or(request.quick ? 4 : 60);
  return points;
}

std::vector<MatchPoint> progression_points(const PropertiesRequest& request) {
  const std::vector<int> runners =
      request.quick ? std::vector{1, 6} : std::vector{1, 2, 4, 6, 8, 10};
  const std::vector<int> factors =
      request.quick ? std::vector{2} : std::vector{1, 2, 3, 4, 6, 8, 12, 16};
  const std::uint64_t scale = request.quick ? 50 : 1;
  std::vector<MatchPoint> points;
  for (const bool by_expansions : {true, false}) {
    for (const int active : runners) {
      for (const int factor : factors) {
        MatchPoint point{"progression", active, factor};
        (by_expansions ? point.expansions : point.simulations) =
            (by_expansions ? progression_expansions : progression_simulations) / scale;
        point.games = request.trials.value_or(request.quick ? 4 : 20);
        points.push_back(point);
      }
    }
  }
  return points;
}

std::string opponent_move(const MatchPoint& point) {
  return point.family == "progression" ? "(run 1)" : fmt::format("(step {})", point.first);
}

struct GameResult {
  double score = 0;
  std::uint64_t simulations = 0, decided = 0;
};

machine::Move named_move(machine::Stepper& stepper, const machine::State& state, std::size_t role,
                         const std::string& name) {
  const auto legal = stepper.legal_moves(state, role);
  return *std::find_if(legal.begin(), legal.end(),
                       [&](machine::Move move) { return stepper.move_name(move) == name; });
}

GameResult play_game(const MachinePointer& machine, const MatchPoint& point, std::uint64_t seed,
                     const std::stop_token& stop) {
  search::PlainMcts mcts(machine, {.seed = seed});
  search::PlainMctsBudget budget;
  if (point.expansions > 0) budget.expansions = point.expansions;
  if (point.simulations > 0) budget.simulations = point.simulations;
  machine::Stepper stepper(machine);
  machine::State state = stepper.initial_state();
  GameResult result;
  for (bool white = true; !stepper.terminal(state); white = !white) {
    std::vector<machine::Move> joint = {stepper.legal_moves(state, 0)[0],
                                        stepper.legal_moves(state, 1)[0]};
    if (white) {
      mcts.set_root(state);
      mcts.search(budget, stop);
      if (stop.stop_requested()) return result;
      result.simulations += mcts.simulations();
      result.decided += mcts.decided_simulations();
      joint[0] = mcts.best_move();
    } else {
      joint[1] = named_move(stepper, state, 1, opponent_move(point));
    }
    state = stepper.next_state(state, joint);
  }
  result.score = stepper.goals(state, 0)[0] / 100.0;
  return result;
}

// Calls run(i) for all i below `count`, until a stop is requested.
template <class Run>
void run_all(std::uint32_t count, unsigned threads, const std::stop_token& stop, Run run) {
  std::atomic<std::uint32_t> next = 0;
  search::on_threads(threads, [&](std::size_t) {
    for (std::uint32_t i; !stop.stop_requested() && (i = next++) < count;) run(i);
  });
}

class Study {
 public:
  Study(const PropertiesRequest& request, const Context& context, OutputFolder& folder)
      : request_(request),
        context_(context),
        folder_(folder),
        threads_(std::max(1u, request.threads.value_or(std::thread::hardware_concurrency()))) {}

  base::Result<PropertiesStudy> run() {
    if (auto loaded = load(); !loaded) return tl::unexpected(loaded.error());
    for (auto [points, results] : {std::pair{race_points(request_), &study_.races},
                                   std::pair{progression_points(request_), &study_.progression}}) {
      for (MatchPoint& point : points) {
        if (auto measured = add(std::move(point), *results); !measured)
          return tl::unexpected(measured.error());
      }
    }
    for (const int pawns : request_.quick ? std::vector{1} : std::vector{6, 4, 2, 1}) {
      if (auto measured = add_choices(pawns); !measured) return tl::unexpected(measured.error());
    }
    write_pictures();
    study_.files = folder_.written();
    if (study_.races.empty() && study_.stopped) return tl::unexpected(*study_.stopped);
    return std::move(study_);
  }

 private:
  bool is_stopped() {
    if (context_.stop.stop_requested() && !study_.stopped) study_.stopped = cancelled_experiment();
    return study_.stopped.has_value();
  }

  base::Result<std::optional<std::string>> stored(const char* file) const {
    if (request_.folder.empty()) return std::nullopt;
    const auto path = std::filesystem::path(request_.folder) / file;
    if (!std::filesystem::exists(path)) return std::nullopt;
    auto source = base::read_source(path.string());
    if (!source) return tl::unexpected(source.error());
    return std::string(source->text());
  }

  template <class Points>
  base::Result<void> load(const char* file, std::optional<Points> (*read)(const std::string&),
                          Points& points) {
    const auto text = stored(file);
    if (!text) return tl::unexpected(text.error());
    if (!*text) return {};
    auto known = read(**text);
    if (!known) {
      return base::fail(
          base::ErrorKind::unreadable_input,
          fmt::format("{}/{} is not a file of this experiment", request_.folder, file));
    }
    points = std::move(*known);
    return {};
  }

  base::Result<void> load() {
    if (auto r = load("races.csv", read_match_points, known_races_); !r) return r;
    if (auto r = load("progression.csv", read_match_points, known_progression_); !r) return r;
    return load("optimistic.csv", read_choice_points, known_choices_);
  }

  static bool is_same(const MatchPoint& a, const MatchPoint& b) {
    const auto key = [](const MatchPoint& p) {
      return std::tie(p.family, p.first, p.second, p.expansions, p.simulations, p.games);
    };
    return key(a) == key(b);
  }

  base::Result<void> add(MatchPoint point, std::vector<MatchPoint>& results) {
    if (is_stopped()) return {};
    const bool is_race = &results == &study_.races;
    const auto& known = is_race ? known_races_ : known_progression_;
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const MatchPoint& k) { return is_same(k, point); });
    if (found != known.end()) {
      results.push_back(*found);
      return {};
    }
    context_.report(fmt::format("{} {} {}", point.family, point.first, point.second));
    if (auto measured = measure(point); !measured) return measured;
    if (is_stopped()) return {};
    results.push_back(std::move(point));
    folder_.write(is_race ? "races.csv" : "progression.csv", match_points_csv(results));
    return {};
  }

  base::Result<void> measure(MatchPoint& point) {
    const auto machine =
        make_machine(point.family, {std::to_string(point.first), std::to_string(point.second)});
    if (!machine) return tl::unexpected(machine.error());
    std::vector<GameResult> games(point.games);
    run_all(point.games, threads_, context_.stop, [&](std::uint32_t i) {
      games[i] = play_game(*machine, point, request_.seed + i, context_.stop);
    });
    std::vector<double> scores;
    GameResult sum;
    for (const GameResult& game : games) {
      scores.push_back(game.score);
      sum.simulations += game.simulations;
      sum.decided += game.decided;
    }
    point.score = base::confidence_95(scores, {0, 1});
    point.decided = static_cast<double>(sum.decided) /
                    static_cast<double>(std::max<std::uint64_t>(1, sum.simulations));
    return {};
  }

  std::vector<std::uint64_t> checkpoints() const {
    return request_.quick ? std::vector<std::uint64_t>{2'000, 5'000}
                          : std::vector<std::uint64_t>{500'000, 1'000'000, 2'500'000};
  }

  base::Result<void> add_choices(int pawns) {
    if (is_stopped()) return {};
    const std::uint32_t tries = request_.trials.value_or(request_.quick ? 2 : 50);
    const auto is_known = [&](const ChoicePoint& k, std::uint64_t expansions) {
      return k.pawns == pawns && k.tries == tries && k.expansions == expansions;
    };
    std::vector<ChoicePoint> points;
    for (const std::uint64_t expansions : checkpoints()) {
      for (const ChoicePoint& known : known_choices_) {
        if (is_known(known, expansions)) points.push_back(known);
      }
    }
    if (points.size() != checkpoints().size()) {
      context_.report(fmt::format("optimistic {}", pawns));
      auto measured = measure_choices(pawns, tries);
      if (!measured) return tl::unexpected(measured.error());
      if (is_stopped()) return {};
      points = std::move(*measured);
    }
    study_.optimistic.insert(study_.optimistic.end(), points.begin(), points.end());
    folder_.write("optimistic.csv", choice_points_csv(study_.optimistic));
    return {};
  }

  base::Result<std::vector<ChoicePoint>> measure_choices(int pawns, std::uint32_t tries) {
    const auto machine = make_machine("optimistic", {std::to_string(pawns)});
    if (!machine) return tl::unexpected(machine.error());
    const std::vector<std::uint64_t> limits = checkpoints();
    std::vector<std::vector<machine::Move>> chosen(tries);  // by try and checkpoint
    run_all(tries, threads_, context_.stop, [&](std::uint32_t i) {
      search::PlainMcts mcts(*machine, {.seed = request_.seed + i});
      mcts.set_root(machine::Stepper(*machine).initial_state());
      for (const std::uint64_t limit : limits) {
        mcts.search({.expansions = limit}, context_.stop);
        if (context_.stop.stop_requested()) return;
        chosen[i].push_back(mcts.best_move());
      }
    });
    std::vector<ChoicePoint> points;
    if (is_stopped()) return points;
    for (std::size_t l = 0; l < limits.size(); ++l) {
      std::map<std::string, std::uint32_t> counts;
      for (const auto& moves : chosen) ++counts[(*machine)->move_name(moves[l])];
      ChoicePoint point{pawns, limits[l], tries, {counts.begin(), counts.end()}};
      std::stable_sort(point.moves.begin(), point.moves.end(),
                       [](const auto& a, const auto& b) { return a.second > b.second; });
      points.push_back(std::move(point));
    }
    return points;
  }

  void write_pictures() {
    if (study_.stopped) return;
    for (const std::string& family : race_families)
      folder_.write(family + ".svg", race_picture(study_.races, family));
    folder_.write("progression_expansions.svg", progression_picture(study_.progression, true));
    folder_.write("progression_simulations.svg", progression_picture(study_.progression, false));
    folder_.write("progression_decided.svg", decided_picture(study_.progression));
    folder_.write("progression_runners.svg", runners_picture(study_.progression));
  }

  const PropertiesRequest& request_;
  const Context& context_;
  OutputFolder& folder_;
  unsigned threads_;
  PropertiesStudy study_ = {};
  std::vector<MatchPoint> known_races_, known_progression_;
  std::vector<ChoicePoint> known_choices_;
};

}  // namespace

base::Result<PropertiesStudy> study_properties(const PropertiesRequest& request,
                                               const Context& context) {
  auto folder = OutputFolder::open(request.folder);
  if (!folder) return tl::unexpected(folder.error());
  return Study(request, context, *folder).run();
}

}  // namespace zermelo::app
