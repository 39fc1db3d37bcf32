// The common part of the two parsers: the current token, the current clause and its problems.
#pragma once

#include <string>

#include "base/limited_steps.h"
#include "gdl/lexer.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// The maximum nesting of terms and conditions. It makes recursion over them safe.
inline constexpr int max_nesting = 200;

class ParserCore {
 public:
  ParserCore(Rulesheet& rulesheet, Problems& problems, base::LimitedSteps& steps);

 protected:
  using Kind = Token::Kind;

  bool at(Kind kind) const { return token_.kind == kind; }
  bool at_word(Symbol name) const { return at(Kind::word) && token_.name == name; }
  void advance();
  // Sets the current token to `end`, so that all open constructs finish.
  void interrupt() { token_ = {Kind::end, {token_.span.begin, token_.span.begin}, {}}; }
  void resume_at(std::uint32_t offset);

  // Reports a problem of the current clause. The clause is then discarded.
  void problem(std::string code, base::Span span, std::string message);
  void problem_too_deep(base::Span span);
  void problem_variable_as_name(const Token& variable);

  // The current token as a constant or variable.
  Term leaf() const;
  // The name applied to arguments; a constant if there are none.
  Term application(Symbol name, std::vector<Term> arguments, base::Span span) const;
  // Makes an atom or `distinct`. Reports a term that cannot be a condition.
  Formula literal(Term term);
  Formula negation(std::vector<Formula> children, base::Span span);
  Formula junction(Formula::Kind kind, std::vector<Formula> children, base::Span span) const;
  // Reports a term that cannot be a head.
  void check_head(const Term& head);

  Rulesheet& rulesheet_;
  Problems& problems_;
  base::LimitedSteps& steps_;  // one per token
  Lexer lexer_;
  Token token_;
  std::uint32_t previous_end_ = 0;
  bool clause_is_valid_ = true;
};

class PrefixParser : private ParserCore {
 public:
  using ParserCore::ParserCore;
  void run();

 private:
  static constexpr std::size_t max_reread_bytes = 16u << 20;

  bool at_list_end() const { return at(Kind::close) || at(Kind::end); }
  void skip_wrapper();
  void clause_or_close();
  void stray_close();
  void clause();
  Clause fact_or_rule();
  Clause rule(std::uint32_t begin);
  void close_list();
  void skip_list();
  void skip_deep_list(std::uint32_t begin);
  Term term(int depth);
  Term list_term(std::uint32_t begin, int depth);
  Symbol list_name();
  void check_not_rule(std::uint32_t begin);
  Formula formula(int depth);
  Formula list_formula(std::uint32_t begin, int depth);
  std::vector<Formula> formulas(int depth);
  void repair_unclosed(std::uint32_t begin);
  std::uint32_t repair_point(std::uint32_t begin) const;
  std::string where_clause_should_end(std::uint32_t resume) const;

  bool wrapped_ = false;
  base::Span wrapper_;
  std::uint32_t clause_begin_ = 0;
  bool unclosed_ = false;             // the file ended inside a list of the current clause
  bool too_deep_ = false;             // the current clause is nested too deeply
  std::uint32_t interrupted_at_ = 0;  // start of a rule inside the current clause, or 0
  std::size_t reread_bytes_ = 0;
};

class InfixParser : private ParserCore {
 public:
  using ParserCore::ParserCore;
  void run();

 private:
  void clause();
  void body(Clause& clause);
  void end_clause(const char* wanted);
  std::vector<Formula> conjuncts(int depth);
  Formula disjunction(int depth);
  Formula rest_of_disjunction(Formula first, int depth);
  Formula join(Formula::Kind kind, std::vector<Formula> parts) const;
  Formula condition(int depth);
  Formula group(int depth);
  Formula atom(int depth);
  Formula negated(int depth);
  Formula connective(int depth);
  Term term(int depth);
  void check_function_name(const Token& name);
  template <class Item, class Read>
  std::vector<Item> comma_separated(Read read);
  bool too_deep(int depth);
  void expect_close();
  std::string token_text() const;
  std::string operator_advice() const;
  void unexpected(const std::string& wanted);
  void skip_to_next_clause();
  bool at_line_begin() const;
  void keep(Clause clause);

  std::uint32_t clause_begin_ = 0;
  Token failed_token_;
  bool failed_ = false;  // the rest of the current clause cannot be read
};

}  // namespace zermelo::gdl
