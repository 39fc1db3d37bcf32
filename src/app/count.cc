#include "app/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "analysis/mutex_groups.h"
#include "app/threads.h"
#include "base/error_name.h"
#include "base/quantities.h"
#include "ground/ground.h"
#include "solve/explicit/enumerate.h"
#include "symbolic/layer_folder.h"
#include "symbolic/layers.h"
#include "symbolic/model.h"
#include "symbolic/variables.h"

namespace zermelo::app {
namespace {

using base::counted;
using base::grouped;
using base::with_commas;
using solve::Engine;

using MachinePointer = std::shared_ptr<const machine::Machine>;

// Up to this number of states, `automatic` prefers the explicit engine.
constexpr std::uint64_t few_states = 200'000;

// "time limit reached after 5,478 states in 9 layers"
std::string stopped_after(base::ErrorKind kind, const std::string& states, std::size_t layers) {
  const std::string progress = fmt::format(
      "after {} {} in {}", states, states == "1" ? "state" : "states", counted(layers, "layer"));
  return base::is_limit(kind) ? base::limit_error(kind, progress).message : "stopped " + progress;
}

CountResult as_count(const solve::Enumeration& found, std::string reason) {
  CountResult count;
  count.engine = Engine::explicit_states;
  count.reason = std::move(reason);
  count.states = std::to_string(found.states());
  for (const solve::LayerCount& layer : found.layers) {
    CountedLayer& added = count.layers.emplace_back();
    added.states = std::to_string(layer.states);
    if (layer.terminal) added.terminal = std::to_string(*layer.terminal);
    added.seconds = layer.seconds;
  }
  if (found.stopped) {
    count.stopped = {*found.stopped,
                     stopped_after(*found.stopped, grouped(found.states()), found.layers.size())};
  }
  return count;
}

CountResult as_count(const symbolic::Layers& found, std::string reason) {
  CountResult count;
  count.engine = Engine::symbolic;
  count.reason = std::move(reason);
  count.states = found.states().get_str();
  for (const symbolic::LayerStatistics& layer : found.statistics) {
    CountedLayer& added = count.layers.emplace_back();
    added.states = layer.states.get_str();
    added.terminal = layer.terminal_states.get_str();
    added.nodes = layer.nodes;
    added.set_nodes = layer.set_nodes;
    added.seconds = layer.seconds;
  }
  if (found.stopped) {
    const auto& [kind, message] = *found.stopped;
    count.stopped = {kind, stopped_after(kind, with_commas(count.states), count.layers.size()) +
                               (base::is_limit(kind) ? "" : ": " + message)};
  }
  count.peak_nodes = found.peak_nodes();
  return count;
}

// If diagrams reached a limit: the states that were enumerated before, if those are more.
base::Result<CountResult> or_enumerated(const base::Result<CountResult>& counted,
                                        const solve::Enumeration& found) {
  if (counted ? !counted->stopped : !base::is_limit(counted.error().kind)) return counted;
  if (counted && mpz_class(counted->states) >= mpz_class(std::to_string(found.states()))) {
    return counted;
  }
  CountResult enumerated = as_count(found, counted ? "diagrams found fewer states before the limit"
                                                   : "no diagrams before the limit");
  const base::ErrorKind limit = counted ? counted->stopped->kind : counted.error().kind;
  enumerated.stopped = {limit, stopped_after(limit, grouped(found.states()), found.layers.size())};
  return enumerated;
}

struct OrderedModel {
  symbolic::Model model;
  std::string order;
};

// The folder for unnamed files that do not fit into memory; empty if there is none.
std::filesystem::path scratch_folder(const CountRequest& request) {
  if (!request.folder.empty()) return request.folder;
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  return failed ? std::filesystem::path() : folder;
}

symbolic::LayersOptions layers_options(const CountRequest& request, const Context& context,
                                       const base::Limits& limits) {
  symbolic::LayersOptions options;
  options.only_new = request.duplicate_detection;
  options.continue_past_terminal = request.continue_past_terminal;
  options.keep = false;
  options.folder = request.folder;
  options.diagrams.limits = limits;
  options.diagrams.threads = threads_or_all_cores(request.threads);
  if (const auto scratch = scratch_folder(request); !scratch.empty()) {
    options.diagrams = dd::with_scratch(options.diagrams, request.limits.memory() / 2, scratch);
  }
  options.progress = [&context](const symbolic::LayerStatistics& layer) {
    context.report(fmt::format("counting: layer {}, {} states, {} nodes", layer.layer,
                               layer.states.get_str(), grouped(layer.nodes)));
  };
  return options;
}

// Counts with one engine or both. What both need is computed once.
class Counter {
 public:
  // The arguments must outlive this.
  Counter(const CountRequest& request, const Context& context, const base::Limits& limits,
          MachinePointer machine)
      : request_(request), context_(context), limits_(limits), machine_(std::move(machine)) {}

