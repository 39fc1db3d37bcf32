#include "translate/gddl/types.h"

#include <algorithm>
#include <cctype>

#include "gdl/printer.h"
#include "translate/pddl/predicate_names.h"

namespace zermelo::translate::gddl {

namespace {

using gdl::Term;
using ground::BodyLiteral;
using ground::PredicateId;
using ground::Rule;
namespace keyword = gdl::keyword;

bool is_fluent_word(gdl::Symbol word) {
  return word == keyword::true_ || word == keyword::next || word == keyword::init;
}
bool is_move_word(gdl::Symbol word) { return word == keyword::legal || word == keyword::does; }

// The same for the same functions in the same places.
std::string shape_text(const Term& shape) {
  if (shape.kind == Term::Kind::variable) return "_";
  std::string text = "(" + std::to_string(static_cast<std::uint32_t>(shape.name));
  for (const Term& argument : shape.arguments) text += shape_text(argument);
  return text + ")";
}

// The columns of an atom's predicate that a term of its shape has, from left to right.
void columns_of(const Term& shape, std::vector<std::uint32_t>& out) {
  ground::collect_variables(shape, out);
}

bool match(const Term& shape, const Term& term, std::vector<Term>& arguments) {
  if (shape.kind == Term::Kind::variable) {
    arguments.push_back(term);
    return true;
  }
  if (shape.kind != term.kind || shape.name != term.name ||
      shape.arguments.size() != term.arguments.size()) {
    return false;
  }
  for (std::size_t i = 0; i < shape.arguments.size(); ++i) {
    if (!match(shape.arguments[i], term.arguments[i], arguments)) return false;
  }
  return true;
}

}  // namespace

TypedNames::TypedNames(const pddl::FlatRules& rules, const ground::Game& game)
    : rules_(rules), game_(game) {
  role_type_ = add_node();
  for (PredicateId p = 0; p < rules.program.predicates.size(); ++p) add_predicate(p);
  unite_columns();
  number_types();
  for (const Term& fluent : game.fluents) fluents_.push_back(atom_of(fluent, fluent_kinds_));
  for (const auto& move : game.moves) moves_.push_back(atom_of(move.term, move_kinds_));
  collect_terms();
  if (role_type_is_mixed())
    type_names_[role_type_] = type_words_.unique(wanted_type_name(role_type_));
}

std::uint32_t TypedNames::add_node() {
  parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
  return parent_.back();
}

std::uint32_t TypedNames::find(std::uint32_t node) const {
  while (parent_[node] != node) node = parent_[node];
  return node;
}

KindId TypedNames::add_kind(Kind kind, std::uint32_t columns) {
  for (std::uint32_t i = 0; i < columns; ++i) kind.columns.push_back(add_node());
  kinds_.push_back(std::move(kind));
  return static_cast<KindId>(kinds_.size() - 1);
}

KindId TypedNames::kind_by_shape(KindsByShape& known, const Term& shape, pddl::Names& names) {
  const auto [place, is_new] = known.try_emplace(shape_text(shape), 0);
  if (is_new) {
    const std::string words = words_of(shape);
    place->second = add_kind({names.unique(words.empty() ? "state" : words), shape, {}},
                             pddl::count_columns(shape));
  }
  return place->second;
}

void TypedNames::add_predicate(PredicateId p) {
  const ground::Predicate& predicate = rules_.program.predicates[p];
  const bool has_shape = !predicate.shape.empty();
  std::vector<std::uint32_t> columns;
  places_.emplace_back(predicate.arity, role_type_);
  KindId kind = 0;
  if (is_fluent_word(predicate.keyword) && has_shape) {
    kind = kind_by_shape(fluent_kinds_, predicate.shape[0], predicates_);
    columns_of(predicate.shape[0], columns);
    predicate_names_.push_back(kinds_[kind].name);
  } else if (is_move_word(predicate.keyword) && has_shape) {
    kind = kind_by_shape(move_kinds_, predicate.shape[1], actions_);
    columns_of(predicate.shape[1], columns);
    predicate_names_.push_back(predicates_.unique(word_of(p) + "-" + kinds_[kind].name));
  } else {
    kind = add_kind({predicates_.unique(word_of(p)), {}, {}, predicate.keyword > keyword::random},
                    predicate.arity);
    for (std::uint32_t c = 0; c < predicate.arity; ++c) columns.push_back(c);
    predicate_names_.push_back(kinds_[kind].name);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) places_[p][columns[i]] = kinds_[kind].columns[i];
  const bool names_role = predicate.keyword == keyword::role || predicate.keyword == keyword::goal;
  if (names_role && has_shape && predicate.shape[0].kind == Term::Kind::variable)
    unite(places_[p][ground::variable_of(predicate.shape[0])], role_type_);
}

std::string TypedNames::word_of(PredicateId p) const {
  const ground::Predicate& predicate = rules_.program.predicates[p];
  const std::string& word = rules_.program.rulesheet->symbols.name(predicate.keyword);
  if (is_move_word(predicate.keyword)) return word;
  if (rules_.term_makers.contains(p)) return "term";
  if (predicate.keyword == keyword::role && predicate.shape.empty()) return "part";
  std::string name = word;
  for (const Term& part : predicate.shape) {
    const std::string words = words_of(part);
    if (!words.empty()) name += "-" + words;
  }
  return name;
}

std::string TypedNames::words_of(const Term& term) const {
  if (term.kind == Term::Kind::variable) return "";
  std::string text = rules_.program.rulesheet->symbols.name(term.name);
  for (const Term& argument : term.arguments) {
    const std::string inner = words_of(argument);
    if (!inner.empty()) text += "-" + inner;
  }
  return text;
}

// Visits the arguments of all atoms with their places; a comparison has no place.
template <class Visit>
void TypedNames::for_each_argument(const Rule& rule, Visit visit) const {
  for (std::uint32_t c = 0; c < rule.arguments.size(); ++c)
    visit(rule.arguments[c], std::optional(places_[rule.head][c]));
  for (const BodyLiteral& literal : rule.body) {
    const bool compares =
        literal.kind == BodyLiteral::Kind::distinct || literal.kind == BodyLiteral::Kind::equal;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
      visit(literal.arguments[c],
            compares ? std::nullopt : std::optional(places_[literal.predicate][c]));
    }
  }
}

