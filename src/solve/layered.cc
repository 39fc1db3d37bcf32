// Kissmann and Edelkamp, "Layer-Abstraction for Symbolically Solving General Two-Player Games", on
// level-synchronous diagrams.
//
// Forwards, a layer is the image of the states of the layer before that are not terminal. Only
// duplicates within a layer vanish: a state that can be reached in different numbers of moves is in
// several layers, and so all successors of a layer are in the next one (Algorithm 1). Backwards,
// from the last layer to the first, a state takes the value of the successor that its role to move
// likes best. The paper goes through the pairs of rewards in the order of the opponent model, a
// preimage for each; here the solution of a layer is one diagram from states to outcomes, and one
// pass finds the best over all successors (dd::best_over_successors). States of different roles
// may share a layer, there may be any number of roles, and outside the layer a value is whatever
// makes the diagram small.
//
// With distances, an outcome is a pair of rewards and moves to the end; of equal rewards a role
// prefers few moves or many, see distance.h.
//
// Every layer goes to the folder as soon as it is whole, and what was found about it is noted, so
// that a run which ends early is taken up where it stopped. A run always continues from diagrams as
// they are on disk, so that interruptions leave no trace in the result. In a game in which states
// occur again, layers would repeat for ever; comparing them with an earlier one, taken at powers of
// two (Brent), shows that.

#include "solve/layered.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <numeric>

#include "dd/best.h"
#include "dd/file.h"
#include "dd/operations.h"
#include "solve/diagram_variables.h"
#include "solve/distance.h"
#include "solve/state_classes.h"
#include "symbolic/layers.h"
#include "symbolic/marked_layers.h"
#include "symbolic/model.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;
using dd::NodeId;
using Part = SolutionFolder::Part;

// What a state can be worth: rewards, and moves to the end.
struct Worth {
  std::size_t outcome;
  Distance distance;
  auto operator<=>(const Worth&) const = default;
};

class LayeredSolver {
 public:
  LayeredSolver(const symbolic::Model& model, const SolutionFolder& folder,
                const LayeredOptions& options, Description description)
      : model_(model),
        folder_(folder),
        options_(options),
        diagrams_(diagram_options(folder, options)),
        marked_(model, diagrams_),
        classes_(model, diagrams_),
        description_(std::move(description)) {}

  base::Result<void> run() {
    if (folder_.finished()) return check_finished();
    if (auto found = forward(); !found) return found;
    if (auto chosen = choose_distances(); !chosen) return chosen;
    if (auto solved = backward(); !solved) return solved;
    return folder_.finish({false, progress_.layers});
  }

 private:
  using Clock = std::chrono::steady_clock;

  base::Error interrupted(base::Error error, const char* activity, std::size_t layer) const {
    if (base::is_limit(error.kind)) {
      error.message = fmt::format("stopped while {} layer {}", activity, layer);
    }
    return error;
  }

  base::Result<Diagram> load(Part part, std::size_t layer) const {
    return dd::load(folder_.file(part, layer), diagrams_);
  }

  // Forwards.

  base::Result<void> forward() {
    progress_ = folder_.progress().value_or(Progress());
    forget_damaged();
    if (progress_.all_found) return {};
    auto current = progress_.layers.empty() ? first_found() : last_found();
    while (current && !progress_.all_found) {
      if (auto repeated = check_repetition(*current); !repeated) return repeated;
      const std::size_t layer = progress_.layers.size();
      auto next = next_layer(layer - 1, *current);
      if (next && next->is_empty_set()) {
        progress_.all_found = true;
        return folder_.note(progress_);
      }
      current = add_layer(std::move(next));
      if (!current) return tl::unexpected(interrupted(current.error(), "finding", layer));
    }
    if (!current) return tl::unexpected(interrupted(current.error(), "finding", 0));
    return {};
  }

