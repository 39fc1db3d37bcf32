// Beliefs beside the rounds of all developments.
#include "know/belief.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "know/developments.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::know {
namespace {

constexpr std::size_t most_compared_worlds = 2000;

// One random game, with all that is possible besides.
class Play {
 public:
  Play(const testing::MachinePointer& machine, std::uint64_t seed)
      : machine_(machine), developments_(machine, {}), stepper_(machine), random_(seed) {
    state_ = stepper_.initial_state();
    look();
  }

  // Makes a random joint move. Returns false at the end, or if there are too many worlds.
  bool step() {
    if (stepper_.terminal(state_) || developments_.last().worlds.size() > most_compared_worlds)
      return false;
    joint_.clear();
    for (std::size_t role = 0; role < machine_->roles().size(); ++role) {
      const auto legal = stepper_.legal_moves(state_, role);
      joint_.push_back(legal[random_.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    before_ = state_;
    state_ = stepper_.next_state(state_, joint_);
    if (!developments_.advance().value()) return false;
    world_ = developments_.successor(world_, joint_).value();
    follow_weights();
    look();
    return true;
  }

  Move move(std::size_t role) const { return joint_[role]; }
  std::vector<base::Percept> percepts(std::size_t role) {
    return stepper_.percepts(before_, joint_, role);
  }
  const machine::State& state() const { return state_; }

  // The worlds that the agent cannot tell from the true one: their states with their probability.
  std::multimap<std::size_t, double> possible(std::size_t agent) const {
    const Round& round = developments_.last();
    std::multimap<std::size_t, double> result;
    double sum = 0;
    for (std::size_t w = 0; w < round.worlds.size(); ++w) {
      if (round.information[agent][w] == round.information[agent][world_])
        sum += weights_[agent][w];
    }
    for (std::size_t w = 0; w < round.worlds.size(); ++w) {
      if (round.information[agent][w] != round.information[agent][world_]) continue;
      result.emplace(round.states[round.worlds[w].state].hash(), weights_[agent][w] / sum);
    }
    return result;
  }

  const std::vector<std::uint32_t>& agents() const { return developments_.agents(); }

 private:
  // The numbers of legal moves in the last round.
  void look() {
    const Round& round = developments_.last();
    if (weights_.empty()) weights_.assign(agents().size(), {1.0});
    shares_.assign(agents().size(), std::vector<double>(round.worlds.size()));
    for (std::size_t w = 0; w < round.worlds.size(); ++w) {
      const machine::State& state = round.states[round.worlds[w].state];
      if (stepper_.terminal(state)) continue;
      for (std::size_t agent = 0; agent < agents().size(); ++agent) {
        double share = weights_[agent][w];
        for (std::size_t role = 0; role < machine_->roles().size(); ++role) {
          if (role == agents()[agent]) continue;
          share /= static_cast<double>(stepper_.legal_moves(state, role).size());
        }
        shares_[agent][w] = share;
      }
    }
  }

  // The agent's own moves are certain, those of the others equally likely.
  void follow_weights() {
    for (std::size_t agent = 0; agent < agents().size(); ++agent) {
      weights_[agent].assign(developments_.last().worlds.size(), 0.0);
      for (const Developments::Edge& edge : developments_.edges())
        weights_[agent][edge.to] += shares_[agent][edge.from];
    }
  }

  testing::MachinePointer machine_;
  Developments developments_;
  machine::Stepper stepper_;
  base::Random random_;
  machine::State state_, before_;
  std::vector<Move> joint_;
  std::uint32_t world_ = 0;
  std::vector<std::vector<double>> weights_, shares_;  // by agent and world
};

std::vector<std::pair<std::size_t, double>> sorted(const std::multimap<std::size_t, double>& map) {
  std::vector<std::pair<std::size_t, double>> result(map.begin(), map.end());
  std::sort(result.begin(), result.end());
  return result;
}

void compare(const testing::MachinePointer& machine, std::uint64_t seed, const std::string& name) {
  Play play(machine, seed);
  std::vector<Belief> beliefs;
  BeliefOptions all;
  all.max_worlds = all.max_steps = 100'000'000;
  for (const std::uint32_t role : play.agents()) beliefs.emplace_back(machine, role, all);
  for (std::size_t round = 1; play.step(); ++round) {
    for (std::size_t agent = 0; agent < beliefs.size(); ++agent) {
      const std::uint32_t role = play.agents()[agent];
      beliefs[agent].observe(play.move(role), play.percepts(role));
      ASSERT_TRUE(beliefs[agent].is_exact()) << name;
      std::multimap<std::size_t, double> found;
      for (const PossibleWorld& world : beliefs[agent].worlds())
        found.emplace(world.state.hash(), world.weight);
      const auto one = sorted(found), other = sorted(play.possible(agent));
      ASSERT_EQ(one.size(), other.size()) << name << " round " << round;
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].first, other[i].first) << name;
        EXPECT_NEAR(one[i].second, other[i].second, 1e-9) << name;
      }
    }
  }
}

TEST(Belief, IsTheInformationSetOfShippedGames) {
  for (const char* name : {"kuhn_poker", "leduc_poker", "liars_dice", "meier", "monty_hall",
                           "two_generals", "dining_cryptographers", "mastermind"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      compare(testing::shipped(std::string("hidden/") + name), seed, name);
  }
}

TEST(Belief, IsTheInformationSetOfGeneratedGames) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    compare(testing::from_text(testing::random_hidden_game(seed)), seed, std::to_string(seed));
}

// Samples contain only what is possible, also if they die out and the play is replayed.
TEST(Belief, SamplesArePossible) {
  std::size_t inexact = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto machine = testing::from_text(testing::random_hidden_game(seed));
    Play play(machine, seed);
    BeliefOptions few;
    few.max_worlds = 3;
    few.max_steps = 1 + seed % 8;
    std::vector<Belief> beliefs;
    for (const std::uint32_t role : play.agents()) beliefs.emplace_back(machine, role, few);
    while (play.step()) {
      for (std::size_t agent = 0; agent < beliefs.size(); ++agent) {
        const std::uint32_t role = play.agents()[agent];
        beliefs[agent].observe(play.move(role), play.percepts(role));
        inexact += beliefs[agent].is_exact() ? 0 : 1;
        ASSERT_FALSE(beliefs[agent].worlds().empty());
        const auto possible = play.possible(agent);
        for (const PossibleWorld& world : beliefs[agent].worlds())
          EXPECT_TRUE(possible.contains(world.state.hash())) << seed;
      }
    }
  }
  EXPECT_GE(inexact, 20u);
}