void TypedNames::unite_columns() {
  for (const Rule& rule : rules_.program.rules) {
    std::map<std::uint32_t, std::uint32_t> node_of;  // by variable
    for_each_argument(rule, [&](const Term& term, std::optional<std::uint32_t> place) {
      if (term.kind != Term::Kind::variable || !place) return;
      unite(node_of.try_emplace(ground::variable_of(term), *place).first->second, *place);
    });
    for (const BodyLiteral& literal : rule.body) {
      if (literal.kind != BodyLiteral::Kind::distinct) continue;
      const auto a = node_of.find(ground::variable_of(literal.arguments[0]));
      const auto b = node_of.find(ground::variable_of(literal.arguments[1]));
      const bool both = literal.arguments[0].kind == Term::Kind::variable &&
                        literal.arguments[1].kind == Term::Kind::variable;
      if (both && a != node_of.end() && b != node_of.end()) unite(a->second, b->second);
    }
  }
}

void TypedNames::number_types() {
  std::map<std::uint32_t, TypeId> types;
  const auto type_of = [&](std::uint32_t node) {
    return types.try_emplace(find(node), static_cast<TypeId>(types.size())).first->second;
  };
  role_type_ = type_of(role_type_);
  for (Kind& kind : kinds_) {
    for (std::uint32_t& column : kind.columns) column = type_of(column);
  }
  for (auto& columns : places_) {
    for (std::uint32_t& column : columns) column = type_of(column);
  }
  terms_.resize(types.size());
  objects_.resize(types.size());
  for (TypeId type = 0; type < types.size(); ++type)
    type_names_.push_back(type_words_.unique(type == role_type_ ? "role" : wanted_type_name(type)));
}

// A predicate that is about the type, such as row for the rows of (row ?x ?token), or else where it
// stands first.
std::string TypedNames::wanted_type_name(TypeId type) const {
  for (const Kind& kind : kinds_) {
    if (kind.is_own && !kind.columns.empty() && kind.columns[0] == type) return kind.name;
  }
  for (const Kind& kind : kinds_) {
    const auto place = std::find(kind.columns.begin(), kind.columns.end(), type);
    if (place != kind.columns.end())
      return kind.name + "-" + std::to_string(place - kind.columns.begin() + 1);
  }
  return "type";
}

TypedAtom TypedNames::atom_of(const Term& term, const KindsByShape& kinds) const {
  for (const auto& [text, kind] : kinds) {
    TypedAtom atom{kind, {}};
    if (match(kinds_[kind].shape, term, atom.arguments)) return atom;
  }
  return {};
}

void TypedNames::add_term(TypeId type, const Term& term) {
  if (!ground::is_ground(term)) return;
  const std::string text = gdl::print(term, rules_.program.rulesheet->symbols);
  if (objects_[type].try_emplace(text).second) terms_[type].push_back(term);
}

void TypedNames::collect_terms() {
  for (const gdl::Symbol role : game_.roles)
    add_term(role_type_, Term{Term::Kind::constant, role, {}, {}});
  for (const auto* atoms : {&fluents_, &moves_}) {
    for (const TypedAtom& atom : *atoms) {
      for (std::size_t i = 0; i < atom.arguments.size(); ++i)
        add_term(kinds_[atom.kind].columns[i], atom.arguments[i]);
    }
  }
  for (const pddl::FlatRules::Fact& fact : rules_.facts) {
    for (std::size_t i = 0; i < fact.arguments.size(); ++i)
      add_term(places_[fact.predicate][i], fact.arguments[i]);
  }
  for (const Rule& rule : rules_.program.rules) {
    for_each_argument(rule, [&](const Term& term, std::optional<std::uint32_t> place) {
      if (place) add_term(*place, term);
    });
  }
}

const std::string& TypedNames::object(TypeId type, const Term& term) {
  add_term(type, term);
  std::string& name = objects_[type][gdl::print(term, rules_.program.rulesheet->symbols)];
  if (name.empty()) {
    const std::string words = words_of(term);
    const bool needs_letter = !std::isalpha(static_cast<unsigned char>(words[0]));
    name = object_names_.unique((needs_letter ? type_names_[type].substr(0, 1) : "") + words);
  }
  return name;
}

std::vector<std::string> TypedNames::objects(TypeId type) const {
  std::vector<std::string> names;
  for (const auto& [text, name] : objects_[type]) {
    if (!name.empty()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::map<std::uint32_t, TypeId> TypedNames::types_of_variables(const Rule& rule) const {
  std::map<std::uint32_t, TypeId> types;
  for_each_argument(rule, [&](const Term& term, std::optional<std::uint32_t> place) {
    if (term.kind == Term::Kind::variable && place) types[ground::variable_of(term)] = *place;
  });
  return types;
}

}  // namespace zermelo::translate::gddl
