#include "toss/printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zermelo::toss {
namespace {

// How tightly a formula or term binds, from the loosest; what binds more loosely than its place
// asks for stands in parentheses.
enum FormulaLevel { or_level, and_level, unary_level, atom_level };
enum TermLevel { sum_level, product_level, signed_level, power_level, primary_level };

std::string join(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

const char* symbol(Comparison comparison) {
  switch (comparison) {
    case Comparison::equal:
      return "=";
    case Comparison::unequal:
      return "!=";
    case Comparison::less:
      return "<";
    case Comparison::less_equal:
      return "<=";
    case Comparison::greater:
      return ">";
    case Comparison::greater_equal:
      return ">=";
  }
  return "";
}

std::string text(const Formula& formula, FormulaLevel place);
std::string text(const Term& term, TermLevel place);

std::string enclosed(std::string inner, bool parentheses) {
  return parentheses ? "(" + inner + ")" : inner;
}

std::string chain(const Formula& formula, const char* word, const char* none, FormulaLevel level,
                  FormulaLevel place) {
  if (formula.parts.empty()) return none;
  std::vector<std::string> parts;
  for (const FormulaPtr& part : formula.parts) {
    parts.push_back(text(*part, static_cast<FormulaLevel>(level + 1)));
  }
  return enclosed(fmt::format("{}", fmt::join(parts, word)), place > level);
}

std::string negated(const Formula& inner, FormulaLevel place) {
  if (inner.kind == Formula::Kind::equal) {
    return enclosed(inner.variables[0] + " != " + inner.variables[1], place > unary_level);
  }
  return enclosed("not " + text(inner, unary_level), place > unary_level);
}

std::string applied(const Formula& formula) {
  return fmt::format("{}({})", formula.name, join(formula.variables));
}

std::string unary(const char* word, const std::string& variables, const Formula& body,
                  FormulaLevel place) {
  const std::string result = fmt::format("{} {} ({})", word, variables, text(body, or_level));
  return enclosed(result, place > unary_level);
}

std::string text(const Formula& formula, FormulaLevel place) {
  using Kind = Formula::Kind;
  switch (formula.kind) {
    case Kind::atom:
      return applied(formula);
    case Kind::equal:
      return enclosed(formula.variables[0] + " = " + formula.variables[1], place > unary_level);
    case Kind::compare:
      return enclosed(
          fmt::format("{} {} 0", text(*formula.term, sum_level), symbol(formula.comparison)),
          place > unary_level);
    case Kind::negation:
      return negated(*formula.parts[0], place);
    case Kind::conjunction:
      return chain(formula, " and ", "true", and_level, place);
    case Kind::disjunction:
      return chain(formula, " or ", "false", or_level, place);
    case Kind::exists:
      return unary("ex", join(formula.variables), *formula.parts[0], place);
    case Kind::forall:
      return unary("all", join(formula.variables), *formula.parts[0], place);
    case Kind::closure:
      return unary("tc", join(formula.variables), *formula.parts[0], place);
    case Kind::least:
      return unary("lfp", applied(formula) + " =", *formula.parts[0], place);
    case Kind::greatest:
      return unary("gfp", applied(formula) + " =", *formula.parts[0], place);
    case Kind::let:
      return fmt::format("(let {} = {} in {})", applied(formula), text(*formula.parts[0], or_level),
                         text(*formula.parts[1], or_level));
  }
  return "";
}

std::string added(const Term& term) {
  std::string result = text(*term.parts[0], product_level);
  for (std::size_t i = 1; i < term.parts.size(); ++i) {
    const Term& part = *term.parts[i];
    const bool minus = part.kind == Term::Kind::negate;
    result += minus ? " - " : " + ";
    result += text(minus ? *part.parts[0] : part, product_level);
  }
  return result;
}

std::string multiplied(const Term& term) {
  std::vector<std::string> parts;
  for (const TermPtr& part : term.parts) parts.push_back(text(*part, signed_level));
  return fmt::format("{}", fmt::join(parts, " * "));
}

std::string text(const Term& term, TermLevel place) {
  using Kind = Term::Kind;
  switch (term.kind) {
    case Kind::number:
      return enclosed(fmt::format("{}", term.number), term.number < 0 && place > signed_level);
    case Kind::indicator:
      return fmt::format(":({})", text(*term.formula, or_level));
    case Kind::value:
      return fmt::format("{}({})", term.name, term.variables[0]);
    case Kind::add:
      return enclosed(added(term), place > sum_level);
    case Kind::negate:
      return enclosed("-" + text(*term.parts[0], signed_level), place > signed_level);
    case Kind::multiply:
      return enclosed(multiplied(term), place > product_level);
    case Kind::power:
      return enclosed(
          text(*term.parts[0], primary_level) + "^" + text(*term.parts[1], signed_level),
          place > power_level);
    case Kind::sum:
      return fmt::format("Sum ({} | {} : {})", join(term.variables), text(*term.formula, or_level),
                         text(*term.parts[0], sum_level));
  }
  return "";
}

// Pieces one after another, with a line break and some blanks where a line would be too long.
class Lines {
 public:
  void add(const std::string& piece) {
    constexpr std::size_t width = 96;
    if (column_ + piece.size() > width && column_ > 2) {
      while (!text_.empty() && text_.back() == ' ') text_.pop_back();
      text_ += "\n  ";
      column_ = 2;
    }
    text_ += piece;
    column_ += piece.size();
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::size_t column_ = 0;
};

class StructureText {
 public:
  StructureText(const NamedStructure& structure, const Signature& signature)
      : structure_(structure), signature_(signature) {}

  // With `complete`, empty relations and functions as well, so that their arities are known.
  std::string print(bool complete, const std::vector<FormulaPtr>& atoms) {
    lines_.add("[");
    for (std::size_t i = 0; i < structure_.names.size(); ++i) {
      lines_.add((i > 0 ? ", " : "") + structure_.names[i]);
    }
    lines_.add(" | ");
    add_relations(complete, atoms);
    lines_.add(first_ ? "- | " : " | ");
    first_ = true;
    for (std::size_t f = 0; f < signature_.functions.size(); ++f) add_function(f, complete);
    lines_.add(first_ ? "-]" : "]");
    return lines_.take();
  }

 private:
  void add_relations(bool complete, const std::vector<FormulaPtr>& atoms) {
    for (std::size_t r = 0; r < signature_.relations.size(); ++r) {
      if (complete || !structure_.structure.relation(r).empty()) add_relation(r);
    }
    for (const FormulaPtr& atom : atoms) {
      separate();
      lines_.add(fmt::format("{} ({})", atom->name, join(atom->variables)));
    }
  }

  void separate() {
    if (!first_) lines_.add("; ");
    first_ = false;
  }

  std::string tuple(Tuple elements) const {
    std::vector<std::string> names;
    for (const Element element : elements) names.push_back(structure_.names[element]);
    return "(" + join(names) + ")";
  }

  void add_relation(std::size_t symbol) {
    separate();
    const TupleSet& tuples = structure_.structure.relation(symbol);
    const auto& [name, arity] = signature_.relations[symbol];
    if (tuples.empty()) return lines_.add(fmt::format("{}:{} {{}}", name, arity));
    if (tuples.size() == 1) return lines_.add(name + " " + tuple(tuples[0]));
    lines_.add(name + " {");
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      lines_.add(tuple(tuples[i]) + (i + 1 < tuples.size() ? "; " : "}"));
    }
  }

  void add_function(std::size_t symbol, bool complete) {
    const Function& function = structure_.structure.function(symbol);
    if (function.empty() && !complete) return;
    separate();
    lines_.add(signature_.functions[symbol] + " {");
    for (std::size_t i = 0; i < function.size(); ++i) {
      lines_.add(fmt::format("{}{}->{}", i > 0 ? ", " : "", structure_.names[function[i].first],
                             function[i].second));
    }
    lines_.add("}");
  }

  const NamedStructure& structure_;
  const Signature& signature_;
  Lines lines_;
  bool first_ = true;
};

bool has_usual_origins(const Rule& rule) {
  for (std::size_t i = 0; i < rule.origin.size(); ++i) {
    std::optional<Element> usual;
    for (std::size_t l = 0; l < rule.left.names.size(); ++l) {
      if (rule.left.names[l] == rule.right.names[i]) usual = static_cast<Element>(l);
    }
    if (usual != rule.origin[i]) return false;
  }
  return true;
}

std::string correspondence(const Rule& rule) {
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < rule.origin.size(); ++i) {
    if (!rule.origin[i]) continue;
    pairs.push_back(rule.right.names[i] + " <- " + rule.left.names[*rule.origin[i]]);
  }
  return fmt::format("\n  with [{}]", join(pairs));
}

std::string print_rule(const Rule& rule, const Signature& signature) {
  std::string result =
      fmt::format("RULE {}:\n  {} ->\n  {}", rule.name,
                  StructureText(rule.left, signature).print(false, rule.left_defined),
                  StructureText(rule.right, signature).print(false, {}));
  if (!has_usual_origins(rule)) result += correspondence(rule);
  std::vector<std::string> embedded;
  for (const std::size_t relation : rule.embedded) {
    embedded.push_back(signature.relations[relation].name);
  }
  if (!embedded.empty()) result += "\n  emb " + join(embedded);
  if (rule.pre) result += "\n  pre " + print(*rule.pre);
  if (rule.post) result += "\n  post " + print(*rule.post);
  return result + "\n";
}

std::string print_location(const Location& location, const Game& game) {
  std::string result = fmt::format("LOC {} {{\n", location.number);
  for (std::size_t p = 0; p < game.players.size(); ++p) {
    const PlayerPart& part = location.players[p];
    result += fmt::format("  PLAYER {} {{\n    PAYOFF {}\n", game.players[p], print(*part.payoff));
    std::vector<std::string> edges;
    for (const Edge& edge : part.moves) {
      edges.push_back(
          fmt::format("{} -> {}", game.rules[edge.rule].name, game.locations[edge.target].number));
    }
    if (!edges.empty()) result += fmt::format("    MOVES [{}]\n", fmt::join(edges, "; "));
    result += "  }\n";
  }
  return result + "}\n";
}

}  // namespace

std::string print(const Formula& formula) { return text(formula, or_level); }
std::string print(const Term& term) { return text(term, sum_level); }

std::string print(const NamedStructure& structure, const Signature& signature) {
  return StructureText(structure, signature).print(true, {});
}

std::string print(const Game& game, Dialect dialect) {
  std::string result = "PLAYERS " + join(game.players) + "\n";
  if (!game.definitions.empty()) result += "\n";
  for (const Definition& definition : game.definitions) {
    result += fmt::format("REL {}({}) = {}\n", definition.name, join(definition.parameters),
                          print(*definition.body));
  }
  for (const Rule& rule : game.rules) result += "\n" + print_rule(rule, game.signature);
  for (const Location& location : game.locations) result += "\n" + print_location(location, game);
  const bool paper = dialect == Dialect::paper;
  result += fmt::format("\n{} {}\n", paper ? "MODEL" : "START", print(game.start, game.signature));
  if (game.model && !paper) result += "\nMODEL " + print(*game.model, game.signature) + "\n";
  return result;
}

}  // namespace zermelo::toss
