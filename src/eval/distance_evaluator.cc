// The evaluation of Michulke and Schiffel, "Distance Features for General Game Playing", section
// 5.1: conjunctions are products, disjunctions are probabilistic sums, a fluent that holds is worth
// 0.9, and one at the normalised distance d is worth 0.1 + 0.8 (1 - d), or 0 if it is unreachable.
// The distance is the largest of those in several fluent graphs, which is still a lower bound.
//
// The paper evaluates one goal. Here the reward of a role is the mean of its goal values, weighted
// by how true their conditions are. So the conditions under which others win count, too, wherever
// the rules give the role a smaller reward for them.
//
// The degree of a fluent is a maximum over the fluents that hold, since distances are minima. So in
// a fluent graph the fluents at each distance are a level of a LevelTable, and 64 states are looked
// up at once.
#include "eval/distance_evaluator.h"

#include <numeric>

#include "base/error_name.h"

namespace zermelo::eval {
namespace {

using analysis::FluentDistances;
using analysis::FluentGraph;
using Kind = GoalFormula::Kind;

constexpr FuzzyLogic logic;

float degree_at(std::uint16_t distance, std::uint16_t longest) {
  if (distance == FluentDistances::unreachable) return 0;
  if (distance == 0) return logic.holds;
  const float share = static_cast<float>(distance) / static_cast<float>(longest);
  return logic.holds - (logic.holds - logic.fails) * share;
}

LevelTable levels_in(const FluentGraph& graph, ground::Atom target) {
  const FluentDistances distances({&graph, 1}, target);
  std::vector<std::pair<Plane, float>> values;
  for (Plane fluent = 0; fluent < graph.sources.size(); ++fluent) {
    values.emplace_back(fluent, degree_at(distances.from(fluent), distances.longest()));
  }
  return make_level_table(values, degree_at(distances.from_nothing(), distances.longest()));
}

}  // namespace

DistanceEvaluator::DistanceEvaluator(std::shared_ptr<const machine::Machine> machine)
    : FuzzyGoals(std::move(machine), logic) {}

base::Result<std::shared_ptr<const DistanceEvaluator>> DistanceEvaluator::make(
    std::shared_ptr<const machine::Machine> machine, const DistanceOptions& options) {
  std::shared_ptr<DistanceEvaluator> result(new DistanceEvaluator(std::move(machine)));
  if (const auto built = result->build(options); !built) return tl::unexpected(built.error());
  return result;
}

base::Result<void> DistanceEvaluator::build(const DistanceOptions& options) {
  const ground::Game& game = machine_->game();
  const GoalFormula formula(game);
  std::vector<FluentGraph> graphs;
  if (options.distances) {
    auto made = analysis::make_fluent_graphs(machine_, options.limits);
    if (!made) return tl::unexpected(made.error());
    graphs = std::move(*made);
  }
  std::vector<ground::Atom> opaque;
  for (const GoalFormula::Part& part : formula.parts()) {
    if (part.kind == Kind::opaque) opaque.push_back(part.atom);
  }
  std::vector<Plane> planes(game.fluents.size());
  std::iota(planes.begin(), planes.end(), Plane{0});
  rules_ = PlaneRules(game, opaque, planes, static_cast<Plane>(planes.size()));
  std::vector<FuzzyProgram::Node> nodes;
  for (const GoalFormula::Part& part : formula.parts()) {
    if (const auto limit = options.limits.exceeded()) {
      return tl::unexpected(base::limit_error(*limit, "while distances were computed"));
    }
    nodes.push_back(add(formula, part, graphs, nodes));
  }
  for (std::size_t role = 0; role < goals_.size(); ++role) {
    for (const GoalFormula::Goal& goal : formula.goals(role)) {
      goals_[role].push_back({goal.value, nodes[goal.node]});
    }
  }
  return {};
}

std::vector<LevelTable> DistanceEvaluator::levels(std::span<const FluentGraph> graphs,
                                                  ground::Atom fluent) {
  if (graphs.empty()) return {make_level_table({{fluent, logic.holds}}, logic.fails)};
  std::vector<LevelTable> tables;
  for (const FluentGraph& graph : graphs) tables.push_back(levels_in(graph, fluent));
  return tables;
}

FuzzyProgram::Node DistanceEvaluator::add(const GoalFormula& formula, const GoalFormula::Part& part,
                                          std::span<const FluentGraph> graphs,
                                          const std::vector<FuzzyProgram::Node>& nodes) {
  std::vector<FuzzyProgram::Node> children;
  for (const GoalFormula::Node child : formula.children(part)) children.push_back(nodes[child]);
  switch (part.kind) {
    case Kind::fluent:
      return node_of_[part.atom] = program_.add_levels(
                 levels(graphs, part.atom), {machine_->game().fluent_name(part.atom), "fluent"});
    case Kind::opaque:
      return program_.add_levels(
          {make_level_table({{rules_.plane(part.atom), logic.holds}}, logic.fails)},
          {"recursive", "condition"});
    case Kind::all:
      return program_.add(FuzzyProgram::Connective::all, children, {"and", "all"});
    case Kind::any:
      return program_.add(FuzzyProgram::Connective::any, children, {"or", "any"});
    case Kind::negation:
      break;
  }
  return program_.add(FuzzyProgram::Connective::negation, children, {"not", "negation"});
}

double DistanceEvaluator::degree(const machine::State& state, ground::Atom fluent) const {
  const auto node = node_of_.find(fluent);
  if (node == node_of_.end()) return 0;
  return static_cast<double>(all_degrees({&state, 1})[node->second * states_per_block]);
}

}  // namespace zermelo::eval
