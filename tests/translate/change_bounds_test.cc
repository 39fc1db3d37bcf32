// Bounds on what steps change: evaluating only what changes against evaluating everything.
#include "translate/toss/change_bounds.h"

#include <gtest/gtest.h>

#include "analysis/mutex_groups.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::translate::toss {
namespace {

struct BoundedGame {
  std::shared_ptr<const machine::Machine> machine;
  analysis::MutexGroups groups;

  ChangeBounds bounds(Reevaluation how) const {
    return bound_changes(machine->game(), groups, {}, how);
  }
};

BoundedGame bounded(const std::shared_ptr<const gdl::Rulesheet>& rules) {
  BoundedGame result;
  result.machine = machine::Machine::make(ground::ground(rules).value(), {}).value();
  result.groups = analysis::find_mutex_groups(result.machine);
  return result;
}

void expect_same(const BoundedGame& game) {
  const ChangeBounds fast = game.bounds(Reevaluation::changed);
  const ChangeBounds slow = game.bounds(Reevaluation::everything);
  EXPECT_EQ(fast.turn_taking, slow.turn_taking);
  EXPECT_EQ(fast.by_owner, slow.by_owner);
}

TEST(ChangeBounds, AreTheSameWithoutShortcuts) {
  for (const char* name : {"tic_tac_toe", "connect_four", "nim", "othello", "lights_out",
                           "rock_paper_scissors", "goofspiel", "clobber", "buttons"}) {
    SCOPED_TRACE(name);
    expect_same(bounded(testing::shipped_rules(name)));
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_same(bounded(testing::rulesheet(testing::random_game(seed))));
  }
}

TEST(ChangeBounds, OfTicTacToeAreExact) {
  const ChangeBounds bounds =
      bounded(testing::shipped_rules("tic_tac_toe")).bounds(Reevaluation::changed);
  EXPECT_TRUE(bounds.turn_taking);
  for (const auto& counts : bounds.by_owner) {
    EXPECT_EQ(counts, std::set<ChangeCount>({{2, 2}}));
  }
}

TEST(ChangeBounds, ProveTakingTurns) {
  const auto turns = [](const char* name) {
    return bounded(testing::shipped_rules(name)).bounds(Reevaluation::changed).turn_taking;
  };
  EXPECT_TRUE(turns("connect_four"));
  EXPECT_TRUE(turns("lights_out"));
  EXPECT_FALSE(turns("rock_paper_scissors"));
}

}  // namespace
}  // namespace zermelo::translate::toss