  base::Result<CountResult> run() {
    if (request_.job) return count_on_ranks();
    if (request_.engine == Engine::automatic && !request_.folder.empty()) {
      return count_with_diagrams("layers are stored as diagrams");
    }
    if (request_.engine == Engine::automatic) return count_with_either();
    if (request_.engine == Engine::explicit_states) {
      return as_count(enumerate(any_number), "as requested");
    }
    return count_with_diagrams("as requested");
  }

 private:
  static constexpr std::uint64_t any_number = ~std::uint64_t{0};

  // Enumerates up to `few_states` states. If there are more, or they do not fit into memory, tries
  // diagrams. If the rules cannot be expressed as diagrams, enumerates all states.
  base::Result<CountResult> count_with_either() {
    const solve::Enumeration found = enumerate(few_states);
    if (found.stopped && *found.stopped != base::ErrorKind::memory_limit) {
      return as_count(found, "auto starts with it");
    }
    if (!found.stopped && !found.too_many) {
      return as_count(found, fmt::format("no more than {} states", grouped(few_states)));
    }
    const auto counted = count_with_diagrams(
        found.stopped ? "not enough memory for single states"
                      : fmt::format("more than {} states", grouped(few_states)));
    if (counted || counted.error().kind != base::ErrorKind::not_applicable) {
      return or_enumerated(counted, found);
    }
    solve::Enumeration whole = found.stopped ? found : enumerate(any_number);
    if (whole.states() < found.states()) whole.layers = found.layers;  // less time was left
    return as_count(whole, "no diagrams: " + counted.error().message);
  }

  // The groups of rank 0 are used.
  base::Result<CountResult> count_on_ranks() {
    solve::EnumerateOptions options = enumerate_options(any_number);
    if (request_.job->is_main()) options.groups = groups().groups;
    auto found = cluster::enumerate(request_.job->channel(), machine_, options, request_.folder);
    if (!found) return tl::unexpected(found.error());
    CountResult count = as_count(
        found->found, fmt::format("on {}", counted(request_.job->channel().size(), "rank")));
    if (count.stopped && !request_.folder.empty()) {
      count.stopped->message += "; run the same command again to resume";
    }
    count.ranks = std::move(found->ranks);
    return count;
  }

  solve::Enumeration enumerate(std::uint64_t max_states) {
    solve::EnumerateOptions options = enumerate_options(max_states);
    options.groups = groups().groups;
    return solve::enumerate(machine_, options);
  }

  solve::EnumerateOptions enumerate_options(std::uint64_t max_states) {
    solve::EnumerateOptions options;
    options.limits = limits_;
    options.threads = threads_or_all_cores(request_.threads);
    options.continue_past_terminal = request_.continue_past_terminal;
    options.duplicate_detection = request_.duplicate_detection;
    options.max_states = max_states;
    options.on_layer = [this, number = std::size_t{0}](const solve::LayerCount& layer) mutable {
      report(fmt::format("layer {}, {} states", number++, grouped(layer.states)));
    };
    return options;
  }

