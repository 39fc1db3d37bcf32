// Negation is kept as far as it can be. "Variable v has value k" and "v does not have value k" are
// two facts; setting v to k makes the first true, and from that follow the denials of all others. A
// derived variable d has a fact for true, made by its axioms, and one for false: every axiom of d
// has a condition that fails. With a helper fact for "this axiom fails", that is linear in the size
// of the axioms and exact but for the relaxation. For derived variables that depend on themselves,
// the least fixpoint makes this wrong, and their negation counts as always true. So everything errs
// towards reachable, and what is unreachable here is unreachable in the game.
//
// An operator has one rule for its preconditions, which derives "applicable", and one rule per
// condition of its effects.
#include "search/planner/relaxed_task.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/components.h"

namespace zermelo::search::planner {

using translate::sas::Axiom;
using translate::sas::Condition;
using translate::sas::Cube;
using translate::sas::Effect;
using translate::sas::Operator;
using translate::sas::Task;

class RelaxedTask::Builder {
 public:
  Builder(RelaxedTask& result, const Task& task, const std::vector<bool>& autonomous)
      : result_(result), task_(task), free_(task.variables.size(), false) {
    place_fluents(autonomous);
    axioms_of_.resize(task.variables.size());
    for (const Axiom& axiom : task.axioms) axioms_of_[axiom.variable].push_back(&axiom);
    find_recursion();
  }

  void run() {
    for (const Operator& made : task_.operators) {
      made.move ? add_move(made) : add_reward(made);
    }
    define_derived();
    add_denials();
    add_effects();
    finish_levels();
    copy_goal_rules();
    result_.graph_.finish();
    result_.goal_graph_.finish();
  }

 private:
  // A condition as a fact; nothing where it counts as always true.
  using OptionalFact = std::optional<Fact>;
  struct Applicable {
    const Operator* made;
    Fact fact;
    std::uint32_t number;
  };

  void place_fluents(const std::vector<bool>& autonomous) {
    const std::size_t variables = task_.variables.size();
    std::vector<bool> runs(variables, true);
    result_.places_.resize(task_.fluents.size());
    for (std::size_t f = 0; f < task_.fluents.size(); ++f) {
      const auto& place = task_.fluents[f];
      if (place.kind != translate::sas::FluentPlace::Kind::value) continue;
      result_.places_[f] = {place.variable, place.value};
      if (!autonomous[f]) runs[place.variable] = false;
    }
    std::vector<bool> has_fluent(variables, false);
    for (const Place& place : result_.places_) {
      if (place.variable != no_variable) has_fluent[place.variable] = true;
    }
    for (std::size_t v = 0; v < variables; ++v) {
      const auto& values = task_.variables[v].values;
      free_[v] = runs[v] && has_fluent[v];
      result_.default_values_.push_back(static_cast<std::uint32_t>(values.size() - 1));
      result_.facts_of_.emplace_back(values.size());
    }
  }

  // Derived variables that depend on themselves.
  void find_recursion() {
    const auto variables = static_cast<std::uint32_t>(task_.variables.size());
    std::vector<std::vector<std::uint32_t>> reads(variables);
    recursive_.assign(variables, false);
    for (const Axiom& axiom : task_.axioms) {
      for (const Condition& condition : axiom.conditions) {
        if (!task_.variables[condition.variable].is_derived) continue;
        reads[axiom.variable].push_back(condition.variable);
        if (condition.variable == axiom.variable) recursive_[axiom.variable] = true;
      }
    }
    const auto components =
        base::strongly_connected_components(variables, [&](std::uint32_t v, std::uint64_t i) {
          return i < reads[v].size() ? reads[v][i] : base::no_node;
        });
    std::vector<std::uint32_t> sizes(components.count, 0);
    for (const std::uint32_t component : components.component_of) ++sizes[component];
    for (std::uint32_t v = 0; v < variables; ++v) {
      if (sizes[components.component_of[v]] > 1) recursive_[v] = true;
    }
  }

