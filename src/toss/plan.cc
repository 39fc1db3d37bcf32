// Planning a query. The table so far has a layout, the variable of each of its columns, and every
// part of a formula extends it.
//
// - A conjunction is a sequence of its parts, chosen greedily: what only filters comes first, then
//   the atom that is expected to multiply the table least. A variable that is quantified
//   existentially is projected away as soon as no later part uses it, which pushes its quantifier
//   inside the conjunction to the smallest part that contains all its uses.
// - A disjunction and an existential formula are evaluated on the distinct values of the variables
//   that they share with the table, and joined.
// - Negations and comparisons filter. Their free variables that nothing else binds range over the
//   whole universe, which is the last choice.
//
// So no part is ever evaluated for assignments that the parts before it have excluded.
#include "toss/plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace zermelo::toss {
namespace {

bool contains(const Variables& variables, Variable v) {
  return std::find(variables.begin(), variables.end(), v) != variables.end();
}

std::size_t column_of(const Variables& layout, Variable v) {
  return static_cast<std::size_t>(std::find(layout.begin(), layout.end(), v) - layout.begin());
}

Columns columns_of(const Variables& layout, const Variables& variables) {
  Columns result;
  for (const Variable v : variables) result.push_back(column_of(layout, v));
  return result;
}

// Those of the layout that the formula shares, in the layout's order; those it has beyond it.
Variables shared(const Variables& layout, const Variables& free) {
  Variables result;
  std::copy_if(layout.begin(), layout.end(), std::back_inserter(result),
               [&](Variable v) { return contains(free, v); });
  return result;
}

Variables missing(const Variables& layout, const Variables& free) {
  Variables result;
  std::copy_if(free.begin(), free.end(), std::back_inserter(result),
               [&](Variable v) { return !contains(layout, v); });
  return result;
}

class Planner {
 public:
  using Kind = Node::Kind;

  explicit Planner(const Theory& theory) : theory_(theory) {}

  StepPtr formula(const Node& node, Variables layout, const Variables& result) {
    std::vector<StepPtr> steps = {plan(node, layout)};
    bind_all(layout, result, steps);
    reorder(layout, result, steps);
    return sequence_step(std::move(steps), result.size());
  }

  TermStepPtr term(const TermNode& node, const Variables& layout) {
    if (node.table) {
      std::optional<std::size_t> column;
      if (!node.free.empty()) column = column_of(layout, node.free[0]);
      return table_term(node.table, column);
    }
    switch (node.kind) {
      case Term::Kind::number:
        return number_term(node.number);
      case Term::Kind::value:
        return value_term(node.function, column_of(layout, node.variables[0]));
      case Term::Kind::indicator: {
        if (node.formula->kind == Kind::atom) {
          Variables known = layout;
          return atom_indicator_term(atom_plan(*node.formula, known, false));
        }
        const Variables key = shared(layout, node.formula->free);
        return indicator_term(columns_of(layout, key), formula(*node.formula, key, key));
      }
      case Term::Kind::sum:
        return sum(node, layout);
      default:
        break;
    }
    std::vector<TermStepPtr> parts;
    for (const TermNodePtr& part : node.parts) parts.push_back(term(*part, layout));
    return arithmetic_term(node.kind, std::move(parts));
  }

 private:
  TermStepPtr sum(const TermNode& node, const Variables& layout) {
    const Variables key = shared(layout, node.free);
    Variables inner = key;
    inner.insert(inner.end(), node.variables.begin(), node.variables.end());
    return sum_term(columns_of(layout, key), formula(*node.formula, key, inner),
                    term(*node.parts[0], inner));
  }

  // Extends the layout by the free variables of the node.
  StepPtr plan(const Node& node, Variables& layout) {
    switch (node.kind) {
      case Kind::atom:
        return atom(node, layout, false);
      case Kind::equal:
        return equal(node, layout);
      case Kind::compare:
        return compare(node, layout);
      case Kind::negation:
        return negation(*node.parts[0], layout);
      case Kind::conjunction:
        return conjunction(node.parts, layout, {});
      case Kind::disjunction:
        return on_key(node, layout, [&](const Variables& key, const Variables& result) {
          return disjunction(node, key, result);
        });
      case Kind::exists:
        return on_key(node, layout, [&](const Variables& key, const Variables& result) {
          return existential(node, key, result);
        });
    }
    return nullptr;
  }

  // Evaluates the inner formula on what it shares with the table. `inner(key, result)` makes a step
  // from tables over the key to tables over the result, which begins with the key.
  template <class Inner>
  StepPtr on_key(const Node& node, Variables& layout, Inner inner) {
    const Variables key = shared(layout, node.free);
    const Variables added = missing(layout, node.free);
    Variables result = key;
    result.insert(result.end(), added.begin(), added.end());
    const StepPtr step = inner(key, result);
    const bool whole = key == layout;
    const Columns columns = columns_of(layout, key);
    layout.insert(layout.end(), added.begin(), added.end());
    return whole ? step : on_key_step(columns, step, layout.size(), false);
  }

