// Kissmann and Edelkamp, "Layer-Abstraction for Symbolically Solving General Two-Player Games", on
// level-synchronous diagrams.
//
// Forwards, a layer is the image of the states of the layer before that are not terminal. Only
// duplicates within a layer are removed: a state that can be reached in different numbers of moves
// is in several layers, and so all successors of a layer are in the next one (Algorithm 1).
// Backwards, from the last layer to the first, a state takes the value of the successor that its
// role to move prefers. The paper computes a preimage for each pair of rewards, in the order of the
// opponent model; here the solution of a layer is one diagram from states to outcomes, and one pass
// finds the best over all successors (dd::best_over_successors). States of different roles may
// share a layer, there may be any number of roles, and values outside the layer are don't-cares.
//
// With distances, an outcome is a pair of rewards and moves to the end. Among equal rewards, a role
// prefers either few or many moves, see distance.h.
//
// The layers are found and stored by symbolic::find_layers, which `count` uses too. So the solver
// continues from layers that `count` stored in the folder, if these have all their states. The
// values of a layer are stored as soon as they are complete, with the checksums of their files, so
// that an interrupted run can be resumed. A run always continues from diagrams as they are on disk,
// so interruptions do not change the result. Last, states that are in several layers are counted
// once, see new_states.cc.

#include "solve/symbolic/layered_solver.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>

#include "base/error_name.h"
#include "base/peak_memory.h"
#include "dd/best.h"
#include "dd/file.h"
#include "dd/operations.h"
#include "solve/explicit/distance.h"
#include "solve/folder/diagram_variables.h"
#include "solve/symbolic/new_states.h"
#include "solve/symbolic/state_labels.h"
#include "symbolic/layer_folder.h"
#include "symbolic/layers.h"
#include "symbolic/model.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;
using dd::NodeId;
using Part = SolutionFolder::Part;

// A possible value of a state: rewards and moves to the end.
struct StoredWorth {
  std::size_t outcome;
  Distance distance;
};

base::Error other_distances(const SolutionFolder& folder, const Description& description) {
  return {base::ErrorKind::not_applicable,
          fmt::format("'{}' holds a solution with{} distances", folder.path().string(),
                      description.distances ? "" : "out")};
}

class LayeredSolver {
 public:
  LayeredSolver(const symbolic::Model& model, const SolutionFolder& folder,
                const SymbolicOptions& options, Description description)
      : model_(model),
        folder_(folder),
        options_(options),
        diagrams_(diagram_options(folder, options)),
        description_(std::move(description)),
        labels_(model, folder, diagrams_, description_) {}

  // Uses the layers that `count` stored in the folder, if `counted` is not null.
  base::Result<LayeredEnd> run(const symbolic::LayerFolder* counted) {
    const auto end = forward(counted);
    const bool refused = !end && end.error().kind == base::ErrorKind::not_applicable;
    if (refused || end == LayeredEnd::states_repeat) folder_.clear();
    if (end != LayeredEnd::solved) return end;
    auto done = resume_values();
    if (done) done = choose_distances();
    if (done) done = backward();
    if (done) done = count_states_once();
    if (done) done = folder_.finish({false, layers_}, options_.limits);
    if (!done) return tl::unexpected(done.error());
    return LayeredEnd::solved;
  }

 private:
  using Clock = std::chrono::steady_clock;

  base::Error interrupted(base::Error error, const char* activity, std::size_t layer) const {
    if (!base::is_limit(error.kind)) return error;
    return base::limit_error(error.kind, fmt::format("while {} layer {}", activity, layer));
  }

  base::Result<Diagram> load(Part part, std::size_t layer) const {
    return dd::load(folder_.file(part, layer), model_.encoding().domains(), diagrams_);
  }

