#include "serve/thinker.h"

#include <exception>

#include "play/agent.h"

namespace zermelo::serve {
namespace {

// The search is interrupted so often to publish its opinion.
constexpr std::chrono::duration<double> first_slice{0.02};
constexpr std::chrono::duration<double> slice{0.1};

search::UctOptions uct_options(const ThinkerOptions& options,
                               const std::shared_ptr<const search::Engine>& engine,
                               std::size_t role) {
  play::AgentSpec spec;
  spec.threads = options.threads;
  if (options.memory_bytes) spec.memory_bytes = *options.memory_bytes / 2;
  return play::uct_options(spec, {engine, role, options.seed});
}

}  // namespace

Thinker::Thinker(std::shared_ptr<const gdl::Rulesheet> rules, std::size_t role,
                 ThinkerOptions options)
    : rules_(std::move(rules)),
      role_(role),
      options_(options),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Thinker::~Thinker() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  target_changed_.request_stop();
}

// Running out of memory ends the thinking and nothing else.
void Thinker::run(const std::stop_token& stop) {
  try {
    ground(stop);
    if (engine() && !stop.stop_requested()) think(stop);
  } catch (const std::exception&) {
  }
  end();
}

void Thinker::end() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

void Thinker::ground(const std::stop_token& stop) {
  search::EngineOptions options;
  options.limits = base::Limits(options_.grounding_time, options_.memory_bytes);
  options.slicing_seconds = options_.grounding_time / 2;
  options.stop = stop;
  auto engine = search::make_engine(rules_, options);
  if (!engine || !(*engine)->machine()) return;
  const std::lock_guard lock(mutex_);
  engine_ = std::move(*engine);
  changed_.notify_all();
}

void Thinker::think(const std::stop_token& stop) {
  search::Uct uct(engine_, uct_options(options_, engine_, role_));
  std::uint64_t number = 0;
  for (std::unique_lock lock(mutex_);;) {
    const auto is_new = [&] { return target_ && target_number_ != number; };
    if (!changed_.wait(lock, stop, is_new)) return;
    number = target_number_;
    const search::State state = *target_;
    const std::stop_token changed = target_changed_.get_token();
    lock.unlock();
    uct.set_root(state);
    const auto begin = Clock::now();
    auto time = first_slice;
    while (!changed.stop_requested() && Clock::now() - begin < options_.longest_thought &&
           improve(uct, number, time, changed)) {
      time = slice;
    }
    lock.lock();
  }
}

// Searches for a while and publishes the opinion. False where there is nothing more to find out.
bool Thinker::improve(search::Uct& uct, std::uint64_t number, std::chrono::duration<double> time,
                      const std::stop_token& changed) {
  const search::SearchReport report = uct.search({time, {}}, changed);
  const bool is_certain = report.exact.has_value();
  const search::Move move = uct.best_move(role_);
  const std::lock_guard lock(mutex_);
  simulations_ += report.simulations;
  if (target_number_ != number) return false;
  opinion_ = move;
  is_certain_ = is_certain;
  if (is_certain) changed_.notify_all();
  return !is_certain;
}

std::shared_ptr<const search::Engine> Thinker::engine() const {
  const std::lock_guard lock(mutex_);
  return engine_;
}

void Thinker::wait_for_engine(Clock::time_point deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline, [this] { return engine_ || is_over_; });
}

void Thinker::think_about(const search::State& state) {
  const std::lock_guard lock(mutex_);
  target_ = state;
  ++target_number_;
  target_changed_.request_stop();
  target_changed_ = {};
  opinion_.reset();
  is_certain_ = false;
  changed_.notify_all();
}

std::uint64_t Thinker::simulations() const {
  const std::lock_guard lock(mutex_);
  return simulations_;
}

std::optional<search::Move> Thinker::opinion(Clock::time_point deadline,
                                             const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline, [this] { return is_certain_ || is_over_; });
  return opinion_;
}

}  // namespace zermelo::serve
