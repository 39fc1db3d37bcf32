// solve GAME: the value of every reachable state.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/rewards_output.h"
#include "ground/ground.h"
#include "solve/explicit.h"
#include "solve/explicit_folder.h"
#include "solve/layered.h"
#include "solve/plot.h"
#include "solve/set_solver.h"
#include "solve/summary.h"

namespace zermelo::cli {
namespace {

using solve::OpponentModel;
using solve::Summary;

// Beyond so many states distances are stored on request only.
constexpr std::uint64_t distances_up_to = 10'000'000;

// Up to so many states the choice of an engine falls on the explicit one.
constexpr solve::StateIndex explicit_up_to = 1'000'000;

enum class Engine { automatic, symbolic_engine, explicit_engine };
enum class Algorithm { automatic, layered, retrograde, matrix, partition, zero_sum };

struct Options {
  std::string path;
  std::string folder;  // empty: none
  std::string plot;    // a file; empty: none
  OpponentModel model = OpponentModel::own;
  Engine engine = Engine::automatic;
  Algorithm algorithm = Algorithm::automatic;
  std::optional<std::uint64_t> threads;
  bool distance = false;
  bool no_distance = false;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

struct Answer {
  Summary summary;
  std::string reason;  // why this engine, if it was chosen here
};

// What the command took.
struct Cost {
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
};

std::uint64_t peak_resident_bytes() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

using Lines = std::vector<std::pair<std::string, std::string>>;
using Row = std::vector<std::string>;

// "1234567" as "1,234,567".
std::string grouped_digits(std::string digits) {
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string best_play(const Summary& summary) {
  const std::string ending =
      summary.distance ? fmt::format(", after {}", counted(*summary.distance, "move")) : "";
  return verdict(summary.roles, summary.value) + ending;
}

std::string overview(const Answer& answer, const std::string& folder) {
  const Summary& summary = answer.summary;
  const std::string reason = answer.reason.empty() ? "" : fmt::format(" ({})", answer.reason);
  Lines lines = {
      {"best play", best_play(summary)},
      {"states",
       fmt::format("{}, {} of them terminal, at most {} from the start",
                   grouped_digits(summary.states), grouped_digits(summary.terminal_states),
                   counted(summary.layers - 1, "move"))},
      {"repetition", summary.cyclic ? "a state can occur again" : "no state occurs twice"},
      {"model", name_of(summary.model)},
      {"solved by", fmt::format("{}, {}{}", summary.engine, summary.algorithm, reason)}};
  if (!folder.empty()) lines.emplace_back("folder", folder);
  return name_value_lines(lines);
}

std::string value_table(const Summary& summary) {
  Row titles = summary.roles;
  titles.push_back("states");
  std::vector<Row> rows;
  bool has_endless = false;
  for (const Summary::Count& count : summary.by_value) {
    rows.push_back(cells(summary.roles, count.rewards));
    rows.back().push_back(grouped_digits(count.states));
    has_endless = has_endless || count.rewards.empty();
  }
  return columns(titles, rows) + (has_endless ? "-: play never ends\n" : "");
}

std::string move_table(const Summary& summary) {
  if (summary.first_moves.empty()) return "";
  const bool distances = std::any_of(summary.first_moves.begin(), summary.first_moves.end(),
                                     [](const auto& move) { return move.distance.has_value(); });
  Row titles = summary.roles;
  titles.insert(titles.begin(),
                {"", "first move of " + summary.roles[summary.first_moves.front().role]});
  if (distances) titles.push_back("moves to the end");
  std::vector<Row> rows;
  for (const Summary::FirstMove& move : summary.first_moves) {
    rows.push_back(cells(summary.roles, move.rewards));
    rows.back().insert(rows.back().begin(), {move.best ? "best" : "", move.name});
    if (distances) rows.back().push_back(cell(move.distance));
  }
  return "\n" + columns(titles, rows);
}

nlohmann::ordered_json as_json(const Answer& answer, const Cost& cost, const std::string& folder) {
  const Summary& summary = answer.summary;
  nlohmann::ordered_json by_value = nlohmann::ordered_json::array();
  for (const Summary::Count& count : summary.by_value) {
    by_value.push_back({{"values", rewards_json(count.rewards)}, {"states", count.states}});
  }
  nlohmann::ordered_json first_moves = nlohmann::ordered_json::array();
  for (const Summary::FirstMove& move : summary.first_moves) {
    first_moves.push_back({{"role", summary.roles[move.role]},
                           {"move", move.name},
                           {"values", rewards_json(move.rewards)},
                           {"distance", distance_json(move.distance)},
                           {"best", move.best}});
  }
  return {{"roles", summary.roles},
          {"values", rewards_json(summary.value)},
          {"distance", distance_json(summary.distance)},
          {"states", summary.states},
          {"by_value", by_value},
          {"first_moves", first_moves},
          {"engine", summary.engine},
          {"algorithm", summary.algorithm},
          {"reason", answer.reason},
          {"model", name_of(summary.model)},
          {"seconds", cost.seconds},
          {"peak_bytes", cost.peak_bytes},
          {"folder", folder.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(folder)}};
}

std::optional<bool> wanted_distances(const Options& options) {
  if (options.distance) return true;
  if (options.no_distance) return false;
  return std::nullopt;
}

using MachinePointer = std::shared_ptr<const machine::Machine>;

base::Result<Summary> stored_summary(const std::filesystem::path& folder) {
  auto solution = solve::StoredSolution::open(folder);
  if (!solution) return tl::unexpected(solution.error());
  return summarize(*solution);
}

base::Result<std::filesystem::path> make_temporary_folder() {
  std::error_code failed;
  std::string name = (std::filesystem::temp_directory_path(failed) / "zermelo-XXXXXX").string();
  if (!failed && ::mkdtemp(name.data()) == nullptr) failed = {errno, std::generic_category()};
  if (!failed) return name;
  return base::fail(base::ErrorKind::unwritable_output,
                    fmt::format("no folder for temporary files can be made, see TMPDIR ({}); "
                                "--out stores the solution elsewhere",
                                failed.message()));
}

// Where the solution goes: for good, or until it is summed up.
class Place {
 public:
  static base::Result<Place> make(const std::string& folder) {
    if (!folder.empty()) return Place(folder, false);
    auto temporary = make_temporary_folder();
    if (!temporary) return tl::unexpected(temporary.error());
    return Place(std::move(*temporary), true);
  }
  ~Place() {
    std::error_code ignored;
    if (temporary_) std::filesystem::remove_all(path_, ignored);
  }
  Place(Place&& other) noexcept
      : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, false)) {}
  Place& operator=(Place&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  Place(std::filesystem::path path, bool temporary)
      : path_(std::move(path)), temporary_(temporary) {}

  std::filesystem::path path_;
  bool temporary_;
};

base::Result<Summary> summed_up(const Options& options, const base::Limits& limits,
                                const solve::ExplicitSolution& solution) {
  if (options.folder.empty() && !options.distance) return summarize(solution);
  const auto place = Place::make(options.folder);
  if (!place) return tl::unexpected(place.error());
  const bool distances = wanted_distances(options).value_or(solution.states() <= distances_up_to);
  const auto stored = store(solution, solve::SolutionFolder(place->path()), {distances, limits});
  if (!stored) return tl::unexpected(stored.error());
  return stored_summary(place->path());
}

base::Result<Summary> solve_explicitly(const Options& options, MachinePointer machine,
                                       const base::Limits& limits) {
  const auto solution = solve::solve_explicit(std::move(machine), {options.model, limits});
  if (!solution) return tl::unexpected(solution.error());
  return summed_up(options, limits, *solution);
}

std::string readable_bytes(double bytes) {
  constexpr const char* units[] = {"kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (bytes /= 1000; bytes >= 1000 && unit < 3; bytes /= 1000) ++unit;
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 1 : 0, units[unit]);
}

std::string readable_seconds(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<std::uint64_t>(seconds / 60 + 0.5);
  return minutes < 100 ? fmt::format("{} min", minutes)
                       : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string forecast(const solve::LayeredProgress& progress) {
  const solve::Forecast& left = *progress.left;
  return fmt::format("; {}{} more: {}, {} on disk, {} of memory", progress.backward ? "" : "about ",
                     left.layers, readable_seconds(left.seconds), readable_bytes(left.disk_bytes),
                     readable_bytes(left.peak_bytes));
}

std::string activity(const solve::LayeredProgress& progress) {
  const std::string text =
      fmt::format("{} layer {}, {} states", progress.backward ? "solved" : "found", progress.layer,
                  grouped_digits(progress.states));
  if (progress.left) return text + forecast(progress);
  return fmt::format("{}, {} nodes", text, grouped(progress.nodes));
}

// By layers, or by a set algorithm.
base::Result<Summary> solve_by_diagrams(const Options& options, MachinePointer machine,
                                        const base::Limits& limits, ProgressLine& line,
                                        std::optional<solve::SetAlgorithm> sets = std::nullopt) {
  const auto place = Place::make(options.folder);
  if (!place) return tl::unexpected(place.error());
  solve::LayeredOptions layered;
  layered.model = options.model;
  layered.distances = wanted_distances(options);
  if (options.folder.empty() && !layered.distances) layered.distances = false;
  layered.limits = limits;
  layered.threads = static_cast<unsigned>(
      options.threads.value_or(std::max(1u, std::thread::hardware_concurrency())));
  layered.memory_bytes = options.limits.memory_bytes;
  layered.progress = [&line](const solve::LayeredProgress& now) { line.say(activity(now)); };
  const solve::SolutionFolder folder(place->path());
  const auto solved = sets ? solve_by_sets(std::move(machine), folder, *sets, layered)
                           : solve_layered(std::move(machine), folder, layered);
  if (!solved) return tl::unexpected(solved.error());
  return stored_summary(place->path());
}

std::optional<solve::SetAlgorithm> set_algorithm(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::retrograde:
      return solve::SetAlgorithm::retrograde;
    case Algorithm::matrix:
      return solve::SetAlgorithm::matrix;
    case Algorithm::partition:
      return solve::SetAlgorithm::partition;
    case Algorithm::zero_sum:
      return solve::SetAlgorithm::zero_sum;
    default:
      return std::nullopt;
  }
}

bool is_refusal(const base::Result<Summary>& summary) {
  return !summary && summary.error().kind == base::ErrorKind::not_applicable;
}

// Files that a refused run left in a folder that was empty before it.
class FreshFolder {
 public:
  explicit FreshFolder(const std::string& path) : path_(path) {
    std::error_code failed;
    is_fresh_ = !path.empty() &&
                (!std::filesystem::exists(path_) || std::filesystem::is_empty(path_, failed));
  }
  void clear() const {
    if (!is_fresh_) return;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(path_, failed)) {
      std::filesystem::remove(entry.path(), failed);
    }
  }