  StepPtr disjunction(const Node& node, const Variables& key, const Variables& result) {
    std::vector<StepPtr> branches;
    for (const NodePtr& part : node.parts) branches.push_back(formula(*part, key, result));
    return union_step(std::move(branches), result.size());
  }

  StepPtr existential(const Node& node, Variables layout, const Variables& result) {
    const Node& body = *node.parts[0];
    std::vector<NodePtr> parts = node.parts;
    if (body.kind == Kind::conjunction) parts = body.parts;
    std::vector<StepPtr> steps = {conjunction(parts, layout, node.variables)};
    if (!missing(body.free, node.variables).empty()) steps.push_back(nonempty_step());
    reorder(layout, result, steps);
    return sequence_step(std::move(steps), result.size());
  }

  // Variables in `quantified` are dropped when they are no longer used.
  StepPtr conjunction(std::vector<NodePtr> parts, Variables& layout, const Variables& quantified) {
    std::vector<StepPtr> steps;
    while (!parts.empty()) {
      for (const NodePtr& part : take_cheapest(parts, layout)) {
        steps.push_back(plan(*part, layout));
      }
      drop_unused(parts, quantified, layout, steps);
    }
    return sequence_step(std::move(steps), layout.size());
  }

  // Removes all parts that only filter, in the order of their costs; if there is none, the part
  // that costs least.
  std::vector<NodePtr> take_cheapest(std::vector<NodePtr>& parts, const Variables& layout) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < parts.size(); ++i) order.emplace_back(cost(*parts[i], layout), i);
    std::sort(order.begin(), order.end());
    std::size_t count = 0;
    while (count < order.size() && order[count].first < 1) ++count;
    order.resize(std::max<std::size_t>(1, count));
    std::vector<NodePtr> result;
    for (const auto& [expected, i] : order) result.push_back(std::exchange(parts[i], nullptr));
    std::erase(parts, nullptr);
    return result;
  }

  static void drop_unused(const std::vector<NodePtr>& rest, const Variables& quantified,
                          Variables& layout, std::vector<StepPtr>& steps) {
    Variables kept;
    for (const Variable v : layout) {
      const bool used = std::any_of(rest.begin(), rest.end(),
                                    [&](const NodePtr& part) { return contains(part->free, v); });
      if (used || !contains(quantified, v)) kept.push_back(v);
    }
    reorder(layout, kept, steps);
    layout = kept;
  }

  static void reorder(const Variables& layout, const Variables& result,
                      std::vector<StepPtr>& steps) {
    if (layout != result) steps.push_back(project_step(columns_of(layout, result)));
  }

  // Lets variables that nothing has bound range over the universe.
  static void bind_all(Variables& layout, const Variables& variables, std::vector<StepPtr>& steps) {
    for (const Variable v : missing(layout, variables)) {
      steps.push_back(universe_step(layout.size()));
      layout.push_back(v);
    }
  }

  StepPtr atom(const Node& node, Variables& layout, bool negated) {
    return atom_step(atom_plan(node, layout, negated));
  }

  AtomPlan atom_plan(const Node& node, Variables& layout, bool negated) {
    AtomPlan plan;
    plan.source = node.source;
    plan.negated = negated;
    Columns others;
    for (std::size_t i = 0; i < node.variables.size(); ++i) {
      if (!contains(layout, node.variables[i])) {
        others.push_back(i);
        continue;
      }
      plan.order.push_back(i);
      plan.key.push_back(column_of(layout, node.variables[i]));
    }
    Variables appended;
    for (const std::size_t i : others) {
      plan.order.push_back(i);
      const std::size_t place = column_of(appended, node.variables[i]);
      plan.repeats.push_back(place < appended.size() ? std::optional(place) : std::nullopt);
      if (place == appended.size()) appended.push_back(node.variables[i]);
    }
    layout.insert(layout.end(), appended.begin(), appended.end());
    prepare(node, plan);
    return plan;
  }

  void prepare(const Node& node, AtomPlan& plan) {
    if (node.source.kind == Source::Kind::recursion) {
      plan.recursion_body = recursion_plan(node.source.recursion);
    } else if (const TupleSet* fixed = fixed_relation(node)) {
      plan.prepared = std::make_shared<const TupleSet>(
          plan.order.empty() ? *fixed : fixed->project(plan.order));
    }
  }

  StepPtr recursion_plan(const std::shared_ptr<const Recursion>& recursion) {
    auto& plans = theory_.shared().plans;
    const auto known = plans.find(recursion.get());
    if (known != plans.end()) return known->second;
    StepPtr made = formula(*recursion->body, {}, recursion->columns);
    const auto& shared = theory_.shared().by_body;
    const bool is_shared = std::any_of(shared.begin(), shared.end(),
                                       [&](const auto& each) { return each.second == recursion; });
    if (is_shared) plans.emplace(recursion.get(), made);
    return made;
  }

  const TupleSet* fixed_relation(const Node& node) const {
    if (node.source.kind == Source::Kind::table) return node.source.table.get();
    const bool stored = node.source.kind == Source::Kind::stored;
    if (!stored || !node.stable || !theory_.stable().universe) return nullptr;
    return &theory_.game().start.structure.relation(node.source.index);
  }

  StepPtr equal(const Node& node, Variables& layout) {
    const Variable left = node.variables[0], right = node.variables[1];
    const bool has_left = contains(layout, left), has_right = contains(layout, right);
    if (has_left && has_right) {
      return equal_step(column_of(layout, left), column_of(layout, right), false);
    }
    if (!has_left && !has_right) {
      layout.push_back(left);
      if (left == right) return universe_step(layout.size() - 1);
      layout.push_back(right);
      return diagonal_step();
    }
    const StepPtr copy = copy_step(column_of(layout, has_left ? left : right));
    layout.push_back(has_left ? right : left);
    return copy;
  }

  StepPtr compare(const Node& node, Variables& layout) {
    std::vector<StepPtr> steps;
    bind_all(layout, node.free, steps);
    steps.push_back(compare_step(term(*node.term, layout), node.comparison));
    return sequence_step(std::move(steps), layout.size());
  }

  StepPtr negation(const Node& inner, Variables& layout) {
    std::vector<StepPtr> steps;
    bind_all(layout, inner.free, steps);
    if (inner.kind == Kind::atom) {
      steps.push_back(atom(inner, layout, true));
    } else if (inner.kind == Kind::equal) {
      const Columns columns = columns_of(layout, inner.variables);
      steps.push_back(equal_step(columns[0], columns[1], true));
    } else {
      const Variables key = shared(layout, inner.free);
      steps.push_back(
          on_key_step(columns_of(layout, key), formula(inner, key, key), layout.size(), true));
    }
    return sequence_step(std::move(steps), layout.size());
  }

  // How much a part is expected to multiply the table; filters are ordered by what they cost.
  double cost(const Node& node, const Variables& layout) const {
    if (node.free.empty()) return node.kind == Kind::atom ? 0 : 0.01;
    const double open = static_cast<double>(missing(layout, node.free).size());
    const double n = universe_size();
    switch (node.kind) {
      case Kind::atom:
        return open == 0 ? 0.1 : 1 + expected_tuples(node) / std::pow(n, bound(node, layout));
      case Kind::equal:
        return open == 0 ? 0.05 : std::pow(n, open - 1);
      case Kind::negation:
        return open == 0 ? (node.parts[0]->kind == Kind::exists ? 0.5 : 0.2)
                         : 1e9 * std::pow(n, open);
      case Kind::compare:
        return open == 0 ? 0.6 : 1e9 * std::pow(n, open);
      default:
        return open == 0 ? 0.7 : 2 + std::pow(n, open);
    }
  }

  static double bound(const Node& node, const Variables& layout) {
    return static_cast<double>(shared(layout, node.free).size());
  }

  double universe_size() const {
    return static_cast<double>(
        std::max<std::size_t>(2, theory_.game().start.structure.universe().size()));
  }

  // Relations that moves change are expected to fill.
  double expected_tuples(const Node& node) const {
    if (const TupleSet* fixed = fixed_relation(node)) return static_cast<double>(fixed->size());
    if (node.source.kind != Source::Kind::stored) return std::pow(universe_size(), 1.5);
    const auto now =
        static_cast<double>(theory_.game().start.structure.relation(node.source.index).size());
    return std::max(now, universe_size() / 4);
  }

  const Theory& theory_;
};

}  // namespace