  // Both know no more outcomes than were known then, so that what follows is found as it was.
  base::Result<Diagram> first_found() {
    description_.outcomes.clear();
    return add_layer(marked_.first());
  }
  base::Result<Diagram> last_found() {
    auto states = load(Part::states, progress_.layers.size() - 1);
    if (states) {
      description_.outcomes.resize(states->constants() - description_.terminal_constant(0));
    }
    return states;
  }

  // What a power failure or a hand has damaged since is computed again, and all that follows it:
  // layers are found from the first on, and solved from the last on.
  void forget_damaged() {
    std::vector<StoredLayer>& layers = progress_.layers;
    std::size_t found = 0;
    while (found < layers.size() && dd::is_whole(folder_.file(Part::states, found))) ++found;
    if (found < layers.size()) progress_.all_found = false;
    layers.resize(found);
    std::size_t solved = layers.size();
    while (progress_.all_found && solved > 0 && is_solved(solved - 1)) --solved;
    for (std::size_t layer = 0; layer < solved; ++layer) layers[layer].by_value.clear();
  }

  bool is_solved(std::size_t layer) const {
    return !progress_.layers[layer].by_value.empty() &&
           dd::is_whole(folder_.file(Part::values, layer)) &&
           (!description_.distances || dd::is_whole(folder_.file(Part::distances, layer)));
  }

  // The successors of a layer, terminal or not.
  base::Result<Diagram> next_layer(std::size_t layer, const Diagram& states) {
    std::vector<bool> members(states.constants(), false);
    for (std::size_t role = 0; role < description_.roles.size(); ++role) members[1 + role] = true;
    std::vector<symbolic::Condition> conditions = model_.terminal_after(layer);
    auto found = marked_.successors(layer, states, std::move(members), conditions);
    return found ? marked_.mark(std::move(*found), conditions) : found;
  }

  base::Result<void> check_repetition(const Diagram& states) {
    const std::size_t layer = progress_.layers.size() - 1;
    const symbolic::Clock& clock = model_.encoding().clock();
    const bool same_clock = clock.position(layer) == clock.position(remembered_layer_);
    if (remembered_ && same_clock && *remembered_ == states) {
      return base::fail(base::ErrorKind::not_applicable,
                        "states of the game can occur again: it has no last layer");
    }
    if (!std::has_single_bit(layer + 1)) return {};
    remembered_ = states;
    remembered_layer_ = layer;
    return {};
  }

  // Stores a layer with the constants of symbolic/layers.h.
  base::Result<Diagram> add_layer(base::Result<Diagram> found) {
    if (!found) return found;
    const std::size_t layer = progress_.layers.size(), outcomes = description_.outcomes.size();
    auto states = classes_.classify(layer, *found, description_.outcomes);
    if (!states) return states;
    if (description_.outcomes.size() > outcomes) {
      if (auto told = folder_.describe(description_); !told) return tl::unexpected(told.error());
    }
    if (auto saved = folder_.save(Part::states, layer, *states); !saved) {
      return tl::unexpected(saved.error());
    }
    auto stored = counted(layer, *states);
    if (!stored) return tl::unexpected(stored.error());
    progress_.layers.push_back(std::move(*stored));
    if (auto noted = folder_.note(progress_); !noted) return tl::unexpected(noted.error());
    report(false, layer, states->nodes());
    return states;
  }

  base::Result<StoredLayer> counted(std::size_t layer, const Diagram& states) const {
    const auto counts = states.counts(diagrams_);
    if (!counts) return tl::unexpected(counts.error());
    mpz_class all = 0, terminal = 0;
    for (NodeId c = 1; c < counts->size(); ++c) {
      all += (*counts)[c];
      if (description_.is_terminal(c)) terminal += (*counts)[c];
    }
    StoredLayer stored;
    stored.states = all.get_str();
    stored.terminal = terminal.get_str();
    stored.fixed = clock_fluents(model_, layer);
    return stored;
  }

