// Recursive descent with one function per level of precedence, loosest first: or, and, the unary
// operators (not, quantifiers, fixed points, let), comparisons, sums, products, powers.
//
// Formulas and terms share the levels, as what begins with a parenthesis or a name is only known to
// be one or the other when what follows has been read. An expression is therefore a formula, a
// term, a bare name, or a name applied to names; `as_formula` and `as_term` decide.
#include "toss/parser_formula.h"

#include <fmt/format.h>

#include <optional>

namespace zermelo::toss {
namespace {

constexpr int max_depth = 200;

struct Expression {
  FormulaPtr formula;
  TermPtr term;
  std::string name;  // of neither: bare, or applied to the variables
  bool applied = false;
  std::vector<std::string> variables;
  base::Span span;
};

template <class Tree>
std::shared_ptr<const Tree> placed(const std::shared_ptr<const Tree>& tree, base::Span span) {
  Tree copy = *tree;
  copy.span = span;
  return std::make_shared<const Tree>(std::move(copy));
}

std::vector<std::string> texts(const std::vector<syntax::Word>& words) {
  std::vector<std::string> result;
  for (const syntax::Word& word : words) result.push_back(word.text);
  return result;
}

std::optional<Comparison> comparison_of(std::string_view symbol) {
  if (symbol == "=") return Comparison::equal;
  if (symbol == "!=") return Comparison::unequal;
  if (symbol == "<") return Comparison::less;
  if (symbol == "<=") return Comparison::less_equal;
  if (symbol == ">") return Comparison::greater;
  if (symbol == ">=") return Comparison::greater_equal;
  return std::nullopt;
}

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenReader& reader) : reader_(reader) {}

  FormulaPtr formula() { return as_formula(parse_or()); }
  TermPtr term() { return as_term(parse_sum()); }

 private:
  using Level = Expression (ExpressionParser::*)();

  FormulaPtr as_formula(const Expression& e) {
    if (e.formula) return e.formula;
    if (e.applied) return placed(atom(e.name, e.variables), e.span);
    reader_.fail("term-as-formula", e.span,
                 "a formula is expected here; compare the term, as in t > 0");
    return truth(true);
  }

  TermPtr as_term(const Expression& e) {
    if (e.term) return e.term;
    if (e.applied && e.variables.size() == 1) return value(e);
    reader_.fail("formula-as-term", e.span,
                 "a real-valued term is expected here; write :(f) for 1 where f holds, else 0");
    return number(0);
  }

  TermPtr value(const Expression& e) {
    Term result;
    result.kind = Term::Kind::value;
    result.name = e.name;
    result.variables = e.variables;
    result.span = e.span;
    return std::make_shared<const Term>(std::move(result));
  }

  Expression of(FormulaPtr formula, base::Span first) {
    Expression result;
    result.span = reader_.since(first);
    result.formula = placed(formula, result.span);
    return result;
  }

  Expression of(TermPtr term, base::Span first) {
    Expression result;
    result.span = reader_.since(first);
    result.term = placed(term, result.span);
    return result;
  }

  Expression parse_or() { return chain("or", &ExpressionParser::parse_and, disjunction); }
  Expression parse_and() { return chain("and", &ExpressionParser::parse_unary, conjunction); }

  Expression chain(std::string_view word, Level part, FormulaPtr (*join)(std::vector<FormulaPtr>)) {
    const base::Span first = reader_.peek().span;
    Expression left = (this->*part)();
    if (!reader_.is(word)) return left;
    std::vector<FormulaPtr> parts = {as_formula(left)};
    while (reader_.accept(word)) parts.push_back(as_formula((this->*part)()));
    return of(join(std::move(parts)), first);
  }

  Expression parse_unary() {
    const base::Span first = reader_.peek().span;
    if (++depth_ > max_depth) {
      reader_.fail("too-deep", first, "this is nested too deeply; name a part of it with REL");
    }
    Expression result = parse_operator(first);
    --depth_;
    return result;
  }

  Expression parse_operator(base::Span first) {
    if (reader_.accept("not")) return of(negation(as_formula(parse_unary())), first);
    if (reader_.accept("ex")) return quantified(Formula::Kind::exists, first);
    if (reader_.accept("all")) return quantified(Formula::Kind::forall, first);
    if (reader_.accept("tc")) return closure(first);
    if (reader_.accept("lfp")) return fixed_point(Formula::Kind::least, first);
    if (reader_.accept("gfp")) return fixed_point(Formula::Kind::greatest, first);
    if (reader_.accept("let")) return let(first);
    return parse_comparison();
  }

  std::vector<std::string> variables() {
    std::vector<std::string> result;
    do result.push_back(reader_.expect_name("a variable").text);
    while (reader_.accept(","));
    return result;
  }

  Expression quantified(Formula::Kind kind, base::Span first) {
    Formula result;
    result.kind = kind;
    result.variables = variables();
    result.parts = {as_formula(parse_unary())};
    return of(std::make_shared<const Formula>(std::move(result)), first);
  }

  Expression closure(base::Span first) {
    const base::Span place = reader_.peek().span;
    Expression result = quantified(Formula::Kind::closure, first);
    if (result.formula->variables.size() != 2) {
      reader_.fail("closure-variables", reader_.since(place),
                   "tc takes exactly two variables, as in tc x, y (f)");
    }
    return result;
  }

  // lfp X(x, y) = f
  Formula defined(Formula::Kind kind) {
    Formula result;
    result.kind = kind;
    result.name = reader_.expect_name("the name of a relation").text;
    result.variables = texts(parse_names(reader_));
    reader_.expect("=");
    return result;
  }

