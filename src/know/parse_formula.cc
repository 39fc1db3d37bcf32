// A recursive descent parser. The grammar, from the loosest operator to the tightest:
//
//   formula     = disjunction ["implies" formula]
//   disjunction = conjunction {"or" conjunction}
//   conjunction = unary {"and" unary}
//   unary       = "not" unary | "(" formula ")" | operator | atom
//   operator    = ("K" | "Kw") "(" role "," formula ")"
//               | ("E" | "D" | "C") "(" "{" role {"," role} "}" "," formula ")"
//   atom        = name ["(" term {"," term} ")"]
#include <algorithm>
#include <cctype>

#include "base/diagnostic.h"
#include "know/formula.h"

namespace zermelo::know {

namespace {

// Formulas are written by people; the bound keeps the recursion short.
constexpr int deepest_nesting = 200;

struct FormulaToken {
  enum class Kind : std::uint8_t { end, word, open, close, open_set, close_set, comma, unknown };
  Kind kind = Kind::end;
  base::Span span;
  std::string text;
};

struct FormulaProblem {
  base::Span span;
  std::string code;
  std::string message;
};

bool is_name_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 || c == '_' || c == '+' || c == '-' || c == '*' ||
         c == '/' || c == '.' || c == '?' || c == '!' || c == '$' || c == '#';
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<FormulaToken> formula_tokens(std::string_view text) {
  using Kind = FormulaToken::Kind;
  std::vector<FormulaToken> tokens;
  std::uint32_t at = 0;
  const auto size = static_cast<std::uint32_t>(text.size());
  while (at < size) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    const std::uint32_t begin = at++;
    if (is_name_character(text[begin])) {
      while (at < size && is_name_character(text[at])) ++at;
      tokens.push_back({Kind::word, {begin, at}, std::string(text.substr(begin, at - begin))});
      continue;
    }
    constexpr std::string_view marks = "(){},";
    constexpr Kind kinds[] = {Kind::open, Kind::close, Kind::open_set, Kind::close_set,
                              Kind::comma};
    const std::size_t mark = marks.find(text[begin]);
    tokens.push_back({mark == marks.npos ? Kind::unknown : kinds[mark],
                      {begin, at},
                      std::string(1, text[begin])});
  }
  tokens.push_back({Kind::end, {size, size}, "the end of the formula"});
  return tokens;
}

class FormulaParser {
 public:
  FormulaParser(std::string_view text, const Vocabulary& vocabulary)
      : tokens_(formula_tokens(text)), vocabulary_(vocabulary) {}

  // Throws FormulaProblem.
  Formula parse() {
    Formula formula = implication();
    if (here().kind != Token::end) unexpected("and, or, implies, or the end of the formula");
    return formula;
  }

 private:
  using Token = FormulaToken::Kind;
  using Kind = Formula::Kind;

  const FormulaToken& here() const { return tokens_[position_]; }
  FormulaToken take() { return tokens_[position_ + 1 < tokens_.size() ? position_++ : position_]; }
  bool is_word(std::string_view word) const {
    return here().kind == Token::word && lower_case(here().text) == word;
  }

  [[noreturn]] static void fail(base::Span span, std::string code, std::string message) {
    throw FormulaProblem{span, std::move(code), std::move(message)};
  }
  [[noreturn]] void unexpected(const std::string& wanted) const {
    const std::string found = here().kind == Token::end ? here().text : "\"" + here().text + "\"";
    fail(here().span, "formula-syntax", "expected " + wanted + ", found " + found);
  }
  void expect(Token kind, const std::string& wanted) {
    if (here().kind != kind) unexpected(wanted);
    take();
  }

  Formula implication() {
    const Nesting nesting(*this);
    Formula left = chain(Kind::disjunction);
    if (!is_word("implies")) return left;
    take();
    return binary(Kind::implication, std::move(left), implication());
  }

  Formula chain(Kind kind) {
    const bool is_or = kind == Kind::disjunction;
    Formula left = is_or ? chain(Kind::conjunction) : unary();
    while (is_word(is_or ? "or" : "and")) {
      take();
      left = binary(kind, std::move(left), is_or ? chain(Kind::conjunction) : unary());
    }
    return left;
  }

  static Formula binary(Kind kind, Formula left, Formula right) {
    Formula formula{kind, 0, {}, {}, {}};
    formula.children.push_back(std::move(left));
    formula.children.push_back(std::move(right));
    return formula;
  }

