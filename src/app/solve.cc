#include "app/solve.h"

#include <fmt/format.h>

#include <chrono>
#include <type_traits>
#include <utility>

#include "app/solve_progress.h"
#include "app/temporary_folder.h"
#include "app/threads.h"
#include "base/error_name.h"
#include "base/quantities.h"
#include "cluster/solve.h"
#include "gdl/validity.h"
#include "ground/ground.h"
#include "search/decomposition/factored_reduction.h"
#include "search/decomposition/impartial_sum.h"
#include "search/decomposition/partisan_sum.h"
#include "search/planner/factored_plan.h"
#include "solve/explicit/explicit_folder.h"
#include "solve/explicit/explicit_solver.h"
#include "solve/folder/equilibrium_reader.h"
#include "solve/hidden/hidden_solver.h"
#include "solve/hidden/store_strategies.h"
#include "solve/simultaneous/equilibrium_folder.h"
#include "solve/simultaneous/equilibrium_solver.h"
#include "solve/symbolic/layered_solver.h"
#include "solve/symbolic/set_solver.h"

namespace zermelo::app {
namespace {

using base::grouped;
using solve::Algorithm;
using solve::Engine;
using solve::Summary;

using MachinePointer = std::shared_ptr<const machine::Machine>;
using Answer = base::Result<SolveResult>;

// With more states, `automatic` prefers the symbolic engine.
constexpr solve::StateIndex explicit_up_to = 1'000'000;
// Up to equivalence only what has at least about this number of states: the whole answer of smaller
// games has more to it and takes little longer.
constexpr double by_parts_from = 1e8;
// With more classes of equivalent states, the whole game is solved instead.
constexpr solve::StateIndex max_classes = 2'000'000;

constexpr const char* simultaneous_reason = "roles decide at the same time";

bool is_refused(const Answer& answer) {
  return !answer && answer.error().kind == base::ErrorKind::not_applicable;
}

Answer answer(base::Result<Summary> summary, const std::string& reason) {
  if (!summary) return tl::unexpected(summary.error());
  return SolveResult{std::move(*summary), reason, {}, {}, {}, {}, {}, {}};
}

// Whether the program chooses the engine.
bool may_choose_engine(const SolveRequest& request) {
  return request.engine == Engine::automatic &&
         (request.algorithm == Algorithm::automatic || request.algorithm == Algorithm::retrograde);
}

// The property of the started solution that contradicts the request; empty if none does.
std::string objection(const SolveRequest& request, const solve::Description& started,
                      bool is_finished) {
  if (request.model != started.model) return "with --model " + name_of(started.model);
  if (request.engine != Engine::automatic && request.engine != started.engine) {
    return "with the " + name_of(started.engine) + " engine";
  }
  if (request.algorithm != Algorithm::automatic && request.algorithm != started.algorithm) {
    return "with the algorithm " + name_of(started.algorithm);
  }
  // The layered algorithm decides about distances after finding all layers.
  const bool is_decided = is_finished || started.algorithm != Algorithm::layered;
  if (!is_decided || request.distances.value_or(started.distances) == started.distances) return "";
  return started.distances ? "with distances" : "without distances";
}

// One game, one folder: chooses how to solve it, or continues what was started.
class Solver {
 public:
  // The arguments must outlive this.
  Solver(const SolveRequest& request, const Context& context, const base::Limits& limits,
         MachinePointer machine)
      : request_(request),
        context_(context),
        limits_(limits),
        machine_(std::move(machine)),
        factoring_(machine_) {}

  Answer run() {
    if (request_.job) return solve_on_ranks();
    if (const auto claimed = claim_folder(); !claimed) return tl::unexpected(claimed.error());
    if (started_) return resume();
    if (folder_ && folder_->holds_counted_layers()) return continue_count();
    if (request_.engine == Engine::explicit_states) return solve_explicitly("");
    if (may_choose_engine(request_)) return choose_and_solve();
    return solve_symbolically(request_.algorithm, "");
  }

  // Whether the folder keeps the work that was done before a limit was reached.
  bool can_resume() const {
    const auto started = folder_ ? folder_->description() : tl::unexpected(base::Error());
    return started && started->algorithm == Algorithm::layered;
  }

