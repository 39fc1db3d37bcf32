// Breadth-first layers. A layer is the image of the states of the layer before that are not
// terminal, marked by the termination condition in the same pass. States of earlier layers with the
// same position of the clock are removed, unless layers are known to be disjoint.
//
// Solving needs all states of every layer, so nothing is removed there. A game in which states
// repeat then has no last layer. Every layer is compared with an earlier one, taken at powers of
// two (Brent): if they are equal, all later layers are known too.

#include "symbolic/layers.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <utility>

#include "base/error_name.h"
#include "dd/operations.h"
#include "symbolic/layer_folder.h"
#include "symbolic/marked_layers.h"

namespace zermelo::symbolic {

namespace {

// Tests whether a layer is equal to an earlier one.
class RepetitionTest {
 public:
  explicit RepetitionTest(const symbolic::Clock& clock) : clock_(clock) {}

  // Layers must be passed in order, each once.
  bool is_earlier_layer(std::size_t k, const dd::Diagram& layer) {
    if (kept_ && clock_.position(k) == clock_.position(kept_layer_) && *kept_ == layer) return true;
    if (std::has_single_bit(k + 1)) keep(k, layer);
    return false;
  }
  // The layer with which the next one, number k, is compared.
  static std::size_t compared_with(std::size_t k) { return std::bit_floor(k) - 1; }
  void keep(std::size_t k, dd::Diagram layer) {
    kept_ = std::move(layer);
    kept_layer_ = k;
  }

 private:
  const symbolic::Clock& clock_;
  std::optional<dd::Diagram> kept_;
  std::size_t kept_layer_ = 0;
};

class LayerSearch {
 public:
  LayerSearch(const Model& model, const LayersOptions& options)
      : model_(model),
        options_(options),
        labels_(options.labels ? *options.labels : terminal_labels_),
        repetition_(model.encoding().clock()),
        marked_(model, options.diagrams),
        is_graded_(model.grading().has_value()) {}

