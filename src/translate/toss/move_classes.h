// Legal moves by their form: the moves of a role that one rewriting rule can stand for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/mutex_groups.h"
#include "ground/game.h"
#include "translate/toss/gdl_clauses.h"

namespace zermelo::translate::toss {

struct MoveClass {
  std::size_t role = 0;
  GdlTerm head;                 // of the legal clauses: a pattern of moves
  std::vector<GdlBody> bodies;  // one of them holds where an instance is legal
  // The same with predicates that depend on the state inserted, as far as these are few.
  std::vector<GdlBody> expanded;
  bool is_only_move = false;  // where it is legal the role has no other move
};

// The classes of each role. Heads are patterns whose arguments are constants or different
// variables, such that no move is an instance of two. Arguments for which a `next` clause asks for
// a constant are instantiated if they have few values.
std::vector<std::vector<MoveClass>> move_classes(const GdlClauses& rules,
                                                 const std::vector<GdlClause>& next,
                                                 const ground::Game& game,
                                                 const analysis::MutexGroups& groups);

// Ground literals that exclude each other: a term and its negation, two terms of a mutex group, or
// the negations of a whole group of which one always holds.
class Contradictions {
 public:
  Contradictions(const ground::Game& game, const analysis::MutexGroups& groups);
  bool in(const GdlBody& body) const;
  // Whether every choice of one body from each list has a contradiction.
  bool between(const std::vector<GdlBody>& a, const std::vector<GdlBody>& b) const;

 private:
  std::map<std::string, std::size_t> group_of_;  // by printed fluent
  std::vector<std::size_t> size_;                // by group; 0 if none may hold
};

}  // namespace zermelo::translate::toss
