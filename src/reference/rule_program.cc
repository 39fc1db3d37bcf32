#include "reference/rule_program.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

namespace zermelo::reference {

namespace {

using gdl::Formula;
using gdl::Term;

constexpr std::size_t max_conjunctions = 100'000;

// A literal of the disjunctive normal form: an atom or a `distinct`, plain or negated.
struct SignedAtom {
  const Formula* formula;
  bool negated;
};
using Conjunction = std::vector<SignedAtom>;
using Disjunction = std::vector<Conjunction>;  // truncated just above max_conjunctions

class Expansion {
 public:
  explicit Expansion(base::LimitedSteps& steps) : steps_(steps) {}

  Disjunction expand_all(const std::vector<Formula>& children, bool negated) {
    Disjunction product{{}};
    for (const Formula& child : children) {
      const Disjunction choices = expand(child, negated);
      if (choices.size() == 1) {
        for (Conjunction& conjunction : product) append(conjunction, choices.front());
      } else {
        product = multiply(product, choices);
      }
    }
    return product;
  }

 private:
  Disjunction expand(const Formula& formula, bool negated) {
    switch (formula.kind) {
      case Formula::Kind::negation:
        return expand(formula.children.front(), !negated);
      case Formula::Kind::conjunction:
        return negated ? expand_any(formula.children, true) : expand_all(formula.children, false);
      case Formula::Kind::disjunction:
        return negated ? expand_all(formula.children, true) : expand_any(formula.children, false);
      case Formula::Kind::atom:
      case Formula::Kind::distinct:
        break;
    }
    return {{{&formula, negated}}};
  }

  Disjunction expand_any(const std::vector<Formula>& children, bool negated) {
    Disjunction all;
    for (const Formula& child : children) {
      for (Conjunction& conjunction : expand(child, negated)) all.push_back(std::move(conjunction));
      if (all.size() > max_conjunctions) break;
    }
    return all;
  }

  Disjunction multiply(const Disjunction& product, const Disjunction& choices) {
    Disjunction longer;
    for (const Conjunction& prefix : product) {
      for (const Conjunction& choice : choices) {
        append(longer.emplace_back(), prefix);
        append(longer.back(), choice);
      }
      if (longer.size() > max_conjunctions) break;
    }
    return longer;
  }

  void append(Conjunction& conjunction, const Conjunction& more) {
    steps_.take(more.size());
    conjunction.insert(conjunction.end(), more.begin(), more.end());
  }

  base::LimitedSteps& steps_;
};

class Builder {
 public:
  explicit Builder(base::LimitedSteps& steps) : steps_(steps) {}

  base::Result<RuleProgram> build(const gdl::Rulesheet& rulesheet) {
    program_.symbols = SymbolNames(rulesheet.symbols);
    name_keywords();
    const gdl::FunctionTable functions(rulesheet);
    for (const gdl::UsedFunction& function : functions.functions()) add_function(function);
    for (const gdl::Clause& clause : rulesheet.clauses) {
      if (functions.is_declaration(clause)) continue;
      const Disjunction bodies = Expansion(steps_).expand_all(clause.body, false);
      if (bodies.size() > max_conjunctions) return too_many(rulesheet, clause);
      for (const Conjunction& body : bodies) add_rule(clause.head, body);
    }
    for (PredicateId p = 0; p < program_.predicates.size(); ++p) finish_predicate(p);
    spread_dependencies();
    program_.named = predicates_;
    return std::move(program_);
  }

 private:
  static tl::unexpected<base::Error> too_many(const gdl::Rulesheet& rulesheet,
                                              const gdl::Clause& clause) {
    const std::uint32_t line = rulesheet.source->position(clause.span.begin).line;
    return base::fail(base::ErrorKind::memory_limit,
                      "the disjunctions of the rule on line " + std::to_string(line) +
                          " expand to more than " + std::to_string(max_conjunctions) + " rules");
  }

