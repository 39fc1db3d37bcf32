#include "translate/toss/move_clauses.h"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::translate::toss {
namespace {

// Distinct terms that unify only in one way become a substitution. False where the terms cannot be
// equal.
bool solve_equations(GdlBody& body, Substitution& solved, const std::set<std::string>& fixed) {
  GdlBody rest;
  for (const GdlLiteral& literal : body) {
    if (literal.kind != GdlLiteral::Kind::distinct) {
      rest.push_back(literal);
      continue;
    }
    const GdlTerm& a = literal.term.arguments[0];
    const GdlTerm& b = literal.term.arguments[1];
    Substitution free = solved;
    if (!unify(a, b, free)) {
      if (literal.negated) return false;
      continue;  // always distinct
    }
    if (!literal.negated) {
      if (substitute(a, solved) == substitute(b, solved)) return false;
      rest.push_back(literal);
      continue;
    }
    Substitution bound = solved;
    if (unify(a, b, bound, fixed)) {
      solved = std::move(bound);
    } else {
      rest.push_back(literal);  // an equation between fixed terms
    }
  }
  for (GdlLiteral& literal : rest) literal = substitute(literal, solved);
  // A literal and its negation.
  for (const GdlLiteral& literal : rest) {
    GdlLiteral opposite = literal;
    opposite.negated = !opposite.negated;
    if (std::find(rest.begin(), rest.end(), opposite) != rest.end()) return false;
  }
  body = std::move(rest);
  return true;
}

// Frame clauses whose heads unify.
struct FrameGroup {
  GdlTerm term;
  std::vector<GdlClause> clauses;
};

std::vector<FrameGroup> group_frames(const std::vector<GdlClause>& next,
                                     const std::set<std::string>& fixed) {
  std::vector<FrameGroup> groups;
  for (const GdlClause& clause : next) {
    if (!is_frame_clause(clause)) continue;
    const GdlTerm& term = clause.head.arguments[0];
    bool placed = false;
    for (FrameGroup& group : groups) {
      Substitution unifier;
      if (!unify(group.term, term, unifier, fixed)) continue;
      group.term = substitute(group.term, unifier);
      group.clauses.push_back(clause);
      for (GdlClause& member : group.clauses) member = substitute(member, unifier);
      placed = true;
      break;
    }
    if (!placed) groups.push_back({term, {clause}});
  }
  return groups;
}

}  // namespace

std::optional<DoesFacts> does_facts(const GdlClause& clause, const std::vector<std::string>& roles,
                                    std::size_t number) {
  DoesFacts result;
  for (std::size_t r = 0; r < roles.size(); ++r) {
    std::optional<GdlTerm> move;
    for (const GdlLiteral& literal : clause.body) {
      if (literal.kind != GdlLiteral::Kind::does || literal.negated ||
          literal.term.arguments[0] != gdl_constant(roles[r])) {
        continue;
      }
      if (move && !unify(*move, literal.term.arguments[1], result.unifier)) return std::nullopt;
      if (!move) move = literal.term.arguments[1];
    }
    result.moves.push_back(move.value_or(gdl_variable(fmt::format("f{}_{}", number, r))));
  }
  for (GdlTerm& move : result.moves) move = substitute(move, result.unifier);
  return result;
}

MoveClauses maximal_clauses(const std::vector<GdlClause>& legal, const std::vector<GdlClause>& next,
                            const std::vector<std::string>& roles) {
  MoveClauses result;
  for (std::size_t n = 0; n < next.size(); ++n) {
    const auto facts = does_facts(next[n], roles, n);
    if (!facts) continue;
    Substitution unifier = result.unifier;
    bool fits = true;
    for (const auto& [name, value] : facts->unifier) {
      fits = fits && unify(gdl_variable(name), value, unifier);
    }
    for (std::size_t r = 0; r < roles.size() && fits; ++r) {
      fits = unify(facts->moves[r], legal[r].head.arguments[1], unifier);
    }
    if (!fits) continue;
    result.unifier = std::move(unifier);
    result.next.push_back(next[n]);
  }
  for (const GdlClause& clause : legal) {
    result.legal.push_back(substitute(clause, result.unifier));
  }
  for (GdlClause& clause : result.next) clause = substitute(clause, result.unifier);
  return result;
}

bool is_frame_clause(const GdlClause& next) {
  return std::any_of(next.body.begin(), next.body.end(), [&](const GdlLiteral& literal) {
    return literal.kind == GdlLiteral::Kind::truth && !literal.negated &&
           literal.term == next.head.arguments[0];
  });
}

std::optional<std::vector<ErasureClause>> erasure_clauses(const std::vector<GdlClause>& next,
                                                          const std::set<Path>& fluent_paths,
                                                          const std::set<std::string>& fixed,
                                                          std::size_t limit) {
  std::vector<ErasureClause> result;
  for (const FrameGroup& group : group_frames(next, fixed)) {
    std::vector<GdlBody> bodies = {{}};
    for (const GdlClause& clause : group.clauses) {
      std::vector<GdlBody> longer;
      for (const GdlLiteral& literal : clause.body) {
        const bool is_term = literal.kind == GdlLiteral::Kind::truth && !literal.negated &&
                             literal.term == group.term;
        if (is_term || literal.kind == GdlLiteral::Kind::does) continue;
        GdlLiteral opposite = literal;
        opposite.negated = !opposite.negated;
        for (const GdlBody& body : bodies) {
          longer.push_back(body);
          if (std::find(body.begin(), body.end(), opposite) == body.end()) {
            longer.back().push_back(opposite);
          }
        }
        if (longer.size() > limit) return std::nullopt;
      }
      bodies = std::move(longer);
    }
    for (GdlBody& body : bodies) {
      Substitution solved;
      if (!solve_equations(body, solved, fixed)) continue;
      const GdlTerm term = substitute(group.term, solved);
      result.push_back(
          {term, {with_replaced(term, fluent_paths, gdl_constant("BLANK")), std::move(body)}});
    }
  }
  return result;
}

}  // namespace zermelo::translate::toss
