// Queries are grounded by the grounder of the whole game: a query with the variables x and y
// becomes a rule next(query(number, x, y)) for fluents that occur nowhere else. The fluents that
// the grounder finds are the instances, and the atom of `next` has the rules under which they hold,
// with everything static evaluated. So a query needs no joins of its own, and respects the same
// limits.
#include "analysis/lifted_rules.h"

#include <algorithm>
#include <charconv>

#include "gdl/body.h"
#include "gdl/dependency_graph.h"
#include "gdl/printer.h"
#include "gdl/require_no_functions.h"
#include "ground/ground.h"

namespace zermelo::analysis {
namespace {

using gdl::Formula;
using gdl::Term;

const Term& resolved(const Term& term, const Substitution& substitution) {
  const Term* current = &term;
  while (current->kind == Term::Kind::variable) {
    const auto found = substitution.find(current->name);
    if (found == substitution.end()) break;
    current = &found->second;
  }
  return *current;
}

bool occurs(gdl::Symbol variable, const Term& term, const Substitution& substitution) {
  const Term& now = resolved(term, substitution);
  if (now.kind == Term::Kind::variable) return now.name == variable;
  return std::any_of(now.arguments.begin(), now.arguments.end(),
                     [&](const Term& t) { return occurs(variable, t, substitution); });
}

void collect_variables(const Term& term, std::set<gdl::Symbol>& out) {
  if (term.kind == Term::Kind::variable) out.insert(term.name);
  for (const Term& argument : term.arguments) collect_variables(argument, out);
}

void collect_variables(const Formula& formula, std::set<gdl::Symbol>& out) {
  collect_variables(formula.atom, out);
  for (const Formula& child : formula.children) collect_variables(child, out);
}

// The same symbols with the same numbers.
gdl::SymbolTable copied(const gdl::SymbolTable& symbols) {
  gdl::SymbolTable copy;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    copy.intern(symbols.name(static_cast<gdl::Symbol>(i)));
  }
  return copy;
}

// A name that no symbol has.
gdl::Symbol unused_symbol(gdl::SymbolTable& symbols, std::string name) {
  for (;; name += '_') {
    const std::size_t before = symbols.size();
    const gdl::Symbol symbol = symbols.intern(name);
    if (symbols.size() > before) return symbol;
  }
}

Term constant(gdl::SymbolTable& symbols, std::uint32_t number) {
  return {Term::Kind::constant, symbols.intern(std::to_string(number)), {}, {}};
}

}  // namespace

bool unify(const Term& a, const Term& b, Substitution& substitution) {
  const Term left = resolved(a, substitution), right = resolved(b, substitution);
  if (left.kind == Term::Kind::variable && right.kind == Term::Kind::variable &&
      left.name == right.name) {
    return true;
  }
  for (const auto& [variable, other] : {std::pair(left, right), std::pair(right, left)}) {
    if (variable.kind != Term::Kind::variable) continue;
    if (occurs(variable.name, other, substitution)) return false;
    substitution[variable.name] = other;
    return true;
  }
  if (left.name != right.name || left.arguments.size() != right.arguments.size()) return false;
  for (std::size_t i = 0; i < left.arguments.size(); ++i) {
    if (!unify(left.arguments[i], right.arguments[i], substitution)) return false;
  }
  return true;
}

Term substituted(const Term& term, const Substitution& substitution) {
  Term result = resolved(term, substitution);
  for (Term& argument : result.arguments) argument = substituted(argument, substitution);
  return result;
}

Formula substituted(const Formula& formula, const Substitution& substitution) {
  Formula result = formula;
  for (Term& argument : result.atom.arguments) argument = substituted(argument, substitution);
  result.children = substituted(formula.children, substitution);
  return result;
}

std::vector<Formula> substituted(const std::vector<Formula>& formulas,
                                 const Substitution& substitution) {
  std::vector<Formula> result;
  for (const Formula& formula : formulas) result.push_back(substituted(formula, substitution));
  return result;
}

std::set<gdl::Symbol> variables_of(const Term& term) {
  std::set<gdl::Symbol> result;
  collect_variables(term, result);
  return result;
}

std::set<gdl::Symbol> variables_of(const Formula& formula) {
  std::set<gdl::Symbol> result;
  collect_variables(formula, result);
  return result;
}

std::set<gdl::Symbol> variables_of(const std::vector<Formula>& formulas) {
  std::set<gdl::Symbol> result;
  for (const Formula& formula : formulas) collect_variables(formula, result);
  return result;
}

bool matches(const Term& pattern, const Term& ground) {
  Substitution substitution;
  return unify(pattern, ground, substitution);
}

const Term* fluent_in(const Formula& formula) {
  if (formula.kind != Formula::Kind::atom || formula.atom.name != gdl::keyword::true_) {
    return nullptr;
  }
  return formula.atom.arguments.size() == 1 ? &formula.atom.arguments.front() : nullptr;
}

