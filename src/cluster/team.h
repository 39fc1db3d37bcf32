// The other ranks of a job, as rank 0 sees them in a search: it hands out playouts and searches,
// and gets their results.
//
//   Team team(channel, {});
//   const auto spread = team.spread(simulator, rules, seed);   // for tree parallel search
//   Uct uct(spread, {.threads = team.workers()});
//
// A rank that does not answer for too long is left out until it does; its work is done by rank 0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "cluster/channel.h"
#include "cluster/requests.h"
#include "gdl/rulesheet.h"
#include "search/simulator.h"

namespace zermelo::cluster {

struct TeamOptions {
  bool main_plays = true;                     // whether rank 0 runs playouts itself
  unsigned batches_ahead = 2;                 // batches that a rank has at the same time
  std::chrono::duration<double> patience{2};  // after which a rank that does not answer is left out
};

// What one rank did in searches.
struct Work {
  std::uint64_t playouts = 0;
  std::uint64_t batches = 0;
  std::uint64_t lost = 0;  // batches that were not answered in time
};

class Team {
 public:
  using SimulatorPointer = std::shared_ptr<const search::Simulator>;

  // The channel must outlive this. Until this is destroyed, no other thread may use it.
  Team(Channel& channel, TeamOptions options) : channel_(channel), options_(options) {
    ranks_.resize(channel.size());
  }
  // Dismisses the ranks.
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Sends the game to all ranks. A simulator whose game was not grounded cannot be shared: its
  // states have other numbers in every process.
  void prepare(const gdl::Rulesheet& rules, std::uint64_t seed);
  // The simulator with playouts that are run by all ranks. The first Playouts made from it are
  // those of rank 0 itself, if it plays. The simulator must not outlive this.
  SimulatorPointer spread(SimulatorPointer simulator);
  // The number of search threads that keep all ranks busy.
  unsigned workers() const;

  // By rank, since the last call. Rank 0 is included only if it plays.
  std::vector<Work> take_work();

  // For playouts: returns the rewards, or nullopt if no rank is available, the one that was asked
  // does not answer in time, or a stop is requested. Thread-safe.
  std::optional<std::vector<float>> play(std::span<const search::State> states,
                                         const std::stop_token& stop);
  void count_own(std::size_t playouts);

  // For searches in trees of their own: the request goes to all ranks.
  void search(TreeRequest request);
  void send_samples(std::size_t rank, const Samples& samples);
  // Samples that have arrived for the last search.
  struct Arrived {
    std::size_t rank;
    Samples samples;
  };
  std::optional<Arrived> next_samples();
  std::uint64_t search_number() const { return search_number_; }
  std::size_t size() const { return channel_.size(); }
  std::chrono::duration<double> patience() const { return options_.patience; }

 private:
  using Seconds = std::chrono::duration<double>;

  struct Rank {
    Seconds slowest{0};  // of its answers
    unsigned pending = 0;
    bool is_lost = false;
    Work work;
  };

  std::optional<std::size_t> available_rank() const;
  void take_answers();
  Seconds patience_with(const Rank& rank) const;

  Channel& channel_;
  TeamOptions options_;
  std::mutex mutex_;  // for all below, and the channel
  std::vector<Rank> ranks_;
  std::uint64_t game_ = 0, last_number_ = 0, search_number_ = 0;
  std::map<std::uint64_t, std::vector<float>> waiting_;  // by request; empty: no answer yet
};

}  // namespace zermelo::cluster
