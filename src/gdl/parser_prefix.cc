// Prefix syntax: parenthesised lists, read by recursive descent with bounded depth.
//
// A list can always be read to its closing parenthesis whatever it contains, so most problems need
// no recovery: they are noted, the clause is dropped and reading goes on behind it. What needs
// repair is a clause that is never closed, for it swallows those that follow. Its end is guessed by
// layout: the next line that begins with a parenthesis, or a "(<=" that begins a line, starts a
// clause. Reading resumes there, and what was reported behind that place is forgotten, since it is
// read again. What is read twice is counted, which bounds the work.
#include <fmt/format.h>

#include "gdl/parser_core.h"

namespace zermelo::gdl {

void PrefixParser::run() {
  skip_wrapper();
  while (!at(Kind::end)) clause_or_close();
  if (wrapped_ && !too_deep_) {
    problem("unclosed-parenthesis", wrapper_,
            "the list of all clauses is not closed; add a ) at its end");
  }
}

// Game servers send all clauses in one list: a first list that begins with a list is that one.
void PrefixParser::skip_wrapper() {
  if (!at(Kind::open)) return;
  wrapper_ = token_.span;
  advance();
  wrapped_ = at(Kind::open);
  if (!wrapped_) resume_at(wrapper_.begin);
}

void PrefixParser::clause_or_close() {
  if (!at(Kind::close)) {
    clause();
  } else if (wrapped_) {
    wrapped_ = false;
    advance();
  } else {
    stray_close();
  }
}

void PrefixParser::stray_close() {
  problem("unmatched-parenthesis", token_.span,
          "this ) closes nothing; remove it or add the ( it belongs to");
  while (at(Kind::close)) advance();
}

void PrefixParser::clause() {
  clause_begin_ = token_.span.begin;
  clause_is_sound_ = true;
  unclosed_ = too_deep_ = false;
  interrupted_at_ = 0;
  Clause clause = fact_or_rule();
  check_head(clause.head);
  if (unclosed_ && !too_deep_ && !lexer_.met_binary() && !problems_.full()) {
    repair_unclosed(clause_begin_);
  } else if (clause_is_sound_) {
    rulesheet_.clauses.push_back(std::move(clause));
  }
}

Clause PrefixParser::fact_or_rule() {
  const std::uint32_t begin = token_.span.begin;
  Clause clause;
  if (!at(Kind::open)) {
    clause.head = term(0);
  } else {
    advance();
    if (at_word(keyword::implied_by)) return rule(begin);
    clause.head = list_term(begin, 1);
  }
  clause.span = clause.head.span;
  return clause;
}

// Behind the parenthesis, at `<=`.
Clause PrefixParser::rule(std::uint32_t begin) {
  advance();
  Clause clause;
  if (at_list_end()) {
    problem("rule-without-head", {begin, previous_end_},
            "a rule needs a head: (<= head condition ...)");
  } else {
    clause.head = term(1);
  }
  clause.body = formulas(1);
  close_list();
  clause.span = {begin, previous_end_};
  return clause;
}

void PrefixParser::close_list() {
  if (at(Kind::end)) unclosed_ = true;
  advance();
}

// Leaves the list whose opening parenthesis has been passed, without reading it.
void PrefixParser::skip_list() {
  for (std::size_t open = 1; open > 0 && !at(Kind::end); advance()) {
    if (at(Kind::open)) ++open;
    if (at(Kind::close)) --open;
  }
}

void PrefixParser::skip_deep_list(std::uint32_t begin) {
  problems_.drop_from(clause_begin_);
  problem_too_deep({begin, begin + 1});
  too_deep_ = true;
  skip_list();
}

Term PrefixParser::term(int depth) {
  const std::uint32_t begin = token_.span.begin;
  if (at(Kind::open)) {
    advance();
    return list_term(begin, depth);
  }
  Term result = leaf();
  advance();
  return result;
}

// Behind the opening parenthesis, which stands at `begin`.
Term PrefixParser::list_term(std::uint32_t begin, int depth) {
  if (depth > max_nesting) {
    skip_deep_list(begin);
    return {};
  }
  check_not_rule(begin);
  const Symbol name = list_name();
  std::vector<Term> arguments;
  while (!at_list_end()) arguments.push_back(term(depth + 1));
  close_list();
  return application(name, std::move(arguments), {begin, previous_end_});
}

// The name a list begins with. A list in its place is reported and left to be read as an argument.
Symbol PrefixParser::list_name() {
  const Token name = token_;
  if (at(Kind::variable)) problem_variable_as_name(name);
  if (at(Kind::open) && clause_is_sound_)
    problem("list-as-name", name.span, "a name must follow the ( before this one");
  if (at(Kind::close))
    problem("empty-list", name.span, "() means nothing; write a name inside or remove it");
  if (!at(Kind::open) && !at(Kind::close)) advance();
  return name.name;
}

// A rule cannot stand inside a clause. One that begins a line shows that the clause was not closed.
void PrefixParser::check_not_rule(std::uint32_t begin) {
  if (!at_word(keyword::implied_by)) return;
  const std::string_view before = rulesheet_.source->text().substr(0, begin);
  const std::size_t last = before.find_last_not_of(" \t");
  if (last == before.npos || before[last] != '\n') {
    problem("nested-rule", token_.span,
            "a rule cannot stand inside another; a ) before it is missing or misplaced");
    return;
  }
  interrupted_at_ = begin;
  interrupt();
}

Formula PrefixParser::formula(int depth) {
  if (!at(Kind::open)) return literal(term(depth));
  const std::uint32_t begin = token_.span.begin;
  advance();
  return list_formula(begin, depth);
}

// Behind the opening parenthesis, which stands at `begin`.
Formula PrefixParser::list_formula(std::uint32_t begin, int depth) {
  const Symbol name = token_.name;
  const bool connective = at_word(keyword::not_) || at_word(keyword::and_) || at_word(keyword::or_);
  if (!connective || depth > max_nesting) return literal(list_term(begin, depth));
  advance();
  std::vector<Formula> children = formulas(depth + 1);
  close_list();
  const base::Span span{begin, previous_end_};
  if (name == keyword::not_) return negation(std::move(children), span);
  const auto kind = name == keyword::and_ ? Formula::Kind::conjunction : Formula::Kind::disjunction;
  return junction(kind, std::move(children), span);
}

std::vector<Formula> PrefixParser::formulas(int depth) {
  std::vector<Formula> result;
  while (!at_list_end()) result.push_back(formula(depth));
  return result;
}

void PrefixParser::repair_unclosed(std::uint32_t begin) {
  const std::uint32_t resume = repair_point(begin);
  if (resume > 0) problems_.drop_from(resume);
  problem("unclosed-parenthesis", {begin, begin + 1}, where_clause_should_end(resume));
  if (resume == 0) return;
  reread_bytes_ += token_.span.begin - resume;
  if (reread_bytes_ <= max_reread_bytes) resume_at(resume);
}

// Where the next clause seems to begin, 0 if nothing looks like one.
std::uint32_t PrefixParser::repair_point(std::uint32_t begin) const {
  const std::size_t line = rulesheet_.source->text().find("\n(", begin);
  const auto next_line = line == std::string_view::npos ? 0 : static_cast<std::uint32_t>(line + 1);
  if (next_line == 0 || interrupted_at_ == 0) return std::max(next_line, interrupted_at_);
  return std::min(next_line, interrupted_at_);
}

std::string PrefixParser::where_clause_should_end(std::uint32_t resume) const {
  if (resume == 0) return "this clause is not closed; a ) is missing before the end of the file";
  return fmt::format("this clause is not closed; a ) is missing before line {}",
                     rulesheet_.source->position(resume).line);
}

}  // namespace zermelo::gdl
