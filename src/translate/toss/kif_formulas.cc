#include "translate/toss/kif_formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace zermelo::translate::toss {
namespace {

using FormulaKind = zermelo::toss::Formula::Kind;

const std::set<std::string> reserved_words = {"role",     "init", "true",  "next", "does",
                                              "legal",    "goal", "not",   "or",   "terminal",
                                              "distinct", "base", "input", "sees"};

const char* const never = "(distinct 0 0)";

bool is_variable(const std::string& text) { return text.front() == '?'; }

void append(Texts& texts, const Texts& more) {
  texts.insert(texts.end(), more.begin(), more.end());
}

void append_new(Texts& texts, const Texts& more) {
  for (const std::string& text : more) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
}

}  // namespace

std::string kif(const std::string& first, const Texts& rest) {
  if (rest.empty()) return first;
  std::string text = "(" + first;
  for (const std::string& word : rest) text += " " + word;
  return text + ")";
}

std::string KifNames::unique(Names& names, const std::string& name) {
  const auto known = names.given.find(name);
  if (known != names.given.end()) return known->second;
  std::string lower;
  for (const char c : name) {
    lower += c == '\'' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  std::string result = lower;
  for (std::size_t n = 1; reserved_words.count(result) > 0 || names.used.count(result) > 0; ++n) {
    result = lower + "." + std::to_string(n);
  }
  names.used.insert(result);
  names.given.emplace(name, result);
  return result;
}

KifFormulas::KifFormulas(const zermelo::toss::Game& game, const base::Source& source,
                         KifNames& names)
    : game_(game),
      source_(source),
      names_(names),
      stable_(find_stable_part(game)),
      fluents_(find_fluents(game)) {}

void KifFormulas::clause(const std::string& head, const Texts& body) {
  text_ += body.empty() ? head : "(<= " + head;
  for (const std::string& literal : body) text_ += "\n    " + literal;
  text_ += body.empty() ? "\n" : ")\n";
}

void KifFormulas::refuse(base::Span span, const std::string& message) {
  if (error_) return;
  const base::Position place = source_.position(span.begin);
  error_ =
      base::Error{base::ErrorKind::not_applicable,
                  fmt::format("{}:{}:{}: {}", source_.name(), place.line, place.column, message)};
}

std::string KifFormulas::holds(std::size_t relation, const Texts& arguments) {
  const std::string atom =
      kif(names_.relation(game_.signature.relations[relation].name), arguments);
  return is_fluent(relation) ? "(true " + atom + ")" : atom;
}

void KifFormulas::define(const std::string& head, const Texts& arguments, const Formula& formula,
                         const Variables& variables, const std::optional<AfterRule>& after,
                         const std::vector<Literal>& conditions) {
  write(head, arguments, formula, true, {variables, {}, after}, conditions);
}

// One clause, or one for each part of a disjunction.
void KifFormulas::write(const std::string& head, const Texts& arguments, const Formula& formula,
                        bool positive, const Scope& scope, const std::vector<Literal>& conditions) {
  if (error_) return;
  if (formula.kind == FormulaKind::negation) {
    return write(head, arguments, *formula.parts[0], !positive, scope, conditions);
  }
  const bool is_disjunction =
      formula.kind == (positive ? FormulaKind::disjunction : FormulaKind::conjunction);
  if (is_disjunction && !formula.parts.empty()) {
    for (const auto& part : formula.parts) {
      write(head, arguments, *part, positive, scope, conditions);
    }
    return;
  }
  std::vector<Literal> body = conditions;
  if (is_disjunction) {
    body.push_back({never, {}, false});
  } else {
    add(formula, positive, scope, body);
  }
  std::set<std::string> bound, needed;
  for (const std::string& argument : arguments) {
    if (is_variable(argument)) needed.insert(argument);
  }
  Texts texts;
  for (const Literal& literal : body) {
    texts.push_back(literal.text);
    (literal.binds ? bound : needed).insert(literal.variables.begin(), literal.variables.end());
  }
  const auto is_needed = [&](const std::string& variable) {
    return needed.count(variable) > 0 && bound.count(variable) == 0;
  };
  if (scope.after && std::any_of(scope.after->match.begin(), scope.after->match.end(), is_needed)) {
    const std::string rule = names_.move(game_.rules[scope.after->rule].name);
    texts.push_back(kif("match." + rule, scope.after->match));
    bound.insert(scope.after->match.begin(), scope.after->match.end());
  }
  for (const std::string& variable : needed) {
    if (bound.count(variable) == 0) texts.push_back(guard(variable, scope.after));
  }
  clause(kif(head, arguments), texts);
}

void KifFormulas::add(const Formula& formula, bool positive, Scope scope,
                      std::vector<Literal>& body) {
  switch (formula.kind) {
    case FormulaKind::atom:
      return add_atom(formula, positive, scope, body);
    case FormulaKind::equal: {
      const Texts sides = {scope.variables.at(formula.variables[0]),
                           scope.variables.at(formula.variables[1])};
      Literal equality = literal(positive ? "same." : "distinct", sides, true);
      equality.binds = positive;
      body.push_back(std::move(equality));
      return;
    }
    case FormulaKind::compare:
      return refuse(formula.span, "GDL cannot compare counted values");
    case FormulaKind::negation:
      return add(*formula.parts[0], !positive, std::move(scope), body);
    case FormulaKind::conjunction:
    case FormulaKind::disjunction:
      return add_parts(formula, positive, scope, body);
    case FormulaKind::exists:
    case FormulaKind::forall:
      return add_quantified(formula, positive, std::move(scope), body);
    case FormulaKind::least:
    case FormulaKind::greatest:
    case FormulaKind::closure:
      return add_recursion(formula, positive, scope, body);
    case FormulaKind::let:
      return add_let(formula, positive, std::move(scope), body);
  }
}

void KifFormulas::add_atom(const Formula& formula, bool positive, const Scope& scope,
                           std::vector<Literal>& body) {
  Texts arguments;
  for (const std::string& variable : formula.variables) {
    arguments.push_back(scope.variables.at(variable));
  }
  const auto local = scope.relations.find(formula.name);
  if (local != scope.relations.end()) {
    const LocalRelation& relation = local->second;
    append(arguments, relation.parameters);
    const bool holds = positive != relation.complement;
    if (!holds && relation.recursive) {
      refuse(formula.span, "GDL has no fixed points through a negation");
    }
    body.push_back(literal(relation.predicate, arguments, holds));
    // GDL restricts recursion: its arguments must be bound outside of it.
    for (std::size_t i = 0; relation.recursive && i < formula.variables.size(); ++i) {
      body.push_back(literal("same.", {arguments[i], arguments[i]}, true));
    }
    return;
  }
  const bool changes = scope.after && fluents_.relations.count(formula.name) > 0;
  const std::optional<AfterRule> after = changes ? scope.after : std::nullopt;
  if (changes) arguments.insert(arguments.begin(), after->match.begin(), after->match.end());
  for (std::size_t d = 0; d < game_.definitions.size(); ++d) {
    if (game_.definitions[d].name == formula.name) {
      body.push_back(literal(definition(d, after), arguments, positive));
      return;
    }
  }
  const auto& relations = game_.signature.relations;
  const auto found = std::find_if(relations.begin(), relations.end(), [&](const auto& relation) {
    return relation.name == formula.name;
  });
  const auto index = static_cast<std::size_t>(found - relations.begin());
  if (changes) {
    body.push_back(literal(predicate_after(*after, index), arguments, positive));
    return;
  }
  Literal stored = literal("", arguments, true);
  stored.text = holds(index, arguments);
  body.push_back(positive ? std::move(stored) : negated(std::move(stored)));
}

void KifFormulas::add_parts(const Formula& formula, bool positive, const Scope& scope,
                            std::vector<Literal>& body) {
  const bool all = (formula.kind == FormulaKind::conjunction) == positive;
  if (all || formula.parts.size() == 1) {
    for (const auto& part : formula.parts) add(*part, positive, scope, body);
    return;
  }
  // The negation of a conjunction: what the conjunction binds need not be bound by guards.
  const bool as_negation =
      formula.kind == FormulaKind::conjunction && !uses_recursion(formula, scope);
  body.push_back(as_negation ? negated(auxiliary(formula, true, scope))
                             : auxiliary(formula, positive, scope));
}

void KifFormulas::add_quantified(const Formula& formula, bool positive, Scope scope,
                                 std::vector<Literal>& body) {
  const bool inner = (formula.kind == FormulaKind::exists) == positive;
  if (!inner) {
    require_outside_recursion(formula, scope, "a universal quantifier");
    body.push_back(negated(auxiliary(formula, !positive, scope)));
    return;
  }
  for (const std::string& variable : formula.variables) {
    scope.variables[variable] = fresh_variable();
  }
  add(*formula.parts[0], positive, scope, body);
  // A variable that does not occur says that there is an element.
  const zermelo::toss::Names free = free_variables(*formula.parts[0]);
  for (const std::string& variable : formula.variables) {
    if (free.count(variable) > 0) continue;
    const std::string& name = scope.variables.at(variable);
    body.push_back({guard(name, scope.after), {name}, true});
  }
}

// lfp X(x) = f is a predicate with the clauses of f; gfp X(x) = f is the complement of the least
// fixed point of the negation.
void KifFormulas::add_recursion(const Formula& formula, bool positive, const Scope& scope,
                                std::vector<Literal>& body) {
  const bool is_closure = formula.kind == FormulaKind::closure;
  const bool complement = formula.kind == FormulaKind::greatest;
  const Formula& inner = *formula.parts[0];
  if (uses_recursion(inner, scope)) {
    refuse(formula.span, "GDL has no fixed points that depend on each other");
    return;
  }
  Scope within = scope;
  Texts columns, arguments;
  for (const std::string& variable : formula.variables) {
    arguments.push_back(scope.variables.at(variable));
    columns.push_back(fresh_variable());
    within.variables[variable] = columns.back();
  }
  const std::string predicate = fresh_predicate(is_closure ? "closure" : "fixpoint");
  const Texts parameters = context_of(inner, scope, formula.variables);
  Texts head = columns;
  append(head, parameters);
  if (is_closure) {
    write(predicate, head, inner, true, within);
    const std::string middle = fresh_variable();
    Texts first = {columns[0], middle};
    append(first, parameters);
    within.variables[formula.variables[0]] = middle;
    write(predicate, head, inner, true, within,
          {literal(predicate, first, true), literal("same.", {middle, middle}, true)});
  } else {
    within.relations[formula.name] = {predicate, parameters, complement, true};
    write(predicate, head, inner, !complement, within);
  }
  append(arguments, parameters);
  body.push_back(literal(predicate, arguments, positive != complement));
}

void KifFormulas::add_let(const Formula& formula, bool positive, Scope scope,
                          std::vector<Literal>& body) {
  const Formula& defined = *formula.parts[0];
  Scope within = scope;
  Texts head;
  for (const std::string& variable : formula.variables) {
    head.push_back(fresh_variable());
    within.variables[variable] = head.back();
  }
  const std::string predicate = fresh_predicate("local");
  const Texts parameters = context_of(defined, scope, formula.variables);
  append(head, parameters);
  write(predicate, head, defined, true, within);
  const bool recursive = uses_recursion(defined, scope);
  scope.relations[formula.name] = {predicate, parameters, false, recursive};
  add(*formula.parts[1], positive, std::move(scope), body);
}

KifFormulas::Literal KifFormulas::auxiliary(const Formula& formula, bool positive,
                                            const Scope& scope) {
  const std::string predicate = fresh_predicate("part");
  const Texts arguments = context_of(formula, scope);
  write(predicate, arguments, formula, positive, scope);
  return literal(predicate, arguments, true);
}

KifFormulas::Literal KifFormulas::negated(Literal literal) {
  literal.text = "(not " + literal.text + ")";
  literal.binds = false;
  return literal;
}

KifFormulas::Literal KifFormulas::literal(const std::string& predicate, const Texts& arguments,
                                          bool positive) const {
  Literal result{kif(predicate, arguments), {}, true};
  for (const std::string& argument : arguments) {
    if (is_variable(argument)) result.variables.insert(argument);
  }
  return positive ? result : negated(std::move(result));
}

bool KifFormulas::uses_recursion(const Formula& formula, const Scope& scope) const {
  const zermelo::toss::Names names = relations_in(formula);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto local = scope.relations.find(name);
    return local != scope.relations.end() && local->second.recursive;
  });
}

