// The types of a game's terms, which GDL does not state: two places of atoms have the same type if
// some rule has the same variable in both.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ground/game.h"
#include "translate/pddl/flatten.h"
#include "translate/planning_names.h"

namespace zermelo::translate::gddl {

// A kind of atom with columns: a fluent, a move, or a predicate of the rules.
using KindId = std::uint32_t;
using TypeId = std::uint32_t;

// An atom whose arguments are terms, one for each column of its kind.
struct TypedAtom {
  KindId kind = 0;
  std::vector<gdl::Term> arguments;
};

class TypedNames {
 public:
  // The rules are those of the game; both must outlive this.
  TypedNames(const pddl::FlatRules& rules, const ground::Game& game);

  // The name of a predicate of the rules. That of `true` is the name of the fluents.
  const std::string& predicate_name(ground::PredicateId predicate) const {
    return predicate_names_[predicate];
  }
  // The type of a predicate's column.
  TypeId place(ground::PredicateId predicate, std::size_t column) const {
    return places_[predicate][column];
  }
  const std::string& name(KindId kind) const { return kinds_[kind].name; }
  const std::vector<TypeId>& columns(KindId kind) const { return kinds_[kind].columns; }
  // The fluents and moves of the game.
  const TypedAtom& fluent(ground::Atom fluent) const { return fluents_[fluent]; }
  const TypedAtom& move(std::uint32_t move) const { return moves_[move]; }

  TypeId role_type() const { return role_type_; }
  // Whether the type of the roles has other objects too, such as the empty cell beside the stones
  // of the players. The type "role" is then a part of it.
  bool role_type_is_mixed() const { return terms_[role_type_].size() > game_.roles.size(); }
  std::size_t types() const { return type_names_.size(); }
  const std::string& type_name(TypeId type) const { return type_names_[type]; }
  // The name of a term where a type is expected, without regard to other types: 1 is r1 as a row
  // and c1 as a column.
  const std::string& object(TypeId type, const gdl::Term& term);
  // The names of all objects of a type that were asked for, ascending.
  std::vector<std::string> objects(TypeId type) const;
  // The terms that stand in columns of a type.
  const std::vector<gdl::Term>& terms(TypeId type) const { return terms_[type]; }
  // The types of a rule's variables.
  std::map<std::uint32_t, TypeId> types_of_variables(const ground::Rule& rule) const;
  // A name that nothing else has.
  std::string fresh_predicate(const std::string& wanted) { return predicates_.unique(wanted); }

 private:
  struct Kind {
    std::string name;
    gdl::Term shape;              // of a fluent or move: its variables are the columns
    std::vector<TypeId> columns;  // nodes of parent_ until the types are numbered
    bool is_own = false;          // a predicate of the rules that is no keyword
  };
  using KindsByShape = std::map<std::string, KindId>;

  void add_predicate(ground::PredicateId predicate);
  KindId kind_by_shape(KindsByShape& known, const gdl::Term& shape, pddl::Names& names);
  KindId add_kind(Kind kind, std::uint32_t columns);
  std::string word_of(ground::PredicateId predicate) const;
  std::string words_of(const gdl::Term& term) const;
  std::uint32_t add_node();
  std::uint32_t find(std::uint32_t node) const;
  void unite(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }
  template <class Visit>
  void for_each_argument(const ground::Rule& rule, Visit visit) const;
  void unite_columns();
  void number_types();
  std::string wanted_type_name(TypeId type) const;
  void collect_terms();
  TypedAtom atom_of(const gdl::Term& term, const KindsByShape& kinds) const;
  void add_term(TypeId type, const gdl::Term& term);

  const pddl::FlatRules& rules_;
  const ground::Game& game_;
  std::vector<Kind> kinds_;
  KindsByShape fluent_kinds_, move_kinds_;
  std::vector<std::string> predicate_names_;        // by predicate
  std::vector<std::vector<std::uint32_t>> places_;  // by predicate and column: nodes, then types
  std::vector<std::uint32_t> parent_;               // by node: union-find
  TypeId role_type_ = 0;
  std::vector<std::string> type_names_;
  std::vector<std::vector<gdl::Term>> terms_;                // by type
  std::vector<std::map<std::string, std::string>> objects_;  // by type and text; empty: not named
  std::vector<TypedAtom> fluents_, moves_;
  pddl::Names predicates_, actions_, type_words_, object_names_;
};

}  // namespace zermelo::translate::gddl
