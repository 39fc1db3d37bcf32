// Rewriting rules for the moves of a GDL game.
//
// A rewriting rule changes the elements that it matches and no others, while GDL describes the
// whole next state. For a tuple of move classes, one per role, the elements that may change are
// therefore collected as slots: a `next` clause that is no frame clause may change the element of
// its head, and the erasure clauses name the elements that no frame clause preserves. A slot is
// admitted only if the move and the state determine its element: by equations, by facts that are
// functions, and by mutex groups of state terms. Otherwise a move may change any number of
// elements, and the game has no translation.
//
// There is a rule for every choice of what happens at the slots: nothing, or one content in the
// place of another. Its precondition asks for exactly that, evaluated by all `next` clauses; these
// are the separation conditions of the paper. An element that belongs to several slots is changed
// at the first of them. So the rules exclude each other, and whichever holds
// gives the next state of GDL. Choices that known literals contradict are left out.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "translate/toss/body_formulas.h"
#include "translate/toss/element_structure.h"
#include "translate/toss/move_classes.h"

namespace zermelo::translate::toss {

struct BuiltRule {
  std::string name;
  std::size_t owner = 0;       // the role that chooses; the others have one move each
  std::vector<GdlTerm> moves;  // by role; that of the owner may have variables
  // By variable of the owner's move: the element of the left side that carries it, and where.
  std::map<std::string, std::pair<std::size_t, std::size_t>> carried;
  std::string text;
};

class RuleBuilder {
 public:
  // The arguments must outlive this.
  RuleBuilder(const GdlClauses& rules, const ground::Game& game, const std::vector<GdlClause>& next,
              const StaticFacts& facts, const Contradictions& contradictions,
              ElementStructure& structure, BodyFormulas& formulas);

  // Adds the rules for a tuple of classes, by role. Throws NotTranslatable.
  void add(const std::vector<const MoveClass*>& tuple, std::size_t owner,
           std::vector<BuiltRule>& rules);

 private:
  using FormulaPtr = BodyFormulas::FormulaPtr;
  struct Slot {
    std::size_t mask = 0;
    std::vector<GdlTerm> keys;
    std::vector<GdlBody> reasons;       // one holds if the element may change
    std::set<Values> contents;          // that clauses may give it
    std::optional<Values> certain;      // the content that it has afterwards in any case
    bool adds = false, erases = false;  // it may get a content, or lose the one it has
  };
  struct Change {
    std::optional<Values> from, to;  // contents; nothing: none. Both nothing: no change
    bool is_change() const { return from || to; }
  };

  // The values that variables can have, as far as known.
  using Domains = std::map<std::string, std::set<std::string>>;
  // What is known of a tuple of move classes.
  struct Tuple {
    std::vector<const MoveClass*> classes;
    std::size_t owner = 0;
    std::set<std::string> fixed;  // variables of the owner's move
    GdlBody known;                // literals that hold where the moves are legal
    std::map<std::size_t, std::vector<GdlClause>> next;  // by mask, moves inserted
    std::vector<Slot> slots;
    Domains domains;  // of the variables of the owner's move
  };

  // Whether the literals cannot hold together.
  bool is_impossible(const GdlBody& body) const;
  void find_slots(Tuple& tuple);
  void add_effect(const GdlClause& clause, Tuple& tuple);
  void add_erasures(std::size_t mask, Tuple& tuple);
  void add_slot(Slot slot, Tuple& tuple);
  bool determine(const GdlBody& body, std::set<std::string>& known, const Domains& domains) const;
  bool determines_by_absence(const GdlLiteral& literal, const std::set<std::string>& known,
                             const Domains& domains) const;
  std::vector<Change> changes_of(const Slot& slot, const Tuple& tuple) const;
  void add_rule(const Tuple& tuple, const std::vector<Change>& changes,
                std::vector<BuiltRule>& rules);
  FormulaPtr next(const Slot& slot, const Values& content, const Tuple& tuple,
                  const CarrierScope& scope);
  FormulaPtr changed(const Slot& slot, const Change& change, const Tuple& tuple,
                     const CarrierScope& scope);
  FormulaPtr unchanged(const Slot& slot, const Tuple& tuple,
                       const std::vector<std::string>& earlier, const CarrierScope& scope);
  FormulaPtr reason(const Slot& slot, const CarrierScope& scope);

  const GdlClauses& rules_;
  const ground::Game& game_;
  const std::vector<GdlClause>& next_;
  const StaticFacts& facts_;
  const Contradictions& contradictions_;
  ElementStructure& structure_;
  BodyFormulas& formulas_;
  std::size_t number_ = 0;
  std::map<std::string, std::size_t> names_;
};

}  // namespace zermelo::translate::toss
