// T. Rauber, P. Kissmann, J. Hoffmann: Translating Single-Player GDL into PDDL (2013), sections 3.1
// to 3.3, with the restrictions of section 3.4 lifted.
//
// Rules become derived predicates: next-, legal- and the game's own. The state is the current-
// atoms, and a step of the game is three actions. A move, legal while (play) holds and the game is
// not over, sets its does- atom; eval stores what next- derives in temp- atoms and deletes the
// state and the move; resume-play makes the temp- atoms the state.
//
// What differs from the paper:
//  - Function terms anywhere, and variables for whole moves and fluents, by flatten.h.
//  - Goal rules are derived predicates like all others, so rules may ask for goals.
//  - Every reward counts. For each value there is an action reach-goal of cost 100 minus the value,
//    and moves cost nothing: the cheapest plan has the best reward.
//  - The goal needs (play). As printed in the paper, it is (terminal) with the goal rule's body.
//    Between eval and resume-play all current- atoms are deleted, so that every condition made of
//    negations holds: in lightsOut, where a lamp that is off is no fluent, the task is "solved" by
//    one move and an eval.
//  - Predicates that depend on neither state nor moves are facts of the initial state.
#include "translate/pddl/faithful.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "gdl/validity.h"
#include "translate/one_role.h"
#include "translate/pddl/flatten.h"
#include "translate/pddl/predicate_names.h"

