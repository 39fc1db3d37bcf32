// The elements that the moves of a class can change, read off the `next` clauses: the head of a
// clause that is no frame clause, and what the negated frame clauses leave.
#include <fmt/format.h>

#include <algorithm>

#include "translate/toss/inserted_moves.h"
#include "translate/toss/move_clauses.h"
#include "translate/toss/rule_builder.h"

namespace zermelo::translate::toss {
namespace {

using Kind = GdlLiteral::Kind;

constexpr std::size_t max_erasures = 500;

}  // namespace

// Whether the absence of a fact determines its variables, as in (not (different ?x ?y)).
bool RuleBuilder::determines_by_absence(const GdlLiteral& literal,
                                        const std::set<std::string>& known,
                                        const Domains& domains) const {
  std::vector<bool> given;
  std::vector<std::set<std::string>> values;
  for (const GdlTerm& argument : literal.term.arguments) {
    given.push_back(!argument.is_variable || known.count(argument.name) > 0);
    if (!argument.is_variable) {
      values.push_back({print(argument)});
      continue;
    }
    const auto domain = domains.find(argument.name);
    if (domain == domains.end()) return false;
    values.push_back(domain->second);
  }
  return facts_.complement_determines(literal.term.name, given, values);
}

// Variables that the known ones determine become known. True if all of the body do.
bool RuleBuilder::determine(const GdlBody& body, std::set<std::string>& known,
                            const Domains& domains) const {
  const auto is_known = [&](const GdlTerm& term) {
    std::set<std::string> names;
    collect_variables(term, names);
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return known.count(name) > 0; });
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (const GdlLiteral& literal : body) {
      const bool is_equation = literal.kind == Kind::distinct && literal.negated;
      const bool is_fact = literal.kind == Kind::atom && facts_.knows(literal.term.name);
      if ((literal.negated && !is_equation && !is_fact) || is_known(literal.term)) continue;
      bool determined = false;
      if (literal.negated && is_fact) {
        determined = determines_by_absence(literal, known, domains);
      } else if (is_equation) {
        determined = is_known(literal.term.arguments[0]) || is_known(literal.term.arguments[1]);
      } else if (literal.kind == Kind::truth && !literal.term.is_variable) {
        const auto mask = structure_.mask_of(literal.term);
        if (!mask) continue;
        const auto& sets = structure_.masks()[*mask].determining;
        determined = std::any_of(sets.begin(), sets.end(), [&](const auto& positions) {
          return std::all_of(positions.begin(), positions.end(), [&](std::size_t position) {
            return is_known(literal.term.arguments[position]);
          });
        });
      } else if (is_fact) {
        std::vector<bool> given;
        for (const GdlTerm& argument : literal.term.arguments) given.push_back(is_known(argument));
        determined = facts_.determines(literal.term.name, given);
      }
      if (!determined) continue;
      collect_variables(literal.term, known);
      grown = true;
    }
  }
  return std::all_of(body.begin(), body.end(),
                     [&](const GdlLiteral& literal) { return is_known(literal.term); });
}

bool RuleBuilder::is_impossible(const GdlBody& body) const {
  if (contradictions_.in(body)) return true;
  // An element with two contents.
  std::map<std::string, Values> contents;
  for (const GdlLiteral& literal : body) {
    if (literal.kind != Kind::truth || literal.negated) continue;
    const auto mask_index = structure_.mask_of(literal.term);
    if (!mask_index) return true;
    const Mask& mask = structure_.masks()[*mask_index];
    std::string key = mask.functor;
    Values content;
    bool is_constant = true;
    for (const std::size_t position : mask.keys)
      key += " " + print(literal.term.arguments[position]);
    for (const std::size_t position : mask.contents) {
      is_constant = is_constant && is_ground(literal.term.arguments[position]);
      content.push_back(print(literal.term.arguments[position]));
    }
    if (is_constant && contents.emplace(key, content).first->second != content) return true;
  }
  return false;
}

void RuleBuilder::add_slot(Slot slot, Tuple& tuple) {
  const bool is_fixed = std::all_of(slot.keys.begin(), slot.keys.end(), [&](const GdlTerm& key) {
    return !key.is_variable || tuple.fixed.count(key.name) > 0;
  });
  for (Slot& known : tuple.slots) {
    if (!is_fixed || known.mask != slot.mask || known.keys != slot.keys) continue;
    known.reasons.insert(known.reasons.end(), slot.reasons.begin(), slot.reasons.end());
    known.adds = known.adds || slot.adds;
    known.contents.insert(slot.contents.begin(), slot.contents.end());
    known.erases = known.erases || slot.erases;
    if (slot.certain) known.certain = slot.certain;
    return;
  }
  tuple.slots.push_back(std::move(slot));
}