TEST(Belief, ExpectationsCount) {
  // After a bet of an opponent who bets only with the king, it has the king.
  const auto machine = testing::shipped("hidden/kuhn_poker");
  machine::Stepper stepper(machine);
  machine::State state = stepper.initial_state();
  Belief second(machine, 1, {});
  const auto move = [&](std::size_t role, const std::string& name) {
    for (const Move m : stepper.legal_moves(state, role)) {
      if (machine->move_name(m) == name) return m;
    }
    throw std::runtime_error(name);
  };
  InformationKey with_king = 0;
  for (const auto& names : {std::vector<std::string>{"noop", "noop", "(deal king)"},
                            std::vector<std::string>{"noop", "noop", "(deal queen)"},
                            std::vector<std::string>{"bet", "noop", "noop"}}) {
    std::vector<Move> joint;
    for (std::size_t role = 0; role < 3; ++role) joint.push_back(move(role, names[role]));
    if (names[0] == "bet") {
      const auto& worlds = second.worlds();
      ASSERT_EQ(worlds.size(), 2u);
      for (const PossibleWorld& world : worlds) {
        if (world.state == state) with_king = world.information[0];
      }
    }
    second.observe(joint[1], stepper.percepts(state, joint, 1),
                   [&](std::size_t, InformationKey information, Move, std::size_t) {
                     return information == with_king ? 1.0 : 0.0;
                   });
    state = stepper.next_state(state, joint);
  }
  for (const PossibleWorld& world : second.worlds())
    EXPECT_EQ(world.weight, world.state == state ? 1.0 : 0.0);
}

TEST(Belief, RejectsTheImpossible) {
  const auto machine = testing::shipped("hidden/kuhn_poker");
  Belief belief(machine, 0, {});
  const machine::Move noop =
      machine::Stepper(machine).legal_moves(machine::Stepper(machine).initial_state(), 0)[0];
  EXPECT_THROW(belief.observe(noop, {}), std::logic_error);  // the card is always seen
}

}  // namespace
}  // namespace zermelo::know