  base::Result<LayeredEnd> forward(const symbolic::LayerFolder* counted) {
    symbolic::LayersOptions search;
    search.only_new = false;
    search.keep = false;
    search.folder = folder_.path();
    search.files = folder_.layer_files();
    search.labels = &labels_;
    search.earlier = counted;
    search.detect_repetition = true;
    search.diagrams = diagrams_;
    search.progress = [this](const symbolic::LayerStatistics& layer) { report_found(layer); };
    const auto found = symbolic::find_layers(model_, search);
    if (!found) return tl::unexpected(found.error());
    if (found->stopped) {
      return tl::unexpected(interrupted(*found->stopped, "finding", found->statistics.size()));
    }
    if (found->repeats) return LayeredEnd::states_repeat;
    take_layers(*found);
    return LayeredEnd::solved;
  }

  void take_layers(const symbolic::Layers& found) {
    layers_.clear();
    for (const symbolic::LayerStatistics& layer : found.statistics) {
      layers_.push_back(stored_layer(layer));
      layers_.back().states_checksum = found.checksums[layer.layer];
    }
    are_disjoint_ = found.disjoint;
  }

  StoredLayer stored_layer(const symbolic::LayerStatistics& layer) const {
    StoredLayer stored;
    stored.states = layer.states.get_str();
    stored.terminal = layer.terminal_states.get_str();
    stored.fixed = clock_fluents(model_, layer.layer);
    return stored;
  }

  void report_found(const symbolic::LayerStatistics& layer) {
    while (layers_.size() < layer.layer) layers_.emplace_back();  // found by earlier runs
    layers_.push_back(stored_layer(layer));
    report(false, layer.layer, layer.nodes);
  }

  // Layers are solved from the last to the first. A layer whose values are missing or damaged is
  // solved again, with all earlier layers.
  base::Result<void> resume_values() {
    const auto noted = folder_.progress(description_);
    if (!noted || noted->first + noted->layers.size() != layers_.size()) return {};
    for (std::size_t layer = layers_.size(); layer-- > noted->first;) {
      const StoredLayer& stored = noted->layers[layer - noted->first];
      const auto solved = is_solved(layer, stored);
      if (!solved) return tl::unexpected(solved.error());
      if (!*solved) return {};
      layers_[layer] = stored;
    }
    return {};
  }

  base::Result<bool> is_solved(std::size_t layer, const StoredLayer& stored) const {
    if (stored.states_checksum != layers_[layer].states_checksum) return false;
    auto whole = is_whole(Part::values, layer, stored.values_checksum);
    if (!whole || !*whole || !description_.distances) return whole;
    return is_whole(Part::distances, layer, stored.distances_checksum.value_or(0));
  }

  // The checksum is that of the file that was written. Its content is checked too, because diagrams
  // of other variables or constants break the operations that use them.
  base::Result<bool> is_whole(Part part, std::size_t layer, std::uint64_t checksum) const {
    if (const auto reached = options_.limits.exceeded()) {
      return tl::unexpected(
          base::limit_error(*reached, fmt::format("while checking layer {}", layer)));
    }
    if (bytes(part, layer) == 0) return false;
    const auto found = folder_.checksum(part, layer);
    if (!found) return tl::unexpected(found.error());
    if (*found != checksum) return false;
    const auto file = dd::DiagramFile::open(folder_.file(part, layer));
    if (!file || file->domains() != model_.encoding().domains()) return false;
    return part == Part::distances || file->constants() == description_.value_constants();
  }

  // Returns the checksum of the file.
  base::Result<std::uint64_t> save(Part part, std::size_t layer, const Diagram& diagram) const {
    if (auto saved = folder_.save(part, layer, diagram); !saved) {
      return tl::unexpected(saved.error());
    }
    return folder_.checksum(part, layer);
  }

  base::Result<void> choose_distances() {
    const bool begun = !layers_.back().by_value.empty();
    const bool usual =
        begun ? description_.distances : states() <= static_cast<double>(distances_up_to);
    const bool wanted = options_.distances.value_or(usual);
    if (description_.distances == wanted) return {};
    if (begun) return tl::unexpected(other_distances(folder_, description_));
    description_.distances = wanted;
    return folder_.describe(description_);
  }

  double states() const {
    double sum = 0;
    for (const StoredLayer& layer : layers_) sum += mpz_class(layer.states).get_d();
    return sum;
  }

