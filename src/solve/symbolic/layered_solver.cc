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
// Every layer goes to the folder as soon as it is whole, and what was found about it is noted, with
// the checksums of its files, so that a run which ends early is taken up where it stopped. A run
// always continues from diagrams as they are on disk, so that interruptions leave no trace in the
// result. In a game in which states occur again, layers would repeat for ever; comparing them with
// an earlier one, taken at powers of two (Brent), shows that.

#include "solve/symbolic/layered_solver.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <numeric>

#include "base/peak_memory.h"
#include "dd/best.h"
#include "dd/file.h"
#include "dd/operations.h"
#include "solve/explicit/distance.h"
#include "solve/folder/diagram_variables.h"
#include "solve/symbolic/state_classes.h"
#include "symbolic/layers.h"
#include "symbolic/marked_layers.h"
#include "symbolic/model.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;
using dd::NodeId;
using Part = SolutionFolder::Part;

// What a state can be worth: rewards, and moves to the end.
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
        marked_(model, diagrams_),
        classes_(model, diagrams_),
        description_(std::move(description)) {}

  base::Result<LayeredEnd> run() {
    const auto end = forward();
    const bool refused = !end && end.error().kind == base::ErrorKind::not_applicable;
    if (refused || end == LayeredEnd::states_repeat) folder_.clear();
    if (end != LayeredEnd::solved) return end;
    auto done = choose_distances();
    if (done) done = backward();
    if (done) done = folder_.finish({false, progress_.layers}, options_.limits);
    if (!done) return tl::unexpected(done.error());
    return LayeredEnd::solved;
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

  base::Result<LayeredEnd> forward() {
    progress_ = folder_.progress(description_).value_or(Progress());
    if (auto checked = forget_damaged(); !checked) return tl::unexpected(checked.error());
    if (progress_.all_found) return LayeredEnd::solved;
    auto current = progress_.layers.empty() ? first_found() : last_found();
    while (current && !progress_.all_found) {
      if (repeats(*current)) return LayeredEnd::states_repeat;
      auto next = next_layer(progress_.layers.size() - 1, *current);
      if (next && next->is_empty_set()) {
        progress_.all_found = true;
        if (auto noted = note(); !noted) return tl::unexpected(noted.error());
      } else {
        current = add_layer(std::move(next));
      }
    }
    if (current) return LayeredEnd::solved;
    return tl::unexpected(interrupted(current.error(), "finding", progress_.layers.size()));
  }

  base::Result<Diagram> first_found() {
    if (auto known = know_outcomes(0); !known) return tl::unexpected(known.error());
    return add_layer(marked_.first());
  }

  base::Result<Diagram> last_found() {
    auto states = load(Part::states, progress_.layers.size() - 1);
    if (!states) return states;
    auto done = know_outcomes(states->constants() - description_.terminal_constant(0));
    if (done) done = remember_again();
    return done ? std::move(states) : tl::unexpected(done.error());
  }

  // No more than were known then, so that what follows is found as it was. The note may know fewer
  // than the description, not more, so it is first.
  base::Result<void> know_outcomes(std::size_t count) {
    if (description_.outcomes.size() == count) return {};
    description_.outcomes.resize(count);
    if (auto noted = note(); !noted) return noted;
    return folder_.describe(description_);
  }

  // What a power failure or a hand has damaged since is computed again, and all that follows it:
  // layers are found from the first on, and solved from the last on.
  base::Result<void> forget_damaged() {
    std::vector<StoredLayer>& layers = progress_.layers;
    std::size_t found = 0;
    for (; found < layers.size(); ++found) {
      const auto whole = is_whole(Part::states, found, layers[found].states_checksum);
      if (!whole) return tl::unexpected(whole.error());
      if (!*whole) break;
    }
    progress_.all_found = progress_.all_found && found == layers.size();
    layers.resize(found);
    std::size_t solved = layers.size();
    for (; progress_.all_found && solved > 0; --solved) {
      const auto whole = is_solved(solved - 1);
      if (!whole) return tl::unexpected(whole.error());
      if (!*whole) break;
    }
    for (std::size_t layer = 0; layer < solved; ++layer) forget_values(layers[layer]);
    return {};
  }

  static void forget_values(StoredLayer& layer) {
    layer.by_value.clear();
    layer.nodes = 0;
    layer.values_checksum = 0;
    layer.distances_checksum.reset();
  }

  base::Result<bool> is_solved(std::size_t layer) const {
    const StoredLayer& stored = progress_.layers[layer];
    if (stored.by_value.empty()) return false;
    auto whole = is_whole(Part::values, layer, stored.values_checksum);
    if (!whole || !*whole || !description_.distances) return whole;
    return is_whole(Part::distances, layer, stored.distances_checksum.value_or(0));
  }

  // The checksum is that of the file that was written; what is in it is asked all the same, because
  // diagrams that do not fit break the operations that take them.
  base::Result<bool> is_whole(Part part, std::size_t layer, std::uint64_t checksum) const {
    if (const auto reached = options_.limits.exceeded()) {
      return base::fail(*reached, fmt::format("stopped while checking layer {}", layer));
    }
    if (bytes(part, layer) == 0) return false;
    const auto found = folder_.checksum(part, layer);
    if (!found) return tl::unexpected(found.error());
    if (*found != checksum) return false;
    const auto file = dd::DiagramFile::open(folder_.file(part, layer));
    if (!file || file->domains() != model_.encoding().domains()) return false;
    if (part == Part::values) return file->constants() == description_.value_constants();
    return part == Part::distances || (file->constants() >= description_.terminal_constant(0) &&
                                       file->constants() <= description_.state_constants());
  }

  // The successors of a layer, terminal or not.
  base::Result<Diagram> next_layer(std::size_t layer, const Diagram& states) {
    std::vector<bool> members(states.constants(), false);
    for (std::size_t role = 0; role < description_.roles.size(); ++role) members[1 + role] = true;
    std::vector<symbolic::Condition> conditions = model_.terminal_after(layer);
    auto found = marked_.successors(layer, states, std::move(members), conditions);
    return found ? marked_.mark(std::move(*found), conditions) : found;
  }

  // Whether the last layer is an earlier one again.
  bool repeats(const Diagram& states) {
    const std::size_t layer = progress_.layers.size() - 1;
    const symbolic::Clock& clock = model_.encoding().clock();
    const bool same_clock = clock.position(layer) == clock.position(remembered_layer_);
    if (remembered_ && same_clock && *remembered_ == states) return true;
    if (std::has_single_bit(layer + 1)) {
      remembered_ = states;
      remembered_layer_ = layer;
    }
    return false;
  }

  // The layer with which a run that was not interrupted would compare the last one.
  base::Result<void> remember_again() {
    const std::size_t last = progress_.layers.size() - 1;
    if (last == 0) return {};
    remembered_layer_ = std::bit_floor(last) - 1;
    auto states = load(Part::states, remembered_layer_);
    if (!states) return tl::unexpected(states.error());
    remembered_ = std::move(*states);
    return {};
  }

  base::Result<void> note() const { return folder_.note(description_, progress_); }

  // Stores a layer with the constants of symbolic/layers.h.
  base::Result<Diagram> add_layer(base::Result<Diagram> found) {
    if (!found) return found;
    const std::size_t layer = progress_.layers.size(), outcomes = description_.outcomes.size();
    auto states = classes_.classify(layer, *found, description_.outcomes);
    if (!states) return states;
    if (description_.outcomes.size() > outcomes) {
      if (auto told = folder_.describe(description_); !told) return tl::unexpected(told.error());
    }
    auto stored = count_states(description_, *states, diagrams_);
    if (!stored) return tl::unexpected(stored.error());
    stored->fixed = clock_fluents(model_, layer);
    const auto checksum = save(Part::states, layer, *states);
    if (!checksum) return tl::unexpected(checksum.error());
    stored->states_checksum = *checksum;
    progress_.layers.push_back(std::move(*stored));
    if (auto noted = note(); !noted) return tl::unexpected(noted.error());
    report(false, layer, states->nodes());
    return states;
  }

  // Returns the checksum of the file.
  base::Result<std::uint64_t> save(Part part, std::size_t layer, const Diagram& diagram) const {
    if (auto saved = folder_.save(part, layer, diagram); !saved) {
      return tl::unexpected(saved.error());
    }
    return folder_.checksum(part, layer);
  }

  // Backwards.

  base::Result<void> choose_distances() {
    const bool begun = !progress_.layers.back().by_value.empty();
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
    std::vector<StoredWorth> worths;
    const auto best = best_values(layer, worths);
    if (!best) return tl::unexpected(best.error());
    return store_values(layer, worths, *best);
  }

  // Keeps nothing else in memory: the values of the next layer are not needed again.
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

  // The values of the next layer as places among the worths, from 1. A worth is that of a successor
  // one move farther from the end, or of a terminal state.
  base::Result<Diagram> next_values(std::size_t layer, std::vector<StoredWorth>& worths) {
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
    StoredLayer& stored = progress_.layers[layer];
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
    for (const mpz_class& count : by_value) stored.by_value.push_back(count.get_str());
    stored.nodes = (*values_)->nodes();
    if (auto noted = note(); !noted) return noted;
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
    while (sizes_.size() < progress_.layers.size()) {
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
  symbolic::MarkedLayers marked_;
  StateClasses classes_;
  Description description_;
  Progress progress_;
  std::optional<Diagram> remembered_;
  std::size_t remembered_layer_ = 0;
  // Of the layer that was solved last.
  std::optional<base::Result<Diagram>> values_, distances_;
  std::vector<double> sizes_;     // of the files of states, by layer
  std::vector<LayerCost> costs_;  // of the layers done in this direction
  Clock::time_point begin_ = Clock::now();
};

// Of a run that is taken up, or a new one.
Description describe(const std::shared_ptr<const machine::Machine>& machine,
                     const std::optional<Description>& begun, const SymbolicOptions& options) {
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
  description.variables = chosen_variables(machine, options.limits);
  return description;
}

// In a folder that was begun and not finished.
base::Result<LayeredEnd> solve_rest(std::shared_ptr<const machine::Machine> machine,
                                    const SolutionFolder& folder, const SymbolicOptions& options,
                                    const Description& description) {
  const auto model = model_with(description.variables, std::move(machine), options.limits);
  if (!model && model.error().kind == base::ErrorKind::not_applicable) folder.clear();
  if (!model) return tl::unexpected(model.error());
  return LayeredSolver(*model, folder, options, description).run();
}

}  // namespace

base::Result<LayeredEnd> solve_layered(std::shared_ptr<const machine::Machine> machine,
                                       const SolutionFolder& folder,
                                       const SymbolicOptions& options) {
  const gdl::Rulesheet& rules = *machine->game().rulesheet;
  const auto begun = folder.claim(rules);
  if (!begun) return tl::unexpected(begun.error());
  const Description description = describe(machine, *begun, options);
  if (const auto reached = options.limits.exceeded()) {  // so the order may not be the best
    return base::fail(*reached, "a limit was reached before the variables had an order");
  }
  if (auto done = folder.begin(rules, description); !done) return tl::unexpected(done.error());
  if (folder.finished()) {
    if (options.distances.value_or(description.distances) == description.distances) {
      return LayeredEnd::solved;
    }
    return tl::unexpected(other_distances(folder, description));
  }
  return solve_rest(std::move(machine), folder, options, description);
}

}  // namespace zermelo::solve
