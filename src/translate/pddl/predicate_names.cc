#include "translate/pddl/predicate_names.h"

#include "gdl/printer.h"

namespace zermelo::translate::pddl {

namespace {

using gdl::Term;
using ground::PredicateId;
namespace keyword = gdl::keyword;

// The same for the same functions in the same places.
std::string text_of(const Term& shape) {
  if (shape.kind == Term::Kind::variable) return "_";
  std::string text = "(" + std::to_string(static_cast<std::uint32_t>(shape.name));
  for (const Term& argument : shape.arguments) text += text_of(argument);
  return text + ")";
}

// A fluent or move with columns numbered from 0, whatever stands before it in the atom.
void renumber(Term& shape, std::uint32_t& columns) {
  if (shape.kind == Term::Kind::variable) shape = ground::make_variable(columns++);
  for (Term& argument : shape.arguments) renumber(argument, columns);
}

// The predicates that splitting left behind do not.
std::vector<bool> occurring(const FlatRules& rules) {
  std::vector<bool> result(rules.program.predicates.size(), false);
  for (const FlatRules::Fact& fact : rules.facts) result[fact.predicate] = true;
  for (const ground::Rule& rule : rules.program.rules) {
    result[rule.head] = true;
    for (const ground::BodyLiteral& literal : rule.body) {
      if (literal.kind != ground::BodyLiteral::Kind::distinct) result[literal.predicate] = true;
    }
  }
  return result;
}

bool is_fluent_word(gdl::Symbol word) {
  return word == keyword::true_ || word == keyword::next || word == keyword::init;
}
bool is_move_word(gdl::Symbol word) { return word == keyword::legal || word == keyword::does; }

}  // namespace

std::uint32_t count_columns(const Term& shape) {
  std::uint32_t columns = shape.kind == Term::Kind::variable;
  for (const Term& argument : shape.arguments) columns += count_columns(argument);
  return columns;
}

PredicateNames::PredicateNames(const FlatRules& rules)
    : rules_(rules), names_(rules.program.predicates.size()) {
  for (const char* reserved : {"play", "eval", "switch", "goal-reached"})
    predicate_names_.unique(reserved);
  for (const char* reserved : {"eval", "resume-play", "make-move"}) move_names_.unique(reserved);
  const std::vector<bool> occurs = occurring(rules);
  for (PredicateId p = 0; p < names_.size(); ++p) {
    if (occurs[p]) name_by_kind(p);
  }
  for (PredicateId p = 0; p < names_.size(); ++p) {
    if (occurs[p] && names_[p].empty()) names_[p] = predicate_names_.unique(own_name(p));
  }
}

std::string PredicateNames::prefixed(const std::string& prefix, const Kind& kind) {
  return kind.name.empty() ? prefix : prefix + "-" + kind.name;
}

void PredicateNames::name_by_kind(PredicateId predicate) {
  const gdl::Symbol word = rules_.program.predicates[predicate].keyword;
  const auto& shape = rules_.program.predicates[predicate].shape;
  if (is_fluent_word(word)) {
    const Kind& kind = kind_of(fluent_kinds_, fluents_, fluent_names_, shape[0]);
    names_[predicate] = prefixed(word == keyword::next ? "next" : "current", kind);
  } else if (is_move_word(word)) {
    const Kind& kind = kind_of(move_kinds_, moves_, move_names_, shape[1]);
    names_[predicate] = prefixed(word == keyword::legal ? "legal" : "does", kind);
  }
}

const Kind& PredicateNames::kind_of(std::map<std::string, std::size_t>& known,
                                    std::vector<Kind>& kinds, Names& names, const Pattern& shape) {
  const auto [place, is_new] = known.try_emplace(text_of(shape), kinds.size());
  if (is_new) {
    Kind kind{"", shape, 0};
    renumber(kind.shape, kind.columns);
    const std::string functions = functions_of(shape);
    if (!functions.empty()) kind.name = names.unique(functions);
    for (const char* prefix : {"current", "next", "temp", "legal", "does"})
      predicate_names_.unique(prefixed(prefix, kind));
    kinds.push_back(std::move(kind));
  }
  return kinds[place->second];
}

// The names of the functions and constants of a shape, from left to right.
std::string PredicateNames::functions_of(const Term& term) const {
  if (term.kind == Term::Kind::variable) return "";
  std::string text = rules_.program.rulesheet->symbols.name(term.name);
  for (const Term& argument : term.arguments) {
    const std::string inner = functions_of(argument);
    if (!inner.empty()) text += "-" + inner;
  }
  return text;
}

std::string PredicateNames::own_name(PredicateId predicate) const {
  const auto& symbols = rules_.program.rulesheet->symbols;
  const auto maker = rules_.term_makers.find(predicate);
  if (maker != rules_.term_makers.end()) return "term-" + symbols.name(maker->second);
  std::string name = symbols.name(rules_.program.predicates[predicate].keyword);
  for (const Term& term : rules_.program.predicates[predicate].shape) {
    const std::string inner = functions_of(term);
    if (!inner.empty()) name += "-" + inner;
  }
  return name;
}

const std::string& PredicateNames::object(const Term& term) {
  const std::string text = gdl::print(term, rules_.program.rulesheet->symbols);
  const auto [place, is_new] = objects_.try_emplace(text);
  if (is_new) {
    place->second = object_names_.unique("obj-" + functions_of(term));
    terms_.emplace(place->second, term);
  }
  return place->second;
}

}  // namespace zermelo::translate::pddl
