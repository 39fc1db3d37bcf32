// Simulators on the reference engine, whose states are numbers of fluents.
#include "search/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "gdl/read_rules.h"
#include "support/load.h"

namespace zermelo::search {
namespace {

using Shared = std::shared_ptr<const Simulator>;

// Makes random moves to the end; calls visit(walker) before each of them and at the end.
template <class Visit>
void play_randomly(const Simulator& simulator, std::uint64_t seed, Visit visit) {
  base::Random random(seed);
  const auto walker = simulator.walker();
  walker->go_to(simulator.initial());
  visit(*walker);
  for (; !walker->terminal(); visit(*walker)) {
    std::vector<Move> joint;
    for (std::size_t role = 0; role < simulator.roles().size(); ++role) {
      const auto legal = walker->legal(role);
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    walker->make(joint);
  }
}

TEST(ReferenceSimulator, StatesAreRestored) {
  for (const char* name : {"nim", "tic_tac_toe", "goofspiel", "numbers/farmer"}) {
    const Shared simulator = make_reference_simulator(testing::shipped_rules(name)).value();
    const auto other = simulator->walker();
    play_randomly(*simulator, 7, [&](Walker& walker) {
      const State state = walker.state();
      other->go_to(state);
      EXPECT_EQ(other->state(), state);
      EXPECT_EQ(other->terminal(), walker.terminal());
      EXPECT_EQ(simulator->fluent_names(other->state()), simulator->fluent_names(state));
      for (std::size_t role = 0; role < simulator->roles().size(); ++role) {
        EXPECT_EQ(other->goal(role), walker.goal(role));
      }
    });
  }
}

// The numbers of Coalition Farmer are new in every game. States must not grow with them.
TEST(ReferenceSimulator, StatesStayShortInGamesWithNewNumbers) {
  const Shared simulator =
      make_reference_simulator(testing::shipped_rules("numbers/coalition_farmer")).value();
  std::size_t longest = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    play_randomly(*simulator, seed, [&](Walker& walker) {
      longest = std::max(longest, walker.state().words().size());
    });
  }
  EXPECT_LE(longest, 16u);  // at most 8 prices and gold, 18 things and the step, two in a word
}

TEST(Simulator, GamesWithFewNumbersAreGroundedAndOthersAreNot) {
  const auto rules = testing::shipped_rules("numbers/farmer");
  std::string text(rules->source->text());
  const std::string end = "(true (step 10))";
  text.replace(text.find(end), end.size(), "(true (step 3))");
  const Shared grounded = make_simulator(testing::rulesheet(text), {}).value();
  EXPECT_TRUE(grounded->machine());
  const Shared other =
      make_simulator(testing::shipped_rules("numbers/coalition_farmer"), {}).value();
  EXPECT_FALSE(other->machine());
}

}  // namespace
}  // namespace zermelo::search
