#include "translate/toss/gdl_clauses.h"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::translate::toss {
namespace {

constexpr std::size_t max_clauses = 20'000;

// Disjunctions of conjunctions.
using Bodies = std::vector<GdlBody>;

class BodyReader {
 public:
  explicit BodyReader(const gdl::SymbolTable& symbols) : symbols_(symbols) {}

  // Empty with `failed` where there are too many.
  Bodies conjunction(const std::vector<gdl::Formula>& parts, bool negated) {
    Bodies result = {{}};
    for (const gdl::Formula& part : parts) {
      const Bodies choices = read(part, negated);
      Bodies longer;
      for (const GdlBody& body : result) {
        for (const GdlBody& choice : choices) {
          longer.push_back(body);
          longer.back().insert(longer.back().end(), choice.begin(), choice.end());
          if (longer.size() > max_clauses) failed = true;
          if (failed) return {};
        }
      }
      result = std::move(longer);
    }
    return result;
  }

  bool failed = false;

 private:
  Bodies disjunction(const std::vector<gdl::Formula>& parts, bool negated) {
    Bodies result;
    for (const gdl::Formula& part : parts) {
      const Bodies more = read(part, negated);
      result.insert(result.end(), more.begin(), more.end());
    }
    return result;
  }

  Bodies read(const gdl::Formula& formula, bool negated) {
    using Kind = gdl::Formula::Kind;
    switch (formula.kind) {
      case Kind::negation:
        return read(formula.children[0], !negated);
      case Kind::conjunction:
        return negated ? disjunction(formula.children, true) : conjunction(formula.children, false);
      case Kind::disjunction:
        return negated ? conjunction(formula.children, true) : disjunction(formula.children, false);
      case Kind::atom:
      case Kind::distinct:
        break;
    }
    return {{literal(formula, negated)}};
  }

  GdlLiteral literal(const gdl::Formula& formula, bool negated) const {
    GdlTerm term = from_gdl(formula.atom, symbols_);
    if (formula.kind == gdl::Formula::Kind::distinct)
      return {GdlLiteral::Kind::distinct, negated, std::move(term)};
    if (term.name == "true")
      return {GdlLiteral::Kind::truth, negated, std::move(term.arguments[0])};
    if (term.name == "does") return {GdlLiteral::Kind::does, negated, std::move(term)};
    return {GdlLiteral::Kind::atom, negated, std::move(term)};
  }

  const gdl::SymbolTable& symbols_;
};

// A variable that clearly stands for a player.
std::string player_variable(const GdlClause& clause) {
  const auto variable = [](const GdlTerm& term) {
    return term.is_variable ? term.name : std::string();
  };
  if (clause.head.name == "legal" || clause.head.name == "goal") {
    if (const std::string name = variable(clause.head.arguments[0]); !name.empty()) return name;
  }
  for (const GdlLiteral& literal : clause.body) {
    const bool is_role = literal.kind == GdlLiteral::Kind::atom && literal.term.name == "role";
    if ((!is_role && literal.kind != GdlLiteral::Kind::does) || literal.negated) continue;
    if (const std::string name = variable(literal.term.arguments[0]); !name.empty()) return name;
  }
  return "";
}

// One clause for each choice of players; atoms of `role` are decided.
void add_with_players(const GdlClause& clause, const std::vector<std::string>& roles,
                      std::vector<GdlClause>& result) {
  const std::string variable = player_variable(clause);
  if (!variable.empty()) {
    for (const std::string& role : roles) {
      add_with_players(substitute(clause, {{variable, gdl_constant(role)}}), roles, result);
    }
    return;
  }
  GdlClause decided{clause.head, {}};
  for (const GdlLiteral& literal : clause.body) {
    const bool is_role = literal.kind == GdlLiteral::Kind::atom && literal.term.name == "role" &&
                         !literal.term.arguments[0].is_variable;
    if (!is_role) {
      decided.body.push_back(literal);
      continue;
    }
    const bool holds =
        std::find(roles.begin(), roles.end(), literal.term.arguments[0].name) != roles.end();
    if (holds == literal.negated) return;
  }
  result.push_back(std::move(decided));
}

bool contains_variable(const GdlTerm& term, const std::string& name) {
  if (term.is_variable) return term.name == name;
  return std::any_of(term.arguments.begin(), term.arguments.end(),
                     [&](const GdlTerm& part) { return contains_variable(part, name); });
}

}  // namespace

bool GdlTerm::operator==(const GdlTerm& other) const {
  return is_variable == other.is_variable && name == other.name && arguments == other.arguments;
}

bool GdlTerm::operator<(const GdlTerm& other) const {
  if (is_variable != other.is_variable) return is_variable;
  if (name != other.name) return name < other.name;
  return std::lexicographical_compare(arguments.begin(), arguments.end(), other.arguments.begin(),
                                      other.arguments.end());
}

GdlTerm gdl_variable(std::string name) { return {std::move(name), true, {}}; }
GdlTerm gdl_constant(std::string name) { return {std::move(name), false, {}}; }

std::string print(const GdlTerm& term) {
  if (term.is_variable) return "?" + term.name;
  if (term.arguments.empty()) return term.name;
  std::string text = "(" + term.name;
  for (const GdlTerm& argument : term.arguments) text += " " + print(argument);
  return text + ")";
}

bool is_ground(const GdlTerm& term) {
  return !term.is_variable && std::all_of(term.arguments.begin(), term.arguments.end(), is_ground);
}

void collect_variables(const GdlTerm& term, std::set<std::string>& names) {
  if (term.is_variable) names.insert(term.name);
  for (const GdlTerm& argument : term.arguments) collect_variables(argument, names);
}

