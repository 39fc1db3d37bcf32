// The evaluation of Michulke and Schiffel, "Distance Features for General Game Playing", section
// 5.1: conjunctions are products, disjunctions are probabilistic sums, a fluent that holds is worth
// 0.9, and one at the normalised distance d is worth 0.1 + 0.8 (1 - d), or 0 if it is unreachable.
// The distance is the largest of those in two fluent graphs, which is still a lower bound.
//
// The paper evaluates one goal. Here the reward of a role is the mean of its goal values, weighted
// by how true their conditions are. So the conditions under which others win count, too, wherever
// the rules give the role a smaller reward for them.
//
// The degree of a fluent is a maximum over the fluents that hold, since distances are minima. Most
// fluents are near few others, so each fluent has a short list of the fluents it affects.
#include "eval/distance_evaluator.h"

#include <algorithm>
#include <cmath>

#include "analysis/fluent_graph.h"
#include "base/error_name.h"

namespace zermelo::eval {
namespace {

using analysis::FluentDistances;
using analysis::FluentGraph;
using Kind = GoalFormula::Kind;

constexpr float true_degree = 0.9f, false_degree = 0.1f;

float degree_at(std::uint16_t distance, std::uint16_t longest) {
  if (distance == FluentDistances::unreachable) return 0;
  if (distance == 0) return true_degree;
  return true_degree -
         (true_degree - false_degree) * static_cast<float>(distance) / static_cast<float>(longest);
}

}  // namespace

DistanceEvaluator::DistanceEvaluator(std::shared_ptr<const machine::Machine> machine)
    : machine_(std::move(machine)), formula_(machine_->game()) {
  std::vector<ground::Atom> atoms;
  for (Node node = 0; node < formula_.parts().size(); ++node) {
    if (formula_.parts()[node].kind != Kind::opaque) continue;
    opaque_.push_back(node);
    atoms.push_back(formula_.parts()[node].atom);
  }
  if (atoms.empty()) return;
  opaque_rules_ = std::make_unique<analysis::RuleEvaluator>(machine_->game(), atoms,
                                                            [](ground::Atom) { return false; });
}

base::Result<std::shared_ptr<const DistanceEvaluator>> DistanceEvaluator::make(
    std::shared_ptr<const machine::Machine> machine, const DistanceOptions& options) {
  std::shared_ptr<DistanceEvaluator> result(new DistanceEvaluator(std::move(machine)));
  if (!options.distances) {
    result->add_truth();
  } else if (const auto added = result->add_distances(options.limits); !added) {
    return tl::unexpected(added.error());
  }
  return result;
}

void DistanceEvaluator::add_truth() {
  GraphEffects& effects = graphs_.emplace_back();
  effects.of_fluent.resize(machine_->game().fluents.size());
  for (Node node = 0; node < formula_.parts().size(); ++node) {
    const GoalFormula::Part& part = formula_.parts()[node];
    if (part.kind != Kind::fluent) continue;
    effects.of_fluent[part.atom].push_back({node, true_degree});
    effects.of_nothing.push_back({node, false_degree});
  }
}

base::Result<void> DistanceEvaluator::add_distances(const base::Limits& limits) {
  const std::size_t fluents = machine_->game().fluents.size();
  const auto graphs = analysis::make_fluent_graphs(machine_, limits);
  if (!graphs) return tl::unexpected(graphs.error());
  for (const FluentGraph& graph : *graphs) {
    GraphEffects& effects = graphs_.emplace_back();
    effects.of_fluent.resize(fluents);
    for (Node node = 0; node < formula_.parts().size(); ++node) {
      const GoalFormula::Part& part = formula_.parts()[node];
      if (part.kind != Kind::fluent) continue;
      if (const auto limit = limits.exceeded()) {
        return tl::unexpected(base::limit_error(*limit, "while distances were computed"));
      }
      const FluentDistances distances({&graph, 1}, part.atom);
      for (std::size_t fluent = 0; fluent < fluents; ++fluent) {
        const float degree = degree_at(distances.from(fluent), distances.longest());
        if (degree > 0) effects.of_fluent[fluent].push_back({node, degree});
      }
      const float degree = degree_at(distances.from_nothing(), distances.longest());
      effects.of_nothing.push_back({node, degree});
    }
  }
  return {};
}

void DistanceEvaluator::set_fluents(const machine::State& state,
                                    std::vector<float>& degrees) const {
  thread_local std::vector<float> in_graph;
  in_graph.resize(degrees.size());
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    std::vector<float>& target = i == 0 ? degrees : in_graph;
    for (const Effect& effect : graphs_[i].of_nothing) target[effect.node] = effect.degree;
    state.for_each([&](std::size_t fluent) {
      for (const Effect& effect : graphs_[i].of_fluent[fluent]) {
        target[effect.node] = std::max(target[effect.node], effect.degree);
      }
    });
    if (i == 0) continue;
    for (const Effect& effect : graphs_[i].of_nothing) {
      degrees[effect.node] = std::min(degrees[effect.node], in_graph[effect.node]);
    }
  }
}