 private:
  // Checks the folder and locks it against other runs, before any work is done.
  base::Result<void> claim_folder() {
    if (request_.folder.empty()) return {};
    folder_.emplace(request_.folder);
    auto started = folder_->claim(*machine_->game().rulesheet);
    if (!started) return tl::unexpected(started.error());
    started_ = std::move(*started);
    return {};
  }

  Answer resume() {
    const bool is_finished = folder_->finished();
    if (const std::string other = objection(request_, *started_, is_finished); !other.empty()) {
      return was_started(other);
    }
    const bool is_chosen =
        may_choose_engine(request_) ||
        (request_.engine == Engine::symbolic && request_.algorithm == Algorithm::automatic);
    const char* reason = is_chosen ? "the folder was started with it" : "";
    if (is_finished && started_->solution_concept) return stored_equilibrium(reason);
    if (is_finished) return answer(stored_summary(*folder_), reason);
    if (started_->engine == Engine::explicit_states) return solve_explicitly(reason);
    // After a layered start, the game may still turn out to have cycles.
    const Algorithm algorithm =
        started_->algorithm == Algorithm::layered ? request_.algorithm : started_->algorithm;
    return may_choose_engine(request_) ? solve_with_fallback(algorithm, reason)
                                       : solve_symbolically(algorithm, reason);
  }

  // Solves a sum of impartial games by Grundy numbers; else explicitly up to `explicit_up_to`
  // states; else by parts if the game is very large and they decide it; else symbolically.
  Answer choose_and_solve() {
    if (auto sum = solve_by_grundy_numbers()) return std::move(*sum);
    if (request_.factoring == FactoringUse::always) {
      if (auto by_parts = solve_by_parts()) return std::move(*by_parts);
      if (const auto limit = limits_.exceeded())
        return tl::unexpected(base::limit_error(*limit, "while looking for subgames"));
      return base::fail(base::ErrorKind::not_applicable,
                        "the game does not consist of parts that decide it, or they are too large");
    }
    const auto few =
        solve::solve_explicit_up_to(explicit_up_to, machine_, {request_.model, limits_});
    if (few && *few) {
      return answer(summarize_explicit(**few),
                    fmt::format("at most {} states", grouped(explicit_up_to)));
    }
    if (few) {
      if (auto by_parts = solve_by_parts()) return std::move(*by_parts);
      return solve_with_fallback(request_.algorithm,
                                 fmt::format("more than {} states", grouped(explicit_up_to)));
    }
    if (few.error().kind == base::ErrorKind::not_applicable) {
      return solve_simultaneously(few.error(), simultaneous_reason);
    }
    const bool is_too_large = few.error().kind == base::ErrorKind::memory_limit;
    if (!is_too_large || limits_.exceeded()) return tl::unexpected(few.error());
    auto symbolic = solve_symbolically(request_.algorithm, "not enough memory for single states");
    return is_refused(symbolic) ? tl::unexpected(few.error()) : std::move(symbolic);
  }

  static SolveResult factored_answer(Summary summary, const std::string& factoring) {
    return {std::move(summary), factoring, {}, factoring, {}};
  }

  // A folder holds the value of every state, and distances are those of the whole game.
  bool may_use_parts() const {
    return request_.factoring != FactoringUse::never && !folder_ &&
           !request_.distances.value_or(false);
  }

  // Whether solving by parts pays, although less is known of the states then.
  bool is_worth_it(double states) const {
    return request_.factoring == FactoringUse::always || states >= by_parts_from;
  }

  std::optional<SolveResult> solve_by_grundy_numbers() {
    if (!may_use_parts()) return std::nullopt;
    const auto sum = search::decomposition::ImpartialSum::find(machine_, limits_);
    if (!sum) return std::nullopt;
    return factored_answer(
        sum->summarize(request_.model),
        fmt::format("a sum of {} independent subgames with {} states, by Grundy numbers",
                    sum->parts(), grouped(sum->part_states())));
  }