  base::Result<CountResult> count_with_diagrams(std::string reason) {
    const auto ordered = make_model();
    if (!ordered) return tl::unexpected(ordered.error());
    const auto found =
        symbolic::find_layers(ordered->model, layers_options(request_, context_, limits_));
    if (!found) return tl::unexpected(found.error());
    CountResult count = as_count(*found, std::move(reason));
    count.order = ordered->order;
    return count;
  }

  base::Result<OrderedModel> make_model() {
    const auto variables = this->variables();
    if (!variables) return tl::unexpected(variables.error());
    report("building relations");
    symbolic::ModelOptions options;
    options.past_terminal = request_.continue_past_terminal;
    options.limits = limits_;
    const circuit::CompiledGame& game = *machine_->compiled();
    auto model = symbolic::build_model(
        machine_,
        symbolic::Encoding(game.game(), symbolic::find_clock(game.autonomous()),
                           variables->variables),
        options);
    if (!model) return tl::unexpected(model.error());
    return OrderedModel{std::move(*model), variables->origin};
  }

  // The variables of a folder never change. Groups are proved within a time limit, so another run
  // may find others; a run that reached its limit therefore does not store its variables.
  base::Result<symbolic::VariableList> variables() {
    if (request_.folder.empty()) return find_variables();
    const auto stored = symbolic::load_variables(request_.folder, machine_->game());
    if (!stored) return tl::unexpected(stored.error());
    if (*stored) return **stored;
    const symbolic::VariableList found = find_variables();
    if (const auto reached = limits_.exceeded()) {
      return tl::unexpected(base::limit_error(*reached, "while ordering the variables"));
    }
    if (auto saved = symbolic::save_variables(request_.folder, machine_->game(), found); !saved) {
      return tl::unexpected(saved.error());
    }
    return found;
  }

  symbolic::VariableList find_variables() {
    const analysis::MutexGroups& proved = groups();
    report("ordering variables");
    symbolic::ModelOptions options;
    options.limits = limits_;
    const auto chosen = symbolic::choose_variables(machine_, options, proved);
    return {chosen.order.origin, chosen.ordered().variables()};
  }

  // Proved on first use: a folder may have the variables already.
  const analysis::MutexGroups& groups() {
    if (!groups_) {
      report("searching for mutex groups");
      analysis::MutexOptions options;
      options.past_terminal = request_.continue_past_terminal;
      options.seconds = group_seconds();
      options.limits = limits_;
      groups_ = analysis::find_mutex_groups(machine_, options);
    }
    return *groups_;
  }

  // The time for proving groups: 5 s, but at most a quarter of the time limit.
  std::chrono::duration<double> group_seconds() const {
    const std::chrono::duration<double> usual{5};
    return request_.limits.time ? std::min(usual, *request_.limits.time / 4) : usual;
  }

  void report(const std::string& activity) const { context_.report("counting: " + activity); }

  const CountRequest& request_;
  const Context& context_;
  const base::Limits& limits_;
  MachinePointer machine_;
  std::optional<analysis::MutexGroups> groups_;
};

}  // namespace

std::string contradiction(const CountRequest& request) {
  const bool is_stored = !request.folder.empty();
  if (request.job) {
    if (request.engine == Engine::symbolic) return "--cluster requires the explicit engine";
    if (is_stored && !request.duplicate_detection) {
      return "--out and --cluster require duplicate detection";
    }
    return "";
  }
  return is_stored && request.engine == Engine::explicit_states
             ? "--out requires the symbolic engine"
             : "";
}

base::Result<CountResult> count(const CountRequest& request, const Context& context) {
  if (const std::string problem = contradiction(request); !problem.empty()) {
    return base::fail(base::ErrorKind::invalid_request, problem);
  }
  const auto begin = std::chrono::steady_clock::now();
  const base::Limits limits =
      (request.job ? share_of_machine(request.limits) : request.limits).start(context);
  context.report("grounding");
  auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  auto result = Counter(request, context, limits, std::move(*machine)).run();
  if (!result) {
    return base::fail(result.error().kind,
                      fmt::format("{}: {}", request.rules->source->name(), result.error().message));
  }
  result->cost = cost_since(begin);
  return result;
}

}  // namespace zermelo::app
