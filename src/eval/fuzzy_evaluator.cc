// Michulke, "Heuristic Interpretation of Predicate Logic Expressions in General Game Playing" (GIGA
// 2011). The goals are taken apart with their variables (goal_expansion.cc). Every expression that
// remains becomes a leaf of the evaluation tree or a small tree:
//
//   1. without instances it is false, with a static one it is true;
//   2. two fluents compared by a total order: order;
//   3. two fluents that should have equal arguments: distance between fluents;
//   4. one fluent: distance to it if one of its ordered arguments is fixed and the fluents of its
//      form are not scattered over the goals; otherwise, with variables, its solution cardinality;
//      otherwise whether it holds, where persistent fluents count as fully true or false;
//   5. everything else is instantiated, so that partial solutions count, as long as the instances
//      are few enough;
//   6. otherwise the solution cardinality of the expression.
//
// The order is the paper's: features before instantiation, because they say more with less. A
// feature that is switched off, or cannot be confirmed, is passed over.
//
// All instances and all relations come from one grounding of the rules with queries
// (analysis/lifted_rules.h). States are evaluated 64 at a time on bit planes, with the ground rules
// for conditions that are not taken apart.
#include "eval/fuzzy_evaluator.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "analysis/argument_steps.h"
#include "analysis/exclusive_fluents.h"
#include "analysis/persistence.h"
#include "base/error_name.h"
#include "eval/distance_between.h"
#include "eval/fixed_distance.h"
#include "eval/goal_formula.h"
#include "eval/order_feature.h"

namespace zermelo::eval {

using analysis::LiftedRules;
using ground::Atom;

class FuzzyEvaluator::Builder {
 public:
  Builder(FuzzyEvaluator& evaluator, const FuzzyOptions& options)
      : evaluator_(evaluator),
        game_(evaluator.machine_->game()),
        options_(options),
        rules_(game_),
        expansion_(rules_, game_),
        fluents_(game_),
        goal_fluents_(game_.fluents.size()) {}

  base::Result<void> build() {
    const GoalFormula formula(game_);
    for (const GoalFormula::Part& part : formula.parts()) {
      if (part.kind == GoalFormula::Kind::fluent) goal_fluents_[part.atom] = true;
    }
    if (const auto asked = ask(); !asked) return tl::unexpected(asked.error());
    prove_persistence();
    prove_orders();
    make_condition_rules();
    std::vector<Value> values;
    for (const GoalExpansion::Part& part : expansion_.parts()) {
      if (const auto limit = options_.limits.exceeded()) {
        return tl::unexpected(base::limit_error(*limit, "while goals were interpreted"));
      }
      values.push_back(make(part, values));
    }
    for (std::size_t role = 0; role < game_.roles.size(); ++role) {
      for (const GoalExpansion::Goal& goal : expansion_.goals(role)) {
        evaluator_.goals_[role].push_back({goal.value, node(values[goal.node], "goal")});
      }
    }
    evaluator_.rules_.keep_only(evaluator_.program_.planes());
    return {};
  }

 private:
  using Node = FuzzyProgram::Node;
  using Connective = FuzzyProgram::Connective;
  using Instance = LiftedRules::Instance;
  using Expression = std::uint32_t;

  // A node of the program, or a constant.
  struct Value {
    enum class Kind : std::uint8_t { never, always, node } kind = Kind::never;
    Node node = 0;
  };
  static Value of_node(Node node) { return {Value::Kind::node, node}; }
  static Value constant(bool holds) {
    return {holds ? Value::Kind::always : Value::Kind::never, 0};
  }

  bool uses(Feature feature) const { return options_.features.test(index_of(feature)); }
  Node record(Feature feature, Node node) {
    ++evaluator_.uses_[index_of(feature)];
    return node;
  }

