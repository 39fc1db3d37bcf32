// The alternative heuristic with rule conditions of the first paper. The goal, an existential
// formula in prenex and disjunctive normal form, is
//
//     ex x ((t1(x) and p1(x)) or ... or (tn(x) and pn(x)))
//
// with conjunctions ti of fluents and pi of stable literals. With si the number of fluents of ti
// that hold, the heuristic is
//
//     Sum (x | (p1 or ... or pn) and (some fluent holds) and move(x) : (s1 + ... + sn)^m)
//
// where move(x) says of each variable that a move can still bring it the fluent that the goal asks
// of it: for some rule that adds the fluent to an element, its left side holds there, without the
// negations of the goal's own fluents, and with its other elements existentially quantified. As in
// the paper's Example 10 equal sums si count once. Disjuncts with different variables are treated
// by themselves and added; one without existential quantifiers keeps its indicator.
#include <algorithm>

#include "toss/expand.h"
#include "toss/fluents.h"
#include "toss/heuristic.h"
#include "toss/normal_form.h"
#include "toss/rewrite.h"

namespace zermelo::toss {
namespace {

using Kind = Formula::Kind;

void add_new(std::vector<FormulaPtr>& parts, const FormulaPtr& part) {
  if (!has(parts, part)) parts.push_back(part);
}

// A disjunct in prenex form.
struct Disjunct {
  std::vector<std::string> variables;
  std::vector<FormulaPtr> fluents, stable;
};

// Disjuncts over the same variables.
struct Group {
  std::vector<std::string> variables;
  std::vector<Disjunct> disjuncts;
};

class RuleConditions {
 public:
  RuleConditions(const Game& game, double power)
      : game_(game), fluents_(find_fluents(game)), power_(power) {}

  TermPtr of(const FormulaPtr& normal_form) {
    std::vector<Group> groups;
    for (const Conjuncts& conjuncts : disjunctive_normal_form(normal_form)) {
      Disjunct disjunct;
      for (const FormulaPtr& part : conjuncts) collect(part, disjunct);
      add_to_group(std::move(disjunct), groups);
    }
    std::vector<TermPtr> terms;
    for (const Group& group : groups) terms.push_back(of_group(group));
    return add(std::move(terms));
  }

 private:
  // Takes existential quantifiers off.
  void collect(const FormulaPtr& part, Disjunct& disjunct) {
    if (part->kind == Kind::exists) {
      Names used(disjunct.variables.begin(), disjunct.variables.end());
      std::map<std::string, std::string> names;
      for (const std::string& name : part->variables) {
        disjunct.variables.push_back(names[name] = fresh_name(name, used));
      }
      return collect(rename(part->parts[0], names), disjunct);
    }
    if (part->kind == Kind::conjunction) {
      for (const FormulaPtr& inner : part->parts) collect(inner, disjunct);
      return;
    }
    add_new(fluents_.in(*part) ? disjunct.fluents : disjunct.stable, part);
  }

  static void add_to_group(Disjunct disjunct, std::vector<Group>& groups) {
    std::vector<std::string> sorted = disjunct.variables;
    std::sort(sorted.begin(), sorted.end());
    for (Group& group : groups) {
      std::vector<std::string> others = group.variables;
      std::sort(others.begin(), others.end());
      if (others == sorted && !sorted.empty()) {
        group.disjuncts.push_back(std::move(disjunct));
        return;
      }
    }
    std::vector<std::string> variables = disjunct.variables;
    groups.push_back({std::move(variables), {std::move(disjunct)}});
  }

  TermPtr of_group(const Group& group) {
    if (group.variables.empty()) return indicator(all_of(group.disjuncts[0]));
    std::vector<FormulaPtr> stable, fluents;
    std::vector<TermPtr> sums;
    std::vector<std::vector<FormulaPtr>> counted;
    for (const Disjunct& disjunct : group.disjuncts) {
      add_new(stable, conjunction(disjunct.stable));
      for (const FormulaPtr& fluent : disjunct.fluents) add_new(fluents, fluent);
      const bool known = std::any_of(counted.begin(), counted.end(), [&](const auto& other) {
        return are_same(other, disjunct.fluents);
      });
      if (known) continue;
      counted.push_back(disjunct.fluents);
      for (const FormulaPtr& fluent : disjunct.fluents) sums.push_back(indicator(fluent));
    }
    std::vector<FormulaPtr> guard;
    const bool any = std::any_of(stable.begin(), stable.end(),
                                 [](const FormulaPtr& part) { return is_truth(*part, true); });
    if (!any) guard.push_back(disjunction(stable));
    if (!fluents.empty()) guard.push_back(disjunction(fluents));
    for (const std::string& variable : group.variables) add_move(variable, fluents, guard);
    const TermPtr base = fluents.empty() ? number(1) : add(std::move(sums));
    return sum(group.variables, conjunction(std::move(guard)), power(base, number(power_)));
  }

