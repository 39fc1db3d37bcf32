// Retrograde analysis with the states partitioned over ranks.
//
// The algorithms are those of solve/explicit/retrograde.cc and distance.cc, and so are the results.
// They have one operation in common: a state that is settled notifies its predecessors, each of
// which lowers a counter and may then be settled itself. Here a notification for a state of another
// rank is an entry of a batch for that rank. Work is done in rounds (exchange.h): a round ends when
// all notifications have arrived, and the analysis ends with a round in which no rank settled a
// state.
//
// Where the order of notifications matters, a round is one step of a breadth-first search: what a
// round settles notifies only in the next one. That is so for distances. Values do not depend on
// the order, so there a rank handles what it settles itself at once, and the rounds are fewer.
//
// Without cycles, every state is settled when its last successor is; its value is the best seen. If
// states remain, play can repeat, and outcomes are forced best first, by one role or by two opposed
// ones, as the essay in solve/explicit/retrograde.cc explains.

#include "cluster/retrograde.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error_name.h"
#include "cluster/exchange.h"
#include "solve/explicit/limit_watch.h"

namespace zermelo::cluster {
namespace {

using solve::Distance;
using solve::LimitWatch;
using solve::no_distance;
using solve::nobody;
using solve::OpponentModel;
using solve::unknown_outcome;

// Sends notifications along the edges until no state has any to send.
class Spreading {
 public:
  Spreading(Channel& channel, const GraphPart& part, LimitWatch& watch)
      : channel_(channel), exchange_(channel), part_(part), watch_(watch) {}

  // Adds a state of this rank, which will notify its predecessors of its outcome.
  void settle(StateIndex state, Outcome outcome) { waiting_.push_back({state, outcome}); }

  // Calls notify(predecessor, outcome) on the rank of the predecessor; it may settle states. With
  // `at_once`, these notify in the same round. Stops early at a limit, on all ranks.
  template <class Notify>
  void run(bool at_once, const Notify& notify) {
    for (auto sums = progress(); sums[0] > 0 && sums[1] == 0; sums = progress()) {
      round(at_once, notify);
      ++rounds_;
    }
  }
  // The number of rounds that were finished.
  Distance rounds() const { return rounds_; }

 private:
  struct Settled {
    StateIndex state;
    Outcome outcome;
  };

  template <class Notify>
  void round(bool at_once, const Notify& notify) {
    const auto receive = [&](std::size_t, ByteReader reader) {
      while (!reader.at_end()) {
        const auto state = reader.get<StateIndex>();
        notify(state, reader.get<Outcome>());
      }
    };
    std::vector<Settled> now = std::exchange(waiting_, {});
    for (std::size_t done = 0; !now.empty() && !watch_.stopped(); ++done) {
      const Settled settled = now.back();
      now.pop_back();
      spread(settled, notify);
      if (done % 1024 == 0) exchange_.poll(receive);
      if (at_once && now.empty()) now = std::exchange(waiting_, {});
    }
    exchange_.finish(receive);
  }

  template <class Notify>
  void spread(const Settled& settled, const Notify& notify) {
    part_.predecessors.for_each(settled.state, [&](std::size_t rank, StateIndex predecessor) {
      if (rank == channel_.rank()) return notify(predecessor, settled.outcome);
      ByteWriter& batch = exchange_.begin(rank);
      batch.put(predecessor);
      batch.put(settled.outcome);
    });
  }

  // Over all ranks, the states that wait and the ranks at a limit.
  std::vector<std::uint64_t> progress() {
    return channel_.sum({waiting_.size(), watch_.stopped_now() ? 1u : 0u});
  }

