// Which equilibrium is selected, if there are several. The rule is deterministic:
//
// 1. Moves that another move strictly dominates are removed, repeatedly. This removes no
//    equilibrium of any kind.
// 2. If there is an equilibrium in pure strategies, the one with the largest sum of payoffs is
//    taken; among equal sums, the one with the larger payoff of the first role, of the second and
//    so on; then the first one in the order of joint moves.
// 3. Otherwise, with two roles, equilibria in mixed strategies are searched by support enumeration
//    (Porter, Nudelman and Shoham, "Simple Search Methods for Finding a Nash Equilibrium"): pairs
//    of supports of equal size, small ones first, in lexicographic order. A pair is skipped if a
//    move of one support is strictly dominated while the other role keeps to its support. Two
//    linear programs decide whether mixtures over the supports make all their moves best responses.
//    Equal sizes suffice: in a degenerate game, some equilibrium is the limit of equilibria with
//    equal supports of games with slightly different payoffs, and the programs permit probabilities
//    0. Systems of equations would be faster, but have no unique solution in degenerate games,
//    which are the rule here: many states of a game have the same value.
// 4. Otherwise (three or more roles, or too many supports) a correlated equilibrium (Aumann 1974)
//    with the largest sum of payoffs is taken. It always exists and is the solution of one linear
//    program: a distribution over joint moves such that a role that is told its own move cannot
//    gain by making another one.
//
// Payoffs that differ by less than payoff_tolerance count as equal.

#include "solve/simultaneous/normal_form.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "solve/simultaneous/linear_program.h"

namespace zermelo::solve {
namespace {

using MoveNumbers = std::vector<std::size_t>;
using Relation = LinearProgram::Relation;
using Arithmetic = LinearProgram::Arithmetic;

// Beyond this number of pairs of supports, correlated equilibria take over.
constexpr std::size_t max_support_pairs = 20'000;

std::vector<std::size_t> strides_of(const NormalForm& game) {
  std::vector<std::size_t> strides;
  std::size_t stride = 1;
  for (const std::size_t moves : game.moves) {
    strides.push_back(stride);
    stride *= moves;
  }
  return strides;
}

// Calls visit(joint) for every joint move of the listed moves, the first role fastest, until it
// returns false. Returns whether all were visited. `fixed` is a role that keeps its first move.
template <class Visit>
bool for_each_joint(const std::vector<MoveNumbers>& moves, const std::vector<std::size_t>& strides,
                    std::optional<std::size_t> fixed, Visit visit) {
  std::vector<std::size_t> place(moves.size());
  while (true) {
    std::size_t joint = 0;
    for (std::size_t role = 0; role < moves.size(); ++role) {
      joint += moves[role][place[role]] * strides[role];
    }
    if (!visit(joint)) return false;
    std::size_t role = 0;
    for (; role < moves.size(); ++role) {
      if (role == fixed) continue;
      if (++place[role] < moves[role].size()) break;
      place[role] = 0;
    }
    if (role == moves.size()) return true;
  }
}

class EquilibriumSearch {
 public:
  EquilibriumSearch(const NormalForm& game, const base::Limits& limits)
      : game_(game), limits_(limits), strides_(strides_of(game)) {
    for (const std::size_t moves : game.moves) {
      alive_.emplace_back(moves);
      std::iota(alive_.back().begin(), alive_.back().end(), 0);
    }
  }

  Profile run() {
    remove_dominated();
    if (const auto joint = best_pure()) return pure_profile(*joint);
    if (game_.roles() == 2) {
      if (auto profile = mixed()) return std::move(*profile);
    }
    return correlated();
  }

 private:
  std::size_t move_in(std::size_t joint, std::size_t role) const {
    return joint / strides_[role] % game_.moves[role];
  }
  double payoff_after(std::size_t joint, std::size_t role, std::size_t move) const {
    return game_.payoff(joint + (move - move_in(joint, role)) * strides_[role], role);
  }

  // Whether move a is better than b for the role, whatever the others do among the listed moves.
  bool dominates(const std::vector<MoveNumbers>& moves, std::size_t role, std::size_t a,
                 std::size_t b) const {
    return for_each_joint(moves, strides_, role, [&](std::size_t joint) {
      return payoff_after(joint, role, a) > payoff_after(joint, role, b) + payoff_tolerance;
    });
  }

  void remove_dominated() {
    bool changed = true;
    while (changed && !limits_.exceeded()) {
      changed = false;
      for (std::size_t role = 0; role < game_.roles(); ++role) {
        const MoveNumbers before = alive_[role];
        const auto is_dominated = [&](std::size_t move) {
          return std::any_of(before.begin(), before.end(), [&](std::size_t other) {
            return other != move && dominates(alive_, role, other, move);
          });
        };
        MoveNumbers left;
        for (const std::size_t move : before) {
          if (!is_dominated(move)) left.push_back(move);
        }
        changed = changed || left.size() < before.size();
        alive_[role] = std::move(left);
      }
    }
  }