  base::Result<void> backward() {
    std::size_t layer = layers_.size();
    while (layer > 0 && !layers_[layer - 1].by_value.empty()) --layer;
    costs_.clear();
    begin_ = Clock::now();
    while (layer-- > 0) {
      if (auto solved = solve_layer(layer); !solved) {
        return tl::unexpected(interrupted(solved.error(), "solving", layer));
      }
    }
    return {};
  }

  base::Result<void> solve_layer(std::size_t layer) {
    std::vector<StoredWorth> worths;
    const auto best = best_values(layer, worths);
    if (!best) return tl::unexpected(best.error());
    return store_values(layer, worths, *best);
  }

  // Frees the values of the next layer, which are not needed again.
  base::Result<dd::BestResult> best_values(std::size_t layer, std::vector<StoredWorth>& worths) {
    auto next = next_values(layer, worths);
    values_.reset();
    distances_.reset();
    if (!next) return tl::unexpected(next.error());
    auto classes = state_classes(layer, worths);
    if (!classes) return tl::unexpected(classes.error());
    if (options_.memory_bytes) ::malloc_trim(0);
    return dd::best_over_successors(
        {static_cast<NodeId>(worths.size()), std::move(*classes), std::move(*next),
         model_.phase(layer).relation, movers(worths), true},
        diagrams_);
  }

  // The values of the next layer as indices of `worths`, counted from 1. A worth is that of a
  // terminal state, or of a successor plus one move.
  base::Result<Diagram> next_values(std::size_t layer, std::vector<StoredWorth>& worths) {
    for (std::size_t o = 0; o < description_.outcomes.size(); ++o) worths.push_back({o, 0});
    if (layer + 1 == layers_.size()) {
      return Diagram::constant(model_.encoding().domains(), static_cast<NodeId>(worths.size() + 1),
                               0);
    }
    if (!values_) values_ = load(Part::values, layer + 1);
    if (!*values_ || !description_.distances) return *values_;
    if (!distances_) distances_ = load(Part::distances, layer + 1);
    if (!*distances_) return *distances_;
    const auto outcomes = static_cast<NodeId>(worths.size());
    for (Distance d = 0; d + 2 < (*distances_)->constants(); ++d) {
      for (std::size_t o = 0; o < outcomes; ++o) worths.push_back({o, d + 1});
    }
    const dd::Combination join{static_cast<NodeId>(worths.size() + 1),
                               [outcomes](std::span<const NodeId> c) {
                                 if (c[0] == 0 || c[1] < 2) return NodeId{0};
                                 return c[0] + outcomes * (c[1] - 1);
                               }};
    return dd::combine({**values_, **distances_}, join, diagrams_);
  }

  // The states of a layer with the constants that best_over_successors requires.
  base::Result<Diagram> state_classes(std::size_t layer,
                                      const std::vector<StoredWorth>& worths) const {
    const auto states = load(Part::states, layer);
    if (!states) return states;
    std::vector<NodeId> table(states->constants(), 0);
    for (NodeId c = 1; c < table.size(); ++c) {
      table[c] = description_.is_terminal(c) ? 1 + c - description_.terminal_constant(0)
                                             : static_cast<NodeId>(worths.size()) + c;
    }
    const std::size_t constants = worths.size() + 1 + description_.roles.size();
    return dd::relabel(*states, table, static_cast<NodeId>(constants), diagrams_);
  }

  std::vector<dd::Mover> movers(const std::vector<StoredWorth>& worths) const {
    std::vector<dd::Mover> all;
    for (std::size_t role = 0; role < description_.roles.size(); ++role) {
      const auto rank = ranks(description_.model, role, description_.outcomes);
      std::vector<NodeId> order(worths.size());
      std::iota(order.begin(), order.end(), 1u);
      std::sort(order.begin(), order.end(), [&](NodeId x, NodeId y) {
        const StoredWorth &a = worths[x - 1], &b = worths[y - 1];
        if (a.outcome != b.outcome) return rank[a.outcome] < rank[b.outcome];
        return hurries(role, description_.outcomes[a.outcome]) ? a.distance < b.distance
                                                               : a.distance > b.distance;
      });
      all.push_back({static_cast<NodeId>(worths.size() + 1 + role), std::move(order)});
    }
    return all;
  }

