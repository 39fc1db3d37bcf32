#include "cli/count_engines.h"

#include <fmt/format.h>

#include <filesystem>

#include "analysis/mutex_groups.h"
#include "cli/output.h"
#include "solve/enumerate.h"
#include "symbolic/layer_folder.h"
#include "symbolic/layers.h"
#include "symbolic/model.h"
#include "symbolic/order_problem.h"

namespace zermelo::cli {
namespace {

using MachinePointer = std::shared_ptr<const machine::Machine>;

// A game with no more states is enumerated by `auto`.
constexpr std::uint64_t few_states = 200'000;

solve::EnumerateOptions enumerate_options(const MachinePointer& machine,
                                          const CountRequest& request) {
  request.say("looking for groups of fluents");
  analysis::MutexOptions groups;
  groups.past_terminal = request.continue_past_terminal;
  groups.seconds = request.group_seconds;
  solve::EnumerateOptions options;
  options.groups = analysis::find_mutex_groups(machine, groups).groups;
  options.limits = request.limits;
  options.threads = request.threads;
  options.continue_past_terminal = request.continue_past_terminal;
  options.duplicate_detection = request.duplicate_detection;
  auto number = std::make_shared<std::size_t>(0);
  options.on_layer = [say = request.say, number](const solve::LayerCount& layer) {
    say(fmt::format("layer {}, {} states", (*number)++, grouped(layer.states)));
  };
  return options;
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
    count.stopped = {*found.stopped, fmt::format("stopped after {} states in {} layers",
                                                 grouped(found.states()), found.layers.size())};
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
  count.stopped = found.stopped;
  count.peak_nodes = found.peak_nodes();
  return count;
}

struct OrderedModel {
  symbolic::Model model;
  std::string order;
};

symbolic::ModelOptions model_options(const CountRequest& request) {
  symbolic::ModelOptions options;
  options.past_terminal = request.continue_past_terminal;
  options.group_seconds = request.group_seconds;
  options.limits = request.limits;
  return options;
}

symbolic::VariableList find_variables(const MachinePointer& machine, const CountRequest& request) {
  request.say("looking for groups of fluents");
  const symbolic::Encoding encoding = symbolic::find_encoding(machine, model_options(request));
  request.say("ordering variables");
  symbolic::OrderBudget budget;
  budget.limits = request.limits;
  const auto problem = symbolic::order_problem(machine->game(), encoding, budget);
  const auto order = symbolic::choose_order(problem, budget);
  return {order.origin, encoding.reordered(order.variables).variables()};
}

// A folder has variables once and for all: groups are proved within a time, so that another run may
// find others.
base::Result<symbolic::VariableList> variables_for(const MachinePointer& machine,
                                                   const CountRequest& request) {
  if (request.folder.empty()) return find_variables(machine, request);
  const auto stored = symbolic::load_variables(request.folder, machine->game());
  if (!stored) return tl::unexpected(stored.error());
  if (*stored) return **stored;
  const symbolic::VariableList found = find_variables(machine, request);
  if (auto saved = symbolic::save_variables(request.folder, machine->game(), found); !saved) {
    return tl::unexpected(saved.error());
  }
  return found;
}

base::Result<OrderedModel> make_model(const MachinePointer& machine, const CountRequest& request) {
  const auto variables = variables_for(machine, request);
  if (!variables) return tl::unexpected(variables.error());
  request.say("building relations");
  const ground::Game& game = machine->game();
  auto model = symbolic::build_model(
      machine, symbolic::Encoding(game, symbolic::find_clock(game), variables->variables),
      model_options(request));
  if (!model) return tl::unexpected(model.error());
  return OrderedModel{std::move(*model), variables->origin};
}

symbolic::LayersOptions layers_options(const CountRequest& request) {
  symbolic::LayersOptions options;
  options.only_new = request.duplicate_detection;
  options.continue_past_terminal = request.continue_past_terminal;
  options.keep = false;
  options.folder = request.folder;
  options.diagrams.limits = request.limits;
  options.diagrams.threads = request.threads;
  const std::filesystem::path scratch =
      request.folder.empty() ? std::filesystem::temp_directory_path() : options.folder;
  options.diagrams = dd::with_scratch(options.diagrams, request.memory_bytes / 2, scratch);
  options.progress = [say = request.say](const symbolic::LayerStatistics& layer) {
    say(fmt::format("layer {}, {} states, {} nodes", layer.layer, layer.states.get_str(),
                    grouped(layer.nodes)));
  };
  return options;
}

base::Result<StateCount> count_with_diagrams(const MachinePointer& machine,
                                             const CountRequest& request, std::string reason) {
  const auto ordered = make_model(machine, request);
  if (!ordered) return tl::unexpected(ordered.error());
  const auto found = symbolic::find_layers(ordered->model, layers_options(request));
  if (!found) return tl::unexpected(found.error());
  StateCount count = as_count(*found, std::move(reason));
  count.order = ordered->order;
  return count;
}

bool is_limit(base::ErrorKind kind) {
  return kind == base::ErrorKind::time_limit || kind == base::ErrorKind::memory_limit;
}

// Once diagrams reach a limit, the states that were enumerated before, if those are more.
base::Result<StateCount> or_enumerated(const base::Result<StateCount>& counted,
                                       StateCount enumerated) {
  if (counted ? !counted->stopped : !is_limit(counted.error().kind)) return counted;
  if (counted && mpz_class(counted->states) >= mpz_class(enumerated.states)) return counted;
  enumerated.stopped = counted ? *counted->stopped : counted.error();
  return enumerated;
}

// Few states are enumerated. Of more, diagrams are tried, and enumeration goes on where rules or
// effects do not become diagrams.
base::Result<StateCount> count_with_either(const MachinePointer& machine,
                                           const CountRequest& request) {
  solve::EnumerateOptions options = enumerate_options(machine, request);
  options.most_states = few_states;
  const solve::Enumeration found = solve::enumerate(machine, options);
  if (found.stopped) return as_count(found, "auto begins with it");
  if (!found.too_many) {
    return as_count(found, fmt::format("no more than {} states", grouped(few_states)));
  }
  const auto counted = count_with_diagrams(machine, request,
                                           fmt::format("more than {} states", grouped(few_states)));
  if (counted || counted.error().kind != base::ErrorKind::not_applicable) {
    return or_enumerated(counted, as_count(found, "no diagrams before the limit"));
  }
  options.most_states = ~std::uint64_t{0};
  return as_count(solve::enumerate(machine, options), "no diagrams: " + counted.error().message);
}

}  // namespace

base::Result<StateCount> count_states(MachinePointer machine, const CountRequest& request) {
  if (request.engine == CountEngine::automatic && !request.folder.empty()) {
    return count_with_diagrams(machine, request, "layers are stored as diagrams");
  }
  if (request.engine == CountEngine::automatic) return count_with_either(machine, request);
  if (request.engine == CountEngine::enumerating) {
    return as_count(solve::enumerate(machine, enumerate_options(machine, request)), "as asked for");
  }
  return count_with_diagrams(machine, request, "as asked for");
}

}  // namespace zermelo::cli