  Formula unary() {
    const Nesting nesting(*this);
    if (is_word("not")) {
      take();
      Formula formula{Kind::negation, 0, {}, {}, {}};
      formula.children.push_back(unary());
      return formula;
    }
    if (here().kind == Token::open) {
      take();
      Formula formula = implication();
      expect(Token::close, "and, or, implies or \")\"");
      return formula;
    }
    if (here().kind != Token::word || is_connective(here().text)) unexpected("a formula");
    const std::optional<Kind> kind = operator_of(here().text);
    return kind && tokens_[position_ + 1].kind == Token::open ? modal(*kind) : atom();
  }

  static bool is_connective(const std::string& word) {
    const std::string lower = lower_case(word);
    return lower == "and" || lower == "or" || lower == "implies" || lower == "not";
  }

  static std::optional<Kind> operator_of(const std::string& word) {
    if (word == "K") return Kind::knows;
    if (word == "Kw") return Kind::knows_whether;
    if (word == "E") return Kind::everybody_knows;
    if (word == "D") return Kind::distributed_knowledge;
    if (word == "C") return Kind::common_knowledge;
    return std::nullopt;
  }

  Formula modal(Kind kind) {
    const std::string name = take().text;
    take();
    Formula formula{kind, 0, {}, {}, {}};
    if (kind == Kind::knows || kind == Kind::knows_whether) {
      formula.agents.push_back(agent());
    } else {
      expect(Token::open_set, "a set of roles such as {a, b} after " + name + "(");
      formula.agents.push_back(agent());
      while (here().kind == Token::comma) {
        take();
        formula.agents.push_back(agent());
      }
      expect(Token::close_set, "\",\" or \"}\"");
      std::sort(formula.agents.begin(), formula.agents.end());
      const auto last = std::unique(formula.agents.begin(), formula.agents.end());
      formula.agents.erase(last, formula.agents.end());
    }
    expect(Token::comma, "\",\" and a formula");
    formula.children.push_back(implication());
    expect(Token::close, "and, or, implies or \")\"");
    return formula;
  }

  std::uint32_t agent() {
    if (here().kind != Token::word) unexpected("a role");
    const FormulaToken token = take();
    const auto& agents = vocabulary_.agents;
    const auto found = std::find(agents.begin(), agents.end(), lower_case(token.text));
    if (found != agents.end()) return static_cast<std::uint32_t>(found - agents.begin());
    std::string known;
    for (const std::string& name : agents) known += (known.empty() ? "" : ", ") + name;
    fail(token.span, "unknown-role", "there is no player " + token.text + "; players: " + known);
  }

  Formula atom() {
    const std::uint32_t begin = here().span.begin;
    std::string written;
    const std::string name = term(written);
    const base::Span span{begin, tokens_[position_ - 1].span.end};
    const auto number = vocabulary_.atom(name);
    if (!number) fail(span, "unknown-atom", "the game has no atom " + written);
    return {Formula::Kind::atom, *number, {}, {}, std::move(written)};
  }

  // The term in the layout of the printer; appends it to `written` as written, without blanks.
  std::string term(std::string& written) {
    const Nesting nesting(*this);
    if (here().kind != Token::word) unexpected("a name");
    const FormulaToken token = take();
    written += token.text;
    std::string text = lower_case(token.text);
    if (here().kind != Token::open) return text;
    take();
    written += '(';
    text = "(" + text + " " + term(written);
    while (here().kind == Token::comma) {
      take();
      written += ", ";
      text += " " + term(written);
    }
    expect(Token::close, "\",\" or \")\"");
    written += ')';
    return text + ")";
  }

  struct Nesting {
    explicit Nesting(FormulaParser& parser) : parser(parser) {
      if (++parser.nesting_ > deepest_nesting)
        fail(parser.here().span, "formula-too-deep", "the formula is nested too deeply");
    }
    ~Nesting() { --parser.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    FormulaParser& parser;
  };

  std::vector<FormulaToken> tokens_;
  const Vocabulary& vocabulary_;
  std::size_t position_ = 0;
  int nesting_ = 0;
};

void collect_atoms(const Formula& formula, std::vector<std::uint32_t>& atoms) {
  if (formula.kind == Formula::Kind::atom) atoms.push_back(formula.atom);
  for (const Formula& child : formula.children) collect_atoms(child, atoms);
}

}  // namespace

base::Result<Formula> parse_formula(std::string_view text, const Vocabulary& vocabulary) {
  try {
    return FormulaParser(text, vocabulary).parse();
  } catch (const FormulaProblem& problem) {
    const base::Source source("formula", std::string(text));
    std::string message =
        base::format({base::Severity::error, problem.code, problem.span, problem.message}, source);
    while (!message.empty() && message.back() == '\n') message.pop_back();
    return base::fail(base::ErrorKind::invalid_request, std::move(message));
  }
}

std::vector<std::uint32_t> atoms_of(const Formula& formula) {
  std::vector<std::uint32_t> atoms;
  collect_atoms(formula, atoms);
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

}  // namespace zermelo::know
