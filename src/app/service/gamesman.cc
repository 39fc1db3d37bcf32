#include "app/service/gamesman.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/position.h"
#include "app/service/position_view.h"

namespace zermelo::app {
namespace {

constexpr const char* unsolved = "unsolved";

std::string position_text(const search::Simulator& simulator, const search::State& state) {
  return fmt::format("{}", fmt::join(simulator.fluent_names(state), " "));
}

// A drawn end is a tie; a draw has no end.
std::string gamesman_value(const search::Simulator& simulator, const solve::Rewards& rewards,
                           std::size_t role) {
  switch (outcome_of(simulator, rewards, role)) {
    case Outcome::win:
      return "win";
    case Outcome::draw:
      return "tie";
    case Outcome::lose:
      return "lose";
    case Outcome::endless:
      return "draw";
  }
  return unsolved;
}

int remoteness_of(const solve::Rewards& rewards, std::optional<std::uint32_t> distance) {
  if (rewards.empty()) return GamesmanPosition::endless;
  return distance ? static_cast<int>(*distance) : GamesmanPosition::unknown;
}

class GamesmanViewer {
 public:
  GamesmanViewer(const OpenGame& game, const search::State& state)
      : game_(game), simulator_(*game.simulator()), state_(state), walker_(simulator_.walker()) {
    walker_->go_to(state);
  }

  GamesmanPosition view() {
    GamesmanPosition result;
    result.position = position_text(simulator_, state_);
    result.value = unsolved;
    const bool is_solved =
        game_.with_solution([&](solve::SolutionReader& solution) { add_values(solution, result); });
    if (!is_solved && !walker_->terminal()) list_moves(result);
    return result;
  }

 private:
  void list_moves(GamesmanPosition& result) {
    const std::size_t role = deciding_roles(game_, *walker_).front();
    const auto legal = walker_->legal(role);
    for (const search::Move move : std::vector<search::Move>(legal.begin(), legal.end())) {
      result.moves.push_back({simulator_.move_name(move),
                              position_text(simulator_, state_after(role, move)), unsolved,
                              unsolved, GamesmanPosition::unknown, 0});
    }
  }

  search::State state_after(std::size_t role, search::Move move) {
    std::vector<search::Move> joint;
    for (std::size_t other = 0; other < game_.roles().size(); ++other) {
      joint.push_back(other == role ? move : walker_->legal(other)[0]);
    }
    walker_->make(joint);
    const search::State after = walker_->state();
    walker_->unmake();
    return after;
  }

  void add_values(solve::SolutionReader& solution, GamesmanPosition& result) {
    const auto stored = solution.position(state_, 0);
    if (!stored) return;
    const std::size_t role = stored->turn.value_or(0);
    result.value = gamesman_value(simulator_, stored->value.rewards, role);
    result.remoteness = remoteness_of(stored->value.rewards, stored->value.distance);
    for (const solve::MoveValue& move : stored->moves) {
      const search::State next = state_after(role, move.move);
      const auto after = solution.position(next, stored->value.layer + 1);
      const std::size_t next_role = after && after->turn ? *after->turn : other_role(role);
      result.moves.push_back({simulator_.move_name(move.move), position_text(simulator_, next),
                              gamesman_value(simulator_, move.rewards, next_role),
                              gamesman_value(simulator_, move.rewards, role),
                              remoteness_of(move.rewards, move.distance), 0});
    }
    for (GamesmanPosition::Move& move : result.moves) {
      const auto best = std::find_if(
          result.moves.begin(), result.moves.end(),
          [&](const GamesmanPosition::Move& other) { return other.value == move.value; });
      move.delta = std::abs(move.remoteness - best->remoteness);
    }
  }

  std::size_t other_role(std::size_t role) const { return (role + 1) % game_.roles().size(); }

  const OpenGame& game_;
  const search::Simulator& simulator_;
  const search::State state_;
  std::unique_ptr<search::Walker> walker_;
};

}  // namespace

std::string gamesman_start(const OpenGame& game) {
  return position_text(*game.simulator(), game.simulator()->initial());
}

base::Result<GamesmanPosition> gamesman_position(const OpenGame& game,
                                                 const std::string& position) {
  const auto machine = game.simulator()->machine();
  if (!machine) return base::fail(base::ErrorKind::not_applicable, "the game is too large");
  const auto found = position_of(*machine, position);
  if (!found) return base::fail(base::ErrorKind::invalid_request, "not a position of the game");
  for (std::size_t role = 0; role < game.roles().size(); ++role) {
    machine::Stepper stepper(machine);
    if (!stepper.terminal(found->state) && stepper.legal_moves(found->state, role).empty()) {
      return base::fail(base::ErrorKind::invalid_request, "not a position of the game");
    }
  }
  return GamesmanViewer(game, found->state).view();
}

}  // namespace zermelo::app
