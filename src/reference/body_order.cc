// The order of literals in a GDL body has no meaning, so an evaluator must choose one. A bad order
// can be extremely slow, for example if a literal without known arguments comes first. The choice
// here is greedy, as in classical query optimisers: take the literal with the fewest expected
// tuples, mark its variables as known, repeat. `distinct` and negation wait until all their
// variables are known, and a computed function until its inputs are.
//
// The number of tuples is estimated once from the rules. The number of values of an argument is the
// maximum over the rules, a variable has no more values than its smallest argument, and a predicate
// has no more tuples than the product over its arguments. A known argument divides by its number of
// values. The estimates affect only the order; the answer is the same for every order.

#include "reference/body_order.h"

#include <algorithm>
#include <limits>
#include <set>

namespace zermelo::reference {

namespace {

constexpr double largest_estimate = 1e15;
constexpr double values_if_unknown = 10;
constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr int estimation_rounds = 8;

// Deriving tuples costs more than looking up stored ones.
double overhead(const Predicate& predicate) {
  if (predicate.kind != Predicate::Kind::derived) return 0;
  return predicate.depends == Predicate::Depends::nothing ? 0.5 : 2;
}

// A correction, since the estimates are rough: it prefers literals with more known arguments, and
// penalises literals without any, which produce a cross product.
double openness(std::size_t arguments, std::size_t known) {
  constexpr double of_product = 30;
  return known == 0 ? of_product : static_cast<double>(arguments) / static_cast<double>(known);
}

bool needs_all_variables(const BodyLiteral& literal) {
  return literal.kind != BodyLiteral::Kind::holds;
}

bool compares_terms(const BodyLiteral& literal) {
  return literal.kind == BodyLiteral::Kind::differ || literal.kind == BodyLiteral::Kind::same;
}

}  // namespace

BodyOrderer::BodyOrderer(const RuleProgram& program) : program_(program) {
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    estimates_.push_back(measure(program.relations[p], program.predicates[p].arity));
  }
  measure_initial_fluents();
  const auto roles = static_cast<double>(program.relations[program.role].size());
  estimates_[program.does] = {roles, {roles, 1}};
  for (int round = 0; round < estimation_rounds; ++round) {
    for (const Rule& rule : program.rules) estimate_rule(rule);
  }
  replace_unknowns();
}

BodyOrderer::Estimate BodyOrderer::measure(const TupleSet& tuples, std::size_t arity) {
  Estimate estimate{static_cast<double>(tuples.size()), {}};
  for (std::size_t a = 0; a < arity; ++a) {
    std::set<TermId> values;
    for (std::uint32_t i = 0; i < tuples.size(); ++i) values.insert(tuples[i][a]);
    estimate.values.push_back(static_cast<double>(values.size()));
  }
  return estimate;
}

void BodyOrderer::measure_initial_fluents() {
  TupleSet all(1);
  std::map<PredicateId, TupleSet> by_name;
  for (const TermId fluent : program_.initial_facts) {
    all.insert({&fluent, 1});
    const auto arguments = program_.terms.arguments(fluent);
    const auto found = program_.fluents.find({program_.terms.name(fluent), arguments.size()});
    if (found == program_.fluents.end()) continue;
    by_name.try_emplace(found->second, arguments.size()).first->second.insert(arguments);
  }
  estimates_[program_.any_fluent] = measure(all, 1);
  for (const auto& [p, tuples] : by_name) {
    estimates_[p] = measure(tuples, program_.predicates[p].arity);
  }
}

void BodyOrderer::replace_unknowns() {
  for (PredicateId p = 0; p < estimates_.size(); ++p) {
    if (program_.predicates[p].kind == Predicate::Kind::facts || p == program_.does) continue;
    if (program_.predicates[p].kind == Predicate::Kind::computed) continue;
    std::vector<double> values = estimates_[p].values;
    for (double& v : values) v = v == 0 ? values_if_unknown : v;
    raise(estimates_[p], values);
  }
}

void BodyOrderer::estimate_rule(const Rule& rule) {
  const std::vector<double> values = variable_values(rule);
  std::vector<double> arguments;
  for (const ExpressionId argument : rule.arguments) {
    arguments.push_back(expression_values(argument, values));
  }
  raise(estimates_[rule.head], arguments);
  if (rule.head == program_.next || rule.head == program_.init) estimate_fluents(rule, values);
}

void BodyOrderer::raise(Estimate& estimate, std::span<const double> values) const {
  double size = 1;
  for (std::size_t a = 0; a < values.size(); ++a) {
    if (values[a] < unknown) estimate.values[a] = std::max(estimate.values[a], values[a]);
    size = std::min(size * std::max(1.0, estimate.values[a]), largest_estimate);
  }
  estimate.size = size;
}

std::vector<double> BodyOrderer::variable_values(const Rule& rule) const {
  std::vector<double> values(rule.variables, unknown);
  for (const BodyLiteral& literal : rule.body) {
    if (literal.kind != BodyLiteral::Kind::holds || literal.predicate == program_.does) continue;
    if (program_.predicates[literal.predicate].kind == Predicate::Kind::computed) continue;
    for (std::size_t a = 0; a < literal.arguments.size(); ++a) {
      const double narrow = std::max(1.0, estimates_[literal.predicate].values[a]);
      program_.for_each_variable(literal.arguments[a],
                                 [&](VariableId v) { values[v] = std::min(values[v], narrow); });
    }
  }
  return values;
}

