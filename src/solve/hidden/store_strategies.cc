#include "solve/hidden/store_strategies.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace zermelo::solve {
namespace {

// Adds the information sets that lead to decisions, each after the one before it.
class StrategyStorer {
 public:
  explicit StrategyStorer(const HiddenSolution& solution)
      : form_(solution.form), developments_(form_.developments()), pair_(solution.pair) {}

  StoredStrategies run() {
    for (std::size_t player = 0; player < form_.players(); ++player) {
      StoredStrategy& strategy = result_.players.emplace_back();
      strategy.role = developments_.agent_name(player);
      strategy.nodes.emplace_back();
      nodes_.clear();
      for (const Decision& decision : form_.decisions(player)) add(player, decision);
    }
    return std::move(result_);
  }

 private:
  void add(std::size_t player, const Decision& decision) {
    const std::uint32_t number = node_of(player, decision.round, decision.information);
    auto& choices = result_.players[player].nodes[number].choices;
    const auto probabilities = form_.probabilities(decision, pair_.plans[player]);
    for (std::size_t m = 0; m < decision.moves.size(); ++m)
      choices.push_back({term(machine().move_name(decision.moves[m])), probabilities[m]});
  }

  std::uint32_t node_of(std::size_t player, std::uint32_t round, std::uint32_t information) {
    if (round == 0) return 0;
    const auto known = nodes_.find({round, information});
    if (known != nodes_.end()) return known->second;
    const know::InformationSet& set =
        developments_.round(round).information_sets[player][information];
    StoredStrategy::Node node;
    node.before = node_of(player, round - 1, set.before);
    node.move = term(machine().move_name(set.move));
    std::vector<std::string> names;
    for (const base::Percept percept : developments_.percepts(set.percepts))
      names.push_back(machine().game().percept_name(percept));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) node.percepts.push_back(term(name));
    auto& nodes = result_.players[player].nodes;
    nodes.push_back(std::move(node));
    return nodes_[{round, information}] = static_cast<std::uint32_t>(nodes.size() - 1);
  }

  std::uint32_t term(const std::string& name) {
    const auto [entry, is_new] =
        terms_.try_emplace(name, static_cast<std::uint32_t>(result_.terms.size()));
    if (is_new) result_.terms.push_back(name);
    return entry->second;
  }

  const machine::Machine& machine() const { return developments_.machine(); }

  const SequenceForm& form_;
  const know::Developments& developments_;
  const PlanPair& pair_;
  StoredStrategies result_;
  std::unordered_map<std::string, std::uint32_t> terms_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> nodes_;  // by round and set
};

}  // namespace

StrategyDescription describe(const HiddenSolution& solution, OpponentModel model) {
  const SequenceForm& form = solution.form;
  StrategyDescription description;
  description.model = model;
  description.algorithm = solution.algorithm;
  description.exploitability = solution.pair.exploitability();
  description.iterations = solution.iterations;
  description.exact_value = solution.exact_value;
  description.rounds = form.developments().rounds() - 1;
  description.worlds = form.worlds();
  description.terminal_worlds = form.terminal_worlds();
  for (std::size_t player = 0; player < form.players(); ++player) {
    description.players.push_back(form.developments().agent_name(player));
    description.low.push_back(solution.low(player));
    description.high.push_back(solution.high(player));
    description.decisions.push_back(form.decisions(player).size());
    description.sequences.push_back(form.sequences(player));
  }
  return description;
}

StoredStrategies stored_strategies(const HiddenSolution& solution) {
  return StrategyStorer(solution).run();
}

}  // namespace zermelo::solve