void DistanceEvaluator::set_opaque(const machine::State& state, std::vector<float>& degrees) const {
  if (!opaque_rules_) return;
  analysis::AtomBounds bounds(machine_->game().atoms);
  state.for_each([&](std::size_t f) { bounds.set(static_cast<ground::Atom>(f), true); });
  opaque_rules_->derive(bounds);
  for (const Node node : opaque_) {
    degrees[node] = bounds.surely[formula_.parts()[node].atom] ? true_degree : false_degree;
  }
}

std::vector<float>& DistanceEvaluator::all_degrees(const machine::State& state) const {
  thread_local std::vector<float> degrees;
  degrees.resize(formula_.parts().size());
  set_fluents(state, degrees);
  set_opaque(state, degrees);
  for (Node node = 0; node < degrees.size(); ++node) {
    const GoalFormula::Part& part = formula_.parts()[node];
    if (part.kind == Kind::fluent || part.kind == Kind::opaque) continue;
    float product = 1;
    for (const Node child : formula_.children(part)) {
      product *= part.kind == Kind::all ? degrees[child] : 1 - degrees[child];
    }
    degrees[node] = part.kind == Kind::any ? 1 - product : product;
  }
  return degrees;
}

// If no goal is true to any degree, all are equally likely.
float DistanceEvaluator::reward(std::span<const float> degrees, std::size_t role) const {
  float sum = 0, weighted = 0;
  for (const GoalFormula::Goal& goal : formula_.goals(role)) {
    sum += degrees[goal.node];
    weighted += degrees[goal.node] * static_cast<float>(goal.value);
  }
  return sum > 0 ? weighted / sum : 50;
}

void DistanceEvaluator::evaluate(std::span<const machine::State> states,
                                 std::span<float> values) const {
  const std::size_t roles = machine_->roles().size();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::vector<float>& degrees = all_degrees(states[i]);
    for (std::size_t role = 0; role < roles; ++role) {
      values[i * roles + role] = reward(degrees, role);
    }
  }
}

std::vector<double> DistanceEvaluator::degrees(const machine::State& state,
                                               std::size_t role) const {
  const std::vector<float>& all = all_degrees(state);
  std::vector<double> result;
  for (const GoalFormula::Goal& goal : formula_.goals(role)) {
    result.push_back(static_cast<double>(all[goal.node]));
  }
  return result;
}

double DistanceEvaluator::degree(const machine::State& state, ground::Atom fluent) const {
  const std::vector<float>& all = all_degrees(state);
  for (Node node = 0; node < all.size(); ++node) {
    const GoalFormula::Part& part = formula_.parts()[node];
    if (part.kind == Kind::fluent && part.atom == fluent) return static_cast<double>(all[node]);
  }
  return 0;
}

std::vector<EvaluationPart> DistanceEvaluator::explain(const machine::State& state,
                                                       std::size_t role) const {
  const ground::Game& game = machine_->game();
  std::vector<EvaluationPart> parts;
  const std::vector<double> of_goals = degrees(state, role);
  for (std::size_t i = 0; i < of_goals.size(); ++i) {
    const std::string value = std::to_string(formula_.goals(role)[i].value);
    parts.push_back(
        {"(goal " + game.role_name(static_cast<std::uint32_t>(role)) + " " + value + ")", "goal",
         of_goals[i]});
  }
  const std::vector<float>& all = all_degrees(state);
  for (Node node = 0; node < all.size(); ++node) {
    if (formula_.parts()[node].kind != Kind::fluent) continue;
    parts.push_back(
        {game.fluent_name(formula_.parts()[node].atom), "fluent", static_cast<double>(all[node])});
  }
  return parts;
}

}  // namespace zermelo::eval