  // Of two values, not to have one is to have the other.
  Condition canonical(Condition condition) const {
    const auto& variable = task_.variables[condition.variable];
    if (!condition.equal && variable.values.size() == 2) {
      return {condition.variable, 1u - condition.value, true};
    }
    return condition;
  }

  OptionalFact fact_of(const Condition& wanted) {
    if (free_[wanted.variable]) return std::nullopt;
    const Condition condition = canonical(wanted);
    const bool is_derived = task_.variables[condition.variable].is_derived;
    const bool is_false = is_derived && condition.value == translate::sas::derived_false;
    if (is_false && recursive_[condition.variable]) return std::nullopt;
    const auto known = facts_.find(condition);
    if (known != facts_.end()) return known->second;
    const Fact fact = result_.graph_.add_fact();
    facts_.emplace(condition, fact);
    if (is_derived) {
      undefined_.push_back(condition);
    } else {
      note_values(condition, fact);
    }
    return fact;
  }

  void note_values(const Condition& condition, Fact fact) {
    auto& by_value = result_.facts_of_[condition.variable];
    for (std::uint32_t value = 0; value < by_value.size(); ++value) {
      if ((value == condition.value) == condition.equal) by_value[value].push_back(fact);
    }
  }

  std::vector<Fact> facts_of(const Cube& cube) {
    std::vector<Fact> facts;
    for (const Condition& condition : cube) {
      if (const OptionalFact fact = fact_of(condition)) facts.push_back(*fact);
    }
    return facts;
  }

  void add_move(const Operator& made) {
    const auto number = static_cast<std::uint32_t>(result_.moves_.size());
    result_.moves_.push_back(*made.move);
    const Fact applicable = result_.graph_.add_fact();
    result_.graph_.add_rule({facts_of(made.precondition), {applicable}, 1, number});
    applicable_.push_back({&made, applicable, number});
    for (const Effect& effect : made.effects) {
      if (!free_[effect.variable]) facts_of(effect.conditions);
    }
  }

  void add_reward(const Operator& made) {
    const int reward = 100 - made.cost;
    const auto known = std::find_if(result_.levels_.begin(), result_.levels_.end(),
                                    [&](const RewardLevel& l) { return l.reward == reward; });
    const bool is_new = known == result_.levels_.end();
    const Fact target = is_new ? result_.graph_.add_fact() : known->target;
    if (is_new) result_.levels_.push_back({reward, target});
    add_derivation({facts_of(made.precondition), {target}, 0, no_operator});
  }

  void add_derivation(const RelaxedRule& rule) {
    result_.graph_.add_rule(rule);
    derivations_.push_back(rule);
  }

  // Defining a fact may need further facts.
  void define_derived() {
    while (!undefined_.empty()) {
      const Condition condition = undefined_.back();
      undefined_.pop_back();
      const Fact fact = facts_.at(condition);
      condition.value == translate::sas::derived_true ? define_true(condition.variable, fact)
                                                      : define_false(condition.variable, fact);
    }
  }

  void define_true(std::uint32_t variable, Fact fact) {
    for (const Axiom* axiom : axioms_of_[variable]) {
      add_derivation({facts_of(axiom->conditions), {fact}, 0, no_operator});
    }
  }

  void define_false(std::uint32_t variable, Fact fact) {
    std::vector<Fact> all_fail;
    for (const Axiom* axiom : axioms_of_[variable]) {
      if (const OptionalFact fails = failure_of(axiom->conditions)) all_fail.push_back(*fails);
    }
    add_derivation({std::move(all_fail), {fact}, 0, no_operator});
  }

  // The fact that one of the conditions does not hold.
  OptionalFact failure_of(const Cube& conditions) {
    std::vector<Fact> ways;
    for (Condition condition : conditions) {
      condition.equal = !condition.equal;
      const OptionalFact fact = fact_of(condition);
      if (!fact) return std::nullopt;
      ways.push_back(*fact);
    }
    if (ways.size() == 1) return ways[0];
    const Fact fails = result_.graph_.add_fact();
    for (const Fact way : ways) add_derivation({{way}, {fails}, 0, no_operator});
    return fails;
  }