// A clause that is no frame clause: its head's element may change.
void RuleBuilder::add_effect(const GdlClause& clause, Tuple& tuple) {
  const std::size_t mask_index = *structure_.mask_of(clause.head);
  const Mask& mask = structure_.masks()[mask_index];
  for (std::size_t i = 0; i < mask.contents.size(); ++i) {
    const GdlTerm& content = clause.head.arguments[mask.contents[i]];
    if (!content.is_variable) continue;
    std::set<std::string> values;
    for (const Values& each : mask.content_values) values.insert(each[i]);
    for (const std::string& value : values) {
      GdlClause chosen = substitute(clause, {{content.name, gdl_constant(value)}});
      if (tuple.fixed.count(content.name) > 0) {
        chosen.body.push_back(gdl_equation(content, gdl_constant(value)));
      }
      GdlBody all = chosen.body;
      all.insert(all.end(), tuple.known.begin(), tuple.known.end());
      if (!is_impossible(all)) add_effect(chosen, tuple);
    }
    return;
  }
  Slot slot;
  slot.mask = mask_index;
  for (const std::size_t position : mask.keys) slot.keys.push_back(clause.head.arguments[position]);
  std::set<std::string> known = tuple.fixed, needed;
  determine(clause.body, known, tuple.domains);
  for (const GdlTerm& key : slot.keys) collect_variables(key, needed);
  for (const std::string& name : needed) {
    if (known.count(name) > 0) continue;
    throw NotTranslatable{
        fmt::format("a move may change any number of elements: {}",
                    print(GdlClause{{"next", false, {clause.head}}, clause.body}))};
  }
  const bool is_certain =
      std::all_of(clause.body.begin(), clause.body.end(), [&](const GdlLiteral& literal) {
        return std::find(tuple.known.begin(), tuple.known.end(), literal) != tuple.known.end();
      });
  Values content;
  for (const std::size_t position : mask.contents) {
    content.push_back(print(clause.head.arguments[position]));
  }
  slot.contents = {content};
  if (is_certain) slot.certain = std::move(content);
  slot.reasons = {clause.body};
  slot.adds = true;
  add_slot(std::move(slot), tuple);
}

