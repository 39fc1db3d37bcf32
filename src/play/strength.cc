#include "play/strength.h"

#include <utility>

#include "play/auto_choice.h"
#include "search/random_move.h"

namespace zermelo::play {
namespace {

base::Error not_covered() {
  return {base::ErrorKind::not_applicable, "the solution has no value for a position"};
}

// Returns the only role with several moves, or nullopt if there is not exactly one or if some role
// has no legal move.
std::optional<std::size_t> chooser(search::Walker& walker, std::size_t roles) {
  std::optional<std::size_t> found;
  for (std::size_t role = 0; role < roles; ++role) {
    const std::size_t moves = walker.legal(role).size();
    if (moves == 1) continue;
    if (moves == 0 || found) return std::nullopt;
    found = role;
  }
  return found;
}

class Examiner {
 public:
  Examiner(const search::Simulator& simulator, const eval::StateValues& values)
      : values_(values),
        walker_(simulator.walker()),
        roles_(simulator.roles().size()),
        joint_(roles_) {}

  // Returns a random position with a choice from one random game, if there is any.
  std::optional<ChoicePosition> position_of_game(const State& initial, base::Random& random) {
    std::optional<ChoicePosition> taken;
    std::uint32_t seen = 0, steps = 0;
    for (walker_->go_to(initial); !walker_->terminal() && steps < search::longest_playout;
         ++steps) {
      const auto role = chooser(*walker_, roles_);
      if (role && random.below(++seen) == 0) taken = ChoicePosition{walker_->state(), *role};
      if (!choose_at_random(*walker_, random, joint_)) break;
      walker_->make(joint_);
    }
    return taken;
  }

  base::Result<bool> keeps_value(const ChoicePosition& position, Move move) {
    const auto before = values_.value(position.state);
    walker_->go_to(position.state);
    std::vector<Move> joint;
    for (std::size_t role = 0; role < roles_; ++role) joint.push_back(walker_->legal(role)[0]);
    joint[position.role] = move;
    walker_->make(joint);
    const auto after = values_.value(walker_->state());
    if (auto error = values_.read_error()) return tl::unexpected(std::move(*error));
    if (!before || !after) return tl::unexpected(not_covered());
    return !prefers(values_.model(), position.role, *before, *after);
  }

  base::Result<bool> is_decisive(const ChoicePosition& position) {
    walker_->go_to(position.state);
    const auto legal = walker_->legal(position.role);
    for (const Move move : std::vector<Move>(legal.begin(), legal.end())) {
      const auto keeps = keeps_value(position, move);
      if (!keeps) return keeps;
      if (!*keeps) return true;
    }
    return false;
  }

 private:
  const eval::StateValues& values_;
  std::unique_ptr<search::Walker> walker_;
  std::size_t roles_;
  std::vector<Move> joint_;  // of the random game
};

}  // namespace

base::Result<std::vector<ChoicePosition>> random_positions(const search::Simulator& simulator,
                                                           const eval::StateValues& values,
                                                           std::size_t count, std::uint64_t seed) {
  constexpr std::size_t max_games_without = 1'000;
  Examiner examiner(simulator, values);
  base::Random random(seed);
  std::vector<ChoicePosition> positions;
  for (std::size_t without = 0; positions.size() < count;) {
    auto position = examiner.position_of_game(simulator.initial(), random);
    if (!position) {
      if (++without < max_games_without) continue;
      return base::fail(base::ErrorKind::not_applicable,
                        "no position with a choice for exactly one role was found in random games");
    }
    const auto decisive = examiner.is_decisive(*position);
    if (!decisive) return tl::unexpected(decisive.error());
    position->is_decisive = *decisive;
    positions.push_back(std::move(*position));
  }
  return positions;
}

base::Result<Strength> measure_strength(const std::shared_ptr<const search::Simulator>& simulator,
                                        const eval::StateValues& values, const AgentSpec& spec,
                                        const std::vector<ChoicePosition>& positions,
                                        std::uint64_t seed, const std::stop_token& stop) {
  Examiner examiner(*simulator, values);
  const AgentSpec chosen = resolved(spec, {simulator, 0, seed});  // once for all positions
  std::uint64_t kept = 0, decisive = 0, kept_of_decisive = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (stop.stop_requested()) {
      return base::fail(base::ErrorKind::time_limit, "cancelled before all positions were tried");
    }
    auto agent = make_agent(chosen, {simulator, positions[i].role, seed + i});
    if (!agent) return tl::unexpected(agent.error());
    const Move move = (*agent)->choose(positions[i].state, std::nullopt);
    if (auto error = (*agent)->read_error()) return tl::unexpected(std::move(*error));
    const auto keeps = examiner.keeps_value(positions[i], move);
    if (!keeps) return tl::unexpected(keeps.error());
    kept += *keeps;
    decisive += positions[i].is_decisive;
    kept_of_decisive += *keeps && positions[i].is_decisive;
  }
  return Strength{base::share_95(kept, positions.size()),
                  base::share_95(kept_of_decisive, decisive), decisive};
}

}  // namespace zermelo::play
