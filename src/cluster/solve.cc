// Exploration (graph_part.h), retrograde analysis (retrograde.h), and writing, of which only the
// last gathers anything: rank 0 receives the states of one layer at a time, with what is stored of
// them, sorts them and writes their diagrams. So rank 0 needs the memory of its part and of the
// largest layer.
//
// The variables of the diagrams depend on all states: which fluents never hold together. Each rank
// finds out for its states, and rank 0 combines the answers.

#include "cluster/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/quantities.h"
#include "cluster/exchange.h"
#include "cluster/retrograde.h"
#include "solve/explicit/explicit_folder.h"
#include "solve/explicit/observed_variables.h"

namespace zermelo::cluster {
namespace {

using solve::StoredState;
using solve::unknown_outcome;

// The bitwise or of all ranks, on all ranks.
std::vector<machine::State> unite(Channel& channel, std::vector<machine::State> sets) {
  machine::State other(sets.size());  // sets of fluents, one per fluent
  ByteWriter writer;
  const auto put_all = [&] {
    for (machine::State& set : sets) writer.put_all(std::span<const std::uint64_t>(set.words()));
  };
  put_all();
  for (const Bytes& bytes : channel.gather(writer.take())) {
    ByteReader reader(bytes);
    for (machine::State& set : sets) {
      reader.get_all(std::span<std::uint64_t>(other.words()));
      set |= other;
    }
  }
  put_all();
  const Bytes united = channel.broadcast(writer.take());
  ByteReader reader(united);
  for (machine::State& set : sets) reader.get_all(std::span<std::uint64_t>(set.words()));
  return sets;
}

class RankedSolver {
 public:
  RankedSolver(Channel& channel, std::shared_ptr<const machine::Machine> machine,
               const solve::SolutionFolder* folder, const SolveOptions& options)
      : channel_(channel),
        exchange_(channel),
        machine_(std::move(machine)),
        game_(machine_->game()),
        folder_(folder),
        options_(options) {}

  base::Result<std::vector<RankReport>> run() {
    report("exploring");
    auto explored = explore(channel_, machine_, options_.limits);
    if (!explored) return tl::unexpected(explored.error());
    part_ = std::make_unique<GraphPart>(std::move(*explored));
    report(fmt::format("evaluating {} states", base::grouped(part_->all_states)));
    auto values = evaluate(channel_, *part_, options_.model, options_.limits);
    if (!values) return tl::unexpected(values.error());
    values_ = std::move(*values);
    const bool has_distances =
        options_.distances.value_or(part_->all_states <= solve::distances_up_to);
    if (has_distances) {
      report("computing distances");
      auto found = distances(channel_, *part_, values_, options_.limits);
      if (!found) return tl::unexpected(found.error());
      distances_ = std::move(*found);
    }
    part_->predecessors = {};
    if (auto written = write(has_distances); !written) return tl::unexpected(written.error());
    return gather_reports(channel_, part_->size());
  }

 private:
  base::Result<void> write(bool has_distances) {
    report("choosing the variables");
    auto variables = find_variables();
    if (!variables) return tl::unexpected(variables.error());
    const auto endless = std::count(values_.values.begin(), values_.values.end(), unknown_outcome);
    const bool has_endless = channel_.sum({static_cast<std::uint64_t>(endless)}).front() > 0;
    description_ = solve::description_of({*machine_, options_.model, has_distances, part_->outcomes,
                                          has_endless, std::move(*variables)});
    if (auto begun = on_rank_0([&] { return folder_->begin(*game_.rulesheet, description_); });
        !begun) {
      return begun;
    }
    solve::Manifest manifest;
    manifest.cyclic = values_.cyclic;
    for (std::size_t layer = 0; layer < part_->layers(); ++layer) {
      report(fmt::format("writing layer {} of {}", layer, part_->layers()));
      auto written = write_layer(layer, manifest);
      if (!written) return written;
    }
    return on_rank_0([&] { return folder_->finish(std::move(manifest), options_.limits); });
  }

