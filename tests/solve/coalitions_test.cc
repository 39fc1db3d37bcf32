// Coalitions beside an independent computation: brute force over all pure strategies of both sides
// where the roles take turns, and results that are known from the literature.
#include "solve/simultaneous/coalitions.h"

#include <cmath>
#include <map>
#include <numeric>

#include "machine/perft.h"
#include "solve/load_game.h"

namespace zermelo::solve {
namespace {

CoalitionValues coalitions_of(const MachinePointer& machine) {
  return coalition_values(machine, {}).value();
}

// A small game of three roles who take turns: each chooses left or right once, and the rewards
// depend on all three choices.
std::string three_choices() {
  std::string rules = R"(
    (role a) (role b) (role c)
    (then a b) (then b c)
    (choice left) (choice right)
    (init (turn a))
    (<= (legal ?r ?m) (true (turn ?r)) (choice ?m))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (turn ?s)) (true (turn ?r)) (then ?r ?s))
    (<= (next (turn nobody)) (true (turn c)))
    (<= (next (chose ?r ?m)) (does ?r ?m) (choice ?m))
    (<= (next (chose ?r ?m)) (true (chose ?r ?m)))
    (<= terminal (true (turn nobody)))
  )";
  // Rewards without any symmetry.
  for (int joint = 0; joint < 8; ++joint) {
    std::string condition;
    for (int role = 0; role < 3; ++role) {
      condition +=
          std::string("(true (chose ") + "abc"[role] + (joint >> role & 1 ? " right))" : " left))");
    }
    for (int role = 0; role < 3; ++role) {
      const int reward = (joint * 37 + role * 53 + joint * role * 11) % 101;
      rules += std::string("(<= (goal ") + "abc"[role] + " " + std::to_string(reward) + ") " +
               condition + ")\n";
    }
  }
  return rules;
}

// The value of a coalition by trying every pair of pure strategies: a strategy fixes a move in
// every state in which its side decides. In a game with perfect information this is the value.
class BruteForce {
 public:
  explicit BruteForce(MachinePointer machine) : stepper_(machine) {
    collect(stepper_.initial_state());
  }

  double value(Coalition coalition) {
    double best = -1e300;
    for_each_strategy(coalition, [&](const Plan& own) {
      double worst = 1e300;
      const Coalition rest = ((Coalition{1} << stepper_.roles().size()) - 1) & ~coalition;
      for_each_strategy(rest, [&](const Plan& other) {
        worst = std::min(worst, outcome(own, other, coalition));
      });
      best = std::max(best, worst);
    });
    return best;
  }

 private:
  using Plan = std::map<std::size_t, std::size_t>;  // by state, the place of the move

  void collect(const machine::State& state) {
    if (stepper_.terminal(state)) return;
    const auto legal = machine::all_legal_moves(stepper_, state);
    for (std::size_t role = 0; role < legal.size(); ++role) {
      if (legal[role].size() > 1) {
        states_.push_back(state);
        movers_.push_back(role);
        moves_.push_back(legal[role].size());
      }
    }
    machine::for_each_joint_move(legal, [&](std::span<const machine::Move> joint) {
      collect(stepper_.next_state(state, joint));
      return true;
    });
  }

  template <class Visit>
  void for_each_strategy(Coalition side, Visit visit) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (side >> movers_[i] & 1) own.push_back(i);
    }
    Plan plan;
    for (const std::size_t i : own) plan[i] = 0;
    while (true) {
      visit(plan);
      std::size_t k = 0;
      while (k < own.size() && ++plan[own[k]] == moves_[own[k]]) plan[own[k++]] = 0;
      if (k == own.size()) return;
    }
  }

  double outcome(const Plan& own, const Plan& other, Coalition coalition) {
    machine::State state = stepper_.initial_state();
    while (!stepper_.terminal(state)) {
      const auto legal = machine::all_legal_moves(stepper_, state);
      std::vector<machine::Move> joint;
      for (const auto& moves : legal) joint.push_back(moves.front());
      for (std::size_t i = 0; i < states_.size(); ++i) {
        if (!(states_[i] == state)) continue;
        const Plan& plan = coalition >> movers_[i] & 1 ? own : other;
        joint[movers_[i]] = legal[movers_[i]][plan.at(i)];
      }
      state = stepper_.next_state(state, joint);
    }
    double sum = 0;
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      if (coalition >> role & 1) sum += stepper_.goals(state, role).at(0);
    }
    return sum;
  }

  machine::Stepper stepper_;
  std::vector<machine::State> states_;  // in which a role decides
  std::vector<std::size_t> movers_, moves_;
};