 private:
  std::filesystem::path path_;
  bool is_fresh_;
};

base::Result<Answer> answer(base::Result<Summary> summary, const std::string& reason) {
  if (!summary) return tl::unexpected(summary.error());
  return Answer{std::move(*summary), reason};
}

// By layers, or where these are refused by strong preimages.
base::Result<Answer> solve_symbolically(const Options& options, const MachinePointer& machine,
                                        const base::Limits& limits, ProgressLine& line,
                                        const std::string& reason) {
  const FreshFolder folder(options.folder);
  auto layered = solve_by_diagrams(options, machine, limits, line);
  if (!is_refusal(layered)) return answer(std::move(layered), reason);
  folder.clear();
  auto retrograde =
      solve_by_diagrams(options, machine, limits, line, solve::SetAlgorithm::retrograde);
  if (is_refusal(retrograde)) folder.clear();
  return answer(std::move(retrograde), "not layered: " + layered.error().message);
}

// A solution that was begun in the folder.
base::Result<Answer> go_on(const Options& options, const MachinePointer& machine,
                           const base::Limits& limits, ProgressLine& line,
                           const solve::Description& begun) {
  const char* reason = "the folder was begun with it";
  if (begun.engine != "symbolic") {
    return answer(solve_explicitly(options, machine, limits), reason);
  }
  std::optional<solve::SetAlgorithm> sets;
  for (const auto algorithm :
       {Algorithm::retrograde, Algorithm::matrix, Algorithm::partition, Algorithm::zero_sum}) {
    if (begun.algorithm == name_of(*set_algorithm(algorithm))) sets = set_algorithm(algorithm);
  }
  return answer(solve_by_diagrams(options, machine, limits, line, sets), reason);
}

base::Result<Answer> choose_and_solve(const Options& options, const MachinePointer& machine,
                                      const base::Limits& limits, ProgressLine& line) {
  if (!options.folder.empty()) {
    const auto begun = solve::SolutionFolder(options.folder).description();
    if (begun) return go_on(options, machine, limits, line, *begun);
  }
  const auto few = solve::solve_explicit_up_to(explicit_up_to, machine, {options.model, limits});
  if (few && *few) {
    return answer(summed_up(options, limits, **few),
                  fmt::format("not more than {} states", grouped(explicit_up_to)));
  }
  const bool too_large = !few && few.error().kind == base::ErrorKind::memory_limit;
  if (!few && (!too_large || limits.exceeded())) return tl::unexpected(few.error());
  const std::string reason = too_large
                                 ? "the limit of memory is too small for every state"
                                 : fmt::format("more than {} states", grouped(explicit_up_to));
  auto symbolic = options.algorithm == Algorithm::retrograde
                      ? answer(solve_by_diagrams(options, machine, limits, line,
                                                 solve::SetAlgorithm::retrograde),
                               reason)
                      : solve_symbolically(options, machine, limits, line, reason);
  if (symbolic || symbolic.error().kind != base::ErrorKind::not_applicable) return symbolic;
  if (too_large) return tl::unexpected(few.error());
  return answer(solve_explicitly(options, machine, limits),
                "not symbolic: " + symbolic.error().message);
}

base::Result<Answer> solve_as_asked(const Options& options, const MachinePointer& machine,
                                    const base::Limits& limits, ProgressLine& line) {
  const bool any_algorithm = options.algorithm == Algorithm::automatic;
  if (options.engine == Engine::explicit_engine) {
    return answer(solve_explicitly(options, machine, limits), "");
  }
  if (options.engine == Engine::symbolic_engine && any_algorithm) {
    return solve_symbolically(options, machine, limits, line, "");
  }
  if (any_algorithm ||
      (options.engine == Engine::automatic && options.algorithm == Algorithm::retrograde)) {
    return choose_and_solve(options, machine, limits, line);
  }
  return answer(solve_by_diagrams(options, machine, limits, line, set_algorithm(options.algorithm)),
                "");
}

// Names the limit that was reached.
base::Error explained(const base::Error& error, const std::string& game) {
  const char* limit = error.kind == base::ErrorKind::memory_limit ? "memory limit reached, "
                      : error.kind == base::ErrorKind::time_limit ? "time limit reached, "
                                                                  : "";
  return {error.kind, fmt::format("{}: {}{}", game, limit, error.message)};
}

base::Result<Answer> find_solution(const Options& options) {
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const base::Limits limits = options.limits.start();
  ProgressLine progress(options.progress, "solving");
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(explained(machine.error(), (*rules)->source->name()));
  auto found = solve_as_asked(options, std::move(*machine), limits, progress);
  if (found) return found;
  return tl::unexpected(explained(found.error(), (*rules)->source->name()));
}

// A combination of options that does not exist, or nothing.
std::string contradiction(const Options& options) {
  if (!options.plot.empty() && options.folder.empty()) return "--plot draws what --out stores";
  if (options.distance && options.no_distance) return "--distance and --no-distance contradict";
  if (options.engine == Engine::explicit_engine && options.algorithm != Algorithm::automatic &&
      options.algorithm != Algorithm::retrograde) {
    return "the explicit engine has the algorithm retrograde only";
  }
  return "";
}

// Draws what is in the folder.
base::Result<void> write_plot(const Options& options) {
  const auto solution = solve::StoredSolution::open(options.folder);
  if (!solution) return tl::unexpected(solution.error());
  std::ofstream file(options.plot, std::ios::binary | std::ios::trunc);
  file << solve::plot(solution->description(), solution->manifest());
  file.close();
  if (file) return {};
  return base::fail(base::ErrorKind::unwritable_output,
                    fmt::format("cannot write '{}': {}", options.plot, std::strerror(errno)));
}

base::Result<ExitCode> solve_game(const Options& options) {
  if (const std::string problem = contradiction(options); !problem.empty()) {
    write_message("zermelo: " + problem + "\n");
    return ExitCode::usage;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto found = find_solution(options);
  if (!found) return tl::unexpected(found.error());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (!options.plot.empty()) {
    if (const auto drawn = write_plot(options); !drawn) return tl::unexpected(drawn.error());
  }
  if (options.json) {
    write_json(as_json(*found, {elapsed.count(), peak_resident_bytes()}, options.folder));
  } else {
    write_answer(overview(*found, options.folder) + "\n" + value_table(found->summary) +
                 move_table(found->summary));
  }
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_text_option(app, "--out", "FOLDER", options->folder, Presence::optional,
                  "Store the solution there, or go on with one that was interrupted");
  add_choice_option(
      app, "--model", {"own", "difference"},
      [options](std::size_t choice) { options->model = static_cast<OpponentModel>(choice); },
      "What players want: the most (default), or the most above the others");
  add_choice_option(
      app, "--engine", {"auto", "symbolic", "explicit"},
      [options](std::size_t choice) { options->engine = static_cast<Engine>(choice); },
      "Diagrams or every state in memory (default: auto, by size)");
  add_choice_option(
      app, "--algorithm", {"auto", "layered", "retrograde", "matrix", "partition", "zero-sum"},
      [options](std::size_t choice) { options->algorithm = static_cast<Algorithm>(choice); },
      "How to solve; all but retrograde are symbolic (default: auto)");
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "How many threads work (default: all cores)");
  add_flag(app, "--distance", options->distance,
           "Store the moves to the end as well (default up to 10 million states)");
  add_text_option(app, "--plot", "FILE.svg", options->plot, Presence::optional,
                  "Draw the states and nodes of every layer; needs --out");
  add_flag(app, "--no-distance", options->no_distance, "Store values alone");
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return solve_game(*options); };
}

}  // namespace

const Command solve_command = {"solve", "Find the value of every reachable state",
                               "zermelo solve games/tic_tac_toe.kif --out tic_tac_toe", declare};

}  // namespace zermelo::cli