  // Nothing if only the whole game can give the answer, or the parts are too large.
  std::optional<SolveResult> solve_by_parts() {
    if (!may_use_parts()) return std::nullopt;
    if (auto answer = solve_by_game_values()) return answer;
    if (auto answer = solve_by_plan()) return answer;
    return solve_up_to_equivalence();
  }

  std::optional<SolveResult> solve_by_game_values() {
    const auto sum = search::decomposition::PartisanSum::find(machine_, limits_);
    if (!sum) return std::nullopt;
    const machine::State initial = machine::Stepper(machine_).initial_state();
    const bool falls_apart_later = sum->components(initial) < 2;
    if (falls_apart_later && request_.factoring != FactoringUse::always) return std::nullopt;
    auto summary = sum->summarize(request_.model);
    if (!summary) return std::nullopt;
    return factored_answer(std::move(*summary),
                           fmt::format("{} positions of independent components, by combinatorial "
                                       "game values",
                                       grouped(sum->positions())));
  }

  std::optional<SolveResult> solve_up_to_equivalence() {
    const auto reduction = search::decomposition::find_reduction(factoring_, limits_);
    if (!reduction) return std::nullopt;
    const auto solution =
        solve::solve_explicit_up_to(max_classes, machine_, {request_.model, limits_, reduction});
    if (!solution || !*solution) return std::nullopt;
    const auto states = static_cast<double>((*solution)->states());
    if (!is_worth_it(reduction->whole_states(states))) return std::nullopt;
    auto summary = summarize(**solution, limits_);
    if (!summary) return std::nullopt;
    summary->counts = Summary::Counts::classes;
    return factored_answer(std::move(*summary),
                           reduction->description() + ", solved up to equivalence");
  }

  // The answer is the value of the initial state and a line that attains it.
  std::optional<SolveResult> solve_by_plan() {
    const auto plan = search::planner::find_factored_plan(factoring_, limits_);
    if (!plan) return std::nullopt;
    Summary summary;
    summary.roles = machine_->roles();
    summary.model = request_.model;
    summary.engine = Engine::explicit_states;
    summary.algorithm = Algorithm::retrograde;
    summary.value = {plan->line.reward};
    summary.counts = Summary::Counts::nothing;
    for (const machine::Move m : plan->line.moves) {
      summary.line.push_back(machine_->move_name(m));
    }
    return factored_answer(std::move(summary), plan->description);
  }

  // Solves symbolically, or explicitly if the symbolic solver refuses the game. If it refused the
  // folder instead, the folder still has a description.
  Answer solve_with_fallback(Algorithm algorithm, const std::string& reason) {
    auto symbolic = solve_symbolically(algorithm, reason);
    if (!is_refused(symbolic) || (folder_ && folder_->description())) return symbolic;
    return solve_explicitly("not symbolic: " + symbolic.error().message);
  }

  Answer solve_explicitly(const std::string& reason) {
    const auto solution = solve::solve_explicit(machine_, {request_.model, limits_});
    if (solution) return answer(summarize_explicit(*solution), reason);
    if (solution.error().kind != base::ErrorKind::not_applicable) {
      return tl::unexpected(solution.error());
    }
    return solve_simultaneously(solution.error(), reason);
  }

  // Rank 0 has the folder. Returns nothing if it is finished.
  base::Result<std::vector<cluster::RankReport>> complete_on_ranks(
      const solve::SolutionFolder* folder) {
    cluster::Channel& channel = request_.job->channel();
    const bool is_finished = folder != nullptr && folder->finished();
    if (channel.sum({is_finished ? 1u : 0u}).front() > 0) return {};
    cluster::SolveOptions options;
    options.model = request_.model;
    options.distances = request_.distances;
    if (request_.folder.empty() && !options.distances) options.distances = false;
    options.limits = limits_;
    options.progress = [this](std::string activity) { context_.report(std::move(activity)); };
    return cluster::solve(channel, machine_, folder, options);
  }

