#include "play/equilibrium_agent.h"

#include "play/folder_values.h"
#include "search/regret_matching.h"
#include "solve/folder/equilibrium_reader.h"

namespace zermelo::play {
namespace {

// The probability of each move of a role.
std::vector<double> move_probabilities(const solve::Equilibrium& equilibrium,
                                       const std::vector<std::size_t>& moves, std::size_t role) {
  std::vector<double> probabilities(moves[role], 0.0);
  if (equilibrium.joint.empty()) {
    for (const solve::Choice& choice : equilibrium.strategies[role]) {
      probabilities[choice.move] += choice.probability;
    }
    return probabilities;
  }
  std::size_t stride = 1;  // the move of the first role varies fastest
  for (std::size_t before = 0; before < role; ++before) stride *= moves[before];
  for (const solve::Choice& choice : equilibrium.joint) {
    probabilities[choice.move / stride % moves[role]] += choice.probability;
  }
  return probabilities;
}

class EquilibriumAgent : public Agent {
 public:
  EquilibriumAgent(const Seat& seat, solve::EquilibriumReader solution)
      : walker_(seat.simulator->walker()),
        roles_(seat.simulator->roles().size()),
        role_(seat.role),
        random_(seat.seed),
        solution_(std::move(solution)) {}

  Move choose(const State& state, std::optional<Seconds>) override {
    walker_->go_to(state);
    const std::span<const Move> legal = walker_->legal(role_);
    if (legal.size() == 1) return legal.front();
    const auto stored = solution_.equilibrium(state, near_);
    if (!stored) {
      const bool is_unknown = stored.error().kind == base::ErrorKind::not_applicable;
      if (!is_unknown && !read_error_) read_error_ = stored.error();
      return legal.front();
    }
    near_ = stored->layer;
    return legal[draw_move(stored->equilibrium)];
  }

  std::optional<base::Error> read_error() const override { return read_error_; }

 private:
  std::size_t draw_move(const solve::Equilibrium& equilibrium) {
    std::vector<std::size_t> moves;
    for (std::size_t role = 0; role < roles_; ++role) moves.push_back(walker_->legal(role).size());
    if (!solve::strategies_fit(equilibrium, moves)) {
      read_error_ = base::Error{base::ErrorKind::unreadable_input,
                                "the solution has a strategy with a move that is not legal"};
      return 0;
    }
    return search::draw(move_probabilities(equilibrium, moves, role_), random_);
  }

  std::unique_ptr<search::Walker> walker_;
  std::size_t roles_;
  std::size_t role_;
  base::Random random_;
  solve::EquilibriumReader solution_;
  std::size_t near_ = 0;  // layer of the last state that was found
  std::optional<base::Error> read_error_;
};

}  // namespace

base::Result<std::unique_ptr<Agent>> make_equilibrium_agent(const std::filesystem::path& folder,
                                                            const Seat& seat) {
  auto machine = seat.simulator->machine();
  if (auto same = require_rules_of(folder, machine.get()); !same) {
    return tl::unexpected(same.error());
  }
  auto solution = solve::EquilibriumReader::open(folder, std::move(machine));
  if (!solution) return tl::unexpected(solution.error());
  return std::make_unique<EquilibriumAgent>(seat, std::move(*solution));
}

}  // namespace zermelo::play