  bool is_pure_equilibrium(std::size_t joint) const {
    for (std::size_t role = 0; role < game_.roles(); ++role) {
      const double now = game_.payoff(joint, role) + payoff_tolerance;
      if (std::any_of(alive_[role].begin(), alive_[role].end(),
                      [&](std::size_t move) { return payoff_after(joint, role, move) > now; })) {
        return false;
      }
    }
    return true;
  }

  double total(std::size_t joint) const {
    double sum = 0;
    for (std::size_t role = 0; role < game_.roles(); ++role) sum += game_.payoff(joint, role);
    return sum;
  }

  // By the sum of payoffs, then role by role.
  bool is_selected_before(std::size_t a, std::size_t b) const {
    const double difference = total(a) - total(b);
    if (std::abs(difference) > payoff_tolerance) return difference > 0;
    for (std::size_t role = 0; role < game_.roles(); ++role) {
      const double of_role = game_.payoff(a, role) - game_.payoff(b, role);
      if (std::abs(of_role) > payoff_tolerance) return of_role > 0;
    }
    return false;
  }

  std::optional<std::size_t> best_pure() const {
    std::optional<std::size_t> best;
    for_each_joint(alive_, strides_, std::nullopt, [&](std::size_t joint) {
      if (is_pure_equilibrium(joint) && (!best || is_selected_before(joint, *best))) best = joint;
      return true;
    });
    return best;
  }

  Profile pure_profile(std::size_t joint) const {
    Profile profile;
    for (std::size_t role = 0; role < game_.roles(); ++role) {
      profile.strategies.push_back({{static_cast<std::uint32_t>(move_in(joint, role)), 1}});
    }
    return profile;
  }

  // A mixture of `role` over its support that makes all moves of the other's support best
  // responses; empty if there is none.
  MixedStrategy balancing(std::size_t role, const std::vector<MoveNumbers>& supports,
                          Arithmetic arithmetic) const {
    const std::size_t other = 1 - role;
    const MoveNumbers& support = supports[role];
    std::vector<double> objective(support.size() + 1, 0.0);
    objective.back() = 1;
    LinearProgram program(objective);
    program.set_free(support.size());
    for (const std::size_t answer : alive_[other]) {
      std::vector<double> row;
      for (const std::size_t move : support) {
        row.push_back(game_.payoff(move * strides_[role] + answer * strides_[other], other) /
                      scale_);
      }
      row.push_back(-1);
      const bool is_best =
          std::binary_search(supports[other].begin(), supports[other].end(), answer);
      program.add_row(std::move(row), is_best ? Relation::equal : Relation::at_most, 0);
    }
    std::vector<double> sum(support.size() + 1, 1.0);
    sum.back() = 0;
    program.add_row(std::move(sum), Relation::equal, 1);
    const auto solution = program.maximise(arithmetic, limits_);
    return solution ? strategy_of(solution->variables, support) : MixedStrategy();
  }

  static MixedStrategy strategy_of(const std::vector<double>& weights, const MoveNumbers& moves) {
    constexpr double smallest = 1e-12;
    MixedStrategy strategy;
    double sum = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (weights[i] < smallest) continue;
      strategy.push_back({static_cast<std::uint32_t>(moves[i]), weights[i]});
      sum += weights[i];
    }
    for (Choice& choice : strategy) choice.probability /= sum;
    return strategy;
  }

  // Whether some move of a support is dominated within the support of the other role.
  bool is_hopeless(const std::vector<MoveNumbers>& supports) const {
    for (std::size_t role = 0; role < 2; ++role) {
      for (const std::size_t move : supports[role]) {
        if (std::any_of(alive_[role].begin(), alive_[role].end(), [&](std::size_t other) {
              return other != move && dominates(supports, role, other, move);
            })) {
          return true;
        }
      }
    }
    return false;
  }

  std::optional<Profile> on_supports(const std::vector<MoveNumbers>& supports) const {
    for (const Arithmetic arithmetic : {Arithmetic::floating, Arithmetic::exact}) {
      Profile profile{SolutionConcept::nash,
                      {balancing(0, supports, arithmetic), balancing(1, supports, arithmetic)},
                      {}};
      if (profile.strategies[0].empty() || profile.strategies[1].empty()) return std::nullopt;
      if (largest_gain(game_, profile) <= payoff_tolerance * scale_) return profile;
    }
    return std::nullopt;
  }

  // Goes to the next subset of the same size in lexicographic order. Returns false after the last.
  static bool next_subset(MoveNumbers& places, std::size_t size) {
    for (std::size_t i = places.size(); i-- > 0;) {
      if (places[i] == size - places.size() + i) continue;
      ++places[i];
      for (std::size_t j = i + 1; j < places.size(); ++j) places[j] = places[j - 1] + 1;
      return true;
    }
    return false;
  }

  static MoveNumbers first_subset(std::size_t size) {
    MoveNumbers places(size);
    std::iota(places.begin(), places.end(), 0);
    return places;
  }

  MoveNumbers chosen(std::size_t role, const MoveNumbers& places) const {
    MoveNumbers moves;
    for (const std::size_t place : places) moves.push_back(alive_[role][place]);
    return moves;
  }

