#include "app/train.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/write_file.h"
#include "eval/network/network_file.h"
#include "eval/network/trainer.h"
#include "play/folder_values.h"
#include "search/simulator.h"

namespace zermelo::app {
namespace {

using eval::network::GameNetwork;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds usual_time{60}, between_files{30};

base::Result<void> require_options(const TrainRequest& request, const GameNetwork& network) {
  const auto differs = [](const auto& wanted, const auto& own) { return wanted && *wanted != own; };
  const char* other = differs(request.hidden, network.options.hidden) ? "--hidden"
                      : differs(request.start, network.options.start) ? "--start"
                      : differs(request.seed, network.options.seed)   ? "--seed"
                                                                      : nullptr;
  if (!other) return {};
  return base::fail(base::ErrorKind::invalid_request,
                    fmt::format("'{}' was started with another {}", request.file, other));
}

base::Result<GameNetwork> start_or_resume(const TrainRequest& request,
                                          std::shared_ptr<const machine::Machine> machine,
                                          bool& resumed) {
  std::error_code ignored;
  resumed = std::filesystem::is_regular_file(request.file, ignored);
  if (!resumed) {
    eval::network::NetworkOptions options;
    options.hidden = request.hidden.value_or(options.hidden);
    options.start = request.start.value_or(options.start);
    options.seed = request.seed.value_or(options.seed);
    return GameNetwork::make(std::move(machine), options);
  }
  auto network = eval::network::open(std::move(machine), request.file);
  if (!network) return network;
  if (const auto fits = require_options(request, *network); !fits) {
    return tl::unexpected(fits.error());
  }
  return network;
}

base::Result<std::shared_ptr<const eval::StateValues>> exact_values(
    const std::string& folder, const std::shared_ptr<const machine::Machine>& machine) {
  if (folder.empty()) return nullptr;
  return play::open_folder_values(folder, machine);
}

// A run of training.
class Training {
 public:
  Training(const TrainRequest& request, const Context& context, GameNetwork& network,
           std::shared_ptr<const eval::StateValues> exact)
      : request_(request),
        context_(context),
        network_(network),
        trainer_(network, {.exact = std::move(exact)}),
        games_before_(network.progress.games),
        positions_before_(network.progress.positions),
        seconds_before_(network.progress.seconds) {}

  // Returns the limit that ended training, if it was not the time.
  base::Result<std::optional<base::Error>> run(const base::Limits& limits) {
    Clock::time_point written = Clock::now();
    while (!is_done()) {
      if (!trainer_.train_round(limits)) return why_stopped(limits);
      network_.progress.seconds = seconds_before_ + Seconds(Clock::now() - begin_).count();
      report();
      if (Clock::now() - written < between_files) continue;
      if (const auto done = save(); !done) return tl::unexpected(done.error());
      written = Clock::now();
    }
    return std::nullopt;
  }

  base::Result<void> save() const {
    return write_file(request_.file, eval::network::write(network_));
  }

  double positions_per_second() const {
    const double seconds = network_.progress.seconds - seconds_before_;
    const auto positions = static_cast<double>(network_.progress.positions - positions_before_);
    return seconds > 0 ? positions / seconds : 0;
  }

 private:
  bool is_done() const {
    return request_.games && network_.progress.games - games_before_ >= *request_.games;
  }

  std::optional<base::Error> why_stopped(const base::Limits& limits) const {
    if (context_.stop.stop_requested()) {
      return base::limit_error(base::ErrorKind::time_limit, "while the network was trained");
    }
    const auto limit = limits.exceeded();
    if (!limit || *limit == base::ErrorKind::time_limit) return std::nullopt;
    return base::limit_error(*limit, "while the network was trained");
  }

  void report() const {
    const auto points = network_.progress.curve.points();
    if (points.empty()) return;
    context_.report(fmt::format("training: {} games, {} positions, error {:.4f}",
                                network_.progress.games, network_.progress.positions,
                                points.back().error));
  }

  const TrainRequest& request_;
  const Context& context_;
  GameNetwork& network_;
  eval::network::Trainer trainer_;
  std::uint64_t games_before_, positions_before_;
  double seconds_before_;
  Clock::time_point begin_ = Clock::now();
};

// The limits of training itself, which begins now.
base::Limits training_limits(const TrainRequest& request, const Context& context) {
  ResourceLimits limits = request.limits;
  limits.since.reset();
  if (!limits.time && !request.games) limits.time = usual_time;
  return limits.start(context);
}

}  // namespace

base::Result<TrainResult> train(const TrainRequest& request, const Context& context) {
  context.report("compiling");
  ResourceLimits preparation = request.limits;
  preparation.time.reset();  // the time is that of training
  const auto simulator = search::make_ground_simulator(request.rules, preparation.start(context));
  if (!simulator) return tl::unexpected(simulator.error());
  const auto machine = (*simulator)->machine();
  const auto exact = exact_values(request.values, machine);
  if (!exact) return tl::unexpected(exact.error());
  TrainResult result{.file = request.file, .curve = {}};
  auto network = start_or_resume(request, machine, result.resumed);
  if (!network) return tl::unexpected(network.error());
  Training training(request, context, *network, *exact);
  if (const auto writable = training.save(); !writable) return tl::unexpected(writable.error());
  const auto stopped = training.run(training_limits(request, context));
  if (!stopped) return tl::unexpected(stopped.error());
  result.stopped = *stopped;
  if (*exact && (*exact)->read_error()) return tl::unexpected(*(*exact)->read_error());
  if (const auto written = training.save(); !written) return tl::unexpected(written.error());
  const eval::network::TrainingProgress& progress = network->progress;
  result.seconds = progress.seconds;
  result.games = progress.games;
  result.positions = progress.positions;
  result.positions_per_second = training.positions_per_second();
  result.curve.assign(progress.curve.points().begin(), progress.curve.points().end());
  return result;
}

}  // namespace zermelo::app