namespace zermelo::translate::pddl {

namespace {

using gdl::Term;
using ground::BodyLiteral;
using ground::PredicateId;
using ground::Rule;
namespace keyword = gdl::keyword;

using Texts = std::vector<std::string>;

std::string atom(const std::string& name, const Texts& arguments) {
  std::string text = "(" + name;
  for (const std::string& argument : arguments) text += " " + argument;
  return text + ")";
}

std::string list(const Texts& parts) {
  std::string text = "(";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : " ") + parts[i];
  return text + ")";
}

Texts variables(std::uint32_t count) {
  Texts result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back("?v" + std::to_string(i));
  return result;
}

Texts with_first(const Texts& first, const Texts& rest) {
  Texts result = first;
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

std::string for_all(const Texts& bound, const std::string& effect) {
  return bound.empty() ? effect : "(forall " + list(bound) + " " + effect + ")";
}

class FaithfulWriter {
 public:
  FaithfulWriter(const FlatRules& rules, const FaithfulOptions& options)
      : rules_(rules), options_(options), names_(rules) {}

  base::Result<TaskText> run() {
    find_role();
    find_values();
    if (values_.empty() || values_.rbegin()->first == 0) {
      return base::fail(
          base::ErrorKind::not_applicable,
          "no goal value above 0 can hold in the game, so there is nothing to plan for");
    }
    find_derived();
    TaskText text;
    const std::string body = derived() + actions();
    const std::string goal = this->goal();
    text.problem = problem(goal);
    text.domain = domain(body);
    text.glossary = glossary();
    return text;
  }

 private:
  struct Value {
    PredicateId predicate;
    std::optional<Term> object;  // nothing where the value is part of the predicate
  };

  void find_role() {
    for (const FlatRules::Fact& fact : rules_.facts) {
      const ground::Predicate& predicate = rules_.program.predicates[fact.predicate];
      if (predicate.keyword != keyword::role) continue;
      role_ = names_.object(instantiate(predicate.shape[0], fact.arguments));
    }
  }

  // Goal values are numbers in heads, or any number of the rules where the head has a variable.
  void find_values() {
    for (const Rule& rule : rules_.program.rules) {
      const ground::Predicate& predicate = rules_.program.predicates[rule.head];
      if (predicate.keyword != keyword::goal) continue;
      const Term value = instantiate(predicate.shape[1], rule.arguments);
      if (value.kind == Term::Kind::variable) {
        for (const Term& constant : constants()) add_value(rule.head, constant, constant);
      } else {
        const bool is_column = predicate.shape[1].kind == Term::Kind::variable;
        add_value(rule.head, value, is_column ? std::optional<Term>(value) : std::nullopt);
      }
    }
  }

  void add_value(PredicateId predicate, const Term& term, std::optional<Term> object) {
    if (term.kind != Term::Kind::constant) return;
    const std::string& text = rules_.program.rulesheet->symbols.name(term.name);
    int value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) return;
    const auto [first, last] = values_.equal_range(value);
    if (value < 0 || value > 100 || std::any_of(first, last, [&](const auto& known) {
          return known.second.predicate == predicate;
        })) {
      return;
    }
    values_.insert({value, Value{predicate, std::move(object)}});
  }

  std::vector<Term> constants() const {
    std::vector<Term> result;
    std::set<gdl::Symbol> seen;
    const auto look = [&](const std::vector<Term>& terms) {
      for (const Term& term : terms) {
        if (term.kind == Term::Kind::constant && seen.insert(term.name).second)
          result.push_back(term);
      }
    };
    for (const FlatRules::Fact& fact : rules_.facts) look(fact.arguments);
    for (const Rule& rule : rules_.program.rules) {
      look(rule.arguments);
      for (const BodyLiteral& literal : rule.body) look(literal.arguments);
    }
    return result;
  }

  // Predicates of which all rules are ground facts belong to the initial state.
  void find_derived() {
    derived_.assign(rules_.program.predicates.size(), false);
    used_ = derived_;
    for (const Rule& rule : rules_.program.rules) {
      const bool is_fact =
          rule.body.empty() &&
          std::all_of(rule.arguments.begin(), rule.arguments.end(), ground::is_ground);
      if (!is_fact) derived_[rule.head] = true;
      for (const BodyLiteral& literal : rule.body) {
        if (literal.kind != BodyLiteral::Kind::distinct) used_[literal.predicate] = true;
      }
    }
  }

  // Facts that only served to find other facts are left out.
  bool is_stated(PredicateId predicate) const {
    const gdl::Symbol word = rules_.program.predicates[predicate].keyword;
    return used_[predicate] || word == keyword::init || word == keyword::role;
  }

  std::string argument(const Term& term) {
    if (term.kind != Term::Kind::variable) return names_.object(term);
    return "?v" + std::to_string(
                      number_.try_emplace(ground::variable_of(term), number_.size()).first->second);
  }

  Texts arguments(const std::vector<Term>& terms) {
    Texts result;
    for (const Term& term : terms) result.push_back(argument(term));
    return result;
  }

  std::string literal(const BodyLiteral& literal) {
    if (literal.kind == BodyLiteral::Kind::distinct)
      return "(not " + atom("=", arguments(literal.arguments)) + ")";
    const std::string text = atom(names_.of(literal.predicate), arguments(literal.arguments));
    return literal.kind == BodyLiteral::Kind::negative ? "(not " + text + ")" : text;
  }

  // A head's constants and repeated variables become variables of their own, equal to them.
  std::string derived(const Rule& rule) {
    number_.clear();
    Texts head, conditions;
    std::set<std::string> in_head;
    for (const Term& term : rule.arguments) {
      std::string text = argument(term);
      if (term.kind != Term::Kind::variable || !in_head.insert(text).second) {
        const std::string equal = argument(ground::make_variable(fresh_++));
        conditions.push_back(atom("=", {equal, text}));
        text = equal;
        in_head.insert(text);
      }
      head.push_back(text);
    }
    for (const BodyLiteral& condition : rule.body) conditions.push_back(literal(condition));
    return "  (:derived " + atom(names_.of(rule.head), head) + "\n    " +
           quantified(in_head, conditions) + ")\n";
  }

  std::string quantified(const std::set<std::string>& in_head, const Texts& conditions) const {
    std::string body = "(and";
    for (const std::string& condition : conditions) body += "\n      " + condition;
    body += ")";
    Texts free;
    for (std::size_t i = 0; i < number_.size(); ++i) {
      std::string variable = "?v" + std::to_string(i);
      if (!in_head.contains(variable)) free.push_back(std::move(variable));
    }
    return free.empty() ? body : "(exists " + list(free) + "\n     " + body + ")";
  }

  std::string derived() {
    fresh_ = rules_.program.variables;
    std::string text;
    for (const Rule& rule : rules_.program.rules) {
      if (derived_[rule.head]) text += derived(rule);
    }
    return text;
  }

  // A kind's predicate for legal or does, which has the role as its first column.
  std::string move_atom(const std::string& prefix, const Kind& kind, const Texts& columns) const {
    return atom(PredicateNames::prefixed(prefix, kind), with_first({role_}, columns));
  }

  static std::string action_name(const Kind& kind) {
    return kind.name.empty() ? "make-move" : kind.name;
  }

  std::string move_action(const Kind& kind) const {
    const Texts columns = variables(kind.columns);
    return "  (:action " + action_name(kind) + "\n   :parameters " + list(columns) +
           "\n   :precondition (and (play) (not (terminal)) " + move_atom("legal", kind, columns) +
           ")\n   :effect (and " + move_atom("does", kind, columns) + " (not (play)) (eval)))\n";
  }

  std::string eval_action() const {
    std::string text =
        "  (:action eval\n   :parameters ()\n   :precondition (eval)\n   :effect (and";
    for (const Kind& kind : names_.fluents()) {
      const Texts columns = variables(kind.columns);
      const auto named = [&](const char* prefix) {
        return atom(PredicateNames::prefixed(prefix, kind), columns);
      };
      text += "\n     " + for_all(columns, "(when " + named("next") + " " + named("temp") + ")");
      text += "\n     " + for_all(columns, "(not " + named("current") + ")");
    }
    for (const Kind& kind : names_.moves()) {
      const Texts columns = variables(kind.columns);
      text += "\n     " + for_all(columns, "(not " + move_atom("does", kind, columns) + ")");
    }
    return text + "\n     (not (eval)) (switch)))\n";
  }

  std::string resume_action() const {
    std::string text =
        "  (:action resume-play\n   :parameters ()\n   :precondition (switch)\n   :effect (and";
    for (const Kind& kind : names_.fluents()) {
      const Texts columns = variables(kind.columns);
      const std::string temp = atom(PredicateNames::prefixed("temp", kind), columns);
      const std::string current = atom(PredicateNames::prefixed("current", kind), columns);
      text += "\n     " +
              for_all(columns, "(when " + temp + " (and " + current + " (not " + temp + ")))");
    }
    return text + "\n     (not (switch)) (play)))\n";
  }

  std::string goal_atom(const Value& value) {
    Texts columns;
    if (rules_.program.predicates[value.predicate].shape[0].kind == Term::Kind::variable)
      columns.push_back(role_);
    if (value.object) columns.push_back(names_.object(*value.object));
    return atom(names_.of(value.predicate), columns);
  }

  std::string reach_goal_actions() {
    std::string text;
    Names names;
    for (const Kind& kind : names_.moves()) names.unique(action_name(kind));
    for (const auto& [value, how] : values_) {
      if (value < options_.least_reward) continue;
      goal_actions_.push_back(names.unique("reach-goal-" + std::to_string(value)));
      text += "  (:action " + goal_actions_.back() +
              "\n   :parameters ()\n   :precondition (and (play) (terminal) " + goal_atom(how) +
              ")\n   :effect (and (goal-reached) (increase (total-cost) " +
              std::to_string(100 - value) + ")))\n";
    }
    return text;
  }

  std::string actions() {
    std::string text;
    for (const Kind& kind : names_.moves()) text += move_action(kind);
    text += eval_action() + resume_action();
    if (options_.aim == Aim::rewards) text += reach_goal_actions();
    return text;
  }

  std::string goal() {
    if (options_.aim == Aim::rewards) return "(goal-reached)";
    const int best = values_.rbegin()->first;
    std::string text = "(and (play) (terminal) (or";
    for (auto place = values_.lower_bound(best); place != values_.end(); ++place)
      text += " " + goal_atom(place->second);
    return text + "))";
  }

  std::string problem(const std::string& goal) {
    std::string text = "(define (problem game)\n (:domain game)\n (:init\n  (play)\n";
    if (options_.aim == Aim::rewards) text += "  (= (total-cost) 0)\n";
    for (const FlatRules::Fact& fact : rules_.facts) {
      if (!is_stated(fact.predicate)) continue;
      text += "  " + atom(names_.of(fact.predicate), arguments(fact.arguments)) + "\n";
    }
    for (const Rule& rule : rules_.program.rules) {
      if (!derived_[rule.head])
        text += "  " + atom(names_.of(rule.head), arguments(rule.arguments)) + "\n";
    }
    text += " )\n (:goal " + goal + ")\n";
    if (options_.aim == Aim::rewards) text += " (:metric minimize (total-cost))\n";
    return text + ")\n";
  }

  std::string predicates() const {
    std::string text = " (:predicates\n  (play) (eval) (switch) (goal-reached)";
    std::set<std::string> declared;
    const auto declare = [&](const std::string& name, std::uint32_t columns) {
      if (!name.empty() && declared.insert(name).second)
        text += "\n  " + atom(name, variables(columns));
    };
    declare("terminal", 0);
    for (const Kind& kind : names_.fluents()) {
      for (const char* prefix : {"current", "next", "temp"})
        declare(PredicateNames::prefixed(prefix, kind), kind.columns);
    }
    for (const Kind& kind : names_.moves()) {
      for (const char* prefix : {"legal", "does"})
        declare(PredicateNames::prefixed(prefix, kind), kind.columns + 1);
    }
    for (PredicateId p = 0; p < rules_.program.predicates.size(); ++p)
      declare(names_.of(p), rules_.program.predicates[p].arity);
    return text + ")\n";
  }

  std::string domain(const std::string& body) const {
    std::string text =
        "(define (domain game)\n (:requirements :adl :derived-predicates :action-costs)\n";
    text += " (:constants";
    std::set<std::string> objects;
    for (const auto& [name, term] : names_.objects()) objects.insert(name);
    for (const std::string& name : objects) text += "\n  " + name;
    text += ")\n" + predicates();
    if (options_.aim == Aim::rewards) text += " (:functions (total-cost) - number)\n";
    return text + body + ")\n";
  }

  Glossary glossary() const {
    Glossary result;
    result.rulesheet = rules_.program.rulesheet;
    for (const Kind& kind : names_.moves())
      result.actions[action_name(kind)] = {kind.columns, kind.shape};
    for (const char* name : {"eval", "resume-play"}) result.actions[name] = {};
    for (const std::string& name : goal_actions_) result.actions[name] = {};
    result.objects = names_.objects();
    for (const Kind& kind : names_.fluents())
      result.fluents[PredicateNames::prefixed("current", kind)] = kind.shape;
    for (const Rule& rule : rules_.program.rules) {
      const ground::Predicate& predicate = rules_.program.predicates[rule.head];
      Term pattern{Term::Kind::function, predicate.keyword, predicate.shape, {}};
      if (pattern.arguments.empty()) pattern.kind = Term::Kind::constant;
      result.derived[names_.of(rule.head)] = std::move(pattern);
    }
    return result;
  }

  const FlatRules& rules_;
  const FaithfulOptions& options_;
  PredicateNames names_;
  std::string role_;
  std::multimap<int, Value> values_;
  std::vector<bool> derived_, used_;             // by predicate
  std::map<std::uint32_t, std::size_t> number_;  // of the variables of the rule being written
  std::uint32_t fresh_ = 0;
  Texts goal_actions_;
};

}  // namespace

base::Result<TaskText> to_faithful_pddl(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                        const FaithfulOptions& options) {
  if (gdl::uses_imperfect_information(*rulesheet)) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the game has chance or hidden information (GDL-II), which planners do not "
                      "take");
  }
  if (auto single = require_one_role(*rulesheet); !single) return tl::unexpected(single.error());
  base::Result<FlatRules> rules = flatten(std::move(rulesheet), options.limits);
  if (!rules) return tl::unexpected(rules.error());
  return FaithfulWriter(*rules, options).run();
}

}  // namespace zermelo::translate::pddl