  // Backwards.

  base::Result<void> check_finished() const {
    if (options_.distances.value_or(description_.distances) == description_.distances) return {};
    return tl::unexpected(other_distances());
  }

  base::Error other_distances() const {
    return {base::ErrorKind::not_applicable,
            fmt::format("'{}' holds a solution with{} distances", folder_.path().string(),
                        description_.distances ? "" : "out")};
  }

  base::Result<void> choose_distances() {
    const bool begun = !progress_.layers.back().by_value.empty();
    const bool wanted =
        options_.distances.value_or(states() <= static_cast<double>(options_.distances_up_to));
    if (description_.distances == wanted) return {};
    if (begun) return tl::unexpected(other_distances());
    description_.distances = wanted;
    return folder_.describe(description_);
  }

  double states() const {
    double sum = 0;
    for (const StoredLayer& layer : progress_.layers) sum += mpz_class(layer.states).get_d();
    return sum;
  }

  base::Result<void> backward() {
    std::size_t layer = progress_.layers.size();
    while (layer > 0 && !progress_.layers[layer - 1].by_value.empty()) --layer;
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
    std::vector<Worth> worths;
    const auto best = best_values(layer, worths);
    if (!best) return tl::unexpected(best.error());
    return store_values(layer, worths, *best);
  }

