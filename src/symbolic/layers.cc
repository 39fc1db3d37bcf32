// Breadth-first layers. A layer is the image of the states of the layer before that are not
// terminal, marked by the termination condition in the same pass; what was in an earlier layer
// with the same position of the clock is taken out, unless layers are known to be disjoint.

#include "symbolic/layers.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "dd/operations.h"
#include "symbolic/layer_folder.h"
#include "symbolic/marked_layers.h"

namespace zermelo::symbolic {

namespace {

class LayerSearch {
 public:
  LayerSearch(const Model& model, const LayersOptions& options)
      : model_(model),
        options_(options),
        marked_(model, options.diagrams),
        is_graded_(model.grading().has_value()) {}

  // Starts over if the grading turns out to be wrong and the layers found by it are gone.
  base::Result<Layers> run() {
    if (auto opened = open_folder(); !opened) return tl::unexpected(opened.error());
    while (!result_.complete && !result_.stopped && !find_all()) {
      is_graded_ = false;
      result_ = {};
    }
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Takes up what the folder holds: the layers found, and what must be remembered of them.
  base::Result<void> open_folder() {
    if (options_.folder.empty()) return {};
    auto folder = LayerFolder::open(options_.folder, model_, options_);
    if (!folder) return tl::unexpected(folder.error());
    folder_ = std::move(*folder);
    is_graded_ = is_graded_ && folder_->is_graded();
    if (!is_graded_) folder_->give_up_grading();
    result_.statistics = folder_->layers();
    result_.complete = folder_->is_complete();
    if (result_.complete) return {};
    if (auto done = remember_all(); !done) result_.stopped = done.error();
    return {};
  }

  // The first layer that is not there yet.
  base::Result<dd::Diagram> begin() {
    if (result_.statistics.empty()) return marked_.first();
    const std::size_t last = result_.statistics.size() - 1;
    auto layer = found_before(last);
    return layer ? next_layer(last, *layer) : layer;
  }

  // False if the search must start over.
  bool find_all() {
    auto layer = begin();
    while (layer && result_.statistics.size() < options_.most_layers) {
      const std::size_t k = result_.statistics.size();
      if (layer->is_empty_set()) {
        finish();
        break;
      }
      const auto as_graded = holds_grading(k, *layer);
      if (as_graded && !*as_graded) {
        if (!are_kept()) return false;
        layer = give_up_grading(k, std::move(*layer));
        continue;
      }
      layer = as_graded ? pass(k, *layer) : tl::unexpected(as_graded.error());
    }
    if (!layer) result_.stopped = layer.error();
    return true;
  }

  // Counts and stores a layer and finds the next one.
  base::Result<dd::Diagram> pass(std::size_t k, const dd::Diagram& layer) {
    auto done = options_.visit ? options_.visit(layer) : base::Result<void>();
    if (done) done = note(k, layer);
    if (done) done = remember(k, layer);
    return done ? next_layer(k, layer) : tl::unexpected(done.error());
  }

  void finish() {
    const auto written = folder_ ? folder_->complete() : base::Result<void>();
    result_.complete = written.has_value();
    if (!written) result_.stopped = written.error();
  }

  bool are_kept() const { return folder_ || options_.keep; }

  // Requires that layers are kept.
  base::Result<dd::Diagram> found_before(std::size_t k) const {
    if (folder_) return folder_->load(k, diagrams());
    return result_.diagrams[k];
  }

  base::Result<void> remember_all() {
    for (std::size_t k = 0; k < result_.statistics.size(); ++k) {
      if (!must_remember(k)) continue;
      const auto layer = found_before(k);
      auto done = layer ? remember(k, *layer) : tl::unexpected(layer.error());
      if (!done) return done;
    }
    return {};
  }

  // The first layer whose states have other sums: those before have theirs, and are disjoint. Of it
  // and all others, states must be looked for in those.
  base::Result<dd::Diagram> give_up_grading(std::size_t k, dd::Diagram layer) {
    is_graded_ = false;
    if (folder_) folder_->give_up_grading();
    if (auto done = remember_all(); !done) return tl::unexpected(done.error());
    return without_known(k, std::move(layer));
  }

  const dd::Options& diagrams() const { return options_.diagrams; }

  // True where nothing rests on it.
  base::Result<bool> holds_grading(std::size_t k, const dd::Diagram& layer) const {
    if (!is_graded_ || !may_repeat(k)) return true;
    return model_.grading()->holds(layer, k, diagrams());
  }

  base::Result<dd::Diagram> next_layer(std::size_t k, const dd::Diagram& layer) {
    std::vector<Condition> conditions =
        options_.continue_past_terminal ? model_.phase(k + 1).terminal : model_.terminal_after(k);
    auto found = marked_.successors(k, layer, expanded(), conditions);
    if (!found) return found;
    found = without_known(k + 1, std::move(*found));
    return found ? marked_.mark(std::move(*found), conditions) : found;
  }

  std::vector<bool> expanded() const { return {false, true, options_.continue_past_terminal}; }

  // Before the clock repeats itself no state can.
  bool may_repeat(std::size_t k) const {
    return options_.only_new && k >= model_.encoding().clock().back_to;
  }
  bool must_remember(std::size_t k) const { return may_repeat(k) && !is_graded_; }

  base::Result<void> remember(std::size_t k, const dd::Diagram& layer) {
    if (!must_remember(k)) return {};
    const std::size_t position = model_.encoding().clock().position(k);
    const auto known = known_.find(position);
    auto all = known == known_.end() ? dd::relabel(layer, {0, 1, 1}, 2, diagrams())
                                     : dd::union_of({known->second, layer}, diagrams());
    if (!all) return tl::unexpected(all.error());
    known_.insert_or_assign(position, std::move(*all));
    return {};
  }

  base::Result<dd::Diagram> without_known(std::size_t k, dd::Diagram layer) {
    const auto known = known_.find(model_.encoding().clock().position(k));
    if (known == known_.end()) return layer;
    const dd::Combination subtract{
        layer_constants,
        [](std::span<const dd::NodeId> c) { return c[1] == 0 ? c[0] : 0; },
        {{0, 0, 0}, {1, 1, 0}}};
    return dd::combine({layer, known->second}, subtract, diagrams());
  }

  // Where play goes on, the set that does not tell terminal states from others.
  base::Result<std::size_t> set_nodes(const dd::Diagram& layer) {
    const auto set = dd::relabel(layer, {0, 1, 1}, 2, diagrams());
    if (!set) return tl::unexpected(set.error());
    return set->nodes();
  }

  // A layer that cannot be stored is counted all the same.
  base::Result<void> note(std::size_t k, const dd::Diagram& layer) {
    LayerStatistics statistics;
    if (options_.continue_past_terminal) {
      const auto nodes = set_nodes(layer);
      if (!nodes) return tl::unexpected(nodes.error());
      statistics.set_nodes = *nodes;
    }
    const auto counts = layer.counts(diagrams());
    if (!counts) return tl::unexpected(counts.error());
    statistics.layer = k;
    statistics.states = (*counts)[not_terminal] + (*counts)[terminal];
    statistics.terminal_states = (*counts)[terminal];
    statistics.nodes = layer.nodes();
    statistics.bytes = layer.bytes();
    const auto now = Clock::now();
    statistics.seconds = std::chrono::duration<double>(now - begin_).count();
    begin_ = now;
    if (options_.keep && !folder_) result_.diagrams.push_back(layer);
    auto stored = folder_ ? folder_->add(layer, statistics) : base::Result<void>();
    result_.statistics.push_back(statistics);
    if (options_.progress) options_.progress(statistics);
    return stored;
  }

  const Model& model_;
  const LayersOptions& options_;
  MarkedLayers marked_;
  bool is_graded_;
  std::optional<LayerFolder> folder_;
  Layers result_;
  std::map<std::size_t, dd::Diagram> known_;  // by position of the clock, all states so far
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

mpz_class Layers::states() const {
  mpz_class sum = 0;
  for (const LayerStatistics& layer : statistics) sum += layer.states;
  return sum;
}

mpz_class Layers::terminal_states() const {
  mpz_class sum = 0;
  for (const LayerStatistics& layer : statistics) sum += layer.terminal_states;
  return sum;
}

std::size_t Layers::peak_nodes() const {
  std::size_t peak = 0;
  for (const LayerStatistics& layer : statistics) peak = std::max(peak, layer.nodes);
  return peak;
}

base::Result<Layers> find_layers(const Model& model, const LayersOptions& options) {
  return LayerSearch(model, options).run();
}

}  // namespace zermelo::symbolic