  base::Result<void> store_values(std::size_t layer, const std::vector<StoredWorth>& worths,
                                  const dd::BestResult& best) {
    std::vector<NodeId> outcome_of = {0}, distance_of = {0};
    Distance longest = 0;
    std::vector<mpz_class> by_value(description_.outcomes.size());
    for (std::size_t w = 0; w < worths.size(); ++w) {
      outcome_of.push_back(Description::value_constant(worths[w].outcome));
      distance_of.push_back(worths[w].distance + 2);
      by_value[worths[w].outcome] += best.counts[w + 1];
      if (best.counts[w + 1] > 0) longest = std::max(longest, worths[w].distance);
    }
    values_ = dd::relabel(best.values, outcome_of, description_.value_constants(), diagrams_);
    if (!*values_) return tl::unexpected(values_->error());
    StoredLayer& stored = layers_[layer];
    const auto checksum = save(Part::values, layer, **values_);
    if (!checksum) return tl::unexpected(checksum.error());
    stored.values_checksum = *checksum;
    if (description_.distances) {
      for (NodeId& constant : distance_of) constant = std::min(constant, longest + 2);
      distances_ = dd::relabel(best.values, distance_of, longest + 3, diagrams_);
      if (!*distances_) return tl::unexpected(distances_->error());
      const auto distances_checksum = save(Part::distances, layer, **distances_);
      if (!distances_checksum) return tl::unexpected(distances_checksum.error());
      stored.distances_checksum = *distances_checksum;
    }
    stored.by_value.clear();
    for (const mpz_class& count : by_value) stored.by_value.push_back(count.get_str());
    stored.nodes = (*values_)->nodes();
    if (auto noted = note(layer); !noted) return noted;
    report(true, layer, stored.nodes);
    return {};
  }

  // Requires that all layers from this one on are solved.
  base::Result<void> note(std::size_t first) const {
    const auto begin = layers_.begin() + static_cast<std::ptrdiff_t>(first);
    return folder_.note(description_, {first, {begin, layers_.end()}});
  }

  // Layers that are known to be disjoint need no counting.
  base::Result<void> count_states_once() {
    if (are_disjoint_) return {};
    auto counted =
        count_new_states(folder_, description_, model_.encoding().clock(), diagrams_, layers_);
    if (counted || !base::is_limit(counted.error().kind)) return counted;
    return tl::unexpected(
        base::limit_error(counted.error().kind, "while counting each state once"));
  }

  void report(bool backwards, std::size_t layer, std::size_t nodes) {
    note_cost(backwards, layer);
    if (!options_.progress) return;
    options_.progress({backwards, layer, layers_.size(), layers_[layer].states, nodes,
                       what_is_left(backwards, layer)});
  }

  void note_cost(bool backwards, std::size_t layer) {
    while (sizes_.size() < layers_.size()) {
      sizes_.push_back(bytes(Part::states, sizes_.size()));
    }
    const double states = sizes_[layer];
    const double values = bytes(Part::values, layer) + bytes(Part::distances, layer);
    const auto now = Clock::now();
    const std::chrono::duration<double> elapsed = now - begin_;
    costs_.push_back({states, elapsed.count(), backwards ? values : states,
                      static_cast<double>(base::peak_resident_bytes())});
    begin_ = now;
  }

  double bytes(Part part, std::size_t layer) const {
    std::error_code absent;
    const auto size = std::filesystem::file_size(folder_.file(part, layer), absent);
    return absent ? 0 : static_cast<double>(size);
  }

  std::optional<Forecast> what_is_left(bool backwards, std::size_t layer) const {
    if (backwards) {
      const auto before = sizes_.rend() - static_cast<std::ptrdiff_t>(layer);
      return forecast(costs_, {before, sizes_.rend()});
    }
    const auto next = next_sizes(sizes_);
    return next ? std::optional(forecast(costs_, *next)) : std::nullopt;
  }

