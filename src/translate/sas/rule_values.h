// The derived atoms of a game as conditions on the state: those that depend on the state alone
// once, those that depend on the moves for one move after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include "ground/game.h"
#include "translate/sas/axiom_table.h"
#include "translate/sas/encoding.h"

namespace zermelo::translate::sas {

class RuleValues {
 public:
  // Gives axioms for atoms a name, where it is not empty.
  using Namer = std::function<std::string(ground::Atom)>;

  // `ignored` atoms have no value; a rule that reads one is left out. The game and the others must
  // outlive this.
  RuleValues(const ground::Game& game, const Encoding& encoding, AxiomTable& axioms,
             const std::vector<bool>& ignored, Namer namer);

  // From now on the move is made, and others are compared with it. Takes as long as all rules do.
  void set_base(std::uint32_t move);
  // From now on the move is made instead of the base; returns the atoms whose values then differ.
  // Valid until the next call. The fewer differ, the faster.
  std::span<const ground::Atom> enter(std::uint32_t move);
  // The base is made again.
  void leave();

  // When an atom holds: `no_atom` never does.
  Dnf of(ground::Atom atom) const;
  // The condition as a cube: inlined if it is a conjunction that is not too long for its number of
  // uses, and otherwise an axiom. False where it never holds.
  bool append(ground::Literal literal, Cube& cube);

 private:
  enum class Known : std::uint8_t { no, yes, open };
  struct Range {
    ground::Atom first, last;
  };

  void count_uses();
  void derive_all(ground::Atom begin, ground::Atom end);
  Range component_of(ground::Atom atom) const;
  void derive_atom(ground::Atom atom, std::span<const ground::RuleIndex> rules);
  void derive_component(Range range);
  std::vector<Known> decide_component(Range range) const;
  bool some_rule(ground::Atom head, const std::function<bool(ground::Literal)>& holds) const;
  Known known(ground::Literal literal) const;
  void add_rule(ground::RuleIndex rule, Dnf& dnf);
  bool is_ignored(ground::RuleIndex rule) const;
  bool is_short(std::size_t conditions, ground::Atom atom) const;
  std::vector<ground::RuleIndex> all_rules(ground::Atom atom) const;

  Condition axiom_of(ground::Atom atom);
  void watch_rules();
  void watch_rule(ground::Atom head, ground::RuleIndex rule);
  void queue(ground::Atom atom);
  void changed(ground::Atom atom);
  void derive_again(ground::Atom atom);

  Dnf& value(ground::Atom derived) { return values_[derived - game_.first_derived]; }
  const Dnf& value(ground::Atom derived) const { return values_[derived - game_.first_derived]; }

  const ground::Game& game_;
  const Encoding& encoding_;
  AxiomTable& axioms_;
  const std::vector<bool>& ignored_;  // by atom
  Namer namer_;
  bool ignores_any_;
  ground::Atom move_ = ground::no_atom;  // made now
  ground::Atom base_ = ground::no_atom;
  std::vector<std::uint32_t> uses_;      // by atom
  std::vector<Dnf> values_;              // by derived atom
  std::vector<std::uint32_t> axiom_of_;  // by derived atom: the variable of its value, once made

  // How a move changes values. With the base made, a rule is live or dead. A dead rule waits for
  // one of the atoms that make it so.
  std::vector<Dnf> at_base_;                             // by atom from first_after_does
  std::vector<std::vector<ground::RuleIndex>> live_;     // by atom from first_after_does
  std::vector<std::vector<ground::Atom>> live_heads_;    // by atom read, from the first move
  std::vector<std::vector<ground::RuleIndex>> waiting_;  // by atom waited for, from the first move
  std::vector<std::vector<ground::RuleIndex>> woken_;    // by atom from first_after_does
  std::vector<ground::Atom> head_of_;                    // by rule
  std::vector<ground::Atom> changed_;
  std::priority_queue<ground::Atom, std::vector<ground::Atom>, std::greater<>> queue_;
  std::vector<bool> is_queued_;  // by atom
};

}  // namespace zermelo::translate::sas