  void name_keywords() {
    namespace keyword = gdl::keyword;
    program_.role = predicate(keyword::role, 1);
    program_.init = predicate(keyword::init, 1);
    program_.next = predicate(keyword::next, 1);
    program_.legal = predicate(keyword::legal, 2);
    program_.goal = predicate(keyword::goal, 2);
    program_.terminal = predicate(keyword::terminal, 0);
    program_.does = predicate(keyword::does, 2);
    program_.sees = predicate(keyword::sees, 2);
    program_.any_fluent = predicate(keyword::true_, 1);
    set_source(program_.does, Predicate::Kind::does, Predicate::Depends::moves);
    set_source(program_.any_fluent, Predicate::Kind::fluent, Predicate::Depends::state);
  }

  void set_source(PredicateId p, Predicate::Kind kind, Predicate::Depends depends) {
    program_.predicates[p].kind = kind;
    program_.predicates[p].depends = depends;
  }

  void add_function(const gdl::UsedFunction& function) {
    Predicate& added = program_.predicates[predicate(function.name, function.arity)];
    added.kind = Predicate::Kind::computed;
    added.function = function;
  }

  PredicateId add_predicate(std::size_t arity) {
    program_.predicates.emplace_back().arity = arity;
    program_.relations.emplace_back(arity);
    return static_cast<PredicateId>(program_.predicates.size() - 1);
  }

  PredicateId predicate(gdl::Symbol name, std::size_t arity) {
    const auto [entry, is_new] = predicates_.try_emplace({name, arity}, 0);
    if (is_new) entry->second = add_predicate(arity);
    return entry->second;
  }

  PredicateId fluent(gdl::Symbol name, std::size_t arity) {
    const auto [entry, is_new] = program_.fluents.try_emplace({name, arity}, 0);
    if (is_new) {
      entry->second = add_predicate(arity);
      set_source(entry->second, Predicate::Kind::fluent, Predicate::Depends::state);
    }
    return entry->second;
  }

  void add_rule(const Term& head, const Conjunction& body) {
    steps_.take(1 + body.size());
    variables_.clear();
    Rule rule{.head = predicate(head.name, head.arguments.size()),
              .arguments = expressions(head.arguments),
              .body = {},
              .variables = 0};
    for (const SignedAtom& atom : body) rule.body.push_back(literal(atom));
    rule.variables = static_cast<std::uint32_t>(variables_.size());
    if (rule.body.empty() && is_ground(rule)) {
      add_fact(rule);
    } else {
      program_.predicates[rule.head].rules.push_back(
          static_cast<std::uint32_t>(program_.rules.size()));
      program_.rules.push_back(std::move(rule));
    }
  }

  BodyLiteral literal(const SignedAtom& signed_atom) {
    using Kind = BodyLiteral::Kind;
    const Term& atom = signed_atom.formula->atom;
    if (signed_atom.formula->kind == Formula::Kind::distinct) {
      return {signed_atom.negated ? Kind::same : Kind::differ, 0, expressions(atom.arguments)};
    }
    const Kind kind = signed_atom.negated ? Kind::fails : Kind::holds;
    const bool about_fluent = atom.name == gdl::keyword::true_ && atom.arguments.size() == 1 &&
                              atom.arguments.front().kind != Term::Kind::variable;
    if (!about_fluent) {
      const PredicateId p = predicate(atom.name, atom.arguments.size());
      return {kind, p, expressions(atom.arguments)};
    }
    const Term& term = atom.arguments.front();
    const PredicateId p = fluent(term.name, term.arguments.size());
    return {kind, p, expressions(term.arguments)};
  }

  std::vector<ExpressionId> expressions(const std::vector<Term>& terms) {
    std::vector<ExpressionId> ids;
    for (const Term& term : terms) {
      const Expression expression = make_expression(term);
      ids.push_back(static_cast<ExpressionId>(program_.expressions.size()));
      program_.expressions.push_back(expression);
    }
    return ids;
  }