  Answer solve_on_ranks() {
    if (!request_.job->is_main()) {
      if (auto error = request_.job->channel().first_error({})) return tl::unexpected(*error);
      const auto done = complete_on_ranks(nullptr);
      return done ? Answer() : tl::unexpected(done.error());
    }
    auto prepared = claim_folder();
    if (prepared && started_) {
      const std::string other = objection(request_, *started_, folder_->finished());
      if (!other.empty()) prepared = was_started(other);
    }
    const auto error = prepared ? std::nullopt : std::optional(prepared.error());
    if (auto first = request_.job->channel().first_error(error)) return tl::unexpected(*first);
    return in_folder([&](const solve::SolutionFolder& folder) -> Answer {
      auto ranks = complete_on_ranks(&folder);
      if (!ranks) return tl::unexpected(ranks.error());
      Answer result = answer(stored_summary(folder),
                             fmt::format("on {}", base::counted(ranks->size(), "rank")));
      if (result) result->ranks = std::move(*ranks);
      return result;
    });
  }

  tl::unexpected<base::Error> was_started(const std::string& other) const {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("'{}' was started {}", folder_->path().string(), other));
  }

  // `refusal` is why the game cannot be solved as a turn-taking one.
  Answer solve_simultaneously(const base::Error& refusal, const std::string& reason) {
    const auto solution = solve::solve_simultaneous(machine_, {request_.model, limits_});
    if (!solution) return tl::unexpected(solution.error());
    if (!*solution) return tl::unexpected(refusal);
    if (request_.distances.value_or(false)) {
      return base::fail(base::ErrorKind::not_applicable,
                        "roles decide at the same time, and mixed strategies have no distance to "
                        "the end");
    }
    const auto stored = folder_ ? store(**solution, *folder_, limits_) : base::Result<void>();
    if (!stored) return tl::unexpected(stored.error());
    const solve::JointGraph& graph = (*solution)->graph();
    Summary summary = equilibrium_summary();
    summary.model = (*solution)->model();
    summary.states = summary.layer_states = std::to_string(graph.size());
    summary.terminal_states = std::to_string(graph.terminal_states);
    summary.layers = graph.layers();
    SolveResult result{std::move(summary), reason, {}, {}, {}, {}, {}};
    result.equilibrium =
        view_of((*solution)->initial_position(), *machine_, (*solution)->solution_concept());
    result.simultaneous_states = (*solution)->simultaneous_states();
    result.mixed_states = (*solution)->mixed_states();
    return result;
  }

  Summary equilibrium_summary() const {
    Summary summary;
    summary.roles = machine_->roles();
    summary.engine = Engine::explicit_states;
    summary.algorithm = Algorithm::retrograde;
    return summary;
  }

  // From the finished folder.
  Answer stored_equilibrium(const std::string& reason) {
    auto solution = solve::EquilibriumReader::open(folder_->path(), machine_);
    if (!solution) return tl::unexpected(solution.error());
    const auto initial = solution->position(machine::Stepper(machine_).initial_state(), 0);
    if (!initial) return tl::unexpected(initial.error());
    Summary summary = equilibrium_summary();
    summary.model = solution->description().model;
    std::uint64_t states = 0, terminal = 0;
    for (const solve::StoredLayer& layer : solution->manifest().layers) {
      states += std::stoull(layer.states);
      terminal += std::stoull(layer.terminal);
    }
    summary.states = summary.layer_states = std::to_string(states);
    summary.terminal_states = std::to_string(terminal);
    summary.layers = solution->manifest().layers.size();
    SolveResult result{std::move(summary), reason, {}, {}, {}, {}, {}};
    result.equilibrium = view_of(*initial, *machine_, *solution->description().solution_concept);
    return result;
  }

  // Stores the solution if that is requested, or needed to find distances.
  base::Result<Summary> summarize_explicit(const solve::ExplicitSolution& solution) {
    if (!folder_ && !request_.distances.value_or(false)) return summarize(solution, limits_);
    const bool is_started = started_ && started_->engine == Engine::explicit_states;
    const bool usual =
        is_started ? started_->distances : solution.states() <= solve::distances_up_to;
    const bool distances = request_.distances.value_or(usual);
    return in_folder([&](const solve::SolutionFolder& folder) -> base::Result<Summary> {
      const auto stored = store(solution, folder, {distances, limits_});
      if (!stored) return tl::unexpected(stored.error());
      return stored_summary(folder);
    });
  }