  Channel& channel_;
  Exchange exchange_;
  const GraphPart& part_;
  LimitWatch& watch_;
  std::vector<Settled> waiting_;
  Distance rounds_ = 0;
};

// The limit of any rank, for all.
std::optional<base::Error> limit_of_any(Channel& channel, LimitWatch& watch,
                                        const std::string& when) {
  std::optional<base::Error> error;
  if (watch.stopped_now()) error = base::limit_error(*watch.limit(), when);
  return channel.first_error(error);
}

struct Backwards {
  std::vector<Outcome> values;  // by state; preliminary if not settled
  bool cyclic = false;          // some states were not settled
};

Backwards evaluate_backwards(Channel& channel, const GraphPart& part, const solve::Ranks& ranks,
                             LimitWatch& watch) {
  Backwards result{part.terminal, false};
  std::vector<std::uint32_t> open = part.successors;
  Spreading spreading(channel, part, watch);
  for (StateIndex s = 0; s < part.size(); ++s) {
    if (part.terminal[s] != unknown_outcome) spreading.settle(s, part.terminal[s]);
  }
  spreading.run(true, [&](StateIndex s, Outcome outcome) {
    const std::vector<std::uint32_t>& rank = ranks[part.movers[s] == nobody ? 0 : part.movers[s]];
    Outcome& best = result.values[s];
    if (best == unknown_outcome || rank[outcome] < rank[best]) best = outcome;
    if (--open[s] == 0) spreading.settle(s, best);
  });
  const auto unsettled =
      std::count_if(open.begin(), open.end(), [](auto left) { return left > 0; });
  result.cyclic = channel.sum({static_cast<std::uint64_t>(unsettled)}).front() > 0;
  return result;
}

// The best outcome that the role can force in each state of this rank, whatever the others do.
std::vector<Outcome> forced_by(std::size_t role, Channel& channel, const GraphPart& part,
                               const std::vector<std::uint32_t>& rank, LimitWatch& watch) {
  std::vector<Outcome> forced(part.size(), unknown_outcome);
  std::vector<std::uint32_t> open = part.successors;
  std::vector<Outcome> by_rank(rank.size());
  for (Outcome outcome = 0; outcome < rank.size(); ++outcome) by_rank[rank[outcome]] = outcome;
  Spreading spreading(channel, part, watch);
  for (const Outcome outcome : by_rank) {
    const auto force = [&](StateIndex s) {
      forced[s] = outcome;
      spreading.settle(s, outcome);
    };
    for (StateIndex s = 0; s < part.size(); ++s) {
      if (part.terminal[s] == outcome) force(s);
    }
    spreading.run(true, [&](StateIndex s, Outcome) {
      if (forced[s] == unknown_outcome && (--open[s] == 0 || part.movers[s] == role)) force(s);
    });
  }
  return forced;
}

// A role that can leave endless play for an even end does so.
void end_evenly(Channel& channel, const GraphPart& part, const solve::Settlement& settlement,
                std::vector<Outcome>& values, LimitWatch& watch) {
  Spreading spreading(channel, part, watch);
  for (StateIndex s = 0; s < part.size(); ++s) {
    if (settlement.is_even(values[s])) spreading.settle(s, values[s]);
  }
  spreading.run(true, [&](StateIndex s, Outcome outcome) {
    if (values[s] != unknown_outcome) return;
    values[s] = outcome;
    spreading.settle(s, outcome);
  });
}

std::vector<bool> deciding(Channel& channel, const GraphPart& part, std::size_t roles) {
  std::vector<std::uint64_t> decides(roles);
  for (const Mover mover : part.movers) {
    if (mover != nobody) decides[mover] = 1;
  }
  decides = channel.sum(decides);
  return std::vector<bool>(decides.begin(), decides.end());
}

base::Result<std::vector<Outcome>> evaluate_cyclic(Channel& channel, const GraphPart& part,
                                                   OpponentModel model, const solve::Ranks& ranks,
                                                   LimitWatch& watch) {
  const auto roles = solve::contestants(ranks, deciding(channel, part, ranks.size()));
  if (!roles) return tl::unexpected(roles.error());
  const std::size_t first = roles->empty() ? 0 : roles->front();
  std::vector<Outcome> values = forced_by(first, channel, part, ranks[first], watch);
  if (roles->size() < 2) return values;
  const std::size_t second = (*roles)[1];
  const std::vector<Outcome> held = forced_by(second, channel, part, ranks[second], watch);
  const solve::Settlement settlement(part.outcomes, model, first, second);
  for (StateIndex s = 0; s < part.size(); ++s) values[s] = settlement.settle(values[s], held[s]);
  end_evenly(channel, part, settlement, values, watch);
  return values;
}

// By state, the best moves that must be settled before its distance is known; see
// solve/explicit/distance.cc.
std::vector<std::uint32_t> moves_to_wait_for(Channel& channel, const GraphPart& part,
                                             const std::vector<Outcome>& values,
                                             LimitWatch& watch) {
  std::vector<std::uint32_t> as_good(part.size());
  Spreading spreading(channel, part, watch);
  for (StateIndex s = 0; s < part.size(); ++s) spreading.settle(s, values[s]);
  spreading.run(false, [&](StateIndex s, Outcome outcome) { as_good[s] += outcome == values[s]; });
  for (StateIndex s = 0; s < part.size(); ++s) {
    const bool delays = part.movers[s] != nobody && values[s] != unknown_outcome &&
                        !solve::hurries(part.movers[s], part.outcomes[values[s]]);
    if (!delays) as_good[s] = 1;
  }
  return as_good;
}

}  // namespace

base::Result<solve::GraphValues> evaluate(Channel& channel, const GraphPart& part,
                                          OpponentModel model, const base::Limits& limits) {
  if (part.outcomes.empty()) return solve::GraphValues{part.terminal, true};
  solve::Ranks ranks;
  for (std::size_t role = 0; role < part.outcomes.front().size(); ++role) {
    ranks.push_back(solve::ranks(model, role, part.outcomes));
  }
  LimitWatch watch(limits);
  Backwards backwards = evaluate_backwards(channel, part, ranks, watch);
  const char* const when = "after finding all states";
  if (auto error = limit_of_any(channel, watch, when)) return tl::unexpected(*error);
  if (!backwards.cyclic) return solve::GraphValues{std::move(backwards.values), false};
  backwards.values = {};
  auto values = evaluate_cyclic(channel, part, model, ranks, watch);
  if (!values) return tl::unexpected(values.error());
  if (auto error = limit_of_any(channel, watch, when)) return tl::unexpected(*error);
  return solve::GraphValues{std::move(*values), true};
}

base::Result<std::vector<Distance>> distances(Channel& channel, const GraphPart& part,
                                              const solve::GraphValues& values,
                                              const base::Limits& limits) {
  LimitWatch watch(limits);
  std::vector<std::uint32_t> open = moves_to_wait_for(channel, part, values.values, watch);
  std::vector<Distance> distance(part.size(), no_distance);
  Spreading spreading(channel, part, watch);
  for (StateIndex s = 0; s < part.size(); ++s) {
    if (part.terminal[s] == unknown_outcome) continue;
    distance[s] = 0;
    spreading.settle(s, values.values[s]);
  }
  spreading.run(false, [&](StateIndex s, Outcome outcome) {
    if (values.values[s] != outcome || distance[s] != no_distance || --open[s] > 0) return;
    distance[s] = spreading.rounds() + 1;
    spreading.settle(s, outcome);
  });
  if (auto error = limit_of_any(channel, watch, "while computing distances")) {
    return tl::unexpected(*error);
  }
  return distance;
}

}  // namespace zermelo::cluster
