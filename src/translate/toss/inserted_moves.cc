#include "translate/toss/inserted_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "translate/toss/body_formulas.h"

namespace zermelo::translate::toss {
namespace {

using Kind = GdlLiteral::Kind;

constexpr std::size_t max_inlined = 2'000;

void inline_moves(const GdlClauses& rules, const GdlClause& clause, std::size_t depth,
                  std::size_t& number, std::vector<GdlClause>& result) {
  for (std::size_t i = 0; i < clause.body.size(); ++i) {
    const GdlLiteral& literal = clause.body[i];
    if (literal.kind != Kind::atom || !rules.depends_on_moves(literal.term.name)) continue;
    if (literal.negated) continue;  // see with_moves
    if (depth > 20 || result.size() > max_inlined) {
      throw NotTranslatable{
          fmt::format("inserting {}, which depends on moves, makes too many "
                      "clauses",
                      literal.term.name)};
    }
    for (const GdlClause& definition : rules.of(literal.term.name)) {
      const GdlClause renamed = renamed_apart(definition, 3'000'000 + number++);
      Substitution unifier;
      if (!unify(literal.term, renamed.head, unifier)) continue;
      GdlClause inlined{clause.head, clause.body};
      inlined.body.erase(inlined.body.begin() + static_cast<std::ptrdiff_t>(i));
      inlined.body.insert(inlined.body.end(), renamed.body.begin(), renamed.body.end());
      inline_moves(rules, substitute(inlined, unifier), depth + 1, number, result);
    }
    return;
  }
  result.push_back(clause);
}

// Matches a move that a clause asks for with the moves of a class, whose variables are fixed.
bool match_move(const GdlTerm& asked, const GdlTerm& move, const std::set<std::string>& fixed,
                Substitution& names, GdlBody& equations) {
  const GdlTerm own = substitute(asked, names);
  if (own == move) return true;
  if (own.is_variable && fixed.count(own.name) == 0) {
    names[own.name] = move;
    return true;
  }
  if (own.is_variable || move.is_variable) {
    equations.push_back(gdl_equation(own, move));
    return true;
  }
  if (own.name != move.name || own.arguments.size() != move.arguments.size()) {
    return print(own) == print(move);
  }
  for (std::size_t i = 0; i < own.arguments.size(); ++i) {
    if (!match_move(own.arguments[i], move.arguments[i], fixed, names, equations)) return false;
  }
  return true;
}

// What must hold so that a predicate that depends on moves does not: of each list, one literal.
// Nothing if it holds in any case.
std::optional<std::vector<GdlBody>> negated_definition(const GdlTerm& atom,
                                                       const std::vector<GdlTerm>& moves,
                                                       const GdlClauses& rules,
                                                       const std::set<std::string>& fixed,
                                                       std::size_t& number) {
  std::set<std::string> given = fixed;
  collect_variables(atom, given);
  std::vector<GdlClause> definitions;
  for (const GdlClause& definition : rules.of(atom.name)) {
    inline_moves(rules, renamed_apart(definition, 6'000'000 + number++), 0, number, definitions);
  }
  std::vector<GdlBody> result;
  for (const GdlClause& definition : definitions) {
    // As a clause for the given arguments, which are fixed.
    GdlClause asked{{"next", false, {atom}}, {}};
    Substitution names;
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
      const GdlTerm head = substitute(definition.head.arguments[i], names);
      if (head.is_variable && given.count(head.name) == 0) {
        names[head.name] = atom.arguments[i];
      } else {
        asked.body.push_back(gdl_equation(head, atom.arguments[i]));
      }
    }
    for (const GdlLiteral& literal : definition.body) {
      asked.body.push_back(substitute(literal, names));
    }
    for (const GdlClause& made : with_moves(asked, moves, rules, given, number)) {
      GdlBody choices;
      bool holds = true;
      for (GdlLiteral literal : made.body) {
        if (literal.kind == Kind::distinct && is_ground(literal.term)) {
          const bool differ = !(literal.term.arguments[0] == literal.term.arguments[1]);
          if (differ != literal.negated) continue;
          holds = false;
          break;
        }
        std::set<std::string> variables;
        collect_variables(literal.term, variables);
        for (const std::string& name : variables) {
          if (given.count(name) > 0) continue;
          throw NotTranslatable{fmt::format(
              "a next clause negates {}, which depends on moves and on other values", atom.name)};
        }
        literal.negated = !literal.negated;
        choices.push_back(std::move(literal));
      }
      if (!holds) continue;
      if (choices.empty()) return std::nullopt;
      result.push_back(std::move(choices));
    }
  }
  return result;
}

}  // namespace