  // The folder holds layers that `count` stored.
  Answer continue_count() {
    const bool is_layered =
        request_.algorithm == Algorithm::automatic || request_.algorithm == Algorithm::layered;
    if (request_.engine != Engine::explicit_states && is_layered) {
      return solve_symbolically(request_.algorithm, "the folder holds layers of `count`");
    }
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("'{}' holds layers that `count` stored; only the symbolic "
                                  "algorithm layered continues from them",
                                  folder_->path().string()));
  }

  Answer solve_symbolically(Algorithm algorithm, const std::string& reason) {
    return in_folder(
        [&](const solve::SolutionFolder& folder) { return solve_in(folder, algorithm, reason); });
  }

  // `automatic` is layered or, if there is no last layer, retrograde.
  Answer solve_in(const solve::SolutionFolder& folder, Algorithm algorithm, std::string reason) {
    const solve::SymbolicOptions options = symbolic_options();
    if (!is_set_algorithm(algorithm)) {
      const auto end = solve_layered(machine_, folder, options);
      if (!end) return tl::unexpected(end.error());
      if (*end == solve::LayeredEnd::solved) return answer(stored_summary(folder), reason);
      const std::string endless = "states can repeat, so there is no last layer";
      if (algorithm == Algorithm::layered) {
        return base::fail(base::ErrorKind::not_applicable, endless);
      }
      algorithm = Algorithm::retrograde;
      reason = "not layered: " + endless;
    }
    const auto solved = solve_by_sets(machine_, folder, algorithm, options);
    if (!solved) return tl::unexpected(solved.error());
    return answer(stored_summary(folder), reason);
  }

  solve::SymbolicOptions symbolic_options() const {
    solve::SymbolicOptions options;
    options.model = request_.model;
    options.distances = request_.distances;
    if (!folder_ && !options.distances) options.distances = false;
    options.limits = limits_;
    options.threads = threads_or_all_cores(request_.threads);
    options.memory_bytes = request_.limits.memory_bytes;
    options.progress = [this](const solve::SymbolicProgress& now) {
      context_.report(description_of(now));
      if (request_.on_layer) request_.on_layer(now);
    };
    return options;
  }

  base::Result<Summary> stored_summary(const solve::SolutionFolder& folder) const {
    auto solution = solve::SolutionReader::open(folder.path(), machine_);
    if (!solution) return tl::unexpected(solution.error());
    return summarize(*solution);
  }

  // Calls `work` with the folder of the request, or with a temporary one if it has none.
  template <class Work>
  std::invoke_result_t<Work, const solve::SolutionFolder&> in_folder(const Work& work) const {
    if (folder_) return work(*folder_);
    const auto temporary = TemporaryFolder::make();
    if (!temporary) {
      return base::fail(temporary.error().kind,
                        temporary.error().message + "; use --out to store the solution elsewhere");
    }
    return work(solve::SolutionFolder(temporary->path()));
  }

  const SolveRequest& request_;
  const Context& context_;
  const base::Limits& limits_;
  MachinePointer machine_;
  search::decomposition::Factoring factoring_;
  std::optional<solve::SolutionFolder> folder_;  // of the request, claimed
  std::optional<solve::Description> started_;    // the description in it
};

// The option that has no meaning for games with hidden information; empty if there is none.
std::string hidden_objection(const SolveRequest& request) {
  const bool fits = request.algorithm == Algorithm::automatic ||
                    request.algorithm == Algorithm::retrograde ||
                    is_hidden_algorithm(request.algorithm);
  if (!fits) return "the algorithm " + name_of(request.algorithm) + " requires";
  if (request.engine == Engine::symbolic) return "the symbolic engine requires";
  if (request.distances.value_or(false)) return "distances to the end require";
  if (request.factoring == FactoringUse::always) return "solving by subgames requires";
  return "";
}

