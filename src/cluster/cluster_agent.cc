// Root parallelisation as in Mehat and Cazenave, "A Parallel General Game Player" (combining the
// visits and values of the moves at the root), with one difference: samples are exchanged after
// every slice of the search and enter the selection at the root of every tree. So all ranks soon
// agree on which moves are worth more samples. Rank 0 passes on to each rank what the others found.
//
// Rank 0 ends its own search a little before its time is over, to receive the last samples of the
// others. It does not wait longer for a rank that is late.

#include "cluster/cluster_agent.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/root_samples.h"

namespace zermelo::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using play::AgentSpec;
using play::Move;
using play::Seat;
using play::Seconds;
using play::State;

constexpr double share_for_last_samples = 0.05;  // of the time

class RootAgent : public play::Agent {
 public:
  RootAgent(Team& team, const AgentSpec& spec, const Seat& seat)
      : team_(team),
        role_(seat.role),
        stop_(seat.stop),
        walker_(seat.simulator->walker()),
        budget_{spec.time, spec.simulations},
        uct_(seat.simulator, play::uct_options(spec, seat)) {
    if (!budget_.seconds && !budget_.simulations) budget_.seconds = play::default_time;
  }

  Move choose(const State& state, std::optional<Seconds> time) override {
    walker_->go_to(state);
    if (walker_->legal(role_).size() == 1) return walker_->legal(role_).front();
    search::Budget budget = budget_;
    if (time) budget.seconds = time;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        budget.seconds.value_or(Seconds(3600)));
    if (budget.seconds) *budget.seconds *= 1 - share_for_last_samples;
    search(state, budget, end);
    return uct_.best_move(role_, {Seconds(0), 0});
  }

 private:
  void search(const State& state, const search::Budget& budget, Clock::time_point end) {
    team_.search({0, role_, budget, state});
    uct_.set_root(state);
    RootSamples own(uct_, role_);
    for_rank_.assign(team_.size(), {});
    missing_ = team_.size() - 1;
    bool is_proved = false;
    Slices slices(budget);
    for (auto slice = slices.next(); slice && !is_proved && !stop_.stop_requested();
         slice = slices.next()) {
      const search::SearchReport report = uct_.search(*slice, stop_);
      slices.used(report);
      is_proved = report.exact.has_value();
      share(0, own.take());
      take_samples(own);
      pass_on();
    }
    if (!is_proved) take_last_samples(own, end);
  }

  // Notes samples of one rank for the others.
  void share(std::size_t from, const Samples& samples) {
    for (std::size_t to = 1; to < for_rank_.size(); ++to) {
      if (to != from) for_rank_[to].add(samples);
    }
  }

  // Returns whether there were any.
  bool take_samples(RootSamples& own) {
    bool has_any = false;
    while (const auto arrived = team_.next_samples()) {
      has_any = true;
      own.add(arrived->samples);
      share(arrived->rank, arrived->samples);
      missing_ -= arrived->samples.is_last ? 1 : 0;
    }
    return has_any;
  }

  void pass_on() {
    for (std::size_t to = 1; to < for_rank_.size(); ++to) {
      Samples samples = std::exchange(for_rank_[to], {});
      samples.number = team_.search_number();
      team_.send_samples(to, samples);
    }
  }

  void take_last_samples(RootSamples& own, Clock::time_point end) {
    const auto patience = std::chrono::duration_cast<Clock::duration>(team_.patience());
    for (auto latest = Clock::now() + patience;
         missing_ > 0 && Clock::now() < std::min(latest, end) && !stop_.stop_requested();) {
      if (take_samples(own)) latest = Clock::now() + patience;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  Team& team_;
  std::size_t role_;
  std::stop_token stop_;
  std::unique_ptr<search::Walker> walker_;
  search::Budget budget_;
  search::Uct uct_;
  std::vector<Samples> for_rank_;  // samples that the rank does not have yet
  std::size_t missing_ = 0;        // ranks whose last samples have not arrived
};

bool is_plain(const AgentSpec& spec) {
  const play::Variant& variant = spec.variant;
  return !variant.sufficiency && !variant.moving_average && !variant.rave && !variant.mast &&
         !variant.regret_matching && spec.evaluator.empty() && spec.folder.empty() &&
         !spec.exploration && !spec.proofs && !spec.tactics;
}

}  // namespace

base::Result<std::unique_ptr<play::Agent>> make_cluster_agent(Team& team, SearchMode mode,
                                                              AgentSpec spec, Seat seat) {
  const auto refuse = [](const char* why) {
    return base::fail(base::ErrorKind::not_applicable, why);
  };
  if (!seat.simulator->machine()) return refuse("--cluster requires a game that can be grounded");
  spec.make = nullptr;
  spec.ponder = false;
  if (mode == SearchMode::root) {
    if (!is_plain(spec)) {
      return refuse("--cluster root supports the options time, simulations and memory only");
    }
    return std::make_unique<RootAgent>(team, spec, seat);
  }
  if (spec.variant.rave || spec.variant.mast) {
    return refuse(
        "--cluster tree supports neither RAVE nor MAST, which need the moves of playouts");
  }
  spec.threads = team.workers();
  seat.simulator = team.spread(seat.simulator);
  return play::make_agent(spec, seat);
}

}  // namespace zermelo::cluster