double BodyOrderer::expression_values(ExpressionId expression,
                                      const std::vector<double>& values) const {
  double product = 1;
  program_.for_each_variable(expression, [&](VariableId v) { product *= values[v]; });
  return product == unknown ? unknown : std::min(product, largest_estimate);
}

void BodyOrderer::estimate_fluents(const Rule& rule, const std::vector<double>& values) {
  const Expression& fluent = program_.expressions[rule.arguments.front()];
  if (fluent.kind != Expression::Kind::function) return;
  const auto found =
      program_.fluents.find({static_cast<gdl::Symbol>(fluent.value), fluent.arguments});
  if (found == program_.fluents.end()) return;
  std::vector<double> arguments;
  for (std::uint32_t a = 0; a < fluent.arguments; ++a) {
    arguments.push_back(expression_values(fluent.first_argument + a, values));
  }
  raise(estimates_[found->second], arguments);
}

const PlanSet& BodyOrderer::plans(PredicateId predicate, ArgumentMask given,
                                  base::LimitedSteps& steps) {
  const auto found = plans_.find({predicate, given});
  if (found != plans_.end()) return found->second;
  PlanSet set;
  for (const std::uint32_t r : program_.predicates[predicate].rules) {
    set.plans.push_back(make_plan(program_.rules[r], given, steps));
    set.variables = std::max<std::size_t>(set.variables, program_.rules[r].variables);
    set.steps = std::max(set.steps, set.plans.back().steps.size());
  }
  return plans_.emplace(std::pair(predicate, given), std::move(set)).first->second;
}

Plan BodyOrderer::make_plan(const Rule& rule, ArgumentMask given, base::LimitedSteps& steps) const {
  std::vector<bool> bound(rule.variables);
  for (std::size_t a = 0; a < rule.arguments.size() && a < 64; ++a) {
    if (given >> a & 1) {
      program_.for_each_variable(rule.arguments[a], [&](VariableId v) { bound[v] = true; });
    }
  }
  Plan plan{&rule, {}};
  std::vector<const BodyLiteral*> waiting;
  for (const BodyLiteral& literal : rule.body) waiting.push_back(&literal);
  while (!waiting.empty()) {
    steps.take(waiting.size());
    sort_by_cost(waiting, bound);
    auto next = waiting.begin();
    do {  // the costs do not change until a variable becomes known
      plan.steps.push_back(make_step(**next++, bound));
    } while (next != waiting.end() && plan.steps.back().binds.empty());
    waiting.erase(waiting.begin(), next);
  }
  return plan;
}

// Stable: literals of equal cost keep the order of the rule.
void BodyOrderer::sort_by_cost(std::vector<const BodyLiteral*>& literals,
                               const std::vector<bool>& bound) const {
  std::vector<std::pair<double, const BodyLiteral*>> by_cost;
  for (const BodyLiteral* literal : literals) by_cost.emplace_back(cost(*literal, bound), literal);
  std::sort(by_cost.begin(), by_cost.end());
  for (std::size_t i = 0; i < literals.size(); ++i) literals[i] = by_cost[i].second;
}

double BodyOrderer::cost(const BodyLiteral& literal, const std::vector<bool>& bound) const {
  const bool all_bound =
      std::all_of(literal.arguments.begin(), literal.arguments.end(),
                  [&](ExpressionId argument) { return is_bound(argument, bound); });
  if (needs_all_variables(literal) && !all_bound) return unknown;
  if (compares_terms(literal)) return 0;
  const Predicate& predicate = program_.predicates[literal.predicate];
  if (predicate.kind == Predicate::Kind::computed) return computation_cost(literal, bound);
  if (all_bound) return overhead(predicate);
  const Estimate& estimate = estimates_[literal.predicate];
  double tuples = estimate.size;
  std::size_t known = 0;
  for (std::size_t a = 0; a < literal.arguments.size(); ++a) {
    if (!is_bound(literal.arguments[a], bound)) continue;
    tuples /= std::max(1.0, estimate.values[a]);
    ++known;
  }
  const double tuple_cost = std::max(tuples, 0.1) + overhead(predicate);
  return tuple_cost * openness(literal.arguments.size(), known);
}

// A function has at most one result, so it is computed as soon as it can be.
double BodyOrderer::computation_cost(const BodyLiteral& literal,
                                     const std::vector<bool>& bound) const {
  const std::uint32_t inputs = program_.predicates[literal.predicate].function.inputs;
  const auto is_known = [&](ExpressionId argument) { return is_bound(argument, bound); };
  const auto end = literal.arguments.begin() + inputs;
  return std::all_of(literal.arguments.begin(), end, is_known) ? 0 : unknown;
}

bool BodyOrderer::is_bound(ExpressionId expression, const std::vector<bool>& bound) const {
  bool all = true;
  program_.for_each_variable(expression, [&](VariableId v) { all = all && bound[v]; });
  return all;
}

ArgumentMask BodyOrderer::bound_arguments(std::span<const ExpressionId> arguments,
                                          const std::vector<bool>& bound) const {
  ArgumentMask mask = 0;
  for (std::size_t a = 0; a < arguments.size() && a < 64; ++a) {
    if (is_bound(arguments[a], bound)) mask |= ArgumentMask{1} << a;
  }
  return mask;
}

Step BodyOrderer::make_step(const BodyLiteral& literal, std::vector<bool>& bound) const {
  Step step{&literal, bound_arguments(literal.arguments, bound), {}};
  for (const ExpressionId argument : literal.arguments) {
    program_.for_each_variable(argument, [&](VariableId v) {
      if (bound[v]) return;
      bound[v] = true;
      step.binds.push_back(v);
    });
  }
  return step;
}

}  // namespace zermelo::reference
