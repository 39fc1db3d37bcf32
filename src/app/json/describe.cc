#include "app/describe.h"

#include "app/json.h"
#include "app/json/knowledge.h"
#include "app/json/values.h"
#include "app/playout_engine.h"

namespace zermelo::app {
namespace {

// {role: value(role), ...}
template <class Value>
Json by_role(const ground::Game& game, Value value) {
  Json result = Json::object();
  const auto roles = role_names(game);
  for (std::size_t role = 0; role < roles.size(); ++role) result[roles[role]] = value(role);
  return result;
}

Json as_json(const analysis::Finding& finding) {
  Json json = {{"evidence", name_of(finding.evidence)}, {"reason", finding.reason}};
  if (finding.evidence == analysis::Evidence::refuted) json["line"] = finding.line;
  return json;
}

// The dynamic conditions that GDL demands of a game.
Json as_json(const analysis::DynamicConditions& found) {
  return {{"has_moves", as_json(found.has_moves)},
          {"ends", as_json(found.ends)},
          {"unique_goals", as_json(found.unique_goals)}};
}

void add_traits(const analysis::DynamicConditions& found, Json& traits) {
  traits["turn_taking"] = as_json(found.turn_taking);
  traits["constant_sum"] = as_json(found.constant_sum);
  if (found.goal_sum) traits["goal_sum"] = *found.goal_sum;
  if (found.longest_game) traits["longest_game"] = *found.longest_game;
  if (found.states) traits["states"] = std::to_string(*found.states);
  if (found.terminal_states) traits["terminal_states"] = std::to_string(*found.terminal_states);
}

Json traits_of(const GameDescription& facts) {
  const ground::Game& game = *facts.game;
  Json traits = {{"players", game.roles.size()},
                 {"goal_values", by_role(game, [&](auto role) { return goal_values(game, role); })},
                 {"can_end", game.terminal != ground::no_atom},
                 {"recursive_rules", !game.recursive.empty()}};
  traits["chance"] = game.random_role().has_value();
  traits["information"] = information_of(facts);
  if (facts.conditions) add_traits(*facts.conditions, traits);
  if (facts.state_bound) traits["states_at_least"] = facts.state_bound->states;
  return traits;
}

// Adds mutex_groups, a list of lists of fluents, and mutex_proof.
void add_mutex_groups(const analysis::MutexGroups& found, const ground::Game& game, Json& json) {
  Json groups = Json::array(), sizes = Json::array();
  for (const analysis::MutexGroup& group : found.groups) {
    Json names = Json::array();
    for (const ground::Atom fluent : group.fluents) names.push_back(game.fluent_name(fluent));
    groups.push_back(std::move(names));
    sizes.push_back(group.exactly_one);
  }
  json["mutex_groups"] = std::move(groups);
  json["mutex_proof"] = {{"evidence", "proved"},
                         {"exactly_one", std::move(sizes)},
                         {"finished", found.finished},
                         {"reason", found.summary}};
}

Json as_json(const OptimiserFacts& facts) {
  Json passes = Json::array();
  for (const circuit::PassSize& pass : facts.passes) {
    passes.push_back({{"pass", pass.pass}, {"gates", pass.size.gates}, {"wires", pass.size.wires}});
  }
  return {{"passes", passes},
          {"always_true", facts.always_true},
          {"always_false", facts.always_false},
          {"stay_true", facts.stay_true},
          {"stay_false", facts.stay_false},
          {"lasting_gates", facts.lasting_gates},
          {"phases", facts.phases},
          {"operations_per_step", facts.operations_per_step}};
}

Json as_json(const std::vector<SymbolicFacts::Phase>& phases) {
  Json result = Json::array();
  for (const SymbolicFacts::Phase& phase : phases) {
    Json terminal = Json::array();
    for (const TerminalCondition& condition : phase.terminal) {
      terminal.push_back({{"nodes", condition.nodes}, {"binary_nodes", condition.binary_nodes}});
    }
    result.push_back({{"joint_moves", phase.joint_moves},
                      {"relation_nodes", phase.relation_nodes},
                      {"terminal", terminal}});
  }
  return result;
}

Json as_json(const SymbolicFacts& facts) {
  return {{"variables", facts.variables},
          {"clock", {{"fluents", facts.clock_fluents}, {"positions", facts.clock_positions}}},
          {"order",
           {{"origin", facts.order.origin},
            {"cost", facts.order.cost},
            {"evaluations", facts.order.evaluations}}},
          {"phases", as_json(facts.phases)},
          {"phases_as_listed", as_json(facts.phases_as_listed)}};
}

}  // namespace

std::string to_json(const GameDescription& facts) {
  const ground::Game& game = *facts.game;
  Json json = {{"roles", role_names(game)},
               {"fluents", game.fluents.size()},
               {"moves", by_role(game, [&](auto role) { return moves_of(game, role); })},
               {"ground_rules", game.rules()},
               {"ground_atoms", game.atoms},
               {"ground_seconds", facts.ground_seconds},
               {"traits", traits_of(facts)}};
  if (game.imperfect_information()) {
    json["percepts"] = by_role(game, [&](auto role) {
      Json names = Json::object();
      for (const auto& [name, count] : percepts_of(game, role)) names[name] = count;
      return names;
    });
  }
  if (facts.knowledge) json["knowledge"] = knowledge_json(*facts.knowledge);
  if (facts.conditions) json["conditions"] = as_json(*facts.conditions);
  if (facts.mutex_groups) add_mutex_groups(*facts.mutex_groups, game, json);
  if (facts.subgames) {
    json["subgames"] = {{"symbol", or_null(facts.subgames->by_symbol)},
                        {"ground", or_null(facts.subgames->by_ground)}};
  }
  if (facts.optimiser) json["optimiser"] = as_json(*facts.optimiser);
  if (facts.symbolic) json["symbolic"] = as_json(*facts.symbolic);
  return one_line(json);
}

}  // namespace zermelo::app