  std::optional<Profile> mixed() {
    for (const double payoff : game_.payoffs) scale_ = std::max(scale_, std::abs(payoff));
    const std::size_t largest = std::min(alive_[0].size(), alive_[1].size());
    std::size_t pairs = 0;
    for (std::size_t size = 2; size <= largest; ++size) {
      MoveNumbers rows = first_subset(size);
      do {
        MoveNumbers columns = first_subset(size);
        do {
          if (++pairs > max_support_pairs || limits_.exceeded()) return std::nullopt;
          const std::vector<MoveNumbers> supports = {chosen(0, rows), chosen(1, columns)};
          if (is_hopeless(supports)) continue;
          if (auto profile = on_supports(supports)) return profile;
        } while (next_subset(columns, alive_[1].size()));
      } while (next_subset(rows, alive_[0].size()));
    }
    return std::nullopt;
  }

  Profile correlated() const {
    MoveNumbers joints;
    std::vector<double> objective;
    for_each_joint(alive_, strides_, std::nullopt, [&](std::size_t joint) {
      joints.push_back(joint);
      objective.push_back(total(joint) / scale_);
      return true;
    });
    LinearProgram program(objective);
    for (std::size_t role = 0; role < game_.roles(); ++role) add_obedience(role, joints, program);
    program.add_row(std::vector<double>(joints.size(), 1.0), Relation::equal, 1);
    for (const Arithmetic arithmetic : {Arithmetic::floating, Arithmetic::exact}) {
      const auto solution = program.maximise(arithmetic, limits_);
      if (!solution) continue;
      Profile profile{SolutionConcept::correlated, {}, strategy_of(solution->variables, joints)};
      if (largest_gain(game_, profile) <= payoff_tolerance * scale_) return profile;
    }
    return {};
  }

  // A role that is told a move gains nothing by any other one.
  void add_obedience(std::size_t role, const MoveNumbers& joints, LinearProgram& program) const {
    for (const std::size_t told : alive_[role]) {
      for (const std::size_t other : alive_[role]) {
        if (other == told) continue;
        std::vector<double> row;
        for (const std::size_t joint : joints) {
          const double loss = game_.payoff(joint, role) - payoff_after(joint, role, other);
          row.push_back(move_in(joint, role) == told ? loss / scale_ : 0);
        }
        program.add_row(std::move(row), Relation::at_least, 0);
      }
    }
  }

  const NormalForm& game_;
  const base::Limits& limits_;
  std::vector<std::size_t> strides_;
  std::vector<MoveNumbers> alive_;  // by role, not dominated, ascending
  double scale_ = 1;                // the largest payoff
};

// Calls visit(joint, probability) for every joint move of a profile of independent strategies.
template <class Visit>
void for_each_outcome(const Profile& profile, const std::vector<std::size_t>& strides,
                      Visit visit) {
  std::vector<std::size_t> place(profile.strategies.size());
  while (true) {
    std::size_t joint = 0;
    double probability = 1;
    for (std::size_t role = 0; role < place.size(); ++role) {
      const Choice& choice = profile.strategies[role][place[role]];
      joint += choice.move * strides[role];
      probability *= choice.probability;
    }
    visit(joint, probability);
    std::size_t role = 0;
    while (role < place.size() && ++place[role] == profile.strategies[role].size()) {
      place[role++] = 0;
    }
    if (role == place.size()) return;
  }
}

// What the role gets by always answering `told` (any move if nullopt) with `answer`, otherwise
// obeying.
double gain_by(const NormalForm& game, const MixedStrategy& joint,
               const std::vector<std::size_t>& strides, std::size_t role,
               std::optional<std::size_t> told, std::size_t answer) {
  double gain = 0;
  for (const Choice& choice : joint) {
    const std::size_t move = choice.move / strides[role] % game.moves[role];
    if (told && move != *told) continue;
    const std::size_t changed = choice.move + (answer - move) * strides[role];
    gain += choice.probability * (game.payoff(changed, role) - game.payoff(choice.move, role));
  }
  return gain;
}

}  // namespace

Profile find_equilibrium(const NormalForm& game, const base::Limits& limits) {
  return EquilibriumSearch(game, limits).run();
}

double largest_gain(const NormalForm& game, const Profile& profile) {
  const std::vector<std::size_t> strides = strides_of(game);
  MixedStrategy joint = profile.joint;
  if (!profile.strategies.empty()) {
    for_each_outcome(profile, strides, [&](std::size_t move, double probability) {
      joint.push_back({static_cast<std::uint32_t>(move), probability});
    });
  }
  double largest = 0;
  for (std::size_t role = 0; role < game.roles(); ++role) {
    for (std::size_t answer = 0; answer < game.moves[role]; ++answer) {
      if (!profile.strategies.empty()) {
        largest = std::max(largest, gain_by(game, joint, strides, role, std::nullopt, answer));
        continue;
      }
      for (std::size_t told = 0; told < game.moves[role]; ++told) {
        largest = std::max(largest, gain_by(game, joint, strides, role, told, answer));
      }
    }
  }
  return largest;
}

}  // namespace zermelo::solve
