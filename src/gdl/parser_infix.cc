// Infix syntax, read by recursive descent with bounded depth:
//
//   clause      = term [ (":-" | "<=") disjunction ] [ "." ]
//   disjunction = conjunction { "|" conjunction }
//   conjunction = condition { "&" condition }
//   condition   = "~" condition | "(" disjunction ")" | connective "(" [ conditions ] ")" | term
//   conditions  = disjunction { "," disjunction }
//   connective  = "not" | "and" | "or"
//   term        = variable | name [ "(" [ term { "," term } ] ")" ]
//
// A clause ends at the first token that cannot continue it, so the full stop is optional.
// Parentheses around several conditions are kept as a nested conjunction or disjunction. and(...)
// and or(...) write those with fewer than two members. After a problem the rest of the clause is
// skipped: the next clause starts after a full stop or with a name at the beginning of a line.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "gdl/arithmetic.h"
#include "gdl/parser_core.h"

namespace zermelo::gdl {
namespace {

// Avoids the copy that a braced list would make.
std::vector<Formula> list_of(Formula first) {
  std::vector<Formula> list;
  list.push_back(std::move(first));
  return list;
}

}  // namespace

void InfixParser::run() {
  while (!at(Kind::end)) clause();
}

void InfixParser::clause() {
  clause_is_valid_ = true;
  failed_ = false;
  Clause clause;
  clause_begin_ = token_.span.begin;
  clause.head = term(0);
  if (!failed_) check_head(clause.head);
  const bool is_rule = at(Kind::implied_by);
  if (is_rule) body(clause);
  clause.span = {clause_begin_, previous_end_};
  end_clause(is_rule ? "'&', '|', '.' or the next clause" : "':-', '.' or the next clause");
  if (clause_is_valid_) keep(std::move(clause));
}

void InfixParser::end_clause(const char* wanted) {
  if (at(Kind::period)) {
    advance();
  } else if (!at(Kind::word) && !at(Kind::variable) && !at(Kind::unknown) && !at(Kind::end)) {
    unexpected(wanted);
  }
  if (failed_) skip_to_next_clause();
}

void InfixParser::body(Clause& clause) {
  advance();
  clause.body = conjuncts(0);
  if (!at(Kind::disjunction)) return;
  Formula first = join(Formula::Kind::conjunction, std::move(clause.body));
  clause.body = list_of(rest_of_disjunction(std::move(first), 0));
}

std::vector<Formula> InfixParser::conjuncts(int depth) {
  std::vector<Formula> parts = list_of(condition(depth));
  while (at(Kind::conjunction)) {
    advance();
    parts.push_back(condition(depth));
  }
  return parts;
}

Formula InfixParser::disjunction(int depth) {
  return rest_of_disjunction(join(Formula::Kind::conjunction, conjuncts(depth)), depth);
}

Formula InfixParser::rest_of_disjunction(Formula first, int depth) {
  std::vector<Formula> parts = list_of(std::move(first));
  while (at(Kind::disjunction)) {
    advance();
    parts.push_back(join(Formula::Kind::conjunction, conjuncts(depth)));
  }
  return join(Formula::Kind::disjunction, std::move(parts));
}

Formula InfixParser::join(Formula::Kind kind, std::vector<Formula> parts) const {
  if (parts.size() == 1) return std::move(parts.front());
  const base::Span span{parts.front().span.begin, parts.back().span.end};
  return junction(kind, std::move(parts), span);
}

Formula InfixParser::condition(int depth) {
  const bool connects = at_word(keyword::not_) || at_word(keyword::and_) || at_word(keyword::or_);
  if (!connects && !at(Kind::open) && !at(Kind::negation)) return atom(depth);
  if (too_deep(depth)) return {};
  if (at(Kind::open)) return group(depth + 1);
  return connects ? connective(depth + 1) : negated(depth + 1);
}

Formula InfixParser::atom(int depth) {
  Term atom = term(depth);
  return failed_ ? Formula{} : literal(std::move(atom));
}

Formula InfixParser::negated(int depth) {
  const std::uint32_t begin = token_.span.begin;
  advance();
  std::vector<Formula> child = list_of(condition(depth));
  return negation(std::move(child), {begin, previous_end_});
}

Formula InfixParser::group(int depth) {
  advance();
  Formula result = disjunction(depth);
  expect_close();
  return result;
}

Formula InfixParser::connective(int depth) {
  const Symbol name = token_.name;
  const std::uint32_t begin = token_.span.begin;
  advance();
  if (!at(Kind::open)) unexpected("'(' after a connective");
  std::vector<Formula> children = comma_separated<Formula>([&] { return disjunction(depth); });
  const base::Span span{begin, previous_end_};
  if (failed_) return {};
  if (name == keyword::not_) return negation(std::move(children), span);
  const auto kind = name == keyword::and_ ? Formula::Kind::conjunction : Formula::Kind::disjunction;
  return junction(kind, std::move(children), span);
}

Term InfixParser::term(int depth) {
  const Token name = token_;
  if (!at(Kind::word) && !at(Kind::variable)) {
    unexpected("a name");
    return {};
  }
  Term result = leaf();
  advance();
  if (!at(Kind::open)) return result;
  check_function_name(name);
  if (too_deep(depth)) return {};
  std::vector<Term> arguments = comma_separated<Term>([&] { return term(depth + 1); });
  return application(name.name, std::move(arguments), {name.span.begin, previous_end_});
}

void InfixParser::check_function_name(const Token& name) {
  if (name.kind == Kind::variable) problem_variable_as_name(name);
  if (name.kind == Kind::word && name.name == keyword::implied_by) {
    problem("misplaced-arrow", name.span,
            "'<=' is not a relation or function; choose another name");
  }
}

// Called at the opening parenthesis.
template <class Item, class Read>
std::vector<Item> InfixParser::comma_separated(Read read) {
  std::vector<Item> items;
  advance();
  if (!at(Kind::close)) items.push_back(read());
  while (at(Kind::comma)) {
    advance();
    items.push_back(read());
  }
  expect_close();
  return items;
}

bool InfixParser::too_deep(int depth) {
  if (depth < max_nesting || failed_) return failed_;
  problem_too_deep(token_.span);
  unexpected("");
  return true;
}

void InfixParser::expect_close() {
  if (at(Kind::close)) {
    advance();
  } else {
    unexpected("',', '&', '|' or ')'");
  }
}

std::string InfixParser::token_text() const {
  constexpr std::size_t longest_shown = 40;
  if (at(Kind::end)) return "the end of the file";
  const std::string_view text = rulesheet_.source->text(token_.span);
  return text.size() > longest_shown ? "a long name" : fmt::format("'{}'", text);
}

// What to write instead of an operator of arithmetic. Empty at other tokens.
std::string InfixParser::operator_advice() const {
  const std::string_view text = rulesheet_.source->text(token_.span);
  // X -1 is read as a variable and the name '-1'.
  const std::string_view name = at(Kind::word) ? text.substr(0, is_operator(text) ? 2 : 1) : "";
  return is_operator(name) ? "; " + arithmetic_advice(name, Syntax::infix) : "";
}

// Abandons the current clause. Reports the unexpected token, unless the clause already has a
// problem that explains it.
void InfixParser::unexpected(const std::string& wanted) {
  if (failed_) return;
  if (clause_is_valid_ && !at(Kind::unknown)) {
    problem("unexpected-token", token_.span,
            fmt::format("expected {}, got {}{}", wanted, token_text(), operator_advice()));
  }
  clause_is_valid_ = false;
  failed_ = true;
  failed_token_ = token_;
  interrupt();
}

void InfixParser::skip_to_next_clause() {
  if (problems_.full()) return;
  token_ = failed_token_;
  if (token_.span.begin == clause_begin_) advance();
  while (!at(Kind::end) && !at_line_begin()) {
    const bool stop = at(Kind::period);
    advance();
    if (stop) return;
  }
}

bool InfixParser::at_line_begin() const {
  if (!at(Kind::word)) return false;
  if (token_.span.begin == 0) return true;
  const char before = rulesheet_.source->text()[token_.span.begin - 1];
  return before == '\n' || before == '\r';
}

namespace {

int nesting(const Term& term) {
  int deepest = -1;
  for (const Term& argument : term.arguments) deepest = std::max(deepest, nesting(argument));
  return deepest + 1;
}

int nesting(const Formula& formula) {
  if (formula.kind == Formula::Kind::atom || formula.kind == Formula::Kind::distinct) {
    return nesting(formula.atom);
  }
  int deepest = 0;
  for (const Formula& child : formula.children) deepest = std::max(deepest, nesting(child));
  return deepest + 1;
}

template <class Visit>
void for_each_variable(Term& term, Visit visit) {
  if (term.kind == Term::Kind::variable) visit(term);
  for (Term& argument : term.arguments) for_each_variable(argument, visit);
}

template <class Visit>
void for_each_variable(Formula& formula, Visit visit) {
  for_each_variable(formula.atom, visit);
  for (Formula& child : formula.children) for_each_variable(child, visit);
}

template <class Visit>
void for_each_variable(Clause& clause, Visit visit) {
  for_each_variable(clause.head, visit);
  for (Formula& formula : clause.body) for_each_variable(formula, visit);
}

// Gives every anonymous variable of the clause a name that is unique in the clause.
void name_anonymous_variables(Clause& clause, SymbolTable& symbols) {
  const Symbol anonymous = symbols.intern(anonymous_name);
  std::unordered_set<Symbol> used;
  for_each_variable(clause, [&](Term& variable) { used.insert(variable.name); });
  if (!used.count(anonymous)) return;
  int number = 0;
  for_each_variable(clause, [&](Term& variable) {
    if (variable.name != anonymous) return;
    do {
      variable.name = symbols.intern(fmt::format("_{}", ++number));
    } while (!used.insert(variable.name).second);
  });
}

}  // namespace

void InfixParser::keep(Clause clause) {
  const auto too_deep = [](const Formula& formula) { return nesting(formula) > max_nesting; };
  if (std::any_of(clause.body.begin(), clause.body.end(), too_deep)) {
    problem_too_deep(clause.span);
    return;
  }
  name_anonymous_variables(clause, rulesheet_.symbols);
  rulesheet_.clauses.push_back(std::move(clause));
}

}  // namespace zermelo::gdl
