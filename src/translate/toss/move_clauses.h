// The clauses from which a rewriting rule is made (second paper, Definition 11 and the sections on
// move clauses and erasure clauses).
#pragma once

#include <optional>
#include <vector>

#include "translate/toss/fluent_paths.h"
#include "translate/toss/gdl_clauses.h"

namespace zermelo::translate::toss {

// d_i(N): the moves that a clause asks for, by player. A player that it does not mention has a
// fresh variable. Nothing where moves of one player do not unify. The substitution is the most
// general unifier of several moves of one player, which applies to the clause as well.
struct DoesFacts {
  std::vector<GdlTerm> moves;
  Substitution unifier;
};
std::optional<DoesFacts> does_facts(const GdlClause& clause, const std::vector<std::string>& roles,
                                    std::size_t number);

// The next clauses that apply when each player's move is an instance of his legal clause's head,
// with the most general unifier applied to all. The clauses must have no variables in common.
struct MoveClauses {
  std::vector<GdlClause> legal, next;
  Substitution unifier;
};
MoveClauses maximal_clauses(const std::vector<GdlClause>& legal, const std::vector<GdlClause>& next,
                            const std::vector<std::string>& roles);

// Whether a positive `true` in the body has the head's term.
bool is_frame_clause(const GdlClause& next);

// The conjunctions under which no frame clause of `next` preserves a term: the DNF of the negated
// bodies, where equations have been solved. Moves count as made, so that literals of `does` are
// ignored. Heads of the frame clauses that unify are treated together, with `fixed` variables as
// constants. Each result is a clause whose head is the term with BLANK at fluent paths. A term that
// every body preserves has none. Nothing where there are more than `limit` conjunctions.
struct ErasureClause {
  GdlTerm term;  // of the heads, before BLANK is inserted
  GdlClause clause;
};
std::optional<std::vector<ErasureClause>> erasure_clauses(const std::vector<GdlClause>& next,
                                                          const std::set<Path>& fluent_paths,
                                                          const std::set<std::string>& fixed,
                                                          std::size_t limit = 1000);

}  // namespace zermelo::translate::toss
