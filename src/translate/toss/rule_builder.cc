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
