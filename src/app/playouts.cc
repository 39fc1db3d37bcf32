#include "app/playouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <thread>

#include "analysis/exclusive_moves.h"
#include "base/error_name.h"
#include "base/quantities.h"
#include "lanes/sliced_playouts.h"

namespace zermelo::app {
namespace {

using Seconds = std::chrono::duration<double>;

lanes::LaneBackend backend(PlayoutEngine engine) {
  return engine == PlayoutEngine::interpreted ? lanes::LaneBackend::interpreter
                                              : lanes::default_backend();
}

class RandomPlay {
 public:
  RandomPlay(const PlayoutsRequest& request, const Context& context)
      : request_(request), limits_(request.limits.start(context)), stop_(context.stop) {}

  base::Result<PlayoutStatistics> run() {
    auto statistics = steps_single_states(request_.engine) ? play_singly() : play_in_lanes();
    const auto exceeded = limits_.exceeded();
    if (!statistics || !exceeded) return statistics;
    statistics->stopped = base::limit_error(
        *exceeded,
        fmt::format("after {} of {}", base::counted(statistics->totals.playouts, "playout"),
                    request_.rules->source->name()));
    return statistics;
  }

 private:
  base::Result<PlayoutStatistics> play_singly() {
    return with_engine(request_.engine, request_.rules, limits_, [&](auto& engine) {
      return timed(engine.roles(), 1, [&] { return machine::playouts(engine, options()); });
    });
  }

  base::Result<PlayoutStatistics> play_in_lanes() {
    auto game = ground_game(request_.rules, limits_);
    if (!game) return tl::unexpected(game.error());
    const auto compiled = std::make_shared<const circuit::CompiledGame>(std::move(*game));
    lanes::SlicedOptions slicing;
    slicing.limits = limits_;
    slicing.exclusive_moves = analysis::exclusive_moves(compiled->game(), limits_);
    slicing.backend = backend(request_.engine);
    const auto code = lanes::make_sliced_code(compiled, slicing);
    if (!code) return tl::unexpected(code.error());
    return timed(role_names(compiled->game()), lanes::lane_count,
                 [&] { return lanes::play_sliced(**code, options(), threads()); });
  }

  // The remaining time is measured from the start of the request: call this just before playing.
  machine::PlayoutOptions options() const {
    machine::PlayoutOptions result;
    result.seed = request_.seed;
    result.count = request_.count;
    result.seconds = request_.seconds;
    result.stop = stop_;
    result.limits = limits_;
    if (!request_.count && !request_.seconds) result.seconds = Seconds(1);
    if (const auto left = limits_.time_left()) {
      result.seconds = std::min(result.seconds.value_or(*left), *left);
    }
    return result;
  }

  unsigned threads() const {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    return std::max(1u, request_.threads.value_or(cores));
  }

  template <class Play>
  PlayoutStatistics timed(std::vector<std::string> roles, std::size_t lanes, Play play) const {
    const std::clock_t start = std::clock();
    machine::PlayoutResult totals = play();
    const auto taken = static_cast<double>(std::clock() - start);
    leave_out_chance(roles, totals);
    return {request_.engine, lanes, std::move(roles), std::move(totals),
            taken / static_cast<double>(CLOCKS_PER_SEC)};
  }

  // Nobody plays `random` of GDL-II, and it has no goals.
  static void leave_out_chance(std::vector<std::string>& roles, machine::PlayoutResult& totals) {
    const auto chance = std::find(roles.begin(), roles.end(), base::random_role);
    if (chance == roles.end()) return;
    totals.mean_goals.erase(totals.mean_goals.begin() + (chance - roles.begin()));
    roles.erase(chance);
  }

  const PlayoutsRequest& request_;
  const base::Limits limits_;
  const std::stop_token stop_;
};

}  // namespace

base::Result<PlayoutStatistics> play_randomly(const PlayoutsRequest& request,
                                              const Context& context) {
  context.report("playing");
  return RandomPlay(request, context).run();
}

}  // namespace zermelo::app
