// Stored strategies of games with hidden information: what is stored is what was found, and the
// checker, which shares nothing with the solver, notices what is wrong.
#include "solve/folder/strategy_folder.h"
#include "solve/folder/strategy_index.h"
#include "solve/hidden/store_strategies.h"
#include "solve/stored_game.h"
#include "solve/verify/verify.h"
#include "support/random_game.h"

namespace zermelo::solve {
namespace {

// A solution in a folder, and a way to store other strategies or claims in its place.
struct StoredHiddenGame {
  explicit StoredHiddenGame(const MachinePointer& machine, const HiddenOptions& options = {})
      : rules(machine->game().rulesheet) {
    const HiddenSolution solution = solve_hidden(machine, options).value();
    description = describe(solution, options.model);
    strategies = stored_strategies(solution);
    save();
  }

  void save() {
    StrategyFolder stored(folder.path());
    ASSERT_TRUE(stored.claim(*rules));
    ASSERT_TRUE(stored.save(*rules, description, strategies));
  }

  Verification verified() const { return verify(folder.path(), {}).value(); }

  std::shared_ptr<const gdl::Rulesheet> rules;
  TemporaryFolder folder;
  StrategyDescription description;
  StoredStrategies strategies;
};

TEST(StrategyFolder, ReadsWhatItWrote) {
  for (const char* name : {"kuhn_poker", "liars_dice", "monty_hall"}) {
    const StoredHiddenGame game(shipped(std::string("hidden/") + name));
    const StrategyFolder folder(game.folder.path());
    EXPECT_TRUE(folder.finished());
    EXPECT_EQ(folder.strategies().value(), game.strategies) << name;
    const StrategyDescription description = folder.description().value();
    EXPECT_EQ(description.low, game.description.low) << name;
    EXPECT_EQ(description.high, game.description.high) << name;
    EXPECT_EQ(description.decisions, game.description.decisions) << name;
    EXPECT_EQ(description.algorithm, game.description.algorithm) << name;
  }
}

TEST(StrategyFolder, HasEveryDecisionOnce) {
  const StoredHiddenGame game(shipped("hidden/leduc_poker"));
  for (std::size_t player = 0; player < 2; ++player) {
    std::size_t decisions = 0;
    for (const auto& node : game.strategies.players[player].nodes)
      decisions += node.choices.empty() ? 0 : 1;
    EXPECT_EQ(decisions, 468u);
  }
}

TEST(StrategyFolder, FindsInformationSetsByWhatIsSeen) {
  const StoredHiddenGame game(shipped("hidden/kuhn_poker"));
  const StrategyIndex index(game.strategies);
  auto node = index.after(1, 0, "noop", {});
  node = index.after(1, node, "noop", {"(card jack)"});
  node = index.after(1, node, "noop", {"(did first bet)"});
  ASSERT_NE(node, StrategyIndex::none);
  const auto& choices = game.strategies.players[1].nodes[node].choices;
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(game.strategies.terms[choices[1].move], "fold");
  EXPECT_NEAR(choices[1].probability, 1, 1e-9);
  EXPECT_EQ(index.after(1, 0, "noop", {"(card jack)"}), StrategyIndex::none);
  EXPECT_EQ(index.after(1, 0, "unknown", {}), StrategyIndex::none);
}

TEST(StrategyFolder, RefusesOtherFolders) {
  const StoredHiddenGame game(shipped("hidden/kuhn_poker"));
  StrategyFolder other(game.folder.path());
  EXPECT_EQ(other.claim(*shipped("hidden/leduc_poker")->game().rulesheet).error().kind,
            base::ErrorKind::not_applicable);
  const TemporaryFolder nothing;
  EXPECT_FALSE(StrategyFolder(nothing.path()).finished());
  ASSERT_TRUE(dd::make_folder(nothing.path()));
  nothing.write("notes.txt", "mine");
  EXPECT_EQ(StrategyFolder(nothing.path()).claim(*game.rules).error().kind,
            base::ErrorKind::not_applicable);
}

TEST(StrategyFile, RefusesWhatItDoesNotWrite) {
  const std::string head = "zermelo strategies 1\n";
  EXPECT_TRUE(strategies_of(head + "t a\np r\nc 0 1\nn 0 0 0\nc 0 0.5\n"));
  for (const char* text :
       {"t", "t a", "x 1\n", "p r\nc 0 1\n", "t a\np r\nc 0 2\n", "t a\np r\nn 1 0\n",
        "t a\np r\nn 0 1\n", "t a\np r\nn 0 0 1\n", "t a\nc 0 1\n", "t a\np r\nc 0 -1\n",
        "t a\np r\nc 0 nan\n", "p r\nt a\n", "t a\np r\nn 0 0  0\n"})
    EXPECT_FALSE(strategies_of(head + text)) << text;
  EXPECT_FALSE(strategies_of("zermelo strategies 2\n"));
}

// ---- The checker

TEST(VerifyStrategies, ShippedGames) {
  for (const char* name :
       {"kuhn_poker", "leduc_poker", "liars_dice", "meier", "monty_hall", "mastermind"}) {
    const StoredHiddenGame game(shipped(std::string("hidden/") + name));
    const Verification found = game.verified();
    EXPECT_TRUE(found.ok()) << name << ": " << found.failures.front();
    ASSERT_TRUE(found.strategies) << name;
    EXPECT_LE(found.strategies->exploitability(), game.description.exploitability + 1e-9) << name;
    for (std::size_t p = 0; p < found.strategies->players.size(); ++p) {
      EXPECT_NEAR(found.strategies->low[p], game.description.low[p], 1e-7) << name;
      EXPECT_NEAR(found.strategies->high[p], game.description.high[p], 1e-7) << name;
    }
  }
}

TEST(VerifyStrategies, GeneratedGames) {
  int checked = 0, alone = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto machine = from_text(testing::random_hidden_game(seed));
    HiddenOptions options;
    options.model = OpponentModel::difference;
    options.limits = base::Limits(std::chrono::duration<double>(2), {});
    if (!solve_hidden(machine, options)) continue;
    const StoredHiddenGame game(machine, options);
    const Verification found = game.verified();
    EXPECT_TRUE(found.ok()) << seed << ": " << found.failures.front();
    ++(game.description.players.size() == 2 ? checked : alone);
  }
  EXPECT_GE(checked, 10);
  EXPECT_GE(alone, 10);
}

// The first decision of the player with these probabilities instead.
void replace_first(StoredStrategies& strategies, std::size_t player,
                   const std::vector<double>& probabilities) {
  for (auto& node : strategies.players[player].nodes) {
    if (node.choices.empty()) continue;
    for (std::size_t m = 0; m < node.choices.size(); ++m)
      node.choices[m].probability = probabilities[m];
    return;
  }
}

std::string first_failure(StoredHiddenGame& game) {
  game.save();
  const Verification found = game.verified();
  EXPECT_FALSE(found.ok());
  return found.ok() ? "" : found.failures.front();
}

TEST(VerifyStrategies, NoticesWorseStrategies) {
  StoredHiddenGame game(shipped("hidden/kuhn_poker"));
  replace_first(game.strategies, 0, {1, 0});
  EXPECT_NE(first_failure(game).find("best responses prove"), std::string::npos);
}

TEST(VerifyStrategies, NoticesWhatIsNoDistribution) {
  StoredHiddenGame game(shipped("hidden/kuhn_poker"));
  replace_first(game.strategies, 1, {0.5, 0.4});
  EXPECT_NE(first_failure(game).find("do not add up to 1"), std::string::npos);
}

TEST(VerifyStrategies, NoticesMissingDecisions) {
  StoredHiddenGame game(shipped("hidden/kuhn_poker"));
  game.strategies.players[0].nodes.back().choices.clear();
  EXPECT_NE(first_failure(game).find("a decision has no strategy"), std::string::npos);
}

TEST(VerifyStrategies, NoticesOtherMoves) {
  StoredHiddenGame game(shipped("hidden/kuhn_poker"));
  auto& choices = game.strategies.players[0].nodes.back().choices;
  std::swap(choices[0].move, choices[1].move);
  EXPECT_NE(first_failure(game).find("not over the legal moves"), std::string::npos);
}

TEST(VerifyStrategies, NoticesBetterBounds) {
  StoredHiddenGame game(shipped("hidden/kuhn_poker"));
  game.description.low[1] += 1e-3;
  EXPECT_NE(first_failure(game).find("second: the stored bounds"), std::string::npos);
  game.description.low[1] -= 1e-3;
  game.description.exploitability = -1;
  EXPECT_NE(first_failure(game).find("exploitability"), std::string::npos);
}

TEST(VerifyStrategies, NoticesAnotherFraction) {
  StoredHiddenGame game(shipped("hidden/monty_hall"));
  EXPECT_EQ(game.description.exact_value, "200/3");
  for (const char* wrong : {"66", "200/0", "", "2/3x"}) {
    game.description.exact_value = wrong;
    EXPECT_NE(first_failure(game).find("the stored value is"), std::string::npos) << wrong;
  }
}

TEST(VerifyStrategies, NoticesDamage) {
  const StoredHiddenGame game(shipped("hidden/kuhn_poker"));
  for (const char* name : {"rules.kif", "strategies.txt"}) {
    const auto path = game.folder.path() / name;
    const std::string text = dd::read_text(path).value();
    ASSERT_TRUE(dd::write_text(path, text + " "));
    const Verification found = game.verified();
    ASSERT_FALSE(found.ok()) << name;
    EXPECT_NE(found.failures.front().find("checksum"), std::string::npos);
    ASSERT_TRUE(dd::write_text(path, text));
  }
  EXPECT_TRUE(game.verified().ok());
}

// ---- A large one: 114,688 information sets of the player to move, in 1.6 million worlds. After
// the highest bid, which is in half of them, calling is the only move.

TEST(HiddenSolver, LiarsDiceWithSevenSides) {
  HiddenOptions options;
  options.precision = 0.01;
  const HiddenSolution solution = solve_hidden(generated("liars-dice", {"7"}), options).value();
  EXPECT_EQ(solution.form.decisions(0).size() + solution.form.decisions(1).size(), 57'344u);
  EXPECT_LE(solution.pair.exploitability(), 1);
  EXPECT_LE(solution.low(0), 48.07);  // 48.06 to 1e-3 of the range, by a longer run
  EXPECT_GE(solution.high(0), 48.06);
}

}  // namespace
}  // namespace zermelo::solve
