// The birthday paradox in reverse. Among m values drawn independently from N, at least
//
//   m (m - 1) / 2 N  -  m^3 / 6 N^2
//
// are expected to repeat another one (the equal pairs minus the triples), and more if some values
// are more likely than others. So few repetitions show that N is large. The states of independent
// random games after d joint moves are such values. A bound is computed for some depths d, and the
// largest counts: at small depths there are few states, and at large depths random play reaches
// only the likely ones.
//
// The number of repetitions is modelled as a Poisson variable, which falls short of its mean x by t
// with a probability of at most exp(-t^2 / 2x).

#include "analysis/state_bound.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/paced_limits.h"
#include "base/random.h"

namespace zermelo::analysis {

namespace {

using machine::Move;

constexpr std::size_t depths_looked_at = 8;
constexpr std::uint64_t games_for_length = 100;

class RandomGames {
 public:
  RandomGames(std::shared_ptr<const machine::Machine> machine, const StateBoundOptions& options,
              const base::Limits& limits)
      : cursor_(std::move(machine)),
        limits_(limits),
        random_(options.seed),
        max_depth_(options.max_depth),
        initial_(cursor_.state()),
        joint_(cursor_.machine().roles().size()) {}

  // Plays one game and calls visit with the depth after every joint move. Returns the number of
  // moves. A limit ends the game early.
  template <class Visit>
  std::size_t play(Visit visit) {
    cursor_.reset(initial_);
    std::size_t depth = 0;
    while (depth < max_depth_ && !ended() && !cursor_.terminal() && choose()) {
      cursor_.make(joint_);
      visit(++depth);
    }
    return depth;
  }

  machine::State state() const { return cursor_.state(); }
  bool ended() { return limits_.exceeded().has_value(); }

 private:
  // Returns false if a role has no legal move.
  bool choose() {
    for (std::size_t role = 0; role < joint_.size(); ++role) {
      const auto legal = cursor_.legal(role);
      if (legal.empty()) return false;
      joint_[role] = legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
    }
    return true;
  }

  machine::Cursor cursor_;
  base::PacedLimits limits_;
  base::Random random_;
  std::size_t max_depth_;
  machine::State initial_;
  std::vector<Move> joint_;
};

std::size_t usual_length(RandomGames& games) {
  std::vector<std::size_t> lengths;
  do {
    lengths.push_back(games.play([](std::size_t) {}));
  } while (lengths.size() < games_for_length && !games.ended());
  std::nth_element(lengths.begin(), lengths.begin() + lengths.size() / 2, lengths.end());
  return lengths[lengths.size() / 2];
}

std::vector<std::size_t> spread_depths(std::size_t length) {
  std::vector<std::size_t> depths;
  for (std::size_t i = 1; i <= depths_looked_at; ++i) {
    depths.push_back(std::max<std::size_t>(1, i * length / depths_looked_at));
  }
  depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
  return depths;
}

std::uint64_t repeated(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  return static_cast<std::uint64_t>(values.end() - std::unique(values.begin(), values.end()));
}

}  // namespace

double min_values(std::uint64_t samples, std::uint64_t repeated, double doubt) {
  const auto m = static_cast<double>(samples), seen = static_cast<double>(repeated);
  const double unlikely = -std::log(doubt);
  const double expected = seen + unlikely + std::sqrt(unlikely * unlikely + 2 * seen * unlikely);
  // The larger N for which this many repetitions are expected.
  const double pairs = m * (m - 1) / 2, triples = m * m * m / 6;
  const double root = pairs * pairs - 4 * expected * triples;
  return std::max(m - seen, root < 0 ? 0 : (pairs + std::sqrt(root)) / (2 * expected));
}

StateBound bound_states(std::shared_ptr<const machine::Machine> machine,
                        const StateBoundOptions& options) {
  const base::Limits limits = options.limits.within(options.seconds);
  RandomGames games(std::move(machine), options, limits);
  const std::vector<std::size_t> depths = spread_depths(usual_length(games));
  std::vector<std::vector<std::uint64_t>> states(depths.size());  // their hash values
  StateBound bound;
  for (; bound.games < options.max_games && !games.ended(); ++bound.games) {
    games.play([&, next = std::size_t{0}](std::size_t depth) mutable {
      if (next < depths.size() && depth == depths[next])
        states[next++].push_back(games.state().hash());
    });
  }
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const std::uint64_t samples = states[i].size();
    if (samples == 0) continue;
    const double doubt = options.doubt / static_cast<double>(depths.size());
    bound.states = std::max(bound.states, min_values(samples, repeated(states[i]), doubt));
  }
  return bound;
}

}  // namespace zermelo::analysis