GdlTerm from_gdl(const gdl::Term& term, const gdl::SymbolTable& symbols) {
  GdlTerm result{symbols.name(term.name), term.kind == gdl::Term::Kind::variable, {}};
  for (const gdl::Term& argument : term.arguments) {
    result.arguments.push_back(from_gdl(argument, symbols));
  }
  return result;
}

GdlTerm substitute(const GdlTerm& term, const Substitution& substitution) {
  if (term.is_variable) {
    const auto found = substitution.find(term.name);
    if (found == substitution.end() || found->second == term) return term;
    return substitute(found->second, substitution);
  }
  GdlTerm result = term;
  for (GdlTerm& argument : result.arguments) argument = substitute(argument, substitution);
  return result;
}

bool unify(const GdlTerm& a, const GdlTerm& b, Substitution& substitution,
           const std::set<std::string>& fixed) {
  const GdlTerm left = substitute(a, substitution), right = substitute(b, substitution);
  if (left == right) return true;
  const auto bind = [&](const GdlTerm& variable, const GdlTerm& value) {
    if (contains_variable(value, variable.name)) return false;
    substitution[variable.name] = value;
    return true;
  };
  if (left.is_variable && fixed.count(left.name) == 0) return bind(left, right);
  if (right.is_variable && fixed.count(right.name) == 0) return bind(right, left);
  if (left.is_variable || right.is_variable || left.name != right.name ||
      left.arguments.size() != right.arguments.size()) {
    return false;
  }
  for (std::size_t i = 0; i < left.arguments.size(); ++i) {
    if (!unify(left.arguments[i], right.arguments[i], substitution, fixed)) return false;
  }
  return true;
}

GdlLiteral gdl_equation(GdlTerm a, GdlTerm b) {
  return {GdlLiteral::Kind::distinct, true, {"distinct", false, {std::move(a), std::move(b)}}};
}

std::string print(const GdlLiteral& literal) {
  std::string text = print(literal.term);
  if (literal.kind == GdlLiteral::Kind::truth) text = "(true " + text + ")";
  return literal.negated ? "(not " + text + ")" : text;
}

std::string print(const GdlClause& clause) {
  if (clause.body.empty()) return print(clause.head);
  std::string text = "(<= " + print(clause.head);
  for (const GdlLiteral& literal : clause.body) text += " " + print(literal);
  return text + ")";
}

GdlLiteral substitute(const GdlLiteral& literal, const Substitution& substitution) {
  return {literal.kind, literal.negated, substitute(literal.term, substitution)};
}

GdlClause substitute(const GdlClause& clause, const Substitution& substitution) {
  GdlClause result{substitute(clause.head, substitution), {}};
  for (const GdlLiteral& literal : clause.body) {
    result.body.push_back(substitute(literal, substitution));
  }
  return result;
}

void collect_variables(const GdlBody& body, std::set<std::string>& names) {
  for (const GdlLiteral& literal : body) collect_variables(literal.term, names);
}

std::set<std::string> variables_of(const GdlClause& clause) {
  std::set<std::string> names;
  collect_variables(clause.head, names);
  collect_variables(clause.body, names);
  return names;
}

GdlClause renamed_apart(const GdlClause& clause, std::size_t number) {
  Substitution names;
  std::size_t next = 0;
  for (const std::string& name : variables_of(clause)) {
    names[name] = gdl_variable(fmt::format("{}_{}", number, next++));
  }
  return substitute(clause, names);
}

base::Result<GdlClauses> GdlClauses::read(const gdl::Rulesheet& rules) {
  GdlClauses result;
  for (const gdl::Clause& clause : rules.clauses) {
    if (rules.symbols.name(clause.head.name) == "role" && clause.body.empty()) {
      result.roles_.push_back(rules.symbols.name(clause.head.arguments[0].name));
    }
  }
  std::size_t count = 0;
  for (const gdl::Clause& clause : rules.clauses) {
    BodyReader reader(rules.symbols);
    const GdlTerm head = from_gdl(clause.head, rules.symbols);
    if (head.name == "base" || head.name == "input" || head.name == "role") continue;
    std::vector<GdlClause> split;
    for (GdlBody& body : reader.conjunction(clause.body, false)) {
      add_with_players({head, std::move(body)}, result.roles_, split);
    }
    std::vector<GdlClause>& known = result.clauses_[head.name];
    known.insert(known.end(), split.begin(), split.end());
    count += split.size();
    if (reader.failed || count > max_clauses) {
      return base::fail(base::ErrorKind::not_applicable,
                        "disjunctions in the rules make too many clauses");
    }
  }
  result.classify();
  return result;
}

GdlClauses::GdlClauses(std::vector<std::string> roles,
                       std::map<std::string, std::vector<GdlClause>> clauses)
    : roles_(std::move(roles)), clauses_(std::move(clauses)) {
  classify();
}

const std::vector<GdlClause>& GdlClauses::of(const std::string& predicate) const {
  static const std::vector<GdlClause> none;
  const auto found = clauses_.find(predicate);
  return found == clauses_.end() ? none : found->second;
}

void GdlClauses::classify() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [predicate, clauses] : clauses_) {
      for (const GdlClause& clause : clauses) {
        for (const GdlLiteral& literal : clause.body) {
          const bool state =
              literal.kind == GdlLiteral::Kind::truth ||
              (literal.kind == GdlLiteral::Kind::atom && state_.count(literal.term.name) > 0);
          const bool moves =
              literal.kind == GdlLiteral::Kind::does ||
              (literal.kind == GdlLiteral::Kind::atom && moves_.count(literal.term.name) > 0);
          changed = (state && state_.insert(predicate).second) || changed;
          changed = (moves && moves_.insert(predicate).second) || changed;
        }
      }
    }
  }
}

}  // namespace zermelo::translate::toss