void KifFormulas::require_outside_recursion(const Formula& formula, const Scope& scope,
                                            const char* what) {
  if (uses_recursion(formula, scope)) {
    refuse(formula.span, fmt::format("GDL has no fixed points through {}", what));
  }
}

// The variables in GDL on which the truth of the formula depends, apart from those `bound`.
Texts KifFormulas::context_of(const Formula& formula, const Scope& scope,
                              const std::vector<std::string>& bound) const {
  Texts result;
  for (const std::string& name : free_variables(formula)) {
    if (std::find(bound.begin(), bound.end(), name) != bound.end()) continue;
    append_new(result, {scope.variables.at(name)});
  }
  bool changes = false;
  for (const std::string& name : relations_in(formula)) {
    const auto local = scope.relations.find(name);
    if (local != scope.relations.end()) append_new(result, local->second.parameters);
    changes = changes || fluents_.relations.count(name) > 0;
  }
  // With elements that come and go, guards depend on the structure as well.
  if (scope.after && (changes || elements_change())) append_new(result, scope.after->match);
  return result;
}

std::string KifFormulas::guard(const std::string& variable, const std::optional<AfterRule>& after) {
  if (!elements_change()) return kif("element.", {variable});
  if (!after) return "(true " + kif("element.", {variable}) + ")";
  const zermelo::toss::Rule& rule = game_.rules[after->rule];
  const std::string predicate = "after." + names_.move(rule.name) + ".element.";
  Texts arguments = after->match;
  arguments.push_back("?x");
  if (written_.insert(predicate).second) {
    Texts body = {kif("match." + names_.move(rule.name), after->match), "(true (element. ?x))"};
    for (std::size_t l = 0; l < rule.left.names.size(); ++l) {
      const bool kept = std::find(rule.origin.begin(), rule.origin.end(),
                                  std::optional<zermelo::toss::Element>(l)) != rule.origin.end();
      if (!kept) body.push_back(kif("distinct", {"?x", after->match[l]}));
    }
    clause(kif(predicate, arguments), body);
  }
  arguments.back() = variable;
  return kif(predicate, arguments);
}

