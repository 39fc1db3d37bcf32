// solve GAME: the value of every reachable state.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "base/peak_memory.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/rewards_output.h"
#include "ground/ground.h"
#include "solve/explicit/explicit_folder.h"
#include "solve/explicit/explicit_solver.h"
#include "solve/folder/plot.h"
#include "solve/summary.h"
#include "solve/symbolic/layered_solver.h"
#include "solve/symbolic/set_solver.h"

namespace zermelo::cli {
namespace {

using solve::OpponentModel;
using solve::Summary;

// Up to so many states the choice of an engine falls on the explicit one.
constexpr solve::StateIndex explicit_up_to = 1'000'000;

enum class Engine { automatic, symbolic_engine, explicit_engine };
const std::vector<std::string> engine_names = {"auto", "symbolic", "explicit"};

enum class Algorithm { automatic, layered, retrograde, matrix, partition, zero_sum };
const std::vector<std::string> algorithm_names = {"auto",   "layered",   "retrograde",
                                                  "matrix", "partition", "zero-sum"};

const std::string& name_of(Engine engine) { return engine_names[static_cast<int>(engine)]; }
const std::string& name_of(Algorithm algorithm) {
  return algorithm_names[static_cast<int>(algorithm)];
}

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

using Lines = std::vector<std::pair<std::string, std::string>>;
using Row = std::vector<std::string>;

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
      {"states", fmt::format("{}, {} of them terminal, at most {} from the start",
                             with_commas(summary.states), with_commas(summary.terminal_states),
                             counted(summary.layers - 1, "move"))},
      {"repetition", summary.cyclic ? "a state can occur again" : "no state occurs twice"},
      {"model", name_of(summary.model)},
      {"solved by", fmt::format("{}, {}{}", summary.engine, summary.algorithm, reason)}};
  if (summary.layer_states != summary.states) {
    lines.insert(lines.begin() + 2,
                 {"in layers", fmt::format("{}, counting a state in every layer in which it occurs",
                                           with_commas(summary.layer_states))});
  }
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
    rows.back().push_back(with_commas(count.states));
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
          {"layer_states", summary.layer_states},
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

// What is to be solved, and where to.
struct Task {
  const Options& options;
  MachinePointer machine;
  base::Limits limits;
  ProgressLine& line;
  std::optional<solve::SolutionFolder> folder;  // that of --out, claimed
  std::optional<solve::Description> begun;      // what it holds
};

base::Result<Summary> stored_summary(const solve::SolutionFolder& folder) {
  auto solution = solve::StoredSolution::open(folder.path());
  if (!solution) return tl::unexpected(solution.error());
  return summarize(*solution);
}

base::Result<Answer> answer(base::Result<Summary> summary, const std::string& reason) {
  if (!summary) return tl::unexpected(summary.error());
  return Answer{std::move(*summary), reason};
}

// While this lives, SIGINT and SIGTERM only ask for the end of the work; it ends the program by the
// signal that came. The second signal ends it at once.
class Interruption {
 public:
  Interruption() {
    struct sigaction ask = {};
    ask.sa_handler = [](int signal) { came_ = signal; };
    ask.sa_flags = SA_RESETHAND;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      ::sigaction(signals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &ask, nullptr);
    }
  }
  ~Interruption() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
    if (came_ != 0) ::raise(came_);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool is_asked_for() { return came_ != 0; }

 private:
  static constexpr std::array<int, 2> signals = {SIGINT, SIGTERM};
  static inline std::atomic<int> came_ = 0;
  std::array<struct sigaction, signals.size()> before_ = {};
};

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

// Removes the folder in the end.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

 private:
  std::filesystem::path path_;
};

// What `work` makes of the task and its folder, which is a temporary one if there is no --out.
template <class Work>
auto in_folder(const Task& task, const Work& work) -> decltype(work(*task.folder, task)) {
  if (task.folder) return work(*task.folder, task);
  const Interruption interruption;
  auto path = make_temporary_folder();
  if (!path) return tl::unexpected(path.error());
  const TemporaryFolder temporary(*path);
  Task interruptible = task;
  interruptible.limits.end_when(Interruption::is_asked_for);
  return work(solve::SolutionFolder(*path), interruptible);
}

base::Result<Summary> summed_up(const Task& task, const solve::ExplicitSolution& solution) {
  if (!task.folder && !task.options.distance) return summarize(solution);
  const bool is_begun = task.begun && task.begun->engine == name_of(Engine::explicit_engine);
  const bool usual = is_begun ? task.begun->distances : solution.states() <= solve::distances_up_to;
  const bool distances = wanted_distances(task.options).value_or(usual);
  return in_folder(
      task, [&](const solve::SolutionFolder& folder, const Task& within) -> base::Result<Summary> {
        const auto stored = store(solution, folder, {distances, within.limits});
        if (!stored) return tl::unexpected(stored.error());
        return stored_summary(folder);
      });
}