  // Starts over if the grading turns out to be wrong and the layers found with it were not kept.
  base::Result<Layers> run() {
    if (auto opened = open_folder(); !opened) return tl::unexpected(opened.error());
    while (!result_.complete && !result_.stopped && !find_all()) {
      is_graded_ = false;
      result_ = {};
    }
    result_.disjoint = are_disjoint();
    if (folder_) result_.checksums = folder_->checksums();
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Resumes from the folder: the layers found, and the states that must be remembered.
  base::Result<void> open_folder() {
    if (options_.folder.empty()) return {};
    auto folder = LayerFolder::open(options_.folder, model_, options_, labels_);
    if (!folder) return tl::unexpected(folder.error());
    folder_ = std::move(*folder);
    is_graded_ = is_graded_ && folder_->is_graded();
    if (!is_graded_) folder_->give_up_grading();
    result_.statistics = folder_->layers();
    result_.complete = folder_->is_complete();
    auto done = resume_labels();
    if (done && !result_.complete) done = remember_all();
    if (done && !result_.complete) done = resume_repetition_test();
    if (!done) result_.stopped = done.error();
    return {};
  }

  // Labelled layers are used again after the search, so all of them must have been checked.
  base::Result<void> resume_labels() {
    if (!options_.labels) return {};
    if (const auto reached = diagrams().limits.exceeded()) {
      return tl::unexpected(base::limit_error(*reached, "while checking the layers"));
    }
    return labels_.resume(folder_->constants());
  }

  // So that the last layer is compared with the same one as in an uninterrupted run.
  base::Result<void> resume_repetition_test() {
    if (!options_.detect_repetition || result_.statistics.size() < 2) return {};
    const std::size_t k = RepetitionTest::compared_with(result_.statistics.size() - 1);
    auto layer = found_before(k);
    if (!layer) return tl::unexpected(layer.error());
    repetition_.keep(k, std::move(*layer));
    return {};
  }

  // Returns the first layer that is missing.
  base::Result<dd::Diagram> begin() {
    if (result_.statistics.empty()) return marked_.first();
    const std::size_t last = result_.statistics.size() - 1;
    auto layer = found_before(last);
    return layer ? next_layer(last, *layer) : layer;
  }

  // Returns false if the search must start over.
  bool find_all() {
    auto layer = begin();
    while (layer && !result_.repeats && result_.statistics.size() < options_.max_layers) {
      const std::size_t k = result_.statistics.size();
      if (layer->is_empty_set()) {
        finish();
        break;
      }
      const auto as_graded = holds_grading(k, *layer);
      if (as_graded && !*as_graded) {
        if (options_.only_new && !are_kept()) return false;
        layer = give_up_grading(k, std::move(*layer));
        continue;
      }
      layer = as_graded ? pass(k, std::move(*layer)) : tl::unexpected(as_graded.error());
    }
    if (!layer) result_.stopped = layer.error();
    return true;
  }

  // Labels, counts and stores a layer and finds the next one.
  base::Result<dd::Diagram> pass(std::size_t k, dd::Diagram states) {
    const auto layer = labels_.label(k, std::move(states));
    if (!layer) return layer;
    auto done = options_.visit ? options_.visit(*layer) : base::Result<void>();
    if (done) done = note(k, *layer);
    if (done) done = remember(k, *layer);
    return done ? next_layer(k, *layer) : tl::unexpected(done.error());
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

  // Called for the first layer whose states have other sums. The layers before it are disjoint.
  // From this layer on, states must be searched for in earlier ones.
  base::Result<dd::Diagram> give_up_grading(std::size_t k, dd::Diagram layer) {
    is_graded_ = false;
    if (folder_) folder_->give_up_grading();
    if (auto done = remember_all(); !done) return tl::unexpected(done.error());
    return without_known(k, std::move(layer));
  }

  const dd::Options& diagrams() const { return options_.diagrams; }

  // Returns true without a check if nothing depends on it.
  base::Result<bool> holds_grading(std::size_t k, const dd::Diagram& layer) const {
    const bool is_needed = options_.only_new || options_.detect_repetition;
    if (!is_graded_ || !is_needed || !may_repeat(k)) return true;
    return model_.grading()->holds(layer, k, diagrams());
  }

  // Layers at different positions of the clock have no common states.
  bool are_disjoint() const {
    return options_.only_new ||
           result_.statistics.size() <= model_.encoding().clock().positions() ||
           (options_.detect_repetition && is_graded_);
  }

  base::Result<dd::Diagram> next_layer(std::size_t k, const dd::Diagram& layer) {
    if (options_.detect_repetition && repetition_.is_earlier_layer(k, layer)) {
      result_.repeats = true;
      return layer;
    }
    if (options_.earlier && k + 1 < options_.earlier->size()) {
      return options_.earlier->load(k + 1, diagrams());
    }
    std::vector<Condition> conditions =
        options_.continue_past_terminal ? model_.phase(k + 1).terminal : model_.terminal_after(k);
    auto found = marked_.successors(k, layer, expanded(layer), conditions);
    if (!found) return found;
    found = without_known(k + 1, std::move(*found));
    return found ? marked_.mark(std::move(*found), conditions) : found;
  }

  std::vector<bool> expanded(const dd::Diagram& layer) const {
    std::vector<bool> members(layer.constants(), false);
    for (dd::NodeId c = 1; c < layer.constants(); ++c) {
      members[c] = options_.continue_past_terminal || !labels_.is_terminal(c);
    }
    return members;
  }

  // No state can repeat before the clock does.
  bool may_repeat(std::size_t k) const { return k >= model_.encoding().clock().back_to; }
  bool must_remember(std::size_t k) const {
    return options_.only_new && may_repeat(k) && !is_graded_;
  }

  base::Result<void> remember(std::size_t k, const dd::Diagram& layer) {
    if (!must_remember(k)) return {};
    const std::size_t position = model_.encoding().clock().position(k);
    const auto known = known_.find(position);
    auto all =
        known == known_.end() ? set_of(layer) : dd::union_of({known->second, layer}, diagrams());
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
    auto rest = dd::combine({layer, known->second}, subtract, diagrams());
    const auto noted = rest && folder_ ? note_left_out(layer, *rest) : base::Result<void>();
    return noted ? std::move(rest) : tl::unexpected(noted.error());
  }

  // Other searches can use stored layers only if these have all their states.
  base::Result<void> note_left_out(const dd::Diagram& all, const dd::Diagram& rest) {
    if (folder_->has_left_out()) return {};
    const auto before = all.counts(diagrams());
    if (!before) return tl::unexpected(before.error());
    const auto after = rest.counts(diagrams());
    if (!after) return tl::unexpected(after.error());
    if (*before != *after) folder_->note_left_out();
    return {};
  }

  // The set that does not distinguish terminal states from others.
  base::Result<dd::Diagram> set_of(const dd::Diagram& layer) const {
    std::vector<dd::NodeId> table(layer.constants(), 1);
    table[0] = 0;
    return dd::relabel(layer, table, 2, diagrams());
  }

  base::Result<std::size_t> set_nodes(const dd::Diagram& layer) const {
    const auto set = set_of(layer);
    if (!set) return tl::unexpected(set.error());
    return set->nodes();
  }

  void add_counts(const std::vector<mpz_class>& counts, LayerStatistics& statistics) const {
    for (dd::NodeId c = 1; c < counts.size(); ++c) {
      statistics.states += counts[c];
      if (labels_.is_terminal(c)) statistics.terminal_states += counts[c];
    }
  }

  // A layer that cannot be stored is still counted.
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
    add_counts(*counts, statistics);
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
  TerminalLabels terminal_labels_;
  LayerLabels& labels_;
  RepetitionTest repetition_;
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