  // Keeps nothing else in memory: the values of the next layer are not needed again.
  base::Result<dd::BestResult> best_values(std::size_t layer, std::vector<Worth>& worths) {
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

  // The values of the next layer as places among the worths, from 1. A worth is that of a successor
  // one move farther from the end, or of a terminal state.
  base::Result<Diagram> next_values(std::size_t layer, std::vector<Worth>& worths) {
    for (std::size_t o = 0; o < description_.outcomes.size(); ++o) worths.push_back({o, 0});
    if (layer + 1 == progress_.layers.size()) {
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

  // The states of a layer with the constants that best_over_successors wants.
  base::Result<Diagram> state_classes(std::size_t layer, const std::vector<Worth>& worths) const {
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

  std::vector<dd::Mover> movers(const std::vector<Worth>& worths) const {
    std::vector<dd::Mover> all;
    for (std::size_t role = 0; role < description_.roles.size(); ++role) {
      const auto rank = ranks(description_.model, role, description_.outcomes);
      std::vector<NodeId> order(worths.size());
      std::iota(order.begin(), order.end(), 1u);
      std::sort(order.begin(), order.end(), [&](NodeId x, NodeId y) {
        const Worth &a = worths[x - 1], &b = worths[y - 1];
        if (a.outcome != b.outcome) return rank[a.outcome] < rank[b.outcome];
        return hurries(role, description_.outcomes[a.outcome]) ? a.distance < b.distance
                                                               : a.distance > b.distance;
      });
      all.push_back({static_cast<NodeId>(worths.size() + 1 + role), std::move(order)});
    }
    return all;
  }

  base::Result<void> store_values(std::size_t layer, const std::vector<Worth>& worths,
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
    if (auto saved = folder_.save(Part::values, layer, **values_); !saved) return saved;
    if (description_.distances) {
      for (NodeId& constant : distance_of) constant = std::min(constant, longest + 2);
      distances_ = dd::relabel(best.values, distance_of, longest + 3, diagrams_);
      if (!*distances_) return tl::unexpected(distances_->error());
      if (auto saved = folder_.save(Part::distances, layer, **distances_); !saved) return saved;
    }
    StoredLayer& stored = progress_.layers[layer];
    for (const mpz_class& count : by_value) stored.by_value.push_back(count.get_str());
    stored.nodes = (*values_)->nodes();
    if (auto noted = folder_.note(progress_); !noted) return noted;
    report(true, layer, stored.nodes);
    return {};
  }

  void report(bool backwards, std::size_t layer, std::size_t nodes) {
    note_cost(backwards, layer);
    if (!options_.progress) return;
    options_.progress({backwards, layer, progress_.layers.size(), progress_.layers[layer].states,
                       nodes, what_is_left(backwards, layer)});
  }

  void note_cost(bool backwards, std::size_t layer) {
    const double states = bytes(Part::states, layer);
    const double values = bytes(Part::values, layer) + bytes(Part::distances, layer);
    const auto now = Clock::now();
    const std::chrono::duration<double> elapsed = now - begin_;
    costs_.push_back({states, elapsed.count(), backwards ? values : states, peak_bytes()});
    begin_ = now;
  }

  double bytes(Part part, std::size_t layer) const {
    std::error_code absent;
    const auto size = std::filesystem::file_size(folder_.file(part, layer), absent);
    return absent ? 0 : static_cast<double>(size);
  }

  static double peak_bytes() {
    rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;
  }

  std::optional<Forecast> what_is_left(bool backwards, std::size_t layer) const {
    std::vector<double> sizes;
    if (backwards) {
      for (std::size_t l = layer; l-- > 0;) sizes.push_back(bytes(Part::states, l));
      return forecast(costs_, sizes);
    }
    for (std::size_t l = 0; l <= layer; ++l) sizes.push_back(bytes(Part::states, l));
    const auto next = next_sizes(sizes);
    return next ? std::optional(forecast(costs_, *next)) : std::nullopt;
  }

  const symbolic::Model& model_;
  const SolutionFolder& folder_;
  const LayeredOptions& options_;
  dd::Options diagrams_;
  symbolic::MarkedLayers marked_;
  StateClasses classes_;
  Description description_;
  Progress progress_;
  std::optional<Diagram> remembered_;
  std::size_t remembered_layer_ = 0;
  // Of the layer that was solved last.
  std::optional<base::Result<Diagram>> values_, distances_;
  std::vector<LayerCost> costs_;  // of the layers done in this direction
  Clock::time_point begin_ = Clock::now();
};

// Of a run that is taken up, or a new one.
Description describe(const std::shared_ptr<const machine::Machine>& machine,
                     const SolutionFolder& folder, const LayeredOptions& options) {
  Description description;
  description.roles = machine->roles();
  description.model = options.model;
  description.engine = "symbolic";
  description.algorithm = "layered";
  if (auto begun = folder.description()) {
    description.variables = begun->variables;
    description.outcomes = begun->outcomes;
    description.distances = begun->distances;
    if (*begun == description) return description;
    description.outcomes.clear();
    description.distances = false;
  }
  description.variables = names_of(ordered_encoding(machine, options.limits), machine->game());
  return description;
}

}  // namespace

dd::Options diagram_options(const SolutionFolder& folder, const LayeredOptions& options) {
  dd::Options diagrams;
  diagrams.limits = options.limits;
  diagrams.threads = options.threads;
  if (!options.memory_bytes) return diagrams;
  return dd::with_scratch(diagrams, *options.memory_bytes / 4, folder.path());
}

base::Result<void> solve_layered(std::shared_ptr<const machine::Machine> machine,
                                 const SolutionFolder& folder, const LayeredOptions& options) {
  const Description description = describe(machine, folder, options);
  if (const auto reached = options.limits.exceeded()) {  // so the order may not be the best
    return base::fail(*reached, "a limit was reached before the variables had an order");
  }
  const auto begun = folder.begin(*machine->game().rulesheet, description);
  if (!begun) return begun;
  auto encoding = encoding_of(description.variables, machine->game());
  if (!encoding) return tl::unexpected(encoding.error());
  symbolic::ModelOptions limits;
  limits.limits = options.limits;
  const auto model = symbolic::build_model(machine, std::move(*encoding), limits);
  if (!model) return tl::unexpected(model.error());
  return LayeredSolver(*model, folder, options, description).run();
}

}  // namespace zermelo::solve
