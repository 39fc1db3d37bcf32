#include "translate/toss/rule_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "toss/printer.h"
#include "translate/toss/move_clauses.h"

namespace zermelo::translate::toss {
namespace {

using zermelo::toss::atom;
using zermelo::toss::conjunction;
using zermelo::toss::disjunction;
using zermelo::toss::exists;
using zermelo::toss::negation;
using zermelo::toss::truth;
using Kind = GdlLiteral::Kind;

constexpr std::size_t max_choices = 256;
constexpr std::size_t max_inlined = 2'000;
constexpr std::size_t max_erasures = 500;

void inline_moves(const GdlClauses& rules, const GdlClause& clause, std::size_t depth,
                  std::size_t& number, std::vector<GdlClause>& result) {
  for (std::size_t i = 0; i < clause.body.size(); ++i) {
    const GdlLiteral& literal = clause.body[i];
    if (literal.kind != Kind::atom || !rules.depends_on_moves(literal.term.name)) continue;
    if (literal.negated) continue;  // see with_moves
    if (depth > 20 || result.size() > max_inlined) {
      throw NotTranslatable{
          fmt::format("inserting {}, which depends on moves, makes too many "
                      "clauses",
                      literal.term.name)};
    }
    for (const GdlClause& definition : rules.of(literal.term.name)) {
      const GdlClause renamed = renamed_apart(definition, 3'000'000 + number++);
      Substitution unifier;
      if (!unify(literal.term, renamed.head, unifier)) continue;
      GdlClause inlined{clause.head, clause.body};
      inlined.body.erase(inlined.body.begin() + static_cast<std::ptrdiff_t>(i));
      inlined.body.insert(inlined.body.end(), renamed.body.begin(), renamed.body.end());
      inline_moves(rules, substitute(inlined, unifier), depth + 1, number, result);
    }
    return;
  }
  result.push_back(clause);
}

// Matches a move that a clause asks for with the moves of a class, whose variables are fixed.
bool match_move(const GdlTerm& asked, const GdlTerm& move, const std::set<std::string>& fixed,
                Substitution& names, GdlBody& equations) {
  const GdlTerm own = substitute(asked, names);
  if (own == move) return true;
  if (own.is_variable && fixed.count(own.name) == 0) {
    names[own.name] = move;
    return true;
  }
  if (own.is_variable || move.is_variable) {
    equations.push_back(gdl_equation(own, move));
    return true;
  }
  if (own.name != move.name || own.arguments.size() != move.arguments.size()) {
    return print(own) == print(move);
  }
  for (std::size_t i = 0; i < own.arguments.size(); ++i) {
    if (!match_move(own.arguments[i], move.arguments[i], fixed, names, equations)) return false;
  }
  return true;
}

GdlTerm term_of(const Mask& mask, const std::vector<GdlTerm>& keys,
                const std::vector<GdlTerm>& contents) {
  GdlTerm term{mask.functor, false, std::vector<GdlTerm>(mask.arity)};
  for (std::size_t i = 0; i < keys.size(); ++i) term.arguments[mask.keys[i]] = keys[i];
  for (std::size_t i = 0; i < contents.size(); ++i) {
    term.arguments[mask.contents[i]] = contents[i];
  }
  return term;
}

std::vector<GdlTerm> constants_of(const Values& values) {
  std::vector<GdlTerm> result;
  for (const std::string& value : values) result.push_back(gdl_constant(value));
  return result;
}

}  // namespace

std::vector<GdlClause> next_clauses_with_moves(const GdlClauses& rules) {
  std::vector<GdlClause> result;
  std::size_t number = 0;
  for (const GdlClause& clause : rules.of("next")) {
    inline_moves(rules, clause, 0, number, result);
  }
  return result;
}

// What is known of a tuple of move classes.
struct RuleBuilder::Tuple {
  std::vector<const MoveClass*> classes;
  std::size_t owner = 0;
  std::set<std::string> fixed;  // variables of the owner's move
  GdlBody known;                // literals that hold where the moves are legal
  std::map<std::size_t, std::vector<GdlClause>> next;  // by mask, moves inserted
  std::vector<Slot> slots;
  Domains domains;  // of the variables of the owner's move
};

RuleBuilder::RuleBuilder(const GdlClauses& rules, const ground::Game& game,
                         const std::vector<GdlClause>& next, const StaticFacts& facts,
                         const Contradictions& contradictions, ElementStructure& structure,
                         BodyFormulas& formulas)
    : rules_(rules),
      game_(game),
      next_(next),
      facts_(facts),
      contradictions_(contradictions),
      structure_(structure),
      formulas_(formulas) {}

namespace {

std::vector<GdlClause> with_moves(const GdlClause& clause, const std::vector<GdlTerm>& moves,
                                  const GdlClauses& rules, const std::set<std::string>& fixed,
                                  std::size_t& number);

// What must hold so that a predicate that depends on moves does not: of each list, one literal.
// Nothing if it holds in any case.
std::optional<std::vector<GdlBody>> negated_definition(const GdlTerm& atom,
                                                       const std::vector<GdlTerm>& moves,
                                                       const GdlClauses& rules,
                                                       const std::set<std::string>& fixed,
                                                       std::size_t& number) {
  std::set<std::string> given = fixed;
  collect_variables(atom, given);
  std::vector<GdlClause> definitions;
  for (const GdlClause& definition : rules.of(atom.name)) {
    inline_moves(rules, renamed_apart(definition, 6'000'000 + number++), 0, number, definitions);
  }
  std::vector<GdlBody> result;
  for (const GdlClause& definition : definitions) {
    // As a clause for the given arguments, which are fixed.
    GdlClause asked{{"next", false, {atom}}, {}};
    Substitution names;
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
      const GdlTerm head = substitute(definition.head.arguments[i], names);
      if (head.is_variable && given.count(head.name) == 0) {
        names[head.name] = atom.arguments[i];
      } else {
        asked.body.push_back(gdl_equation(head, atom.arguments[i]));
      }
    }
    for (const GdlLiteral& literal : definition.body) {
      asked.body.push_back(substitute(literal, names));
    }
    for (const GdlClause& made : with_moves(asked, moves, rules, given, number)) {
      GdlBody choices;
      bool holds = true;
      for (GdlLiteral literal : made.body) {
        if (literal.kind == Kind::distinct && is_ground(literal.term)) {
          const bool differ = !(literal.term.arguments[0] == literal.term.arguments[1]);
          if (differ != literal.negated) continue;
          holds = false;
          break;
        }
        std::set<std::string> variables;
        collect_variables(literal.term, variables);
        for (const std::string& name : variables) {
          if (given.count(name) > 0) continue;
          throw NotTranslatable{fmt::format(
              "a next clause negates {}, which depends on moves and on other values", atom.name)};
        }
        literal.negated = !literal.negated;
        choices.push_back(std::move(literal));
      }
      if (!holds) continue;
      if (choices.empty()) return std::nullopt;
      result.push_back(std::move(choices));
    }
  }
  return result;
}

// The clauses that remain when the moves are made.
std::vector<GdlClause> with_moves(const GdlClause& clause, const std::vector<GdlTerm>& moves,
                                  const GdlClauses& rules, const std::set<std::string>& fixed,
                                  std::size_t& number) {
  const std::vector<std::string>& roles = rules.roles();
  Substitution names;
  GdlBody equations, rest;
  std::vector<GdlBody> exclusions;  // of each, one literal must hold
  const auto move_of = [&](const GdlLiteral& literal) -> const GdlTerm* {
    for (std::size_t r = 0; r < roles.size(); ++r) {
      if (literal.term.arguments[0] == gdl_constant(roles[r])) return &moves[r];
    }
    return nullptr;
  };
  for (const GdlLiteral& literal : clause.body) {
    if (literal.kind != Kind::does || literal.negated) continue;
    const GdlTerm* move = move_of(literal);
    if (!move) throw NotTranslatable{"a variable stands for a player in a condition on moves"};
    if (!match_move(literal.term.arguments[1], *move, fixed, names, equations)) return {};
  }
  for (const GdlLiteral& literal : clause.body) {
    const bool is_negated_definition =
        literal.kind == Kind::atom && literal.negated && rules.depends_on_moves(literal.term.name);
    if (is_negated_definition) {
      const auto more =
          negated_definition(substitute(literal.term, names), moves, rules, fixed, number);
      if (!more) return {};
      exclusions.insert(exclusions.end(), more->begin(), more->end());
      continue;
    }
    if (literal.kind != Kind::does) rest.push_back(substitute(literal, names));
    if (literal.kind != Kind::does || !literal.negated) continue;
    const GdlTerm* move = move_of(literal);
    if (!move) throw NotTranslatable{"a variable stands for a player in a condition on moves"};
    GdlBody unequal;
    Substitution more = names;
    if (!match_move(literal.term.arguments[1], *move, fixed, more, unequal)) continue;
    if (unequal.empty()) return {};
    for (GdlLiteral& each : unequal) each.negated = false;
    exclusions.push_back(std::move(unequal));
  }
  for (const GdlLiteral& literal : equations) rest.push_back(substitute(literal, names));
  std::vector<GdlBody> bodies = {rest};
  for (const GdlBody& exclusion : exclusions) {
    std::vector<GdlBody> longer;
    for (const GdlBody& body : bodies) {
      for (const GdlLiteral& literal : exclusion) {
        longer.push_back(body);
        longer.back().push_back(substitute(literal, names));
      }
    }
    bodies = std::move(longer);
  }
  std::vector<GdlClause> result;
  for (GdlBody& body : bodies) {
    // Solve equations for variables of the clause.
    Substitution solved;
    GdlBody left;
    bool possible = true;
    for (const GdlLiteral& literal : body) {
      if (literal.kind == Kind::distinct && literal.negated) {
        Substitution extended = solved, free = solved;
        if (!unify(literal.term.arguments[0], literal.term.arguments[1], free)) possible = false;
        if (unify(literal.term.arguments[0], literal.term.arguments[1], extended, fixed)) {
          solved = std::move(extended);
          continue;
        }
      }
      left.push_back(literal);
    }
    if (!possible) continue;
    result.push_back(substitute(
        GdlClause{substitute(clause.head.arguments[0], names), std::move(left)}, solved));
  }
  return result;
}

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

std::vector<RuleBuilder::Change> RuleBuilder::changes_of(const Slot& slot,
                                                         const Tuple& tuple) const {
  const Mask& mask = structure_.masks()[slot.mask];
  std::vector<std::optional<Values>> before, after;
  std::optional<Values> known_content;
  bool known_absent = false;
  for (const GdlLiteral& literal : tuple.known) {
    if (literal.kind != Kind::truth || structure_.mask_of(literal.term) != slot.mask) continue;
    std::vector<GdlTerm> keys;
    for (const std::size_t position : mask.keys) keys.push_back(literal.term.arguments[position]);
    if (keys != slot.keys) continue;
    Values content;
    bool is_constant = true;
    for (const std::size_t position : mask.contents) {
      is_constant = is_constant && is_ground(literal.term.arguments[position]);
      content.push_back(print(literal.term.arguments[position]));
    }
    if (!is_constant) continue;
    if (!literal.negated) known_content = content;
    if (literal.negated && mask.contents.empty()) known_absent = true;
  }
  if (known_content) {
    before = {known_content};
  } else {
    if (!known_absent) before.assign(mask.content_values.begin(), mask.content_values.end());
    if (!mask.always_has_content) before.push_back(std::nullopt);
  }
  if (slot.certain) {
    after = {slot.certain};
  } else {
    // Slots may share elements, so that contents of other slots count, too.
    std::set<Values> contents;
    for (const Slot& other : tuple.slots) {
      if (other.mask == slot.mask) contents.insert(other.contents.begin(), other.contents.end());
    }
    after.assign(contents.begin(), contents.end());
    if (!mask.always_has_content && slot.erases) after.push_back(std::nullopt);
  }
  if (!slot.adds) std::erase(before, std::nullopt);
  std::vector<Change> result;
  bool may_stay = !slot.certain;
  for (const auto& from : before) {
    for (const auto& to : after) {
      if (from == to) {
        may_stay = true;
      } else {
        result.push_back({from, to});
      }
    }
  }
  if (may_stay) result.push_back({});
  return result;
}

RuleBuilder::FormulaPtr RuleBuilder::reason(const Slot& slot, const CarrierScope& scope) {
  if (slot.certain) return truth(true);
  std::vector<FormulaPtr> parts;
  for (const GdlBody& body : slot.reasons) {
    const FormulaPtr part = formulas_.body(body, scope);
    if (is_truth(*part, true)) return part;
    if (!is_truth(*part, false)) parts.push_back(part);
  }
  return disjunction(std::move(parts));
}

// Whether some `next` clause gives the element this content.
RuleBuilder::FormulaPtr RuleBuilder::next(const Slot& slot, const Values& content,
                                          const Tuple& tuple, const CarrierScope& scope) {
  const Mask& mask = structure_.masks()[slot.mask];
  const GdlTerm term = term_of(mask, slot.keys, constants_of(content));
  std::set<std::string> fixed;
  collect_variables(term, fixed);
  fixed.insert(tuple.fixed.begin(), tuple.fixed.end());
  std::vector<FormulaPtr> parts;
  const auto clauses = tuple.next.find(slot.mask);
  if (clauses == tuple.next.end()) return truth(false);
  for (const GdlClause& clause : clauses->second) {
    // Rename what belongs to the clause alone.
    Substitution names;
    for (const std::string& name : variables_of(clause)) {
      if (tuple.fixed.count(name) == 0) names[name] = gdl_variable(fmt::format("n{}", number_++));
    }
    const GdlClause renamed = substitute(clause, names);
    GdlBody body = renamed.body;
    Substitution own;
    bool possible = true;
    for (std::size_t i = 0; i < mask.arity && possible; ++i) {
      const GdlTerm head = substitute(renamed.head.arguments[i], own);
      if (head == term.arguments[i]) continue;
      if (head.is_variable && fixed.count(head.name) == 0) {
        own[head.name] = term.arguments[i];
      } else if (is_ground(head) && is_ground(term.arguments[i])) {
        possible = print(head) == print(term.arguments[i]);
      } else {
        body.push_back(gdl_equation(head, term.arguments[i]));
      }
    }
    if (!possible) continue;
    for (GdlLiteral& literal : body) literal = substitute(literal, own);
    std::erase_if(body, [&](const GdlLiteral& literal) {
      return std::find(tuple.known.begin(), tuple.known.end(), literal) != tuple.known.end();
    });
    const FormulaPtr part = formulas_.body(std::move(body), scope);
    if (is_truth(*part, true)) return part;
    if (!is_truth(*part, false)) parts.push_back(part);
  }
  return disjunction(std::move(parts));
}

RuleBuilder::FormulaPtr RuleBuilder::changed(const Slot& slot, const Change& change,
                                             const Tuple& tuple, const CarrierScope& scope) {
  std::vector<FormulaPtr> parts = {reason(slot, scope)};
  if (change.to) {
    if (!slot.certain) parts.push_back(next(slot, *change.to, tuple, scope));
  } else {
    for (const Values& content : structure_.masks()[slot.mask].content_values) {
      const FormulaPtr derived = next(slot, content, tuple, scope);
      if (is_truth(*derived, true)) return truth(false);
      if (!is_truth(*derived, false)) parts.push_back(negation(derived));
    }
  }
  std::vector<FormulaPtr> kept;
  for (const FormulaPtr& part : parts) {
    if (is_truth(*part, false)) return part;
    if (!is_truth(*part, true)) kept.push_back(part);
  }
  return conjunction(std::move(kept));
}

// No element of the slot, apart from those of earlier slots, changes.
RuleBuilder::FormulaPtr RuleBuilder::unchanged(const Slot& slot, const Tuple& tuple,
                                               const std::vector<std::string>& earlier,
                                               const CarrierScope& scope) {
  const Mask& mask = structure_.masks()[slot.mask];
  CarrierScope inner = scope;
  const std::string element = formulas_.fresh_element();
  std::vector<FormulaPtr> parts = {formulas_.introduce(element, slot.mask, slot.keys, inner)};
  for (const std::string& other : earlier) {
    if (scope.elements.at(other).mask != slot.mask) continue;
    parts.push_back(negation(zermelo::toss::equal(element, other)));
  }
  std::vector<FormulaPtr> cases;
  for (const Values& content : mask.content_values) {
    const FormulaPtr fluent = atom(structure_.fluent(slot.mask, content), {element});
    const FormulaPtr derived = next(slot, content, tuple, inner);
    if (!is_truth(*derived, true)) cases.push_back(conjunction({fluent, negation(derived)}));
    if (!is_truth(*derived, false)) cases.push_back(conjunction({negation(fluent), derived}));
  }
  if (cases.empty()) return truth(true);
  const FormulaPtr why = reason(slot, inner);
  if (is_truth(*why, false)) return truth(true);
  if (!is_truth(*why, true)) parts.push_back(why);
  parts.push_back(disjunction(std::move(cases)));
  return negation(exists({element}, conjunction(std::move(parts))));
}

void RuleBuilder::add_rule(const Tuple& tuple, const std::vector<Change>& changes,
                           std::vector<BuiltRule>& rules) {
  CarrierScope scope;
  std::vector<std::string> elements;
  std::vector<std::vector<std::string>> earlier;  // by slot: elements of those before it
  std::vector<FormulaPtr> parts = {negation(formulas_.sentence("terminal"))};
  std::vector<std::string> left, right;
  std::set<std::string> embedded;
  for (std::size_t s = 0; s < tuple.slots.size(); ++s) {
    earlier.push_back(elements);
    if (!changes[s].is_change()) continue;
    const Slot& slot = tuple.slots[s];
    const std::string element = formulas_.fresh_element();
    parts.push_back(formulas_.introduce(element, slot.mask, slot.keys, scope));
    elements.push_back(element);
    if (changes[s].from) {
      left.push_back(structure_.fluent(slot.mask, *changes[s].from) + " (" + element + ")");
    }
    if (changes[s].to) {
      right.push_back(structure_.fluent(slot.mask, *changes[s].to) + " (" + element + ")");
    }
    for (const std::string& fluent : structure_.fluents(slot.mask)) embedded.insert(fluent);
  }
  std::size_t arguments = 0;
  for (const std::string& variable : tuple.fixed) {
    if (scope.carriers.count(variable) > 0) continue;
    const std::string element = formulas_.fresh_element();
    const std::size_t mask = structure_.argument_mask(arguments++);
    parts.push_back(formulas_.introduce(element, mask, {gdl_variable(variable)}, scope));
    elements.push_back(element);
  }
  for (const MoveClass* each : tuple.classes) {
    std::vector<FormulaPtr> legal;
    for (const GdlBody& body : each->bodies) {
      const FormulaPtr part = formulas_.body(body, scope);
      if (!is_truth(*part, false)) legal.push_back(part);
    }
    parts.push_back(disjunction(std::move(legal)));
  }
  for (std::size_t s = 0; s < tuple.slots.size(); ++s) {
    const Slot& slot = tuple.slots[s];
    parts.push_back(changes[s].is_change() ? changed(slot, changes[s], tuple, scope)
                                           : unchanged(slot, tuple, earlier[s], scope));
  }
  std::vector<FormulaPtr> kept;
  for (const FormulaPtr& part : parts) {
    if (is_truth(*part, false)) return;
    if (!is_truth(*part, true) && !has(kept, part)) kept.push_back(part);
  }
  BuiltRule rule;
  rule.owner = tuple.owner;
  for (const MoveClass* each : tuple.classes) rule.moves.push_back(each->head);
  for (const std::string& variable : tuple.fixed) {
    const Carrier& carrier = scope.carriers.at(variable);
    const auto at = std::find(elements.begin(), elements.end(), carrier.element);
    rule.carried[variable] = {static_cast<std::size_t>(at - elements.begin()), carrier.position};
  }
  std::string name;
  for (const char c : rules_.roles()[tuple.owner] + "_" + rule.moves[tuple.owner].name) {
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  if (!std::isalpha(static_cast<unsigned char>(name[0]))) name = "r" + name;
  rule.name = fmt::format("{}_{}", name, ++names_[name]);
  const auto side = [&](const std::vector<std::string>& tuples) {
    return fmt::format("[{} | {} | -]", fmt::join(elements, ", "),
                       tuples.empty() ? "-" : fmt::format("{}", fmt::join(tuples, "; ")));
  };
  rule.text = fmt::format("RULE {}:\n  {} ->\n  {}\n", rule.name, side(left), side(right));
  if (!embedded.empty()) rule.text += fmt::format("  emb {}\n", fmt::join(embedded, ", "));
  rule.text += fmt::format("  pre {}\n", print(*conjunction(std::move(kept))));
  rules.push_back(std::move(rule));
}

void RuleBuilder::add(const std::vector<const MoveClass*>& classes, std::size_t owner,
                      std::vector<BuiltRule>& rules) {
  Tuple tuple;
  tuple.classes = classes;
  tuple.owner = owner;
  for (const MoveClass* each : classes) {
    collect_variables(each->head, tuple.fixed);
    if (each->bodies.empty()) return;
    for (const GdlLiteral& literal : each->bodies.front()) {
      const bool in_all =
          std::all_of(each->bodies.begin(), each->bodies.end(), [&](const GdlBody& body) {
            return std::find(body.begin(), body.end(), literal) != body.end();
          });
      std::set<std::string> variables;
      collect_variables(literal.term, variables);
      const bool is_closed =
          std::all_of(variables.begin(), variables.end(),
                      [&](const std::string& name) { return tuple.fixed.count(name) > 0; });
      if (in_all && is_closed) tuple.known.push_back(literal);
    }
  }
  const GdlTerm& head = classes[owner]->head;
  for (const auto& move : game_.moves) {
    const GdlTerm term = from_gdl(move.term, game_.rulesheet->symbols);
    Substitution values;
    if (move.role != owner || !unify(head, term, values)) continue;
    for (const auto& [name, value] : values) tuple.domains[name].insert(print(value));
  }
  find_slots(tuple);
  std::vector<std::vector<Change>> choices = {{}};
  for (const Slot& slot : tuple.slots) {
    std::vector<std::vector<Change>> longer;
    const std::vector<Change> options = changes_of(slot, tuple);
    for (const std::vector<Change>& chosen : choices) {
      for (const Change& option : options) {
        longer.push_back(chosen);
        longer.back().push_back(option);
      }
      if (longer.size() > max_choices) {
        throw NotTranslatable{fmt::format("the move {} has more than {} different effects",
                                          print(classes[owner]->head), max_choices)};
      }
    }
    choices = std::move(longer);
  }
  for (const std::vector<Change>& chosen : choices) add_rule(tuple, chosen, rules);
}

}  // namespace zermelo::translate::toss
