// A search in a thread of its own, which can be asked for its opinion at any moment: it grounds the
// game, then thinks about the state it was given until it is given another one, so also while the
// others think.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "search/uct.h"

namespace zermelo::serve {

using Clock = std::chrono::steady_clock;

struct ThinkerOptions {
  unsigned threads = 1;
  std::optional<std::size_t>
      memory_bytes;  // of the process while grounding; half of it is the tree
  std::chrono::duration<double> grounding_time{10};
  std::chrono::duration<double> longest_thought{60};  // about one state
  std::uint64_t seed = 1;
};

class Thinker {
 public:
  // The rules must be valid.
  Thinker(std::shared_ptr<const gdl::Rulesheet> rules, std::size_t role, ThinkerOptions options);
  // Waits for the thread, which gives up what it does.
  ~Thinker();

  // The grounded game; null while it is not there, and for ever if it could not be made in time.
  std::shared_ptr<const search::Engine> engine() const;
  // Until the game is grounded, will never be, or has to be waited for no longer.
  void wait_for_engine(Clock::time_point deadline, const std::stop_token& stop);

  // Takes a state of the engine that is not terminal.
  void think_about(const search::State& state);
  // What is the best move in that state: at the deadline, or earlier where it is proved. Nothing
  // where there was no time for a first opinion.
  std::optional<search::Move> opinion(Clock::time_point deadline, const std::stop_token& stop);
  // Playouts so far.
  std::uint64_t simulations() const;

 private:
  void run(const std::stop_token& stop);
  void ground(const std::stop_token& stop);
  void think(const std::stop_token& stop);
  bool improve(search::Uct& uct, std::uint64_t number, std::chrono::duration<double> time,
               const std::stop_token& changed);
  void end();

  std::shared_ptr<const gdl::Rulesheet> rules_;
  std::size_t role_;
  ThinkerOptions options_;

  mutable std::mutex mutex_;  // of all that follows
  std::condition_variable_any changed_;
  std::shared_ptr<const search::Engine> engine_;
  bool is_over_ = false;  // the thread does nothing more
  std::optional<search::State> target_;
  std::uint64_t target_number_ = 0;
  std::stop_source target_changed_;
  std::optional<search::Move> opinion_;  // on the target
  bool is_certain_ = false;
  std::uint64_t simulations_ = 0;

  std::jthread thread_;
};

}  // namespace zermelo::serve