  const symbolic::Model& model_;
  const SolutionFolder& folder_;
  const SymbolicOptions& options_;
  dd::Options diagrams_;
  Description description_;
  StateLabels labels_;
  std::vector<StoredLayer> layers_;  // by_value is empty for those that are not solved
  bool are_disjoint_ = false;
  // Of the last solved layer.
  std::optional<base::Result<Diagram>> values_, distances_;
  std::vector<double> sizes_;     // of the files of states, by layer
  std::vector<LayerCost> costs_;  // of the finished layers in this direction
  Clock::time_point begin_ = Clock::now();
};

// The variables of the layers that `count` stored in the folder, or new ones.
base::Result<Variables> find_variables(const std::shared_ptr<const machine::Machine>& machine,
                                       const SolutionFolder& folder,
                                       const SymbolicOptions& options) {
  const ground::Game& game = machine->game();
  auto counted = symbolic::load_variables(folder.path(), game, folder.lock());
  if (!counted) return tl::unexpected(counted.error());
  if (!*counted) return chosen_variables(machine, options.limits);
  const symbolic::Encoding encoding(game, symbolic::find_clock(machine->compiled()->autonomous()),
                                    std::move((*counted)->variables));
  return names_of(encoding, game);
}

// The description of the run that is resumed, or of a new one.
base::Result<Description> describe(const std::shared_ptr<const machine::Machine>& machine,
                                   const SolutionFolder& folder,
                                   const std::optional<Description>& begun,
                                   const SymbolicOptions& options) {
  Description description;
  description.roles = machine->roles();
  description.model = options.model;
  description.engine = Engine::symbolic;
  description.algorithm = Algorithm::layered;
  if (begun) {
    description.variables = begun->variables;
    description.outcomes = begun->outcomes;
    description.distances = begun->distances;
    return description;
  }
  auto variables = find_variables(machine, folder, options);
  if (!variables) return tl::unexpected(variables.error());
  description.variables = std::move(*variables);
  return description;
}

// Solves in a folder that was started and not finished. If counted layers do not fit, a resumed run
// is kept.
base::Result<LayeredEnd> solve_rest(std::shared_ptr<const machine::Machine> machine,
                                    const SolutionFolder& folder, const SymbolicOptions& options,
                                    const Description& description, bool is_resumed) {
  const auto model = model_with(description.variables, std::move(machine), options.limits);
  if (!model && model.error().kind == base::ErrorKind::not_applicable) folder.clear();
  if (!model) return tl::unexpected(model.error());
  const auto counted =
      symbolic::LayerFolder::open_counted(folder.path(), folder.lock(), *model, options.limits);
  if (!counted && !is_resumed) folder.clear();
  if (!counted) return tl::unexpected(counted.error());
  return LayeredSolver(*model, folder, options, description).run(*counted ? &**counted : nullptr);
}

}  // namespace

base::Result<LayeredEnd> solve_layered(std::shared_ptr<const machine::Machine> machine,
                                       const SolutionFolder& folder,
                                       const SymbolicOptions& options) {
  const gdl::Rulesheet& rules = *machine->game().rulesheet;
  const auto begun = folder.claim(rules);
  if (!begun) return tl::unexpected(begun.error());
  const auto description = describe(machine, folder, *begun, options);
  if (!description) return tl::unexpected(description.error());
  if (const auto reached = options.limits.exceeded()) {  // the order may not be the best
    return tl::unexpected(base::limit_error(*reached, "while ordering the variables"));
  }
  if (auto done = folder.begin(rules, *description); !done) return tl::unexpected(done.error());
  if (folder.finished()) {
    if (options.distances.value_or(description->distances) == description->distances) {
      return LayeredEnd::solved;
    }
    return tl::unexpected(other_distances(folder, *description));
  }
  return solve_rest(std::move(machine), folder, options, *description, begun->has_value());
}

}  // namespace zermelo::solve
