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

  // Starts over if the grading turns out to be wrong and layers were counted on to be disjoint.
  base::Result<Layers> run() {
    if (auto opened = open_folder(); !opened) return tl::unexpected(opened.error());
    while (!result_.complete && !find_all()) {
      is_graded_ = false;
      result_ = {};
      if (folder_) keep_going(folder_->restart(is_graded_));
    }
    if (folder_failure_) return tl::unexpected(*folder_failure_);
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Takes up what the folder holds: the layers found, and what must be remembered of them.
  base::Result<void> open_folder() {
    if (options_.folder.empty()) return {};
    auto folder = LayerFolder::open(options_.folder, search_signature(model_, options_));
    if (!folder) return tl::unexpected(folder.error());
    folder_ = std::move(*folder);
    is_graded_ = is_graded_ && folder_->is_graded();
    result_.statistics = folder_->layers();
    result_.complete = folder_->is_complete();
    if (result_.complete) return {};
    for (std::size_t k = 0; k < folder_->layers().size(); ++k) {
      const bool is_last = k + 1 == folder_->layers().size();
      if (!is_last && !must_remember(k)) continue;
      auto layer = folder_->load(k, options_.diagrams);
      if (!layer) return tl::unexpected(layer.error());
      if (auto done = remember(k, *layer); !done) return done;
      if (is_last) last_stored_ = std::move(*layer);
    }
    return {};
  }

  // The first layer that is not there yet.
  base::Result<dd::Diagram> begin() {
    if (!last_stored_) return marked_.first();
    const dd::Diagram layer = *std::exchange(last_stored_, std::nullopt);
    return next_layer(result_.statistics.size() - 1, layer);
  }

  // False if the search must start over.
  bool find_all() {
    auto layer = begin();
    while (layer && !folder_failure_ && result_.statistics.size() < options_.most_layers) {
      const std::size_t k = result_.statistics.size();
      if (layer->is_empty_set()) {
        result_.complete = true;
        if (folder_) keep_going(folder_->complete());
        break;
      }
      if (is_graded_ && may_repeat(k) && !holds_grading(k, *layer)) return false;
      auto done = note(k, *layer);
      if (done) done = remember(k, *layer);
      layer = done ? next_layer(k, *layer) : tl::unexpected(done.error());
    }
    if (!layer) result_.stopped = layer.error();
    return true;
  }

  void keep_going(const base::Result<void>& written) {
    if (!written) folder_failure_ = written.error();
  }

  const dd::Options& diagrams() const { return options_.diagrams; }

  bool holds_grading(std::size_t k, const dd::Diagram& layer) const {
    return model_.grading()->holds(layer, k, diagrams().threads);
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

  base::Result<void> note(std::size_t k, const dd::Diagram& layer) {
    LayerStatistics statistics;
    if (options_.continue_past_terminal) {
      const auto nodes = set_nodes(layer);
      if (!nodes) return tl::unexpected(nodes.error());
      statistics.set_nodes = *nodes;
    }
    const std::vector<mpz_class> counts = layer.counts(diagrams().threads);
    statistics.layer = k;
    statistics.states = counts[not_terminal] + counts[terminal];
    statistics.terminal_states = counts[terminal];
    statistics.nodes = layer.nodes();
    statistics.bytes = layer.bytes();
    const auto now = Clock::now();
    statistics.seconds = std::chrono::duration<double>(now - begin_).count();
    begin_ = now;
    if (options_.keep && !folder_) result_.diagrams.push_back(layer);
    if (folder_) keep_going(folder_->add(layer, statistics));
    result_.statistics.push_back(statistics);
    if (options_.progress) options_.progress(statistics);
    return {};
  }

  const Model& model_;
  const LayersOptions& options_;
  MarkedLayers marked_;
  bool is_graded_;
  std::optional<LayerFolder> folder_;
  std::optional<base::Error> folder_failure_;
  std::optional<dd::Diagram> last_stored_;  // to go on from
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