StepPtr plan_formula(const Theory& theory, const Node& node, const Variables& inputs,
                     const Variables& outputs) {
  Variables result = inputs;
  result.insert(result.end(), outputs.begin(), outputs.end());
  return Planner(theory).formula(node, inputs, result);
}

TermStepPtr plan_term(const Theory& theory, const TermNode& term, const Variables& inputs) {
  return Planner(theory).term(term, inputs);
}

TupleSet evaluate_node(const Theory& theory, const Node& node, std::size_t slots,
                       const EvaluationLimits& limits) {
  Run run(theory.game().start.structure, limits, slots);
  return plan_formula(theory, node, {}, node.free)->run(run, TupleSet::unit());
}

std::vector<double> evaluate_term(const Theory& theory, const TermNode& term, std::size_t slots,
                                  const EvaluationLimits& limits) {
  const Structure& structure = theory.game().start.structure;
  Run run(structure, limits, slots);
  const TermStepPtr step = plan_term(theory, term, term.free);
  if (term.free.empty()) return step->run(run, TupleSet::unit());
  const TupleSet elements(1, structure.universe());
  const std::vector<double> values = step->run(run, elements);
  std::vector<double> result(structure.universe().empty() ? 0 : structure.universe().back() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) result[structure.universe()[i]] = values[i];
  return result;
}

}  // namespace zermelo::toss