LiftedRules::LiftedRules(const ground::Game& game) : game_(game) {
  const gdl::Rulesheet& original = *game.rulesheet;
  rules_.source = original.source;
  rules_.syntax = original.syntax;
  rules_.symbols = copied(original.symbols);
  rules_.clauses = original.clauses;
  original_clauses_ = rules_.clauses.size();
  query_name_ = unused_symbol(rules_.symbols, "query");
  for (std::size_t i = 0; i < original_clauses_; ++i) {
    clauses_of_[gdl::signature(rules_.clauses[i].head)].push_back(i);
  }
  const gdl::DependencyGraph graph(original);
  std::vector<gdl::PredicateId> sources;
  for (gdl::PredicateId p = 0; p < graph.size(); ++p) {
    const gdl::Symbol name = graph.predicate(p).name;
    if (name == gdl::keyword::true_ || name == gdl::keyword::does) sources.push_back(p);
  }
  const auto paths = graph.paths_to(sources);
  for (gdl::PredicateId p = 0; p < graph.size(); ++p) {
    if (paths[p].target == gdl::DependencyGraph::unreachable) continue;
    dynamic_.insert(gdl::signature(graph.first_atom(p)));
  }
  for (const gdl::Dependency& edge : graph.dependencies()) {
    if (!graph.same_component(edge.head, edge.body)) continue;
    recursive_.insert(gdl::signature(graph.first_atom(edge.head)));
  }
}

const std::vector<std::size_t>& LiftedRules::clauses_of(const Term& atom) const {
  static const std::vector<std::size_t> none;
  const auto found = clauses_of_.find(gdl::signature(atom));
  return found == clauses_of_.end() ? none : found->second;
}

Term LiftedRules::fresh_variable() {
  return {
      Term::Kind::variable, unused_symbol(rules_.symbols, "v" + std::to_string(++fresh_)), {}, {}};
}

gdl::Clause LiftedRules::renamed(const gdl::Clause& clause) {
  std::set<gdl::Symbol> variables = variables_of(clause.body);
  collect_variables(clause.head, variables);
  Substitution renaming;
  for (const gdl::Symbol variable : variables) renaming[variable] = fresh_variable();
  gdl::Clause result = clause;
  for (Term& argument : result.head.arguments) argument = substituted(argument, renaming);
  result.body = substituted(clause.body, renaming);
  return result;
}

std::vector<LiftedRules::Unfolding> LiftedRules::unfold(const Term& atom) {
  std::vector<Unfolding> result;
  for (const std::size_t index : clauses_of(atom)) {
    const gdl::Clause clause = renamed(rules_.clauses[index]);
    Substitution substitution;
    if (!unify(atom, clause.head, substitution)) continue;
    Unfolding unfolding{{}, substituted(clause.body, substitution)};
    for (const gdl::Symbol variable : variables_of(atom)) {
      const Term term{Term::Kind::variable, variable, {}, {}};
      Term bound = substituted(term, substitution);
      // A variable that is bound to itself would be looked up forever.
      if (!(bound == term)) unfolding.bindings[variable] = std::move(bound);
    }
    result.push_back(std::move(unfolding));
  }
  return result;
}

std::string LiftedRules::text(const Formula& formula) const {
  switch (formula.kind) {
    case Formula::Kind::atom:
    case Formula::Kind::distinct:
      return gdl::print(formula.atom, rules_.symbols);
    case Formula::Kind::negation:
    case Formula::Kind::conjunction:
    case Formula::Kind::disjunction:
      break;
  }
  std::string result = formula.kind == Formula::Kind::negation      ? "(not"
                       : formula.kind == Formula::Kind::conjunction ? "(and"
                                                                    : "(or";
  for (const Formula& child : formula.children) result += " " + text(child);
  return result + ")";
}

std::string LiftedRules::text(const std::vector<Formula>& formulas) const {
  if (formulas.size() == 1) return text(formulas.front());
  std::string result = "(and";
  for (const Formula& formula : formulas) result += " " + text(formula);
  return result + ")";
}

LiftedRules::Query LiftedRules::add_query(std::vector<Formula> conditions,
                                          const std::set<gdl::Symbol>& variables) {
  Term fluent{Term::Kind::function, query_name_, {}, {}};
  fluent.arguments.push_back(constant(rules_.symbols, queries_));
  for (const gdl::Symbol variable : variables) {
    fluent.arguments.push_back({Term::Kind::variable, variable, {}, {}});
  }
  gdl::Clause clause;
  clause.head = {Term::Kind::function, gdl::keyword::next, {std::move(fluent)}, {}};
  clause.body = std::move(conditions);
  rules_.clauses.push_back(std::move(clause));
  return queries_++;
}

base::Result<LiftedRules::Answers> LiftedRules::ground(const base::Limits& limits) {
  if (auto plain = gdl::require_no_functions(rules_, "the analysis of goals"); !plain) {
    return tl::unexpected(plain.error());
  }
  auto game = ground::ground(std::make_shared<const gdl::Rulesheet>(std::move(rules_)), {limits});
  if (!game) return tl::unexpected(game.error());
  Answers answers{std::move(*game), {}, {}};
  answers.instances.resize(queries_);
  const auto by_name = game_.fluents_by_name();
  for (ground::Atom fluent = 0; fluent < answers.game.fluents.size(); ++fluent) {
    const Term& term = answers.game.fluents[fluent];
    const auto original = by_name.find(answers.game.fluent_name(fluent));
    answers.fluent_of.push_back(original == by_name.end() ? ground::no_atom : original->second);
    if (term.name != query_name_) continue;
    const std::string& number = answers.game.rulesheet->symbols.name(term.arguments[0].name);
    Query query = 0;
    std::from_chars(number.data(), number.data() + number.size(), query);
    answers.instances[query].push_back(
        {{term.arguments.begin() + 1, term.arguments.end()}, answers.game.next[fluent]});
  }
  return answers;
}

}  // namespace zermelo::analysis
