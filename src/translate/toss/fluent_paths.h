// Elements of the structure that a GDL game becomes (second paper, Definitions 6 and 8).
//
// A path leads to a subterm. The state terms of a game are divided into classes that differ only at
// fluent paths; the classes are the elements. In tic-tac-toe (cell,3) is a fluent path, so that
// (cell a b x) and (cell a b o) are one element, the cell.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "translate/toss/gdl_clauses.h"

namespace zermelo::translate::toss {

// Function symbols and numbers of arguments, from 1. The empty path leads to the term itself.
using Path = std::vector<std::pair<std::string, std::size_t>>;

// "(cell,3)"; "()" for the empty path.
std::string print(const Path& path);

// The subterm at the path; null if the term has no such path.
const GdlTerm* subterm(const GdlTerm& term, const Path& path);
// The term with `value` in the place of all subterms at the paths.
GdlTerm with_replaced(GdlTerm term, const std::set<Path>& paths, const GdlTerm& value);

// dP(s, t): the least set of paths at which s and t differ.
std::set<Path> differing_paths(const GdlTerm& s, const GdlTerm& t);
// The nodes of t outside these paths.
std::size_t common_size(const GdlTerm& t, const std::set<Path>& paths);

// Next_e: the `next` clauses with every positive `does` replaced by the bodies of the legal clauses
// whose heads unify with it.
std::vector<GdlClause> expanded_next_clauses(const GdlClauses& rules);

// s_C and t_C of a clause of Next_e: its head's state term and the most similar one in its body.
// Nothing where the body has no state term with the same function symbol.
struct SimilarTerms {
  GdlTerm head, body;
  bool is_negative = false;  // the one in the body is negated
};
std::optional<SimilarTerms> similar_terms(const GdlClause& clause);

// Pf. A clause that moves a term to another place, such as Connect Four's clause for blank cells,
// has a variable at a path where its terms differ; with `guess_frames` such clauses are guessed to
// be frame clauses and contribute no paths, the way that the paper names in its last section.
std::set<Path> fluent_paths(const std::vector<GdlClause>& next_clauses, bool guess_frames);

// Paths to leaves of the state terms that are not fluent paths: Pm.
std::set<Path> mask_paths(const std::set<GdlTerm>& state_terms, const std::set<Path>& fluent_paths);
// The elements: classes of state terms, each named by its terms with BLANK at fluent paths.
std::set<GdlTerm> element_masks(const std::set<GdlTerm>& state_terms,
                                const std::set<Path>& fluent_paths);

}  // namespace zermelo::translate::toss
