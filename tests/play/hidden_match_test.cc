#include "play/hidden_match.h"

#include <gtest/gtest.h>

#include <map>

#include "play/hidden_agent.h"
#include "solve/hidden/hidden_solver.h"
#include "support/load_game.h"

namespace zermelo::play {
namespace {

AgentSpec spec(const std::string& text) { return parse_agent(text).value(); }

MatchResult match(const std::string& game, const std::vector<std::string>& texts,
                  std::uint64_t games) {
  std::vector<AgentSpec> players;
  for (const std::string& text : texts) players.push_back(spec(text));
  MatchOptions options;
  options.games = games;
  return run_hidden_match(testing::shipped("hidden/" + game), players, options).value();
}

TEST(HiddenMatch, EveryShippedGameIsPlayed) {
  for (const char* name :
       {"dining_cryptographers", "kriegspiel_tic_tac_toe", "kuhn_poker", "leduc_poker",
        "liars_dice", "mastermind", "meier", "minesweeper", "monty_hall", "muddy_children",
        "numbers_that_differ_by_one", "two_generals"}) {
    const auto machine = testing::shipped(std::string("hidden/") + name);
    std::vector<AgentSpec> players(played_roles(*machine).size(), spec("ismcts:simulations=20"));
    players.front() = spec("determinise:simulations=20");
    MatchOptions options;
    options.games = 2;
    const auto result = run_hidden_match(machine, players, options);
    ASSERT_TRUE(result) << name;
    EXPECT_EQ(result->completed, 2u) << name;
    EXPECT_EQ(result->roles.size(), players.size()) << name;
    EXPECT_EQ(result->records.front().roles, machine->roles()) << name;
  }
}

TEST(HiddenMatch, TheSameSeedGivesTheSameGames) {
  const auto one = match("leduc_poker", {"ismcts:simulations=50", "random"}, 6);
  const auto other = match("leduc_poker", {"ismcts:simulations=50", "random"}, 6);
  EXPECT_EQ(one.records, other.records);
  std::map<std::vector<std::vector<std::string>>, int> games;
  for (const MatchRecord& record : one.records) ++games[record.moves];
  EXPECT_GE(games.size(), 4u);  // `random` deals different cards
}

TEST(HiddenMatch, SearchBeatsRandomPlay) {
  const auto result = match("leduc_poker", {"ismcts:simulations=200", "random"}, 100);
  EXPECT_GT(result.goals[0].mean, 50);
}

TEST(HiddenMatch, PlayersThatNeedTheStateAreRefused) {
  for (const char* text : {"uct", "alphabeta", "plan", "perfect:folder", "factored"}) {
    const auto agent =
        make_hidden_agent(spec(text), {testing::shipped("hidden/kuhn_poker"), 0, 1, {}});
    ASSERT_FALSE(agent) << text;
    EXPECT_EQ(agent.error().kind, base::ErrorKind::not_applicable);
  }
}

// By round, the information sets on the way to a decision.
std::vector<std::uint32_t> information_sets_to(const solve::SequenceForm& form, std::size_t player,
                                               const solve::Decision& decision) {
  std::vector<std::uint32_t> sets(decision.round + 1);
  sets.back() = decision.information;
  for (std::size_t round = decision.round; round > 0; --round)
    sets[round - 1] = form.developments().round(round).information_sets[player][sets[round]].before;
  return sets;
}

// Those of the decision there, or else the only one.
std::vector<Move> legal_moves(const solve::SequenceForm& form, std::size_t player,
                              std::size_t round, std::uint32_t set, const machine::Machine& machine,
                              const std::string& only) {
  for (const solve::Decision& decision : form.decisions(player)) {
    if (decision.round == round && decision.information == set) return decision.moves;
  }
  for (const Move move : machine.moves(player)) {
    if (machine.move_name(move) == only) return {move};
  }
  return {};
}

// The strategy of a player: how often it makes which move in every decision, over several seeds.
solve::Plan plan_of(const std::string& text, const testing::MachinePointer& machine,
                    const solve::SequenceForm& form, std::size_t player, int seeds) {
  solve::Plan plan(form.sequences(player), 0.0);
  std::map<std::string, base::Percept> numbers;
  for (base::Percept p = 0; p < machine->game().percepts.size(); ++p) {
    const auto& first = machine->game().first_percept_of;
    if (p >= first[player] && p < first[player + 1]) numbers[machine->game().percept_name(p)] = p;
  }
  for (const solve::Decision& decision : form.decisions(player)) {
    for (int seed = 1; seed <= seeds; ++seed) {
      const auto agent =
          make_hidden_agent(spec(text), {machine, player, static_cast<std::uint64_t>(seed), {}});
      const std::vector<std::uint32_t> sets = information_sets_to(form, player, decision);
      std::size_t round = 0;
      for (const auto& step : form.memory(player, decision)) {
        (*agent)->choose(legal_moves(form, player, round, sets[round], *machine, step.move),
                         std::nullopt);
        ++round;
        std::vector<base::Percept> percepts;
        for (const std::string& name : step.percepts) percepts.push_back(numbers.at(name));
        for (const Move move : machine->moves(player)) {
          if (machine->move_name(move) == step.move) (*agent)->observe(move, percepts);
        }
      }
      const Move chosen = (*agent)->choose(decision.moves, std::nullopt);
      const auto place = std::ranges::find(decision.moves, chosen) - decision.moves.begin();
      plan[decision.first + static_cast<std::size_t>(place)] += 1;
    }
  }
  form.normalise(player, plan);
  return plan;
}

double exploitability(const std::string& text, const testing::MachinePointer& machine, int seeds) {
  const auto form = solve::SequenceForm::make(machine, solve::OpponentModel::own, {}).value();
  return with_bounds(
             form, {plan_of(text, machine, form, 0, seeds), plan_of(text, machine, form, 1, seeds)})
      .exploitability();
}

// In points of 100. The properties of the test report have all three.
TEST(HiddenMatch, ExploitabilityInKuhnPoker) {
  const auto machine = testing::shipped("hidden/kuhn_poker");
  const double random = exploitability("random", machine, 40);
  const double fused = exploitability("determinise:simulations=500", machine, 40);
  const double search = exploitability("ismcts:simulations=500", machine, 40);
  RecordProperty("random", std::to_string(random));
  RecordProperty("determinise", std::to_string(fused));
  RecordProperty("ismcts", std::to_string(search));
  EXPECT_LT(search, random);
}

}  // namespace
}  // namespace zermelo::play