  // All ranks get the result of rank 0.
  template <class Work>
  base::Result<void> on_rank_0(const Work& work) {
    const base::Result<void> done = channel_.rank() == 0 ? work() : base::Result<void>();
    const auto error = channel_.first_error(done ? std::nullopt : std::optional(done.error()));
    return error ? base::Result<void>(tl::unexpected(*error)) : base::Result<void>();
  }

  base::Result<solve::Variables> find_variables() {
    solve::LimitWatch watch(options_.limits);
    const std::size_t fluents = game_.fluents.size();
    const auto groups = solve::exclusive_groups(
        unite(channel_, solve::companions(part_->states, fluents, watch)), game_);
    const auto with_one =
        channel_.sum(solve::states_with_one(part_->states, groups, fluents, watch));
    std::optional<base::Error> error;
    if (watch.limit()) error = base::limit_error(*watch.limit(), "while choosing the variables");
    if (auto first = channel_.first_error(error)) return tl::unexpected(*first);
    return solve::variables_of(groups, with_one, part_->all_states, game_);
  }

  // The states of a layer of all ranks, on rank 0.
  struct GatheredLayer {
    solve::StateTable states;
    std::vector<StoredState> stored;
  };

  base::Result<void> write_layer(std::size_t layer, solve::Manifest& manifest) {
    GatheredLayer gathered{solve::StateTable(machine::State(game_.fluents.size()).words().size()),
                           {}};
    gather_layer(layer, gathered);
    return on_rank_0([&]() -> base::Result<void> {
      if (const auto limit = options_.limits.exceeded()) {
        return tl::unexpected(
            base::limit_error(*limit, fmt::format("after writing {} layers", layer)));
      }
      const auto stored = [&](StateIndex s) { return gathered.stored[s]; };
      auto written =
          solve::write_explicit_layer(*folder_, description_, layer,
                                      {gathered.states, 0, gathered.states.size()}, game_, stored);
      if (!written) return tl::unexpected(written.error());
      manifest.layers.push_back(std::move(*written));
      return {};
    });
  }

  void gather_layer(std::size_t layer, GatheredLayer& gathered) {
    std::vector<std::uint64_t> words(machine::State(game_.fluents.size()).words().size());
    const auto receive = [&](std::size_t, ByteReader reader) {
      while (!reader.at_end()) {
        reader.get_all(std::span<std::uint64_t>(words));
        gathered.states.insert(words);
        gathered.stored.push_back(reader.get<StoredState>());
      }
    };
    for (StateIndex s = part_->first_of_layer[layer]; s < part_->first_of_layer[layer + 1]; ++s) {
      if (channel_.rank() == 0) {
        gathered.states.insert(part_->states[s]);
        gathered.stored.push_back(stored(s));
        continue;
      }
      ByteWriter& batch = exchange_.begin(0);
      batch.put_all(part_->states[s]);
      batch.put(stored(s));
    }
    exchange_.finish(receive);
  }

  StoredState stored(StateIndex s) const {
    return {part_->terminal[s], part_->movers[s], values_.values[s],
            distances_.empty() ? solve::no_distance : distances_[s]};
  }

  void report(std::string activity) const {
    if (options_.progress) options_.progress(std::move(activity));
  }

  Channel& channel_;
  Exchange exchange_;
  std::shared_ptr<const machine::Machine> machine_;
  const ground::Game& game_;
  const solve::SolutionFolder* folder_;
  const SolveOptions& options_;
  std::unique_ptr<GraphPart> part_;
  solve::GraphValues values_;
  std::vector<solve::Distance> distances_;  // by state, if stored
  solve::Description description_;
};

}  // namespace

base::Result<std::vector<RankReport>> solve(Channel& channel,
                                            std::shared_ptr<const machine::Machine> machine,
                                            const solve::SolutionFolder* folder,
                                            const SolveOptions& options) {
  return RankedSolver(channel, std::move(machine), folder, options).run();
}

}  // namespace zermelo::cluster