// The elements that no frame clause preserves.
void RuleBuilder::add_erasures(std::size_t mask_index, Tuple& tuple) {
  const Mask& mask = structure_.masks()[mask_index];
  GdlTerm term{mask.functor, false, {}};
  std::set<std::string> own = tuple.fixed;
  for (std::size_t i = 0; i < mask.arity; ++i) {
    term.arguments.push_back(gdl_variable(fmt::format("t{}_{}", number_, i)));
    own.insert(term.arguments.back().name);
  }
  ++number_;
  Domains domains = tuple.domains;
  for (const auto& [key, element] : mask.elements) {
    for (std::size_t i = 0; i < key.size(); ++i) {
      domains[term.arguments[mask.keys[i]].name].insert(key[i]);
    }
  }
  std::vector<GdlBody> bodies = {{}};
  const auto found = tuple.next.find(mask_index);
  const std::vector<GdlClause> none;
  for (const GdlClause& clause : found == tuple.next.end() ? none : found->second) {
    const bool is_frame =
        std::any_of(clause.body.begin(), clause.body.end(), [&](const GdlLiteral& literal) {
          return literal.kind == Kind::truth && !literal.negated && literal.term == clause.head;
        });
    if (!is_frame) continue;
    // The clause for the general term: equations for what its head specialises.
    GdlBody condition;
    Substitution names;
    for (std::size_t i = 0; i < mask.arity; ++i) {
      const GdlTerm head = substitute(clause.head.arguments[i], names);
      if (head.is_variable && tuple.fixed.count(head.name) == 0 && own.count(head.name) == 0) {
        names[head.name] = term.arguments[i];
      } else {
        condition.push_back(gdl_equation(term.arguments[i], head));
      }
    }
    for (const GdlLiteral& literal : clause.body) {
      if (literal.kind == Kind::truth && !literal.negated && literal.term == clause.head) continue;
      if (std::find(tuple.known.begin(), tuple.known.end(), literal) != tuple.known.end()) continue;
      condition.push_back(substitute(literal, names));
    }
    std::vector<GdlBody> longer;
    for (const GdlBody& body : bodies) {
      for (GdlLiteral literal : condition) {
        std::set<std::string> variables;
        collect_variables(literal.term, variables);
        const bool is_local =
            std::any_of(variables.begin(), variables.end(),
                        [&](const std::string& name) { return own.count(name) == 0; });
        longer.push_back(body);
        literal.negated = !literal.negated;
        if (!is_local) longer.back().push_back(std::move(literal));  // else nothing is known
      }
      if (longer.size() > max_erasures) {
        throw NotTranslatable{"the negation of the frame clauses has too many cases"};
      }
    }
    bodies = std::move(longer);
  }
  for (GdlBody& body : bodies) {
    Substitution solved;
    GdlBody rest;
    bool possible = true;
    for (const GdlLiteral& literal : body) {
      if (literal.kind == Kind::distinct) {
        const GdlTerm& a = literal.term.arguments[0];
        const GdlTerm& b = literal.term.arguments[1];
        Substitution free = solved, bound = solved;
        const bool unifies = unify(a, b, free);
        if (literal.negated && !unifies) possible = false;
        if (!literal.negated && substitute(a, solved) == substitute(b, solved)) possible = false;
        if (!literal.negated && !unifies) continue;
        if (literal.negated && unifies && unify(a, b, bound, tuple.fixed)) {
          solved = std::move(bound);
          continue;
        }
      }
      rest.push_back(literal);
    }
    if (!possible) continue;
    const GdlTerm erased = substitute(term, solved);
    if (!structure_.mask_of(erased)) continue;
    rest.push_back({Kind::truth, false, erased});
    for (GdlLiteral& literal : rest) literal = substitute(literal, solved);
    GdlBody all = rest;
    all.insert(all.end(), tuple.known.begin(), tuple.known.end());
    if (is_impossible(all)) continue;
    Slot slot;
    slot.mask = mask_index;
    for (const std::size_t position : mask.keys) slot.keys.push_back(erased.arguments[position]);
    std::set<std::string> known = tuple.fixed, needed;
    determine(rest, known, domains);
    for (const GdlTerm& key : slot.keys) collect_variables(key, needed);
    for (const std::string& name : needed) {
      if (known.count(name) > 0) continue;
      throw NotTranslatable{fmt::format("a move may erase any number of elements of {}/{}",
                                        mask.functor, mask.arity)};
    }
    slot.reasons = {rest};
    slot.erases = true;
    add_slot(std::move(slot), tuple);
  }
}

void RuleBuilder::find_slots(Tuple& tuple) {
  std::vector<GdlTerm> moves;
  for (const MoveClass* each : tuple.classes) moves.push_back(each->head);
  for (const GdlClause& clause : next_) {
    const GdlClause renamed = renamed_apart(clause, 4'000'000 + number_++);
    for (GdlClause& made : with_moves(renamed, moves, rules_, tuple.fixed, number_)) {
      if (made.head.is_variable) throw NotTranslatable{"a variable stands for a whole state term"};
      for (const GdlTerm& argument : made.head.arguments) {
        if (argument.is_variable || is_ground(argument)) continue;
        throw NotTranslatable{
            fmt::format("a state term has nested function terms, {}", print(made.head))};
      }
      const auto mask = structure_.mask_of(made.head);
      GdlBody all = made.body;
      all.insert(all.end(), tuple.known.begin(), tuple.known.end());
      if (mask && !is_impossible(all)) tuple.next[*mask].push_back(std::move(made));
    }
  }
  for (std::size_t mask = 0; mask < structure_.masks().size(); ++mask) {
    if (structure_.masks()[mask].is_value) continue;
    const auto found = tuple.next.find(mask);
    if (found != tuple.next.end()) {
      for (const GdlClause& clause : found->second) {
        const bool is_frame =
            std::any_of(clause.body.begin(), clause.body.end(), [&](const GdlLiteral& literal) {
              return literal.kind == Kind::truth && !literal.negated && literal.term == clause.head;
            });
        if (!is_frame) add_effect(clause, tuple);
      }
    }
    add_erasures(mask, tuple);
  }
}

}  // namespace zermelo::translate::toss
