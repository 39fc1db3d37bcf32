#include "ground/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace zermelo::ground {

PredicateId Program::add_predicate(Predicate predicate) {
  predicates.push_back(std::move(predicate));
  return static_cast<PredicateId>(predicates.size() - 1);
}

Term Program::fresh_variable() { return make_variable(variables++); }

PredicateId Program::add_auxiliary(Kind kind, std::uint32_t arity) {
  Predicate predicate{.keyword = Symbol{~0u}, .kind = kind, .shape = {}, .arity = arity};
  for (std::uint32_t i = 0; i < arity; ++i) predicate.shape.push_back(make_variable(i));
  return add_predicate(std::move(predicate));
}

Term make_variable(std::uint32_t number) {
  return Term{.kind = Term::Kind::variable, .name = Symbol{number}, .arguments = {}, .span = {}};
}

bool is_ground(const Term& term) {
  if (term.kind == Term::Kind::variable) return false;
  return std::all_of(term.arguments.begin(), term.arguments.end(), is_ground);
}

void collect_variables(const Term& term, std::vector<std::uint32_t>& out) {
  if (term.kind == Term::Kind::variable) out.push_back(variable_of(term));
  for (const Term& argument : term.arguments) collect_variables(argument, out);
}

std::vector<std::uint32_t> variables_of(const std::vector<Term>& terms) {
  std::vector<std::uint32_t> result;
  for (const Term& term : terms) collect_variables(term, result);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool contains_variable(const std::vector<Term>& terms, std::uint32_t variable) {
  return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
    return term.kind == Term::Kind::variable ? variable_of(term) == variable
                                             : contains_variable(term.arguments, variable);
  });
}

void substitute(Term& term, std::uint32_t variable, const Term& replacement) {
  if (term.kind == Term::Kind::variable) {
    if (variable_of(term) == variable) term = replacement;
    return;
  }
  for (Term& argument : term.arguments) substitute(argument, variable, replacement);
}

void substitute(Rule& rule, std::uint32_t variable, const Term& replacement) {
  for (Term& argument : rule.arguments) substitute(argument, variable, replacement);
  for (BodyLiteral& literal : rule.body) {
    for (Term& argument : literal.arguments) substitute(argument, variable, replacement);
  }
}

base::Error limit_error(const Program& program, base::ErrorKind kind, std::uint32_t clause,
                        std::size_t instances) {
  const char* limit = kind == base::ErrorKind::memory_limit ? "memory" : "time";
  if (instances == 0)
    return {kind, fmt::format("{} limit reached before grounding started", limit)};
  std::string where = "auxiliary";
  if (clause != Rule::no_clause) {
    const base::Source& source = *program.rulesheet->source;
    const base::Position position = source.position(program.rulesheet->clauses[clause].span.begin);
    where = fmt::format("{}:{}:{}", source.name(), position.line, position.column);
  }
  return {kind,
          fmt::format("{} limit reached while grounding; largest rule: {}, {} instances so far",
                      limit, where, instances)};
}

namespace {

void rename(Program& program, std::map<std::uint32_t, std::uint32_t>& renamed, Term& term) {
  if (term.kind == Term::Kind::variable) {
    const auto [place, added] = renamed.try_emplace(variable_of(term), program.variables);
    program.variables += added;
    term = make_variable(place->second);
  }
  for (Term& argument : term.arguments) rename(program, renamed, argument);
}

}  // namespace

void rename_variables(Program& program, Rule& rule) {
  std::map<std::uint32_t, std::uint32_t> renamed;
  for (Term& argument : rule.arguments) rename(program, renamed, argument);
  for (BodyLiteral& literal : rule.body) {
    for (Term& argument : literal.arguments) rename(program, renamed, argument);
  }
}

}  // namespace zermelo::ground
