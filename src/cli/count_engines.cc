#include "cli/count_engines.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "analysis/mutex_groups.h"
#include "cli/output.h"
#include "solve/explicit/enumerate.h"
#include "symbolic/layer_folder.h"
#include "symbolic/layers.h"
#include "symbolic/model.h"
#include "symbolic/variables.h"

namespace zermelo::cli {
namespace {

using MachinePointer = std::shared_ptr<const machine::Machine>;

// A game with no more states is enumerated by `auto`.
constexpr std::uint64_t few_states = 200'000;

std::string stopped_at(base::ErrorKind kind) {
  if (!base::is_limit(kind)) return "stopped";
  const char* limit = kind == base::ErrorKind::time_limit ? "time" : "memory";
  return fmt::format("stopped at the limit of {}", limit);
}

// "stopped at the limit of time after 5,478 states in 9 layers"
std::string stopped_after(base::ErrorKind kind, const std::string& states, std::size_t layers) {
  return fmt::format("{} after {} {} in {}", stopped_at(kind), states,
                     states == "1" ? "state" : "states", counted(layers, "layer"));
}

StateCount as_count(const solve::Enumeration& found, std::string reason) {
  StateCount count;
  count.engine = "explicit";
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

StateCount as_count(const symbolic::Layers& found, std::string reason) {
  StateCount count;
  count.engine = "symbolic";
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

// Once diagrams reach a limit, the states that were enumerated before, if those are more.
base::Result<StateCount> or_enumerated(const base::Result<StateCount>& counted,
                                       const solve::Enumeration& found) {
  if (counted ? !counted->stopped : !base::is_limit(counted.error().kind)) return counted;
  if (counted && mpz_class(counted->states) >= mpz_class(std::to_string(found.states()))) {
    return counted;
  }
  StateCount enumerated = as_count(
      found, counted ? "diagrams had fewer states at the limit" : "no diagrams before the limit");
  const base::ErrorKind limit = counted ? counted->stopped->kind : counted.error().kind;
  enumerated.stopped = {limit, stopped_after(limit, grouped(found.states()), found.layers.size())};
  return enumerated;
}

struct OrderedModel {
  symbolic::Model model;
  std::string order;
};

// Where files without a name go that memory has no room for; nothing if there is no such place.
std::filesystem::path scratch_folder(const CountRequest& request) {
  if (!request.folder.empty()) return request.folder;
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  return failed ? std::filesystem::path() : folder;
}

symbolic::LayersOptions layers_options(const CountRequest& request) {
  symbolic::LayersOptions options;
  options.only_new = request.duplicate_detection;
  options.continue_past_terminal = request.continue_past_terminal;
  options.keep = false;
  options.folder = request.folder;
  options.diagrams.limits = request.limits;
  options.diagrams.threads = request.threads;
  if (const auto scratch = scratch_folder(request); !scratch.empty()) {
    options.diagrams = dd::with_scratch(options.diagrams, request.memory_bytes / 2, scratch);
  }
  options.progress = [say = request.say](const symbolic::LayerStatistics& layer) {
    say(fmt::format("layer {}, {} states, {} nodes", layer.layer, layer.states.get_str(),
                    grouped(layer.nodes)));
  };
  return options;
}

// Counts with one engine after the other, if need be; what both need is found once.
class Counter {
 public:
  // The request must outlive this.
  Counter(MachinePointer machine, const CountRequest& request)
      : machine_(std::move(machine)), request_(request) {}

  base::Result<StateCount> run() {
    if (request_.engine == CountEngine::automatic && !request_.folder.empty()) {
      return count_with_diagrams("layers are stored as diagrams");
    }
    if (request_.engine == CountEngine::automatic) return count_with_either();
    if (request_.engine == CountEngine::enumerating) {
      return as_count(enumerate(any_number), "as asked for");
    }
    return count_with_diagrams("as asked for");
  }

 private:
  static constexpr std::uint64_t any_number = ~std::uint64_t{0};

  // Few states are enumerated. Of more, or where there is no memory for them one by one, diagrams
  // are tried, and enumeration goes on where rules or effects do not become diagrams.
  base::Result<StateCount> count_with_either() {
    const solve::Enumeration found = enumerate(few_states);
    if (found.stopped && *found.stopped != base::ErrorKind::memory_limit) {
      return as_count(found, "auto begins with it");
    }
    if (!found.stopped && !found.too_many) {
      return as_count(found, fmt::format("no more than {} states", grouped(few_states)));
    }
    const auto counted = count_with_diagrams(
        found.stopped ? "no memory for one state at a time"
                      : fmt::format("more than {} states", grouped(few_states)));
    if (counted || counted.error().kind != base::ErrorKind::not_applicable) {
      return or_enumerated(counted, found);
    }
    solve::Enumeration whole = found.stopped ? found : enumerate(any_number);
    if (whole.states() < found.states()) whole.layers = found.layers;  // there was less time left
    return as_count(whole, "no diagrams: " + counted.error().message);
  }

  solve::Enumeration enumerate(std::uint64_t most_states) {
    solve::EnumerateOptions options;
    options.groups = groups().groups;
    options.limits = request_.limits;
    options.threads = request_.threads;
    options.continue_past_terminal = request_.continue_past_terminal;
    options.duplicate_detection = request_.duplicate_detection;
    options.most_states = most_states;
    options.on_layer = [this, number = std::size_t{0}](const solve::LayerCount& layer) mutable {
      request_.say(fmt::format("layer {}, {} states", number++, grouped(layer.states)));
    };
    return solve::enumerate(machine_, options);
  }

  base::Result<StateCount> count_with_diagrams(std::string reason) {
    const auto ordered = make_model();
    if (!ordered) return tl::unexpected(ordered.error());
    const auto found = symbolic::find_layers(ordered->model, layers_options(request_));
    if (!found) return tl::unexpected(found.error());
    StateCount count = as_count(*found, std::move(reason));
    count.order = ordered->order;
    return count;
  }

  base::Result<OrderedModel> make_model() {
    const auto variables = this->variables();
    if (!variables) return tl::unexpected(variables.error());
    request_.say("building relations");
    symbolic::ModelOptions options;
    options.past_terminal = request_.continue_past_terminal;
    options.limits = request_.limits;
    const circuit::CompiledGame& game = *machine_->compiled();
    auto model = symbolic::build_model(
        machine_,
        symbolic::Encoding(game.game(), symbolic::find_clock(game.autonomous()),
                           variables->variables),
        options);
    if (!model) return tl::unexpected(model.error());
    return OrderedModel{std::move(*model), variables->origin};
  }

  // A folder has variables once and for all: groups are proved within a time, so that another run
  // may find others. So those of a run that is at its limit are not stored.
  base::Result<symbolic::VariableList> variables() {
    if (request_.folder.empty()) return find_variables();
    const auto stored = symbolic::load_variables(request_.folder, machine_->game());
    if (!stored) return tl::unexpected(stored.error());
    if (*stored) return **stored;
    const symbolic::VariableList found = find_variables();
    if (const auto reached = request_.limits.exceeded()) {
      return base::fail(*reached, stopped_at(*reached) + " before the variables had an order");
    }
    if (auto saved = symbolic::save_variables(request_.folder, machine_->game(), found); !saved) {
      return tl::unexpected(saved.error());
    }
    return found;
  }

  symbolic::VariableList find_variables() {
    const analysis::MutexGroups& proved = groups();
    request_.say("ordering variables");
    symbolic::ModelOptions options;
    options.limits = request_.limits;
    const auto chosen = symbolic::choose_variables(machine_, options, proved);
    return {chosen.order.origin, chosen.ordered().variables()};
  }

  // Proved when first asked for: a folder may have the variables already.
  const analysis::MutexGroups& groups() {
    if (!groups_) {
      request_.say("looking for groups of fluents");
      analysis::MutexOptions options;
      options.past_terminal = request_.continue_past_terminal;
      options.seconds = request_.group_seconds;
      options.limits = request_.limits;
      groups_ = analysis::find_mutex_groups(machine_, options);
    }
    return *groups_;
  }

  MachinePointer machine_;
  const CountRequest& request_;
  std::optional<analysis::MutexGroups> groups_;
};

}  // namespace

base::Result<StateCount> count_states(MachinePointer machine, const CountRequest& request) {
  return Counter(std::move(machine), request).run();
}

}  // namespace zermelo::cli
