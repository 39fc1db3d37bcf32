// The derived atoms of a game as conditions on the state: those that depend on the state alone
// once, those that depend on the moves for one move after the other.
#pragma once

#include <cstdint>
#include <functional>
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

  // When an atom holds: `no_atom` never does. Valid until the next call.
  const Dnf& of(ground::Atom atom);
  // The same as one cube (AxiomTable::cube_of). The atom must be derived and must not be decided.
  const Cube& cube_of(ground::Atom derived);
  // The condition as a cube: inlined if it is a conjunction that is not too long for its number of
  // uses, and otherwise an axiom. False where it never holds.
  bool append(ground::Literal literal, Cube& cube);

 private:
  enum class Known : std::uint8_t { no, yes, open };
  using PartIndex = std::uint32_t;
  // The rules of an atom that read the same atoms over moves, or that differ in the move only.
  struct Part {
    ground::Atom head;
    std::vector<ground::Literal> over_moves;  // ascending
    std::vector<ground::Atom> moves;          // one of them is made, ascending; empty: any
    Dnf rest;                                 // what they ask of the state in addition
  };
  struct Range {
    ground::Atom first, last;
  };
  // What is known of an atom with the base made.
  struct Saved {
    ground::Atom atom;
    std::uint32_t axiom;
    Dnf value;
    Cube cube;
  };

  void count_uses();
  void derive_all(ground::Atom begin, ground::Atom end);
  Range component_of(ground::Atom atom) const;
  void derive_atom(ground::Atom atom);
  void derive_atom(ground::Atom atom, std::span<const PartIndex> parts);
  void set_value(ground::Atom atom, Dnf dnf);
  void forget(ground::Atom atom);
  void derive_component(Range range);
  std::vector<Known> decide_component(Range range) const;
  bool some_rule(ground::Atom head, const std::function<bool(ground::Literal)>& holds) const;
  Known known(ground::Literal literal) const;
  void add_rule(ground::RuleIndex rule, Dnf& dnf);
  void add_body(std::span<const ground::Literal> body, Dnf& dnf);
  void add_part(const Part& part, Dnf& dnf);
  bool is_ignored(ground::RuleIndex rule) const;
  bool is_short(std::size_t conditions, ground::Atom atom) const;
  bool is_over_moves(ground::Literal literal) const;
  void make_parts();
  void make_parts(ground::Atom head);
  void merge_bodies(std::vector<Part>::iterator first);
  void merge_moves(std::vector<Part>::iterator first);
  bool allows(const Part& part, ground::Atom move) const;

  Condition axiom_of(ground::Atom atom);
  void watch_parts();
  void watch_part(PartIndex index);
  void queue(ground::Atom atom);
  ground::Atom next_queued();
  Saved save(ground::Atom atom);
  void restore(Saved& saved);
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
  std::vector<Cube> cube_of_;            // by derived atom: its value, once asked for
  Dnf plain_;                            // the last value of an atom that is not derived

  std::vector<Part> parts_;
  std::vector<PartIndex> first_part_of_;  // by atom from first_after_does; one more at the end

  // How a move changes values. With the base made, a part is live or dead. A dead part waits for
  // one of the atoms that make it so.
  std::vector<std::vector<PartIndex>> live_;           // by atom from first_after_does
  std::vector<std::vector<ground::Atom>> live_heads_;  // by atom read, from the first move
  std::vector<std::vector<PartIndex>> waiting_;        // by atom waited for, from the first move
  std::vector<std::vector<PartIndex>> woken_;          // by atom from first_after_does
  std::vector<PartIndex> live_by_move_;                // those that do not allow all moves
  std::vector<PartIndex> scratch_;
  std::vector<ground::Atom> changed_;
  std::vector<Saved> saved_;           // of changed_
  std::vector<Saved> deriving_;        // of the component that is being derived again
  std::vector<std::uint64_t> queued_;  // bits, by atom
  std::size_t first_queued_word_ = 0;  // no earlier word has a bit
  std::size_t queue_size_ = 0;
};

}  // namespace zermelo::translate::sas