std::vector<GdlClause> next_clauses_with_moves(const GdlClauses& rules) {
  std::vector<GdlClause> result;
  std::size_t number = 0;
  for (const GdlClause& clause : rules.of("next")) {
    inline_moves(rules, clause, 0, number, result);
  }
  return result;
}

std::vector<GdlClause> with_moves(const GdlClause& clause, const std::vector<GdlTerm>& moves,
                                  const GdlClauses& rules, const std::set<std::string>& fixed,
                                  std::size_t& number) {
  const std::vector<std::string>& roles = rules.roles();
  Substitution names;
  GdlBody equations, rest;
  std::vector<GdlBody> exclusions;  // of each, one literal must hold
  const auto move_of = [&](const GdlLiteral& literal) -> const GdlTerm* {
    for (std::size_t r = 0; r < roles.size(); ++r) {
      if (literal.term.arguments[0] == gdl_constant(roles[r])) return &moves[r];
    }
    return nullptr;
  };
  for (const GdlLiteral& literal : clause.body) {
    if (literal.kind != Kind::does || literal.negated) continue;
    const GdlTerm* move = move_of(literal);
    if (!move) throw NotTranslatable{"a variable stands for a player in a condition on moves"};
    if (!match_move(literal.term.arguments[1], *move, fixed, names, equations)) return {};
  }
  for (const GdlLiteral& literal : clause.body) {
    const bool is_negated_definition =
        literal.kind == Kind::atom && literal.negated && rules.depends_on_moves(literal.term.name);
    if (is_negated_definition) {
      const auto more =
          negated_definition(substitute(literal.term, names), moves, rules, fixed, number);
      if (!more) return {};
      exclusions.insert(exclusions.end(), more->begin(), more->end());
      continue;
    }
    if (literal.kind != Kind::does) rest.push_back(substitute(literal, names));
    if (literal.kind != Kind::does || !literal.negated) continue;
    const GdlTerm* move = move_of(literal);
    if (!move) throw NotTranslatable{"a variable stands for a player in a condition on moves"};
    GdlBody unequal;
    Substitution more = names;
    if (!match_move(literal.term.arguments[1], *move, fixed, more, unequal)) continue;
    if (unequal.empty()) return {};
    for (GdlLiteral& each : unequal) each.negated = false;
    exclusions.push_back(std::move(unequal));
  }
  for (const GdlLiteral& literal : equations) rest.push_back(substitute(literal, names));
  std::vector<GdlBody> bodies = {rest};
  for (const GdlBody& exclusion : exclusions) {
    std::vector<GdlBody> longer;
    for (const GdlBody& body : bodies) {
      for (const GdlLiteral& literal : exclusion) {
        longer.push_back(body);
        longer.back().push_back(substitute(literal, names));
      }
    }
    bodies = std::move(longer);
  }
  std::vector<GdlClause> result;
  for (GdlBody& body : bodies) {
    // Solve equations for variables of the clause.
    Substitution solved;
    GdlBody left;
    bool possible = true;
    for (const GdlLiteral& literal : body) {
      if (literal.kind == Kind::distinct && literal.negated) {
        Substitution extended = solved, free = solved;
        if (!unify(literal.term.arguments[0], literal.term.arguments[1], free)) possible = false;
        if (unify(literal.term.arguments[0], literal.term.arguments[1], extended, fixed)) {
          solved = std::move(extended);
          continue;
        }
      }
      left.push_back(literal);
    }
    if (!possible) continue;
    result.push_back(substitute(
        GdlClause{substitute(clause.head.arguments[0], names), std::move(left)}, solved));
  }
  return result;
}

}  // namespace zermelo::translate::toss