  // A variable that has a value does not have any other.
  void add_denials() {
    std::vector<bool> is_denied(task_.variables.size(), false);
    for (const auto& [condition, fact] : facts_) {
      if (!condition.equal) is_denied[condition.variable] = true;
    }
    for (std::uint32_t v = 0; v < is_denied.size(); ++v) {
      for (std::uint32_t value = 0; is_denied[v] && value < task_.variables[v].values.size();
           ++value) {
        const Fact has_value = *fact_of({v, value, true});
        std::vector<Fact> denials = result_.facts_of_[v][value];
        std::erase(denials, has_value);
        result_.graph_.add_rule({{has_value}, std::move(denials), 0, no_operator});
      }
    }
  }

  // The rest follows from it.
  std::optional<Fact> effect_of(const Effect& effect) const {
    const auto known = facts_.find({effect.variable, effect.value, true});
    return known == facts_.end() ? std::nullopt : std::optional(known->second);
  }

  // After all conditions have facts: what an effect makes true is looked up, not added.
  void add_effects() {
    for (const Applicable& applicable : applicable_) {
      std::map<Cube, std::vector<Fact>> heads;
      for (const Effect& effect : applicable.made->effects) {
        if (free_[effect.variable]) continue;
        if (const auto fact = effect_of(effect)) heads[effect.conditions].push_back(*fact);
      }
      for (auto& [conditions, facts] : heads) {
        std::vector<Fact> body = facts_of(conditions);
        body.push_back(applicable.fact);
        result_.graph_.add_rule({std::move(body), std::move(facts), 0, no_operator});
      }
    }
  }

  void finish_levels() {
    std::sort(result_.levels_.begin(), result_.levels_.end(),
              [](const RewardLevel& a, const RewardLevel& b) { return a.reward < b.reward; });
  }

  // The derivations that the rewards depend on.
  void copy_goal_rules() {
    RelaxedGraph& goals = result_.goal_graph_;
    std::vector<std::vector<std::size_t>> makers(result_.graph_.facts());
    for (std::size_t i = 0; i < derivations_.size(); ++i) {
      makers[derivations_[i].heads[0]].push_back(i);
    }
    std::vector<bool> seen(result_.graph_.facts(), false);
    std::vector<Fact> open;
    for (const RewardLevel& level : result_.levels_) open.push_back(level.target);
    for (const Fact fact : open) seen[fact] = true;
    for (Fact fact = 0; fact < result_.graph_.facts(); ++fact) goals.add_fact();
    while (!open.empty()) {
      const Fact fact = open.back();
      open.pop_back();
      for (const std::size_t i : makers[fact]) {
        goals.add_rule(derivations_[i]);
        for (const Fact read : derivations_[i].body) {
          if (!seen[read]) open.push_back(read);
          seen[read] = true;
        }
      }
    }
    for (const auto& [condition, fact] : facts_) {
      if (seen[fact] && !task_.variables[condition.variable].is_derived) {
        result_.goal_facts_.push_back(fact);
      }
    }
  }

  RelaxedTask& result_;
  const Task& task_;
  std::vector<bool> free_, recursive_;                // by variable
  std::vector<std::vector<const Axiom*>> axioms_of_;  // by variable
  std::map<Condition, Fact> facts_;
  std::vector<Condition> undefined_;  // derived conditions without rules so far
  std::vector<Applicable> applicable_;
  std::vector<RelaxedRule> derivations_;
};

RelaxedTask::RelaxedTask(const Task& task, const std::vector<bool>& autonomous) {
  Builder(*this, task, autonomous).run();
}

void RelaxedTask::enter(const machine::State& state, RelaxedCosts& costs) const {
  costs.begin();
  for_each_fact(state, [&](Fact fact) { costs.set(fact, 0); });
}

void RelaxedTask::enter_goals(const machine::State& state, RelaxedCosts& costs) const {
  costs.begin();
  for_each_fact(state, [&](Fact fact) { costs.set(fact, 0); });
  for (const Fact fact : goal_facts_) costs.set(fact, 1);
}

}  // namespace zermelo::search::planner