  Expression fixed_point(Formula::Kind kind, base::Span first) {
    Formula result = defined(kind);
    result.parts = {as_formula(parse_unary())};
    return of(std::make_shared<const Formula>(std::move(result)), first);
  }

  Expression let(base::Span first) {
    Formula result = defined(Formula::Kind::let);
    result.parts.push_back(formula());
    reader_.expect("in");
    result.parts.push_back(formula());
    return of(std::make_shared<const Formula>(std::move(result)), first);
  }

  Expression parse_comparison() {
    const base::Span first = reader_.peek().span;
    const Expression left = parse_sum();
    if (reader_.peek().kind != Token::Kind::symbol) return left;
    const auto comparison = comparison_of(reader_.peek().text);
    if (!comparison) return left;
    reader_.next();
    const Expression right = parse_sum();
    if (is_variable(left) && is_variable(right)) return compared_elements(left, *comparison, right);
    return of(compare(difference(as_term(left), as_term(right)), *comparison), first);
  }

  static bool is_variable(const Expression& e) { return !e.formula && !e.term && !e.applied; }

  static TermPtr difference(TermPtr left, TermPtr right) {
    const bool zero = right->kind == Term::Kind::number && right->number == 0;
    return zero ? left : add({left, negate(right)});
  }

  Expression compared_elements(const Expression& a, Comparison comparison, const Expression& b) {
    const FormulaPtr same = placed(equal(a.name, b.name), reader_.since(a.span));
    if (comparison == Comparison::equal) return of(same, a.span);
    if (comparison == Comparison::unequal) return of(negation(same), a.span);
    reader_.fail("order-of-elements", reader_.since(a.span),
                 "elements are compared with = and != only");
    return of(same, a.span);
  }

  Expression parse_sum() {
    const base::Span first = reader_.peek().span;
    const Expression left = parse_product();
    if (!reader_.is("+") && !reader_.is("-")) return left;
    std::vector<TermPtr> parts = {as_term(left)};
    while (reader_.is("+") || reader_.is("-")) {
      const Token sign = reader_.next();
      const TermPtr part = as_term(parse_product());
      parts.push_back(sign.text == "+" ? part : placed(negate(part), reader_.since(sign.span)));
    }
    return of(add(std::move(parts)), first);
  }

  Expression parse_product() {
    const base::Span first = reader_.peek().span;
    const Expression left = parse_signed();
    if (!reader_.is("*")) return left;
    std::vector<TermPtr> parts = {as_term(left)};
    while (reader_.accept("*")) parts.push_back(as_term(parse_signed()));
    return of(multiply(std::move(parts)), first);
  }

  Expression parse_signed() {
    const base::Span first = reader_.peek().span;
    if (++depth_ > max_depth) reader_.fail("too-deep", first, "this is nested too deeply");
    Expression result =
        reader_.accept("-") ? of(negate(as_term(parse_signed())), first) : parse_power();
    --depth_;
    return result;
  }

  Expression parse_power() {
    const base::Span first = reader_.peek().span;
    const Expression left = parse_primary();
    if (!reader_.accept("^")) return left;
    const TermPtr base = as_term(left);
    return of(power(base, as_term(parse_signed())), first);
  }

  Expression parse_primary() {
    const Token token = reader_.peek();
    if (reader_.accept("true")) return of(truth(true), token.span);
    if (reader_.accept("false")) return of(truth(false), token.span);
    if (token.kind == Token::Kind::number) return parse_number();
    if (reader_.accept(":")) return parse_indicator(token.span);
    if (reader_.accept("Sum")) return parse_counting(token.span);
    if (reader_.accept("(")) {
      Expression inner = parse_or();
      reader_.expect(")");
      return inner;
    }
    return parse_name();
  }

  Expression parse_number() {
    const base::Span first = reader_.peek().span;
    double value = reader_.expect_number();
    if (reader_.accept("/")) value = divided(value);
    return of(number(value), first);
  }

  double divided(double numerator) {
    const base::Span place = reader_.peek().span;
    const double denominator = reader_.expect_number();
    if (denominator != 0) return numerator / denominator;
    reader_.fail("bad-number", place, "a number cannot be divided by 0");
    return 0;
  }

  Expression parse_indicator(base::Span first) {
    reader_.expect("(");
    const FormulaPtr inner = formula();
    reader_.expect(")");
    return of(indicator(inner), first);
  }

  Expression parse_counting(base::Span first) {
    reader_.expect("(");
    std::vector<std::string> names = variables();
    reader_.expect("|");
    const FormulaPtr condition = formula();
    reader_.expect(":");
    const TermPtr summand = term();
    reader_.expect(")");
    return of(sum(std::move(names), condition, summand), first);
  }

  Expression parse_name() {
    Expression result;
    const syntax::Word name = reader_.expect_name("a formula or term");
    result.name = name.text;
    if (reader_.is("(")) {
      result.applied = true;
      result.variables = texts(parse_names(reader_));
    }
    result.span = reader_.since(name.span);
    return result;
  }

  TokenReader& reader_;
  int depth_ = 0;
};

}  // namespace

FormulaPtr parse_formula(TokenReader& reader) { return ExpressionParser(reader).formula(); }
TermPtr parse_term(TokenReader& reader) { return ExpressionParser(reader).term(); }

std::vector<syntax::Word> parse_names(TokenReader& reader) {
  std::vector<syntax::Word> result;
  reader.expect("(");
  if (!reader.is(")")) {
    do result.push_back(reader.expect_name("a name"));
    while (reader.accept(","));
  }
  reader.expect(")");
  return result;
}

}  // namespace zermelo::toss