  Expression make_expression(const Term& term) {
    if (term.kind == Term::Kind::variable) {
      const auto fresh = static_cast<VariableId>(variables_.size());
      return {Expression::Kind::variable, variables_.try_emplace(term.name, fresh).first->second};
    }
    std::vector<Expression> arguments;
    for (const Term& argument : term.arguments) arguments.push_back(make_expression(argument));
    if (std::optional<TermId> ground = intern(term.name, arguments)) {
      return {Expression::Kind::constant, *ground};
    }
    const auto first = static_cast<ExpressionId>(program_.expressions.size());
    program_.expressions.insert(program_.expressions.end(), arguments.begin(), arguments.end());
    return {Expression::Kind::function, static_cast<std::uint32_t>(term.name), first,
            static_cast<std::uint32_t>(arguments.size())};
  }

  std::optional<TermId> intern(gdl::Symbol name, const std::vector<Expression>& arguments) {
    std::vector<TermId> ids;
    for (const Expression& argument : arguments) {
      if (argument.kind != Expression::Kind::constant) return std::nullopt;
      ids.push_back(argument.value);
    }
    return program_.terms.intern(name, ids);
  }

  bool is_ground(const Rule& rule) const {
    return std::all_of(rule.arguments.begin(), rule.arguments.end(), [&](ExpressionId e) {
      return program_.expressions[e].kind == Expression::Kind::constant;
    });
  }

  void add_fact(const Rule& rule) {
    std::vector<TermId> tuple;
    for (const ExpressionId e : rule.arguments) tuple.push_back(program_.expressions[e].value);
    program_.relations[rule.head].insert(tuple);
    if (rule.head == program_.init) program_.initial_facts.push_back(tuple.front());
  }

  // If a predicate has facts and rules, its facts move to an auxiliary predicate with a rule for
  // it.
  void finish_predicate(PredicateId p) {
    if (program_.predicates[p].rules.empty()) return;
    program_.predicates[p].kind = Predicate::Kind::derived;
    if (program_.relations[p].size() == 0) return;
    const std::size_t arity = program_.predicates[p].arity;
    const PredicateId facts = add_predicate(arity);
    std::swap(program_.relations[facts], program_.relations[p]);
    program_.relations[p].reset(arity);
    std::vector<ExpressionId> variables;
    for (VariableId v = 0; v < arity; ++v) {
      variables.push_back(static_cast<ExpressionId>(program_.expressions.size()));
      program_.expressions.push_back({Expression::Kind::variable, v});
    }
    std::vector<std::uint32_t>& rules = program_.predicates[p].rules;
    rules.insert(rules.begin(), static_cast<std::uint32_t>(program_.rules.size()));
    program_.rules.push_back({p,
                              variables,
                              {{BodyLiteral::Kind::holds, facts, variables}},
                              static_cast<std::uint32_t>(arity)});
  }

  void spread_dependencies() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Rule& rule : program_.rules) {
        steps_.take(1 + rule.body.size());
        Predicate& head = program_.predicates[rule.head];
        for (const BodyLiteral& literal : rule.body) {
          if (literal.kind == BodyLiteral::Kind::differ || literal.kind == BodyLiteral::Kind::same)
            continue;
          const Predicate::Depends below = program_.predicates[literal.predicate].depends;
          if (below > head.depends) {
            head.depends = below;
            changed = true;
          }
        }
      }
    }
  }

  base::LimitedSteps& steps_;
  RuleProgram program_;
  std::map<std::pair<gdl::Symbol, std::size_t>, PredicateId> predicates_;
  std::unordered_map<gdl::Symbol, VariableId> variables_;  // of the current clause
};

}  // namespace

void RuleProgram::for_each_variable(ExpressionId id,
                                    const std::function<void(VariableId)>& visit) const {
  const Expression& expression = expressions[id];
  if (expression.kind == Expression::Kind::variable) visit(expression.value);
  for (std::uint32_t i = 0; i < expression.arguments; ++i) {
    for_each_variable(expression.first_argument + i, visit);
  }
}

base::Result<RuleProgram> make_program(const gdl::Rulesheet& rulesheet, base::LimitedSteps& steps) {
  if (auto allowed = gdl::require_allowed(rulesheet); !allowed) {
    return tl::unexpected(allowed.error());
  }
  return Builder(steps).build(rulesheet);
}

}  // namespace zermelo::reference
