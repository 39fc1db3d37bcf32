// What players know: against formulas, and on games that break each property.
#include "know/properties.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "know/developments.h"
#include "know/entailment.h"
#include "know/game_atoms.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::know {
namespace {

// The paper's formula, as a conjunction over the moves, and the like for the other properties.
struct FormulaVerdicts {
  bool state = true, moves = true, end = true, goal = true;
};

Formula atom_formula(std::uint32_t atom) { return {Formula::Kind::atom, atom, {}, {}, {}}; }

Formula knows_whether(std::uint32_t agent, std::uint32_t atom) {
  Formula formula{Formula::Kind::knows_whether, 0, {agent}, {}, {}};
  formula.children.push_back(atom_formula(atom));
  return formula;
}

bool everywhere(const Truth& truth) {
  return std::all_of(truth.begin(), truth.end(), [](std::uint8_t value) { return value != 0; });
}

// Whether all worlds of an information set in which `where` has this value agree on the atom.
bool agrees(const Frame& frame, std::uint32_t agent, std::uint32_t atom, std::uint32_t where,
            bool value) {
  const Truth& holds = frame.atoms.at(atom);
  const Truth& counts = frame.atoms.at(where);
  for (std::size_t v = 0; v < frame.worlds; ++v) {
    for (std::size_t w = 0; w < v; ++w) {
      if (frame.class_of[agent][v] == frame.class_of[agent][w] && (counts[v] != 0) == value &&
          (counts[w] != 0) == value && holds[v] != holds[w])
        return false;
    }
  }
  return true;
}

void judge(const Frame& frame, const GameAtoms& atoms, const std::string& role, std::uint32_t agent,
           FormulaVerdicts& verdicts) {
  const std::uint32_t terminal = *atoms.find("terminal");
  verdicts.end = verdicts.end && everywhere(truth(knows_whether(agent, terminal), frame));
  for (std::uint32_t atom = 0; atom < atoms.size(); ++atom) {
    const std::string& name = atoms.name(atom);
    if (atoms.is_fluent(atom))
      verdicts.state = verdicts.state && everywhere(truth(knows_whether(agent, atom), frame));
    if (name.rfind("(legal " + role + " ", 0) == 0)
      verdicts.moves = verdicts.moves && agrees(frame, agent, atom, terminal, false);
    if (name.rfind("(goal " + role + " ", 0) == 0)
      verdicts.goal = verdicts.goal && agrees(frame, agent, atom, terminal, true);
  }
}

TEST(KnowledgeProperties, AgreeWithFormulas) {
  std::size_t refuted = 0, kept = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto machine = testing::from_text(testing::random_hidden_game(seed));
    const GameAtoms atoms(*machine);
    std::vector<std::uint32_t> all(atoms.size());
    for (std::uint32_t a = 0; a < all.size(); ++a) all[a] = a;
    Developments developments(machine, {});
    std::vector<FormulaVerdicts> verdicts(developments.agents().size());
    std::size_t worlds = 0;
    do {
      const Frame frame = atoms.frame(developments, all);
      worlds = frame.worlds;
      if (worlds > 250) break;
      for (std::uint32_t agent = 0; agent < verdicts.size(); ++agent)
        judge(frame, atoms, developments.agent_name(agent), agent, verdicts[agent]);
    } while (developments.advance().value());
    if (worlds > 250) continue;
    const KnowledgeProperties found = check_knowledge(machine);
    EXPECT_TRUE(found.complete());
    for (std::size_t agent = 0; agent < verdicts.size(); ++agent) {
      const PlayerKnowledge& player = found.players[agent];
      EXPECT_EQ(!player.state, verdicts[agent].state) << seed;
      EXPECT_EQ(!player.moves, verdicts[agent].moves) << seed;
      EXPECT_EQ(!player.end, verdicts[agent].end) << seed;
      EXPECT_EQ(!player.goal, verdicts[agent].goal) << seed;
      refuted += player.moves ? 1 : 0;
      kept += player.moves ? 0 : 1;
    }
  }
  EXPECT_GT(refuted, 0u);
  EXPECT_GT(kept, 0u);
}

// A coin is thrown; `more` completes the rules of player r.
KnowledgeProperties coin_game(const std::string& more) {
  return check_knowledge(testing::from_text(
      "(role r) (role random) (init start)"
      "(<= (legal random heads) (true start)) (<= (legal random tails) (true start))"
      "(<= (legal random noop) (not (true start))) (<= (legal r wait) (true start))"
      "(<= (next (side ?s)) (does random ?s) (distinct ?s noop)) (<= (next over) (not (true "
      "start)))" +
      more));
}

TEST(KnowledgeProperties, AreRefutedOneByOne) {
  const auto moves = coin_game(
      "(<= (legal r left) (true (side heads))) (<= (legal r right) (true (side tails)))"
      "(<= terminal (true over)) (goal r 100)");
  EXPECT_TRUE(moves.players[0].moves.has_value());
  EXPECT_EQ(moves.players[0].moves->line, (Line{{"wait", "heads"}}));
  EXPECT_EQ(moves.players[0].moves->other, (Line{{"wait", "tails"}}));
  EXPECT_FALSE(moves.players[0].end || moves.players[0].goal);
  const auto end = coin_game(
      "(<= (legal r go) (not (true start))) (<= terminal (true over))"
      "(<= terminal (true (side heads))) (goal r 100)");
  EXPECT_TRUE(end.players[0].end.has_value());
  EXPECT_FALSE(end.players[0].moves || end.players[0].goal);
  const auto goal = coin_game(
      "(<= terminal (true (side ?_s))) (<= (goal r 100) (true (side heads)))"
      "(<= (goal r 0) (true (side tails)))");
  EXPECT_TRUE(goal.players[0].goal && goal.players[0].state);
  EXPECT_FALSE(goal.players[0].moves || goal.players[0].end);
  const auto all = coin_game(
      "(<= (sees r ?s) (does random ?s)) (<= terminal (true (side ?_s)))"
      "(<= (goal r 100) (true (side heads))) (<= (goal r 0) (true (side tails)))");
  EXPECT_FALSE(all.players[0].state || all.players[0].moves || all.players[0].end ||
               all.players[0].goal);
}

// In the games that the project ships, players know what they should.
TEST(KnowledgeProperties, HoldInShippedGames) {
  for (const char* name : {"two_generals", "numbers_that_differ_by_one", "monty_hall", "kuhn_poker",
                           "leduc_poker", "meier", "mastermind", "minesweeper", "liars_dice",
                           "dining_cryptographers", "russian_cards"}) {
    const KnowledgeProperties found =
        check_knowledge(testing::shipped("hidden/" + std::string(name)));
    EXPECT_TRUE(found.complete()) << name;
    for (const PlayerKnowledge& player : found.players) {
      EXPECT_FALSE(player.moves) << name << ": " << player.moves->reason;
      EXPECT_FALSE(player.end) << name << ": " << player.end->reason;
    }
  }
}

TEST(KnowledgeProperties, StopAtLimits) {
  const KnowledgeProperties found =
      check_knowledge(testing::generated("muddy-children", {"8"}), {{}, 100});
  EXPECT_FALSE(found.complete());
  EXPECT_GT(found.rounds, 3u);
}

}  // namespace
}  // namespace zermelo::know