base::Result<Summary> solve_explicitly(const Task& task) {
  const auto solution = solve::solve_explicit(task.machine, {task.options.model, task.limits});
  if (!solution) return tl::unexpected(solution.error());
  return summed_up(task, *solution);
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

std::string forecast(const solve::SymbolicProgress& progress) {
  const solve::Forecast& left = *progress.left;
  return fmt::format("; {}{} more: {}, {} on disk, {} of memory", progress.backward ? "" : "about ",
                     left.layers, readable_seconds(left.seconds), readable_bytes(left.disk_bytes),
                     readable_bytes(left.peak_bytes));
}

std::string activity(const solve::SymbolicProgress& progress) {
  const std::string text =
      fmt::format("{} layer {}, {} states", progress.backward ? "solved" : "found", progress.layer,
                  with_commas(progress.states));
  if (progress.left) return text + forecast(progress);
  return fmt::format("{}, {} nodes", text, grouped(progress.nodes));
}

solve::SymbolicOptions diagram_options(const Task& task) {
  const Options& options = task.options;
  solve::SymbolicOptions layered;
  layered.model = options.model;
  layered.distances = wanted_distances(options);
  if (!task.folder && !layered.distances) layered.distances = false;
  layered.limits = task.limits;
  layered.threads = static_cast<unsigned>(
      options.threads.value_or(std::max(1u, std::thread::hardware_concurrency())));
  layered.memory_bytes = options.limits.memory_bytes;
  layered.progress = [&line = task.line](const solve::SymbolicProgress& now) {
    line.say(activity(now));
  };
  return layered;
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

// Automatic is by layers or, where these have no end, by strong preimages.
base::Result<Answer> solve_in(const solve::SolutionFolder& folder, const Task& task,
                              Algorithm algorithm, std::string reason) {
  const solve::SymbolicOptions options = diagram_options(task);
  auto sets = set_algorithm(algorithm);
  if (!sets) {
    const auto end = solve_layered(task.machine, folder, options);
    if (!end) return tl::unexpected(end.error());
    if (*end == solve::LayeredEnd::solved) return answer(stored_summary(folder), reason);
    const std::string endless = "states of the game can occur again: it has no last layer";
    if (algorithm == Algorithm::layered) {
      return base::fail(base::ErrorKind::not_applicable, endless);
    }
    sets = solve::SetAlgorithm::retrograde;
    reason = "not layered: " + endless;
  }
  const auto solved = solve_by_sets(task.machine, folder, *sets, options);
  if (!solved) return tl::unexpected(solved.error());
  return answer(stored_summary(folder), reason);
}

base::Result<Answer> solve_symbolically(const Task& task, Algorithm algorithm,
                                        const std::string& reason) {
  return in_folder(task, [&](const solve::SolutionFolder& folder, const Task& within) {
    return solve_in(folder, within, algorithm, reason);
  });
}

// By diagrams, or explicitly where the game is refused. A folder that is refused still holds
// something; a game that is refused leaves nothing in it.
base::Result<Answer> solve_somehow(const Task& task, Algorithm algorithm,
                                   const std::string& reason) {
  auto symbolic = solve_symbolically(task, algorithm, reason);
  const bool is_refused = !symbolic && symbolic.error().kind == base::ErrorKind::not_applicable;
  if (!is_refused || (task.folder && task.folder->description())) return symbolic;
  return answer(solve_explicitly(task), "not symbolic: " + symbolic.error().message);
}

// Whether it is for the program to choose an engine.
bool may_choose_engine(const Options& options) {
  return options.engine == Engine::automatic &&
         (options.algorithm == Algorithm::automatic || options.algorithm == Algorithm::retrograde);
}

// Why what was begun does not go with the options, or nothing.
std::string objection(const Options& options, const solve::Description& begun, bool is_finished) {
  if (options.model != begun.model) return "the model " + name_of(begun.model);
  if (options.engine != Engine::automatic && name_of(options.engine) != begun.engine) {
    return "the engine " + begun.engine;
  }
  if (options.algorithm != Algorithm::automatic && name_of(options.algorithm) != begun.algorithm) {
    return "the algorithm " + begun.algorithm;
  }
  // Layers decide about distances when all are found.
  const bool is_decided = is_finished || begun.algorithm != name_of(Algorithm::layered);
  if (!is_decided || wanted_distances(options).value_or(begun.distances) == begun.distances) {
    return "";
  }
  return begun.distances ? "distances" : "no distances";
}

// A solution that was begun in the folder.
base::Result<Answer> go_on(const Task& task) {
  const Options& options = task.options;
  const solve::Description& begun = *task.begun;
  const bool is_finished = task.folder->finished();
  if (const std::string other = objection(options, begun, is_finished); !other.empty()) {
    return base::fail(
        base::ErrorKind::not_applicable,
        fmt::format("'{}' was made so far with {}", task.folder->path().string(), other));
  }
  const bool chosen = may_choose_engine(options) || (options.engine == Engine::symbolic_engine &&
                                                     options.algorithm == Algorithm::automatic);
  const char* reason = chosen ? "the folder was begun with it" : "";
  if (is_finished) return answer(stored_summary(*task.folder), reason);
  if (begun.engine == name_of(Engine::explicit_engine)) {
    return answer(solve_explicitly(task), reason);
  }
  Algorithm algorithm = options.algorithm;
  if (begun.algorithm != name_of(Algorithm::layered)) {
    const auto name = std::find(algorithm_names.begin(), algorithm_names.end(), begun.algorithm);
    algorithm = static_cast<Algorithm>(name - algorithm_names.begin());
  }
  return may_choose_engine(options) ? solve_somehow(task, algorithm, reason)
                                    : solve_symbolically(task, algorithm, reason);
}

base::Result<Answer> choose_and_solve(const Task& task) {
  const Options& options = task.options;
  const auto few =
      solve::solve_explicit_up_to(explicit_up_to, task.machine, {options.model, task.limits});
  if (few && *few) {
    return answer(summed_up(task, **few),
                  fmt::format("not more than {} states", grouped(explicit_up_to)));
  }
  if (few) {
    return solve_somehow(task, options.algorithm,
                         fmt::format("more than {} states", grouped(explicit_up_to)));
  }
  const bool is_too_large = few.error().kind == base::ErrorKind::memory_limit;
  if (!is_too_large || task.limits.exceeded()) return tl::unexpected(few.error());
  auto symbolic = solve_symbolically(task, options.algorithm,
                                     "the limit of memory is too small for every state");
  const bool is_refused = !symbolic && symbolic.error().kind == base::ErrorKind::not_applicable;
  return is_refused ? tl::unexpected(few.error()) : std::move(symbolic);
}

// In a folder with layers that `count` stored.
base::Result<Answer> continue_count(const Task& task) {
  const Options& options = task.options;
  const bool is_layered =
      options.algorithm == Algorithm::automatic || options.algorithm == Algorithm::layered;
  if (options.engine != Engine::explicit_engine && is_layered) {
    return solve_symbolically(task, options.algorithm, "the folder holds layers of `count`");
  }
  return base::fail(
      base::ErrorKind::not_applicable,
      fmt::format("'{}' holds layers that `count` stored; only the symbolic algorithm "
                  "layered continues from them",
                  task.folder->path().string()));
}

base::Result<Answer> solve_as_asked(const Task& task) {
  const Options& options = task.options;
  if (task.begun) return go_on(task);
  if (task.folder && task.folder->holds_counted_layers()) return continue_count(task);
  if (options.engine == Engine::explicit_engine) return answer(solve_explicitly(task), "");
  if (may_choose_engine(options)) return choose_and_solve(task);
  return solve_symbolically(task, options.algorithm, "");
}

// The folder is checked, and nobody else's, before there is any work.
base::Result<void> claim_folder(Task& task) {
  if (task.options.folder.empty()) return {};
  task.folder.emplace(task.options.folder);
  auto begun = task.folder->claim(*task.machine->game().rulesheet);
  if (!begun) return tl::unexpected(begun.error());
  task.begun = std::move(*begun);
  return {};
}

base::Error explained(const base::Error& error, const std::string& game) {
  return {error.kind, fmt::format("{}: {}{}", game, limit_reached(error.kind), error.message)};
}

// Whether the folder keeps what was done until a limit was reached.
bool can_go_on(const Task& task) {
  const auto begun = task.folder ? task.folder->description() : tl::unexpected(base::Error());
  return begun && begun->algorithm == name_of(Algorithm::layered);
}

base::Result<Answer> find_solution(const Options& options) {
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const base::Limits limits = options.limits.start({});
  ProgressLine progress(options.progress, "solving");
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(explained(machine.error(), (*rules)->source->name()));
  Task task{options, std::move(*machine), limits, progress, {}, {}};
  const auto claimed = claim_folder(task);
  auto found = claimed ? solve_as_asked(task) : tl::unexpected(claimed.error());
  if (found) return found;
  base::Error error = explained(found.error(), (*rules)->source->name());
  if (base::is_limit(error.kind) && can_go_on(task)) error.message += "; the same command goes on";
  return tl::unexpected(error);
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
  return dd::write_text(options.plot, solve::plot(solution->description(), solution->manifest()));
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
  if (options.json) {
    write_json(as_json(*found, {elapsed.count(), base::peak_resident_bytes()}, options.folder));
  } else {
    write_answer(overview(*found, options.folder) + "\n" + value_table(found->summary) +
                 move_table(found->summary));
  }
  const auto drawn = options.plot.empty() ? base::Result<void>() : write_plot(options);
  if (drawn) return ExitCode::success;
  write_message("zermelo: " + drawn.error().message + "\n");  // beside the answer
  return exit_code_of(drawn.error().kind);
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
      app, "--engine", engine_names,
      [options](std::size_t choice) { options->engine = static_cast<Engine>(choice); },
      "Diagrams or every state in memory (default: auto, by size)");
  add_choice_option(
      app, "--algorithm", algorithm_names,
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
