#include "app/hidden_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/scene.h"
#include "app/position.h"
#include "base/reward.h"
#include "gdl/term_text.h"
#include "ground/ground.h"
#include "play/board.h"
#include "solve/folder/strategy_folder.h"
#include "solve/folder/strategy_index.h"

namespace zermelo::app {
namespace {

using solve::StoredStrategies;
using solve::StoredStrategy;
using solve::StrategyIndex;

using NodeNumber = std::uint32_t;

HiddenView::Decision stored_decision(const StoredStrategies& strategies, std::size_t player,
                                     NodeNumber number) {
  const auto& nodes = strategies.players[player].nodes;
  HiddenView::Decision view{player, 0, {}, {}};
  for (const auto& choice : nodes[number].choices)
    view.moves.push_back({strategies.terms[choice.move], choice.probability});
  for (NodeNumber n = number; n != 0; n = nodes[n].before) {
    HiddenView::Step step{
        strategies.terms[nodes[n].move], !nodes[nodes[n].before].choices.empty(), {}};
    for (const std::uint32_t percept : nodes[n].percepts)
      step.percepts.push_back(strategies.terms[percept]);
    view.memory.push_back(std::move(step));
  }
  std::reverse(view.memory.begin(), view.memory.end());
  view.round = static_cast<std::uint32_t>(view.memory.size());
  return view;
}

// By node, what the player did where it had a choice, and saw, in order.
std::vector<std::string> experience(const HiddenView::Decision& decision) {
  std::vector<std::string> terms;
  for (const HiddenView::Step& step : decision.memory) {
    if (step.had_choice) terms.push_back(step.move);
    terms.insert(terms.end(), step.percepts.begin(), step.percepts.end());
  }
  return terms;
}

base::Result<std::vector<HiddenView::Decision>> decisions_after_seeing(
    const StoredStrategies& strategies, const std::string& role, const std::string& saw) {
  const auto asked = gdl::canonical_terms(role);
  const auto seen = gdl::canonical_terms(saw);
  if (!asked || asked->size() != 1 || !seen) {
    return base::fail(base::ErrorKind::invalid_request,
                      fmt::format("{}: {}", seen ? "not a role" : seen.error(), seen ? role : saw));
  }
  std::vector<HiddenView::Decision> found;
  for (std::size_t player = 0; player < strategies.players.size(); ++player) {
    const StoredStrategy& strategy = strategies.players[player];
    if (strategy.role != asked->front()) continue;
    for (NodeNumber n = 0; n < strategy.nodes.size(); ++n) {
      if (strategy.nodes[n].choices.empty()) continue;
      HiddenView::Decision decision = stored_decision(strategies, player, n);
      if (experience(decision) == *seen) found.push_back(std::move(decision));
    }
  }
  if (!found.empty()) return found;
  return base::fail(
      base::ErrorKind::not_applicable,
      fmt::format("{} has no decision after just this: {}", role,
                  seen->empty() ? "nothing" : fmt::format("{}", fmt::join(*seen, " "))));
}

class StrategyQuery {
 public:
  StrategyQuery(const QueryRequest& request, const base::Limits& limits)
      : request_(request), limits_(limits), folder_(request.folder) {}

  base::Result<QueryResult> run() {
    auto description = folder_.description();
    if (!description) return tl::unexpected(description.error());
    auto strategies = folder_.strategies();
    if (!strategies) return tl::unexpected(strategies.error());
    strategies_ = std::move(*strategies);
    HiddenAnswer answer{description->players,
                        description->low,
                        description->high,
                        description->exploitability,
                        description->exact_value,
                        description->model == solve::OpponentModel::difference,
                        {},
                        {}};
    QueryResult result;
    result.roles = description->players;
    result.hidden = std::move(answer);
    const auto answered = request_.role ? answer_role(result) : answer_position(result);
    if (!answered) return tl::unexpected(answered.error());
    return result;
  }

 private:
  base::Result<void> answer_role(QueryResult& result) const {
    auto decisions = decisions_after_seeing(strategies_, *request_.role, *request_.saw);
    if (!decisions) return tl::unexpected(decisions.error());
    result.hidden->decisions = std::move(*decisions);
    return {};
  }

  base::Result<void> answer_position(QueryResult& result) const {
    if (request_.state) {
      return base::fail(base::ErrorKind::not_applicable,
                        "the fluents do not say what the roles know; use --moves, or --as and "
                        "--saw");
    }
    const auto rules = folder_.rules(limits_);
    if (!rules) return tl::unexpected(rules.error());
    auto game = ground::ground(*rules, {limits_});
    if (!game) return tl::unexpected(game.error());
    const auto machine = machine::Machine::make(std::move(*game), limits_);
    if (!machine) return tl::unexpected(machine.error());
    const auto position = position_after(*machine, request_.moves.value_or(""), limits_);
    if (!position) return tl::unexpected(position.error());
    machine::Stepper stepper(*machine);
    result.position = stepper.fluent_names(position->state);
    result.terminal = stepper.terminal(position->state);
    result.board = play::boards_as_text(analysis::Scene::of(*machine).depict(result.position));
    add_decisions(stepper, *position, result);
    return {};
  }

  void add_decisions(machine::Stepper& stepper, const Position& position,
                     QueryResult& result) const {
    const StrategyIndex index(strategies_);
    for (std::size_t player = 0; player < strategies_.players.size(); ++player) {
      const auto& roles = stepper.roles();
      const auto place = std::ranges::find(roles, strategies_.players[player].role);
      const auto role = static_cast<std::size_t>(place - roles.begin());
      if (result.terminal) {
        result.hidden->goals.push_back(base::reward_of(stepper.goals(position.state, role)));
        continue;
      }
      const NodeNumber node = node_after(stepper, position, index, player, role);
      if (node != StrategyIndex::none && !strategies_.players[player].nodes[node].choices.empty())
        result.hidden->decisions.push_back(stored_decision(strategies_, player, node));
    }
  }

  // The player's information set after the moves that lead to the position.
  NodeNumber node_after(machine::Stepper& stepper, const Position& position,
                        const StrategyIndex& index, std::size_t player, std::size_t role) const {
    machine::State state = stepper.initial_state();
    NodeNumber node = 0;
    for (const auto& joint : position.joints) {
      std::vector<std::string> percepts;
      for (const base::Percept percept : stepper.percepts(state, joint, role))
        percepts.push_back(stepper.percept_name(percept));
      node = index.after(player, node, stepper.move_name(joint[role]), std::move(percepts));
      state = stepper.next_state(state, joint);
    }
    return node;
  }

  const QueryRequest& request_;
  const base::Limits& limits_;
  solve::StrategyFolder folder_;
  StoredStrategies strategies_;
};

}  // namespace

base::Result<QueryResult> query_strategies(const QueryRequest& request,
                                           const base::Limits& limits) {
  return StrategyQuery(request, limits).run();
}

}  // namespace zermelo::app
