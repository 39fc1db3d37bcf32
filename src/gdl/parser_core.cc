#include "gdl/parser_core.h"

#include <fmt/format.h>

namespace zermelo::gdl {

ParserCore::ParserCore(Rulesheet& rulesheet, Problems& problems, base::LimitedSteps& steps)
    : rulesheet_(rulesheet),
      problems_(problems),
      steps_(steps),
      lexer_(rulesheet.source->text(), rulesheet.syntax, rulesheet.symbols, problems) {
  token_ = lexer_.next();
}

void ParserCore::advance() {
  if (at(Kind::end)) return;
  steps_.take();
  if (at(Kind::unknown)) clause_is_valid_ = false;
  previous_end_ = token_.span.end;
  token_ = lexer_.next();
  if (problems_.full()) interrupt();
}

void ParserCore::resume_at(std::uint32_t offset) {
  if (problems_.full()) return;
  lexer_.seek(offset);
  token_ = lexer_.next();
}

void ParserCore::problem(std::string code, base::Span span, std::string message) {
  clause_is_valid_ = false;
  if (!lexer_.found_binary()) problems_.add(std::move(code), span, std::move(message));
}

void ParserCore::problem_too_deep(base::Span span) {
  problem("too-deep", span,
          fmt::format("nested deeper than {} levels; reduce the nesting", max_nesting));
}

void ParserCore::problem_variable_as_name(const Token& variable) {
  problem("variable-as-name", variable.span,
          "a variable cannot name a relation or function; use a constant");
}

Term ParserCore::leaf() const {
  return {at(Kind::variable) ? Term::Kind::variable : Term::Kind::constant,
          token_.name,
          {},
          token_.span};
}

Term ParserCore::application(Symbol name, std::vector<Term> arguments, base::Span span) const {
  const auto kind = arguments.empty() ? Term::Kind::constant : Term::Kind::function;
  return {kind, name, std::move(arguments), span};
}

Formula ParserCore::literal(Term term) {
  const base::Span span = term.span;
  if (term.kind == Term::Kind::variable) {
    problem("variable-as-condition", span,
            "a variable cannot be a condition; put it inside a relation such as true");
  } else if (term.name == keyword::distinct && term.arguments.size() != 2) {
    problem("distinct-arity", span,
            fmt::format("distinct takes exactly two terms, got {}", term.arguments.size()));
  } else if (term.name == keyword::not_ || term.name == keyword::and_ ||
             term.name == keyword::or_) {
    problem("connective-as-condition", span,
            fmt::format("'{}' must be applied to conditions", rulesheet_.symbols.name(term.name)));
  } else if (term.kind == Term::Kind::constant && term.name == keyword::implied_by) {
    problem("nested-rule", span,
            "'<=' inside a rule; a parenthesis before it is missing or misplaced");
  }
  const auto kind = term.name == keyword::distinct ? Formula::Kind::distinct : Formula::Kind::atom;
  return {kind, std::move(term), {}, span};
}

Formula ParserCore::negation(std::vector<Formula> children, base::Span span) {
  if (children.size() != 1) {
    problem("negation-arity", span,
            fmt::format("not takes exactly one condition, got {}; combine several with and or or",
                        children.size()));
  }
  return {Formula::Kind::negation, {}, std::move(children), span};
}

Formula ParserCore::junction(Formula::Kind kind, std::vector<Formula> children,
                             base::Span span) const {
  return {kind, {}, std::move(children), span};
}

void ParserCore::check_head(const Term& head) {
  if (head.kind == Term::Kind::variable) {
    problem("variable-as-head", head.span,
            "a variable cannot be a fact or the head of a rule; use a relation");
  } else if (head.kind == Term::Kind::constant && head.name == keyword::implied_by) {
    problem("misplaced-arrow", head.span,
            "'<=' is not a relation; a rule is written (<= head condition ...)");
  }
}

}  // namespace zermelo::gdl