std::string KifFormulas::definition(std::size_t index, const std::optional<AfterRule>& after) {
  const zermelo::toss::Definition& definition = game_.definitions[index];
  std::string predicate = names_.relation(definition.name);
  if (after) predicate = "after." + names_.move(game_.rules[after->rule].name) + "." + predicate;
  if (!written_.insert(predicate).second) return predicate;
  Texts arguments = after ? after->match : Texts();
  Variables variables;
  for (const std::string& parameter : definition.parameters) {
    arguments.push_back(fresh_variable());
    variables[parameter] = arguments.back();
  }
  write(predicate, arguments, *definition.body, true, {variables, {}, after});
  return predicate;
}

std::string KifFormulas::predicate_after(const AfterRule& after, std::size_t relation) {
  const std::string predicate = "after." + names_.move(game_.rules[after.rule].name) + "." +
                                names_.relation(game_.signature.relations[relation].name);
  if (written_.insert(predicate).second) write_relation_after(after, relation);
  return predicate;
}

// A relation after the rule: the tuples of the right side, and those of before that the rule does
// not remove.
void KifFormulas::write_relation_after(const AfterRule& after, std::size_t relation) {
  using zermelo::toss::Element;
  const zermelo::toss::Rule& rule = game_.rules[after.rule];
  const std::string match = kif("match." + names_.move(rule.name), after.match);
  const std::string predicate = "after." + names_.move(rule.name) + "." +
                                names_.relation(game_.signature.relations[relation].name);
  const auto with_match = [&](const Texts& arguments) {
    Texts all = after.match;
    append(all, arguments);
    return all;
  };
  const zermelo::toss::TupleSet& right = rule.right.structure.relation(relation);
  for (std::size_t i = 0; i < right.size(); ++i) {
    Texts arguments;
    for (const Element element : right[i]) arguments.push_back(after.match[*rule.origin[element]]);
    clause(kif(predicate, with_match(arguments)), {match});
  }
  Texts columns, body;
  for (std::size_t i = 0; i < game_.signature.relations[relation].arity; ++i) {
    columns.push_back("?x" + std::to_string(i));
  }
  body = {match, holds(relation, columns)};
  for (std::size_t l = 0; l < rule.left.names.size(); ++l) {
    const bool kept = std::find(rule.origin.begin(), rule.origin.end(),
                                std::optional<Element>(l)) != rule.origin.end();
    for (const std::string& column : columns) {
      if (!kept) body.push_back(kif("distinct", {column, after.match[l]}));
    }
  }
  if (rule.embeds(relation)) {
    const std::string gone = "gone." + predicate;
    Texts arguments = with_match(columns), inside = {match, holds(relation, columns)};
    for (const std::string& column : columns) {
      const std::string matched = "matched." + names_.move(rule.name);
      if (written_.insert(matched).second) {
        for (const std::string& element : after.match) {
          clause(kif(matched, with_match({element})), {match});
        }
      }
      inside.push_back(kif(matched, with_match({column})));
    }
    clause(kif(gone, arguments), inside);
    body.push_back("(not " + kif(gone, arguments) + ")");
  }
  clause(kif(predicate, with_match(columns)), body);
}

}  // namespace zermelo::translate::toss
