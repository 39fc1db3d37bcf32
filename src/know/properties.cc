// The first property is the paper's: for all moves m, legal(i, m) implies K(i, legal(i, m)). In
// terms of information sets: role i has the same legal moves in all states of an information set.
// So a property is a number per state, and it is known if the number is the same in the whole set.
#include "know/properties.h"

#include <algorithm>
#include <limits>
#include <map>

#include "know/developments.h"

namespace zermelo::know {

namespace {

// By state; no_value where the property does not apply.
using Values = std::vector<std::uint32_t>;
constexpr std::uint32_t no_value = ~std::uint32_t{0};

class PropertyCheck {
 public:
  PropertyCheck(std::shared_ptr<const machine::Machine> machine, const PropertiesOptions& options)
      : options_(options),
        developments_(machine, {true, options.limits}),
        cursor_(std::move(machine)) {
    for (std::size_t agent = 0; agent < developments_.agents().size(); ++agent)
      result_.players.push_back({developments_.agent_name(agent), {}, {}, {}, {}});
  }

  KnowledgeProperties run() {
    for (;;) {
      check_round();
      if (developments_.last().worlds.size() > options_.max_worlds) {
        result_.limit = {base::ErrorKind::memory_limit, "the round has too many worlds"};
        break;
      }
      const auto more = developments_.advance();
      if (!more) result_.limit = more.error();
      if (!more || !*more) break;
    }
    return std::move(result_);
  }

 private:
  void check_round() {
    const Round& round = developments_.last();
    ++result_.rounds;
    const std::uint64_t here = round.developments();
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    result_.developments = result_.developments > most - here ? most : result_.developments + here;
    for (std::size_t agent = 0; agent < result_.players.size(); ++agent) check_agent(agent);
  }

  void check_agent(std::size_t agent) {
    const std::size_t states = developments_.last().states.size();
    Values state(states), moves(states, no_value), end(states), goal(states, no_value);
    std::map<std::vector<Move>, std::uint32_t> move_sets;
    std::map<std::vector<int>, std::uint32_t> goal_sets;
    const std::uint32_t role = developments_.agents()[agent];
    for (std::uint32_t s = 0; s < states; ++s) {
      cursor_.reset(developments_.last().states[s]);
      state[s] = s;
      end[s] = cursor_.terminal() ? 1 : 0;
      if (end[s] != 0) {
        goal[s] = number_in(goal_sets, cursor_.goals(role));
      } else {
        const auto legal = cursor_.legal(role);
        moves[s] = number_in(move_sets, std::vector<Move>(legal.begin(), legal.end()));
      }
    }
    PlayerKnowledge& player = result_.players[agent];
    check(player.state, agent, state, "the states differ");
    check(player.moves, agent, moves, "the legal moves differ");
    check(player.end, agent, end, "only one of them has ended");
    check(player.goal, agent, goal, "the goal values differ");
  }

  template <class Key>
  static std::uint32_t number_in(std::map<Key, std::uint32_t>& numbers, Key key) {
    return numbers.try_emplace(std::move(key), static_cast<std::uint32_t>(numbers.size()))
        .first->second;
  }

  void check(std::optional<Confusion>& found, std::size_t agent, const Values& values,
             const char* difference) {
    if (found) return;
    const Round& round = developments_.last();
    std::vector<std::uint32_t> first(round.information_set_count(agent), no_value);
    for (std::uint32_t w = 0; w < round.worlds.size(); ++w) {
      const std::uint32_t value = values[round.worlds[w].state];
      if (value == no_value) continue;
      std::uint32_t& shown = first[round.information[agent][w]];
      if (shown == no_value) shown = w;
      if (values[round.worlds[shown].state] == value) continue;
      const std::size_t last = developments_.rounds() - 1;
      found = Confusion{result_.players[agent].role + " cannot tell two developments of round " +
                            std::to_string(last) + " apart: " + difference,
                        developments_.line_to(last, shown), developments_.line_to(last, w)};
      return;
    }
  }

  const PropertiesOptions& options_;
  Developments developments_;
  machine::Cursor cursor_;
  KnowledgeProperties result_;
};

}  // namespace

KnowledgeProperties check_knowledge(std::shared_ptr<const machine::Machine> machine,
                                    const PropertiesOptions& options) {
  return PropertyCheck(std::move(machine), options).run();
}

}  // namespace zermelo::know
