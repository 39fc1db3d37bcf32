// The players of games with hidden information: against each other, and against a best response.
//
//   hidden_players match GAMES SIMULATIONS FIRST SECOND RULESHEET...
//   hidden_players exploit SEEDS SIMULATIONS PLAYER RULESHEET...
//
// `match` plays GAMES games between two players, whose specifications get the simulations, and
// prints the mean reward of the first with its 95% interval. `exploit` asks a player for its move
// in every decision, once per seed, after it has followed the play that leads there, and prints the
// exploitability of the mixed strategy that results: the mean over both seats of what a best
// response gains, in points of reward. A finite number of seeds makes it look larger than it is.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

#include "ground/ground.h"
#include "play/hidden_agent.h"
#include "play/hidden_match.h"
#include "solve/hidden/best_response.h"
#include "support/load.h"

namespace zermelo {
namespace {

using MachinePointer = std::shared_ptr<const machine::Machine>;
using play::Move;

play::AgentSpec player(const std::string& text, const char* simulations) {
  const bool takes_options = text != "random" && text != "legal";
  const char* separator = text.find(':') == text.npos ? ":" : ",";
  return play::parse_agent(takes_options ? text + separator + "simulations=" + simulations : text)
      .value();
}

// A game of one player is played by one after the other.
void print_alone(const MachinePointer& machine, const std::string& path,
                 const std::vector<play::AgentSpec>& players, const play::MatchOptions& options) {
  for (const play::AgentSpec& player : players) {
    const auto result = play::run_hidden_match(machine, {player}, options);
    const auto& goals = result->goals[0];
    std::printf("%s\t%s alone\t%.1f\t%.1f\t%.1f\t%llu\n", path.c_str(), player.text.c_str(),
                goals.mean, goals.low(), goals.high(),
                static_cast<unsigned long long>(result->completed));
  }
}

void match(const MachinePointer& machine, const std::string& path, char** arguments) {
  play::MatchOptions options;
  options.games = std::strtoull(arguments[2], nullptr, 10);
  const bool is_alone = play::played_roles(*machine).size() == 1;
  std::vector<play::AgentSpec> players = {player(arguments[4], arguments[3]),
                                          player(arguments[5], arguments[3])};
  if (is_alone) {
    print_alone(machine, path, players, options);
    return;
  }
  const auto result = play::run_hidden_match(machine, players, options);
  const auto& goals = result->goals[0];
  std::printf("%s\t%s\t%.1f\t%.1f\t%.1f\t%llu\n", path.c_str(), arguments[4], goals.mean,
              goals.low(), goals.high(), static_cast<unsigned long long>(result->completed));
}

// Asks players in every decision of a game.
class Interrogation {
 public:
  Interrogation(MachinePointer machine, play::AgentSpec spec)
      : machine_(std::move(machine)),
        spec_(std::move(spec)),
        form_(solve::SequenceForm::make(machine_, solve::OpponentModel::own, {}).value()) {}

  double exploitability(int seeds) const {
    return with_bounds(form_, {plan(0, seeds), plan(1, seeds)}).exploitability();
  }

 private:
  solve::Plan plan(std::size_t player, int seeds) const {
    solve::Plan plan(form_.sequences(player), 0.0);
    for (const solve::Decision& decision : form_.decisions(player)) {
      for (int seed = 1; seed <= seeds; ++seed) {
        const Move chosen = ask(player, decision, static_cast<std::uint64_t>(seed));
        const auto place = std::ranges::find(decision.moves, chosen) - decision.moves.begin();
        plan[decision.first + static_cast<std::size_t>(place)] += 1;
      }
    }
    form_.normalise(player, plan);
    return plan;
  }

  // The information sets on the way to a decision, by round.
  std::vector<std::uint32_t> sets_to(std::size_t player, const solve::Decision& decision) const {
    std::vector<std::uint32_t> sets(decision.round + 1);
    sets.back() = decision.information;
    for (std::size_t round = decision.round; round > 0; --round) {
      sets[round - 1] =
          form_.developments().round(round).information_sets[player][sets[round]].before;
    }
    return sets;
  }

  Move ask(std::size_t player, const solve::Decision& decision, std::uint64_t seed) const {
    const know::Developments& developments = form_.developments();
    const auto agent =
        play::make_hidden_agent(spec_, {machine_, developments.agents()[player], seed, {}}).value();
    const std::vector<std::uint32_t> sets = sets_to(player, decision);
    for (std::size_t round = 0; round < decision.round; ++round) {
      const know::InformationSet& next =
          developments.round(round + 1).information_sets[player][sets[round + 1]];
      agent->choose(legal_moves(player, round, sets[round], next.move), std::nullopt);
      agent->observe(next.move, developments.percepts(next.percepts));
    }
    return agent->choose(decision.moves, std::nullopt);
  }

  std::vector<Move> legal_moves(std::size_t player, std::size_t round, std::uint32_t set,
                                Move only) const {
    for (const solve::Decision& decision : form_.decisions(player)) {
      if (decision.round == round && decision.information == set) return decision.moves;
    }
    return {only};
  }

  MachinePointer machine_;
  play::AgentSpec spec_;
  solve::SequenceForm form_;
};

void exploit(const MachinePointer& machine, const std::string& path, char** arguments) {
  const Interrogation asked(machine, player(arguments[4], arguments[3]));
  std::printf("%s\t%s\t%.2f\n", path.c_str(), arguments[4],
              asked.exploitability(std::atoi(arguments[2])));
}

}  // namespace
}  // namespace zermelo

int main(int count, char** arguments) {
  using namespace zermelo;
  const bool is_match = count > 6 && std::strcmp(arguments[1], "match") == 0;
  if (!is_match && (count < 6 || std::strcmp(arguments[1], "exploit") != 0)) {
    std::fprintf(stderr,
                 "usage: hidden_players match GAMES SIMULATIONS FIRST SECOND RULESHEET...\n"
                 "       hidden_players exploit SEEDS SIMULATIONS PLAYER RULESHEET...\n");
    return 2;
  }
  for (int i = is_match ? 6 : 5; i < count; ++i) {
    auto game = ground::ground(testing::rulesheet_file(arguments[i]));
    if (!game) {
      std::fprintf(stderr, "%s: %s\n", arguments[i], game.error().message.c_str());
      return 1;
    }
    const auto machine = std::make_shared<const machine::Machine>(std::move(*game));
    (is_match ? match : exploit)(machine, arguments[i], arguments);
    std::fflush(stdout);
  }
  return 0;
}
