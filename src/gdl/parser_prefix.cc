// Prefix syntax: parenthesised lists, read by recursive descent with bounded depth.
//
// A list can always be read to its closing parenthesis, whatever it contains. So most problems need
// no recovery: they are reported, the clause is discarded and parsing continues after it. Only a
// clause that is never closed needs recovery, because it swallows the clauses after it. Its end is
// inferred from the layout: the next line that starts with a parenthesis, or a "(<=" at the start
// of a line, starts a new clause. Parsing resumes there. Problems reported after that point are
// dropped, since the text is read again. The bytes read twice are counted to bound the work.
#include <fmt/format.h>

#include <algorithm>

#include "gdl/parser_core.h"

namespace zermelo::gdl {

void PrefixParser::run() {
  skip_wrapper();
  while (!at(Kind::end)) clause_or_close();
  if (wrapped_ && !too_deep_) {
    problem("unclosed-parenthesis", wrapper_,
            "the list around all clauses is not closed; add a ) at the end");
  }
}

// Game servers send all clauses in one list. If the first list starts with a list, it is skipped as
// this wrapper.
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
          "unmatched ); remove it or add the ( it belongs to");
  while (at(Kind::close)) advance();
}

void PrefixParser::clause() {
  clause_begin_ = token_.span.begin;
  clause_is_valid_ = true;
  unclosed_ = too_deep_ = false;
  interrupted_at_ = 0;
  Clause clause = fact_or_rule();
  check_head(clause.head);
  if (unclosed_ && !too_deep_ && !lexer_.found_binary() && !problems_.full()) {
    repair_unclosed(clause_begin_);
  } else if (clause_is_valid_) {
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

// Called after the parenthesis, at `<=`.
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

// Skips to the end of the list. The opening parenthesis has already been read.
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

// Called after the opening parenthesis, which is at `begin`.
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

// Reads the name at the start of a list. A list in its place is reported, and then read as an
// argument.
Symbol PrefixParser::list_name() {
  const Token name = token_;
  if (at(Kind::variable)) problem_variable_as_name(name);
  if (at(Kind::open) && clause_is_valid_)
    problem("list-as-name", name.span, "a list must start with a name, not with another list");
  if (at(Kind::close))
    problem("empty-list", name.span, "empty list; write a name inside or remove it");
  if (!at(Kind::open) && !at(Kind::close)) advance();
  return name.name;
}

// Reports a rule inside a clause. If the rule starts a line, the clause was not closed.
void PrefixParser::check_not_rule(std::uint32_t begin) {
  if (!at_word(keyword::implied_by)) return;
  const std::string_view before = rulesheet_.source->text().substr(0, begin);
  const std::size_t last = before.find_last_not_of(" \t");
  if (last == before.npos || (before[last] != '\n' && before[last] != '\r')) {
    problem("nested-rule", token_.span,
            "a rule inside another clause; a ) before it is missing or misplaced");
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

// Called after the opening parenthesis, which is at `begin`.
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

// The likely start of the next clause, or 0 if there is none.
std::uint32_t PrefixParser::repair_point(std::uint32_t begin) const {
  const std::string_view text = rulesheet_.source->text();
  const std::size_t line = std::min(text.find("\n(", begin), text.find("\r(", begin));
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