  static FormulaPtr all_of(const Disjunct& disjunct) {
    std::vector<FormulaPtr> parts = disjunct.fluents;
    parts.insert(parts.end(), disjunct.stable.begin(), disjunct.stable.end());
    return conjunction(std::move(parts));
  }

  static bool are_same(const std::vector<FormulaPtr>& a, const std::vector<FormulaPtr>& b) {
    return a.size() == b.size() &&
           std::all_of(a.begin(), a.end(), [&](const FormulaPtr& part) { return has(b, part); });
  }

  // That a move can bring the variable one of the fluents that the goal asks of it.
  void add_move(const std::string& variable, const std::vector<FormulaPtr>& fluents,
                std::vector<FormulaPtr>& guard) {
    Names goal;
    for (const FormulaPtr& fluent : fluents) {
      if (fluent->kind == Kind::atom) goal.insert(fluent->name);
    }
    std::vector<FormulaPtr> ways;
    for (const FormulaPtr& fluent : fluents) {
      if (fluent->kind != Kind::atom) continue;
      for (std::size_t position = 0; position < fluent->variables.size(); ++position) {
        if (fluent->variables[position] == variable) {
          add_ways(variable, fluent->name, position, goal, ways);
        }
      }
    }
    const bool always = ways.empty() || std::any_of(ways.begin(), ways.end(), [](const auto& way) {
                          return is_truth(*way, true);
                        });
    if (!always) guard.push_back(disjunction(std::move(ways)));
  }

  void add_ways(const std::string& variable, const std::string& relation, std::size_t position,
                const Names& goal, std::vector<FormulaPtr>& ways) {
    std::size_t symbol = 0;
    while (symbol < game_.signature.relations.size() &&
           game_.signature.relations[symbol].name != relation) {
      ++symbol;
    }
    if (symbol == game_.signature.relations.size()) return;
    for (const std::size_t r : rules_in_use(game_)) {
      const Rule& rule = game_.rules[r];
      const TupleSet& added = rule.right.structure.relation(symbol);
      for (std::size_t i = 0; i < added.size(); ++i) {
        const std::optional<Element> origin = rule.origin[added[i][position]];
        if (origin && !has_left_tuple(rule, symbol, added[i])) {
          add_new(ways, left_side(rule, *origin, variable, goal));
        }
      }
    }
  }

  // Whether a tuple of the right side is one of the left already.
  static bool has_left_tuple(const Rule& rule, std::size_t symbol, Tuple tuple) {
    std::vector<Element> left;
    for (const Element element : tuple) {
      if (!rule.origin[element]) return false;
      left.push_back(*rule.origin[element]);
    }
    return rule.left.structure.relation(symbol).contains(left);
  }

  // The left side as a formula about one of its elements.
  FormulaPtr left_side(const Rule& rule, Element element, const std::string& variable,
                       const Names& goal) {
    std::map<std::string, std::string> names;
    std::vector<std::string> others;
    Names used = {variable};
    for (std::size_t i = 0; i < rule.left.names.size(); ++i) {
      const std::string& name = rule.left.names[i];
      names[name] = i == element ? variable : fresh_name(name, used);
    }
    Names seen;
    std::vector<FormulaPtr> literals;
    for (const FormulaPtr& literal : left_literals(rule, game_.signature)) {
      const bool negated = literal->kind == Kind::negation;
      if (negated && goal.count(literal->parts[0]->name) > 0) continue;
      literals.push_back(rename(literal, names));
      for (const std::string& name : free_variables(*literals.back())) seen.insert(name);
    }
    for (const std::string& name : seen) {
      if (name != variable) others.push_back(name);
    }
    return exists(std::move(others), conjunction(std::move(literals)));
  }

  const Game& game_;
  FluentNames fluents_;
  double power_;
};

}  // namespace

TermPtr rule_condition_heuristic(const Game& game, const FormulaPtr& sentence,
                                 const HeuristicOptions& options) {
  return RuleConditions(game, options.power)
      .of(goal_normal_form(game, *sentence, options.description));
}

}  // namespace zermelo::toss
