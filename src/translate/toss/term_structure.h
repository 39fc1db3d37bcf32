// The structure of the construction with terms: an element for each ground term that occurs as a
// state term, in one, in a move, or in a fact, and one for each move of each role.
//
//   cell(t, x, y, z)     the term t is (cell x y z)
//   move_mark(m, x, y)   the move m is (mark x y)
//   moves_white(m)       m is a move of white
//   is_b(t)              the term t is b
//   succ(x, y)           a fact of the rules
//   True(t)              the state term t holds; the only relation that changes
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ground/game.h"
#include "translate/toss/gdl_clauses.h"
#include "translate/toss/static_facts.h"

namespace zermelo::translate::toss {

class TermStructure {
 public:
  // The arguments must outlive this.
  TermStructure(const GdlClauses& rules, const ground::Game& game, const StaticFacts& facts);

  // Names of relations; each is in the structure once it was asked for.
  std::string functor(const std::string& name, std::size_t arity);
  std::string move_functor(const std::string& name, std::size_t arity);
  std::string term_of_move();  // of a move and the term that it is
  std::string moves_of(std::size_t role);
  std::string constant(const GdlTerm& ground_term);
  std::string facts(const std::string& predicate, std::size_t arity);
  // A name for another relation that no other has.
  std::string unique_relation(const std::string& text);

  // By fluent of the game.
  std::size_t element_of(std::size_t fluent) const { return fluents_[fluent]; }
  const std::vector<std::string>& names() const { return names_; }
  // By element: the move as engines print it, empty for a term.
  const std::vector<std::string>& moves() const { return moves_; }

  // `[elements | relations | functions]` for the initial state: stable relations, True, and those
  // of arity 1 that are empty at the start. The function `rank` numbers the elements.
  std::string print(const std::vector<std::string>& empty_relations) const;
  std::size_t tuples() const;

  // Of the relation of state terms that hold, of the function that orders elements.
  static constexpr const char* truth = "True";
  static constexpr const char* rank = "rank";

 private:
  struct Relation {
    std::size_t arity = 0;
    std::vector<std::vector<std::size_t>> tuples;
  };

  std::size_t term(const GdlTerm& ground_term);
  std::string relation(const std::string& key, const std::string& text, std::size_t arity);

  const ground::Game& game_;
  const StaticFacts& facts_;
  std::map<GdlTerm, std::size_t> terms_;
  std::vector<std::string> names_, moves_;
  std::vector<std::size_t> fluents_;
  std::vector<std::pair<std::size_t, GdlTerm>> move_terms_;  // element, move
  std::set<std::string> used_names_, used_relations_;
  std::map<std::string, std::string> relation_names_;  // by kind and text
  std::map<std::string, Relation> relations_;          // by name; without those of functors
  std::map<std::pair<std::string, std::size_t>, std::string> functors_;
};

}  // namespace zermelo::translate::toss