// Games with hidden information or chance.
Answer solve_hidden_game(const SolveRequest& request, const Context& context,
                         const base::Limits& limits, MachinePointer machine) {
  if (request.job) {
    return base::fail(base::ErrorKind::not_applicable,
                      "--cluster requires perfect information; the game has chance (the role "
                      "random) or hidden information (sees)");
  }
  solve::HiddenOptions options;
  options.model = request.model;
  options.algorithm = request.algorithm;
  options.precision = request.precision.value_or(solve::default_precision);
  options.limits = limits;
  options.progress = [&](std::uint64_t iterations, double exploitability) {
    context.report(
        fmt::format("{} iterations, exploitability {:.2g}", grouped(iterations), exploitability));
  };
  solve::StrategyFolder folder(request.folder);
  if (!request.folder.empty()) {
    if (const auto claimed = folder.claim(*request.rules); !claimed)
      return tl::unexpected(claimed.error());
  }
  const auto solution = solve::solve_hidden(machine, options);
  if (!solution) return tl::unexpected(solution.error());
  if (!request.folder.empty()) {
    const auto saved = folder.save(*request.rules, solve::describe(*solution, request.model),
                                   solve::stored_strategies(*solution));
    if (!saved) return tl::unexpected(saved.error());
  }
  Summary summary;
  summary.roles = machine->roles();
  summary.model = request.model;
  summary.engine = Engine::explicit_states;
  summary.algorithm = solution->algorithm;
  SolveResult result{std::move(summary), solution->reason, {}, {}, {}, {}, {}};
  result.hidden = view_of(*solution);
  return result;
}

// Checks what the options require of the information in the game.
base::Result<void> check_information(const SolveRequest& request) {
  if (!gdl::uses_imperfect_information(*request.rules)) {
    if (!is_hidden_algorithm(request.algorithm) && !request.precision) return {};
    return base::fail(
        base::ErrorKind::not_applicable,
        (request.precision ? "--precision" : "the algorithm " + name_of(request.algorithm)) +
            std::string(" is for games with hidden information"));
  }
  const std::string objection = hidden_objection(request);
  if (objection.empty()) return {};
  return base::fail(base::ErrorKind::not_applicable,
                    objection +
                        " perfect information; the game has chance (the role random) or "
                        "hidden information (sees)");
}

base::Error with_name(const base::Error& error, const std::string& game) {
  return {error.kind, fmt::format("{}: {}", game, error.message)};
}

}  // namespace

std::string contradiction(const SolveRequest& request) {
  if (request.engine == Engine::explicit_states && request.algorithm != Algorithm::automatic &&
      request.algorithm != Algorithm::retrograde && !is_hidden_algorithm(request.algorithm)) {
    return "the explicit engine supports only the algorithm retrograde";
  }
  if (request.job && request.engine == Engine::symbolic) {
    return "--cluster requires the explicit engine";
  }
  if (request.factoring == FactoringUse::always) {
    if (!request.folder.empty() || request.distances.value_or(false)) {
      return "--factoring always gives neither a folder nor distances";
    }
    if (!may_choose_engine(request)) return "--factoring always needs --engine auto";
  }
  return "";
}

base::Result<SolveResult> solve(const SolveRequest& any_request, const Context& context) {
  SolveRequest request = any_request;
  if (request.job) {
    request.limits = share_of_machine(request.limits);
    if (request.engine == Engine::automatic) request.engine = Engine::explicit_states;
  }
  if (const std::string problem = contradiction(request); !problem.empty()) {
    return base::fail(base::ErrorKind::invalid_request, problem);
  }
  if (const auto checked = check_information(request); !checked) {
    return tl::unexpected(checked.error());
  }
  const auto begin = std::chrono::steady_clock::now();
  const base::Limits limits = request.limits.start(context);
  const std::string& name = request.rules->source->name();
  context.report("solving");
  auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(with_name(machine.error(), name));
  const bool is_hidden = gdl::uses_imperfect_information(*request.rules);
  Solver solver(request, context, limits, *machine);
  Answer found = is_hidden ? solve_hidden_game(request, context, limits, *machine) : solver.run();
  if (found) {
    found->folder = request.folder;
    found->cost = cost_since(begin);
    return found;
  }
  base::Error error = with_name(found.error(), name);
  if (base::is_limit(error.kind) && solver.can_resume()) {
    error.message += "; run the same command again to resume";
  }
  return tl::unexpected(error);
}

}  // namespace zermelo::app