TEST(Coalitions, AgreeWithBruteForceOverStrategies) {
  const MachinePointer machine = from_text(three_choices());
  const CoalitionValues values = coalitions_of(machine);
  BruteForce brute_force(machine);
  for (Coalition c = 1; c <= values.everybody(); ++c) {
    EXPECT_EQ(values.low[c], values.high[c]);
    EXPECT_EQ(values.low[c], brute_force.value(c)) << c;
  }
  EXPECT_FALSE(superadditivity_violation(values));
}

TEST(Coalitions, TheMajorityGameHasAnEmptyCore) {
  const CoalitionValues values = coalitions_of(shipped("majority"));
  for (const Coalition one : {1u, 2u, 4u}) EXPECT_NEAR(values.value(one), 0, 1e-9);
  for (const Coalition two : {3u, 5u, 6u, 7u}) EXPECT_NEAR(values.value(two), 100, 1e-9);
  for (const double share : shapley_values(values)) EXPECT_NEAR(share, 100.0 / 3, 1e-9);
  const auto core = least_core(values, {});
  ASSERT_TRUE(core);
  EXPECT_TRUE(core->core_is_empty());
  EXPECT_NEAR(core->excess, -100.0 / 3, 1e-6);
}

TEST(Coalitions, InTheGloveMarketTheCoreGivesAllToTheScarceGlove) {
  const CoalitionValues values = coalitions_of(shipped("glove_market"));
  EXPECT_NEAR(values.value(0b011), 100, 1e-9);
  EXPECT_NEAR(values.value(0b110), 0, 1e-9);
  const auto shapley = shapley_values(values);
  EXPECT_NEAR(shapley[0], 200.0 / 3, 1e-9);
  EXPECT_NEAR(shapley[1], 50.0 / 3, 1e-9);
  const auto core = least_core(values, {});
  ASSERT_TRUE(core);
  EXPECT_FALSE(core->core_is_empty());
  EXPECT_NEAR(core->shares[0], 100, 1e-6);
}

// A heap without the rules of the game: the mover is determined by the number of moves.
double nim_value(int heap, int mover, unsigned coalition) {
  if (heap == 0) {
    return (coalition >> (mover + 2) % 3 & 1 ? 100 : 0) +
           (coalition >> (mover + 1) % 3 & 1 ? 50 : 0);
  }
  const bool own = coalition >> mover & 1;
  double best = own ? -1 : 1000;
  for (int take = 1; take <= std::min(heap, 3); ++take) {
    const double next = nim_value(heap - take, (mover + 1) % 3, coalition);
    best = own ? std::max(best, next) : std::min(best, next);
  }
  return best;
}

TEST(Coalitions, ThreePlayerNimAgreesWithARecursionWithoutItsRules) {
  const CoalitionValues values = coalitions_of(shipped("three_player_nim"));
  for (Coalition c = 1; c <= values.everybody(); ++c) {
    EXPECT_EQ(values.low[c], nim_value(10, 0, c)) << c;
  }
  const auto shapley = shapley_values(values);
  EXPECT_NEAR(std::accumulate(shapley.begin(), shapley.end(), 0.0), values.value(7), 1e-9);
}

// By its definition: the mean over all orders of joining.
TEST(Coalitions, TheShapleyValueIsTheMeanOverAllOrders) {
  const CoalitionValues values = coalitions_of(from_text(three_choices()));
  std::vector<std::size_t> order = {0, 1, 2};
  std::vector<double> sums(3);
  int orders = 0;
  do {
    Coalition joined = 0;
    for (const std::size_t role : order) {
      const Coalition with = joined | Coalition{1} << role;
      sums[role] += values.value(with) - (joined == 0 ? 0 : values.value(joined));
      joined = with;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  const auto shapley = shapley_values(values);
  for (std::size_t role = 0; role < 3; ++role)
    EXPECT_NEAR(shapley[role], sums[role] / orders, 1e-9);
}

TEST(Coalitions, CyclesAreRefused) {
  const auto values = coalition_values(from_text(R"(
    (role a) (init here) (move stay) (move leave)
    (<= (legal a ?m) (move ?m))
    (<= (next here) (does a stay))
    (<= terminal (not (true here)))
    (goal a 50)
  )"),
                                       {});
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().kind, base::ErrorKind::not_applicable);
}

}  // namespace
}  // namespace zermelo::solve