  // Asks for the instances of all expressions and the pairs of all relations that may matter.
  base::Result<void> ask() {
    std::map<std::uint64_t, LiftedRules::Query> of_relation;
    const auto ask_for = [&](const gdl::Term& relation) {
      if (of_relation.contains(gdl::signature(relation))) return;
      gdl::Formula atom{gdl::Formula::Kind::atom, relation, {}, {}};
      for (gdl::Term& argument : atom.atom.arguments) argument = rules_.fresh_variable();
      const auto variables = analysis::variables_of(atom);
      of_relation[gdl::signature(relation)] = rules_.add_query({std::move(atom)}, variables);
    };
    std::set<std::uint64_t> signatures;
    for (const GoalExpression& expression : expansion_.expressions()) {
      queries_.push_back(rules_.add_query(expression.conditions, expression.variables));
      patterns_.push_back(find_order_pattern(expression, rules_));
      if (patterns_.back()) ask_for(patterns_.back()->relation);
    }
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (goal_fluents_[fluent]) signatures.insert(gdl::signature(game_.fluents[fluent]));
    }
    auto steps = analysis::find_argument_steps(rules_, signatures, options_.limits);
    for (const analysis::ArgumentStep& step : steps) ask_for(step.relation);
    auto answers = rules_.ground(options_.limits);
    if (!answers) return tl::unexpected(answers.error());
    answers_ = std::make_unique<LiftedRules::Answers>(std::move(*answers));
    for (const auto& [signature, query] : of_relation) {
      std::vector<std::pair<std::string, std::string>> pairs;
      for (const Instance& instance : answers_->instances[query]) {
        pairs.emplace_back(fluents_.text(instance.values[0]), fluents_.text(instance.values[1]));
      }
      relations_.emplace(signature, analysis::BinaryRelation(pairs));
    }
    metrics_ = std::make_unique<ArgumentMetrics>(std::move(steps), relations_, options_.features);
    return {};
  }

  void prove_persistence() {
    persistence_ = {std::vector<bool>(game_.fluents.size()),
                    std::vector<bool>(game_.fluents.size())};
    if (!uses(Feature::persistence)) return;
    std::vector<Atom> fluents;
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (goal_fluents_[fluent]) fluents.push_back(fluent);
    }
    analysis::PersistenceOptions options;
    options.limits = options_.limits;
    persistence_ = analysis::find_persistent_fluents(evaluator_.machine_, fluents, options);
  }

  void prove_orders() {
    orders_.resize(patterns_.size());
    std::vector<std::vector<Atom>> sets;
    for (std::size_t i = 0; i < patterns_.size() && uses(Feature::order); ++i) {
      if (!patterns_[i]) continue;
      orders_[i] = confirm_order(*patterns_[i], relations_, fluents_);
      if (orders_[i])
        sets.insert(sets.end(), orders_[i]->exclusive.begin(), orders_[i]->exclusive.end());
    }
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    if (sets.empty()) return;
    constexpr std::chrono::duration<double> seconds{2};
    const std::vector<bool> proved =
        analysis::prove_exclusive(evaluator_.machine_, sets, seconds, options_.limits);
    for (std::optional<OrderFeature>& order : orders_) {
      if (!order) continue;
      const bool is_proved = std::all_of(
          order->exclusive.begin(), order->exclusive.end(), [&](const std::vector<Atom>& set) {
            return proved[static_cast<std::size_t>(std::lower_bound(sets.begin(), sets.end(), set) -
                                                   sets.begin())];
          });
      if (!is_proved) order.reset();
    }
  }

  // Every instance gets a plane, in case that it is counted or not taken apart.
  void make_condition_rules() {
    std::vector<Atom> roots;
    for (const LiftedRules::Query query : queries_) {
      for (const Instance& instance : answers_->instances[query]) {
        if (!is_fact(instance.atom)) roots.push_back(instance.atom);
      }
    }
    for (const ground::Game::Component& component : answers_->game.recursive) {
      is_recursive_.emplace_back(component.first, component.last);
    }
    const auto first = static_cast<Plane>(game_.fluents.size());
    evaluator_.rules_ = PlaneRules(answers_->game, roots, answers_->fluent_of, first);
  }

  bool is_fact(Atom atom) const {
    const ground::Game& game = answers_->game;
    if (atom < game.first_derived) return false;
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      if (game.body(rule).empty()) return true;
    }
    return false;
  }

  // The plane of a condition; that of a fluent if the condition is just a fluent.
  Plane plane(Atom atom) const {
    const ground::Game& game = answers_->game;
    while (atom >= game.first_derived && game.rules_end(atom) - game.rules_begin(atom) == 1) {
      const auto body = game.body(game.rules_begin(atom));
      if (body.size() != 1 || body.front().negated()) break;
      atom = body.front().atom();
    }
    return evaluator_.rules_.plane(atom);
  }

  Value make(const GoalExpansion::Part& part, const std::vector<Value>& values) {
    std::vector<Value> children;
    for (const GoalExpansion::Node child : part.children) children.push_back(values[child]);
    switch (part.kind) {
      case GoalExpansion::Kind::expression:
        return make(part.expression);
      case GoalExpansion::Kind::all:
        return combine(Connective::all, children, part.text);
      case GoalExpansion::Kind::any:
        return combine(Connective::any, children, part.text);
      case GoalExpansion::Kind::negation:
        break;
    }
    return negate(children.front(), part.text);
  }

  Value negate(Value child, const std::string& text) {
    if (child.kind != Value::Kind::node) return constant(child.kind == Value::Kind::never);
    return of_node(evaluator_.program_.add(Connective::negation, {child.node}, {text, "negation"}));
  }

  Value combine(Connective connective, const std::vector<Value>& children,
                const std::string& text) {
    const bool is_all = connective == Connective::all;
    std::vector<Node> nodes;
    for (const Value& child : children) {
      if (child.kind == Value::Kind::node) nodes.push_back(child.node);
      if (child.kind == (is_all ? Value::Kind::never : Value::Kind::always)) return child;
    }
    if (nodes.empty()) return constant(is_all);
    if (nodes.size() == 1) return of_node(nodes.front());
    return of_node(evaluator_.program_.add(connective, nodes, {text, is_all ? "all" : "any"}));
  }

  Node node(Value value, const std::string& text) {
    if (value.kind == Value::Kind::node) return value.node;
    return evaluator_.program_.add_constant(value.kind == Value::Kind::always ? 1.0f : 0.0f,
                                            {text, "constant"});
  }

  Value make(Expression index) {
    const GoalExpression& expression = expansion_.expressions()[index];
    const std::vector<Instance>& instances = answers_->instances[queries_[index]];
    if (instances.empty()) return constant(false);
    for (const Instance& instance : instances) {
      if (is_fact(instance.atom)) return constant(true);
    }
    FuzzyProgram& program = evaluator_.program_;
    if (orders_[index]) {
      return of_node(
          record(Feature::order, program.add_sum(orders_[index]->base, orders_[index]->weights,
                                                 {expression.text, "order"})));
    }
    if (uses(Feature::distance_between)) {
      if (auto found = find_distance_between(expression, rules_, *metrics_, fluents_)) {
        return of_node(record(
            Feature::distance_between,
            program.add_pairs(std::move(found->first), std::move(found->second),
                              std::move(found->values), {expression.text, "distance_between"})));
      }
    }
    if (const gdl::Term* fluent = only_fluent(expression)) {
      if (const auto value = make_fluent_feature(*fluent, expression, instances)) return *value;
    }
    return make_instances(expression, instances);
  }

  // The fluent, if all other conditions are static.
  const gdl::Term* only_fluent(const GoalExpression& expression) const {
    const gdl::Term* found = nullptr;
    for (const gdl::Formula& condition : expression.conditions) {
      if (const gdl::Term* fluent = analysis::fluent_in(condition)) {
        if (found) return nullptr;
        found = fluent;
      } else if (condition.kind != gdl::Formula::Kind::distinct &&
                 (condition.kind != gdl::Formula::Kind::atom ||
                  !rules_.is_static(condition.atom))) {
        return nullptr;
      }
    }
    return found;
  }

  std::optional<Value> make_fluent_feature(const gdl::Term& fluent,
                                           const GoalExpression& expression,
                                           const std::vector<Instance>& instances) {
    if (instances.size() == 1) return make_atom(instances.front().atom);
    auto found = find_fixed_distance(fluent, options_.logic, *metrics_, fluents_, goal_fluents_);
    if (found) return of_node(add_distance(*found, expression.text));
    if (!uses(Feature::cardinality)) return std::nullopt;
    return of_node(add_cardinality(instances, {expression.text, "cardinality"}));
  }

  Node add_distance(const FixedDistance& found, const std::string& text) {
    return record(found.kind, evaluator_.program_.add_levels(
                                  {make_level_table(found.values, 0)},
                                  {text, std::string(feature_names[index_of(found.kind)])}));
  }

  Node add_cardinality(const std::vector<Instance>& instances, FuzzyProgram::Label label) {
    std::vector<Plane> planes;
    for (const Instance& instance : instances) {
      planes.push_back(plane(instance.atom));
    }
    auto by_count = degrees_by_cardinality(options_.logic, options_.cardinality, planes.size());
    return record(
        Feature::cardinality,
        evaluator_.program_.add_count(std::move(planes), std::move(by_count), std::move(label)));
  }

  Value make_instances(const GoalExpression& expression, const std::vector<Instance>& instances) {
    std::size_t literals = 0;
    for (const Instance& instance : instances) literals += literals_below(instance.atom);
    const bool is_one = instances.size() == 1;
    if (literals_ + literals > options_.max_literals && !is_one && uses(Feature::cardinality)) {
      return of_node(add_cardinality(instances, {expression.text, "expression_cardinality"}));
    }
    std::vector<Value> values;
    for (const Instance& instance : instances) {
      if (literals_ > options_.max_literals) {
        values.push_back(of_node(add_condition(instance.atom, expression.text)));
      } else {
        values.push_back(make_atom(instance.atom));
      }
    }
    return combine(Connective::any, values, expression.text);
  }

  // An upper bound that stops at the limit. Shared rules count again.
  std::size_t literals_below(Atom atom) const {
    const ground::Game& game = answers_->game;
    std::vector<Atom> open{atom};
    std::size_t literals = 0;
    while (!open.empty() && literals <= options_.max_literals) {
      const Atom next = open.back();
      open.pop_back();
      ++literals;
      if (next < game.first_derived || is_recursive(next)) continue;
      for (auto rule = game.rules_begin(next); rule < game.rules_end(next); ++rule) {
        for (const ground::Literal literal : game.body(rule)) open.push_back(literal.atom());
      }
    }
    return literals;
  }

  bool is_recursive(Atom atom) const {
    return std::any_of(is_recursive_.begin(), is_recursive_.end(), [&](const auto& range) {
      return atom >= range.first && atom < range.second;
    });
  }

  // A ground condition, taken apart.
  Value make_atom(Atom atom) {
    const auto known = made_.find(atom);
    if (known != made_.end()) return known->second;
    const Value value = make_new_atom(atom);
    made_.emplace(atom, value);
    return value;
  }

  Value make_new_atom(Atom atom) {
    const ground::Game& game = answers_->game;
    ++literals_;
    if (atom < game.fluents.size()) return of_node(add_fluent(answers_->fluent_of[atom]));
    if (is_fact(atom)) return constant(true);
    if (is_recursive(atom) || literals_ > options_.max_literals) {
      return of_node(add_condition(atom, "condition"));
    }
    std::vector<Value> rules;
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      std::vector<Value> literals;
      for (const ground::Literal literal : game.body(rule)) {
        const Value value = make_atom(literal.atom());
        literals.push_back(literal.negated() ? negate(value, "not") : value);
      }
      rules.push_back(combine(Connective::all, literals, "and"));
    }
    return combine(Connective::any, rules, "or");
  }

  Node add_fluent(Atom fluent) {
    const std::string name = game_.fluent_name(fluent);
    const bool stays_true = persistence_.stays_true[fluent];
    const bool stays_false = persistence_.stays_false[fluent];
    FuzzyLogic logic = options_.logic;
    if (stays_true) logic.holds = 1;
    if (auto found =
            find_fixed_distance(game_.fluents[fluent], logic, *metrics_, fluents_, goal_fluents_)) {
      return add_distance(*found, name);
    }
    if (stays_false) logic.fails = 0;
    const bool is_persistent = stays_true || stays_false;
    const Node node =
        evaluator_.program_.add_levels({make_level_table({{fluent, logic.holds}}, logic.fails)},
                                       {name, is_persistent ? "persistent_fluent" : "fluent"});
    return is_persistent ? record(Feature::persistence, node) : node;
  }

  Node add_condition(Atom atom, const std::string& text) {
    return evaluator_.program_.add_levels(
        {make_level_table({{plane(atom), options_.logic.holds}}, options_.logic.fails)},
        {text, "condition"});
  }

  FuzzyEvaluator& evaluator_;
  const ground::Game& game_;
  const FuzzyOptions& options_;
  LiftedRules rules_;
  GoalExpansion expansion_;
  FluentIndex fluents_;
  std::vector<bool> goal_fluents_;                     // by fluent: occurs in a goal
  std::vector<LiftedRules::Query> queries_;            // by expression
  std::vector<std::optional<OrderPattern>> patterns_;  // by expression
  std::vector<std::optional<OrderFeature>> orders_;    // by expression
  std::unique_ptr<LiftedRules::Answers> answers_;
  Relations relations_;
  std::unique_ptr<ArgumentMetrics> metrics_;
  analysis::Persistence persistence_;
  std::vector<std::pair<Atom, Atom>> is_recursive_;  // ranges of atoms of the answers' game
  std::unordered_map<Atom, Value> made_;             // by atom of the answers' game
  std::size_t literals_ = 0;                         // instantiated so far
};

base::Result<std::shared_ptr<const FuzzyEvaluator>> FuzzyEvaluator::make(
    std::shared_ptr<const machine::Machine> machine, const FuzzyOptions& options) {
  std::shared_ptr<FuzzyEvaluator> result(new FuzzyEvaluator(std::move(machine), options.logic));
  if (const auto built = Builder(*result, options).build(); !built) {
    return tl::unexpected(built.error());
  }
  return result;
}

}  // namespace zermelo::eval
