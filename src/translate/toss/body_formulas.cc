#include "translate/toss/body_formulas.h"

#include <fmt/format.h>

#include <algorithm>

#include "toss/printer.h"

namespace zermelo::translate::toss {
namespace {

using zermelo::toss::atom;
using zermelo::toss::conjunction;
using zermelo::toss::disjunction;
using zermelo::toss::exists;
using zermelo::toss::negation;
using zermelo::toss::truth;
using Kind = GdlLiteral::Kind;

constexpr std::size_t max_conjunctions = 20'000;

void require_flat(const GdlTerm& term) {
  for (const GdlTerm& argument : term.arguments) {
    if (argument.is_variable || is_ground(argument)) continue;
    throw NotTranslatable{fmt::format(
        "a variable stands inside a function term, in {}, and no element carries it", print(term))};
  }
}

// Whether every variable occurs in a positive atom.
bool binds_all(const GdlBody& group) {
  std::set<std::string> names, bound;
  collect_variables(group, names);
  for (const GdlLiteral& literal : group) {
    if (literal.kind == Kind::atom && !literal.negated) collect_variables(literal.term, bound);
  }
  return names == bound;
}

std::string relation_name(const std::string& text, std::size_t number) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
    if (c == '_' || c == '-') name += '_';
  }
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0]))) name = "P" + name;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return fmt::format("D{}_{}", number, name);
}

}  // namespace

// A conjunction while it is built.
struct BodyFormulas::Conjunction {
  CarrierScope scope;
  std::vector<std::string> bound;
  std::vector<Conditions> conditions;
  std::vector<FormulaPtr> parts;
  bool is_false = false;

  // The conditions on exactly these elements.
  StableRelation& on(const std::vector<std::string>& elements) {
    for (Conditions& known : conditions) {
      if (known.elements == elements) return known.relation;
    }
    Conditions& added = conditions.emplace_back();
    added.elements = elements;
    for (const std::string& element : elements) {
      added.relation.masks.push_back(scope.elements.at(element).mask);
    }
    return added.relation;
  }

  void equate(const Carrier& a, const Carrier& b, bool negated = false) {
    if (a.element == b.element && a.position == b.position) {
      is_false = is_false || negated;
      return;
    }
    const auto [first, second] = std::pair(a.element, a.position) < std::pair(b.element, b.position)
                                     ? std::pair(a, b)
                                     : std::pair(b, a);
    const bool same = first.element == second.element;
    std::vector<std::string> elements = {first.element};
    if (!same) elements.push_back(second.element);
    if (negated) {
      Conjunction apart;
      apart.scope = scope;
      apart.equate(a, b);
      negated_conditions.push_back(apart.conditions.front());
      return;
    }
    on(elements).equal.insert({{0, first.position}, {same ? 0u : 1u, second.position}});
  }

  void fix(const Carrier& carrier, const std::string& value, bool negated = false) {
    if (!negated) {
      on({carrier.element}).constants.insert({{0, carrier.position}, value});
      return;
    }
    Conjunction apart;
    apart.scope = scope;
    apart.fix(carrier, value);
    negated_conditions.push_back(apart.conditions.front());
  }

  std::vector<Conditions> negated_conditions;
};

std::string BodyFormulas::CallPattern::text(const std::string& predicate) const {
  std::string result = predicate + "|" + fmt::format("{}", fmt::join(masks, ","));
  for (const Argument& argument : arguments) {
    result += argument.is_constant
                  ? "|" + argument.constant
                  : fmt::format("|@{}.{}", argument.place.column, argument.place.position);
  }
  return result;
}

BodyFormulas::BodyFormulas(const GdlClauses& rules, ElementStructure& structure)
    : rules_(rules), structure_(structure) {}

bool BodyFormulas::is_static(const std::string& predicate) const {
  return !rules_.depends_on_state(predicate);
}

BodyFormulas::FormulaPtr BodyFormulas::atoms(const std::vector<Conditions>& conditions) {
  std::vector<FormulaPtr> parts;
  for (const Conditions& each : conditions) {
    parts.push_back(atom(structure_.stable(each.relation), each.elements));
  }
  return conjunction(std::move(parts));
}

// Replaces a variable at a content position by each of its values.
BodyFormulas::FormulaPtr BodyFormulas::split_contents(const GdlBody& literals,
                                                      const CarrierScope& scope, bool& is_split) {
  for (const GdlLiteral& literal : literals) {
    if (literal.kind != Kind::truth || literal.negated || literal.term.is_variable) continue;
    const auto mask = structure_.mask_of(literal.term);
    if (!mask) continue;
    const std::vector<std::size_t>& contents = structure_.masks()[*mask].contents;
    for (std::size_t i = 0; i < contents.size(); ++i) {
      const GdlTerm& content = literal.term.arguments[contents[i]];
      if (!content.is_variable) continue;
      std::set<std::string> values;
      for (const Values& value : structure_.masks()[*mask].content_values) values.insert(value[i]);
      std::vector<FormulaPtr> parts;
      for (const std::string& value : values) {
        GdlBody chosen;
        for (const GdlLiteral& each : literals) {
          chosen.push_back(substitute(each, {{content.name, gdl_constant(value)}}));
        }
        if (scope.carriers.count(content.name) > 0) {
          chosen.push_back(
              {Kind::distinct, true, {"distinct", false, {content, gdl_constant(value)}}});
        }
        const FormulaPtr part = body(std::move(chosen), scope);
        if (!is_truth(*part, false)) parts.push_back(part);
      }
      is_split = true;
      return disjunction(std::move(parts));
    }
  }
  return nullptr;
}

BodyFormulas::FormulaPtr BodyFormulas::body(GdlBody literals, const CarrierScope& scope) {
  if (++size_ > max_conjunctions) {
    throw NotTranslatable{"the formulas become too large when contents of elements are inserted"};
  }
  // An equation whose side is a free variable replaces it.
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (literals[i].kind != Kind::distinct || !literals[i].negated) continue;
    const GdlTerm a = literals[i].term.arguments[0], b = literals[i].term.arguments[1];
    const auto is_free = [&](const GdlTerm& term) {
      return term.is_variable && scope.carriers.count(term.name) == 0;
    };
    if (!is_free(a) && !is_free(b)) continue;
    literals.erase(literals.begin() + static_cast<std::ptrdiff_t>(i));
    const Substitution solved = is_free(a) ? Substitution{{a.name, b}} : Substitution{{b.name, a}};
    if (!(a == b)) {
      for (GdlLiteral& literal : literals) literal = substitute(literal, solved);
    }
    return body(std::move(literals), scope);
  }
  bool is_split = false;
  const FormulaPtr split = split_contents(literals, scope, is_split);
  if (is_split) return split;
  Conjunction all;
  all.scope = scope;
  GdlBody statics, calls, negatives;
  for (const GdlLiteral& literal : literals) {
    const bool is_fact = literal.kind == Kind::distinct ||
                         (literal.kind == Kind::atom && is_static(literal.term.name));
    if (literal.kind == Kind::does) throw NotTranslatable{"a condition depends on moves"};
    if (literal.kind == Kind::truth && literal.term.is_variable) {
      throw NotTranslatable{"a variable stands for a whole state term"};
    }
    if (literal.kind == Kind::truth && !literal.negated) {
      add_true(literal, all);
    } else if (is_fact) {
      statics.push_back(literal);
    } else if (literal.negated) {
      negatives.push_back(literal);
    } else {
      calls.push_back(literal);
    }
  }
  std::set<std::string> needed;
  collect_variables(calls, needed);
  collect_variables(negatives, needed);
  for (const std::string& variable : needed) {
    if (all.scope.carriers.count(variable) == 0) carry_by_value(variable, all);
  }
  add_static(statics, all);
  if (all.is_false) return truth(false);
  for (const GdlLiteral& literal : calls) add_call(literal, all);
  for (const GdlLiteral& literal : negatives) {
    if (literal.kind == Kind::atom) {
      add_call(literal, all);
      continue;
    }
    if (!structure_.mask_of(literal.term)) continue;
    GdlLiteral positive = literal;
    positive.negated = false;
    all.parts.push_back(negation(body({positive}, all.scope)));
  }
  if (all.is_false) return truth(false);
  std::vector<FormulaPtr> parts;
  for (const Conditions& each : all.conditions) parts.push_back(atoms({each}));
  for (const Conditions& each : all.negated_conditions) parts.push_back(negation(atoms({each})));
  for (const FormulaPtr& part : all.parts) {
    if (is_truth(*part, false)) return truth(false);
    if (is_truth(*part, true)) continue;
    const bool is_false =
        part->kind == zermelo::toss::Formula::Kind::negation && is_truth(*part->parts[0], true);
    if (is_false) return truth(false);
    const bool is_true =
        part->kind == zermelo::toss::Formula::Kind::negation && is_truth(*part->parts[0], false);
    if (!is_true) parts.push_back(part);
  }
  return exists(all.bound, conjunction(std::move(parts)));
}

// Whether the element has these keys; otherwise a new element is introduced.
void BodyFormulas::add_true(const GdlLiteral& literal, Conjunction& all) {
  const auto mask_index = structure_.mask_of(literal.term);
  if (!mask_index) {
    all.is_false = true;
    return;
  }
  require_flat(literal.term);
  const Mask& mask = structure_.masks()[*mask_index];
  Values content;
  for (const std::size_t position : mask.contents) {
    content.push_back(print(literal.term.arguments[position]));
  }
  const std::string fluent = structure_.fluent(*mask_index, content);
  if (fluent.empty()) {
    all.is_false = true;
    return;
  }
  std::vector<GdlTerm> keys;
  for (const std::size_t position : mask.keys) keys.push_back(literal.term.arguments[position]);
  for (const auto& [element, bound] : all.scope.elements) {
    if (bound.mask == *mask_index && bound.keys == keys) {
      all.parts.push_back(atom(fluent, {element}));
      return;
    }
  }
  const std::string element = fresh_element();
  all.bound.push_back(element);
  all.scope.elements[element] = {*mask_index, keys};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Carrier here{element, mask.keys[i]};
    if (!keys[i].is_variable) {
      all.fix(here, print(keys[i]));
    } else if (!all.scope.carriers.emplace(keys[i].name, here).second) {
      all.equate(here, all.scope.carriers.at(keys[i].name));
    }
  }
  all.parts.push_back(atom(fluent, {element}));
}

void BodyFormulas::carry_by_value(const std::string& variable, Conjunction& all) {
  const std::string element = fresh_element();
  all.bound.push_back(element);
  all.scope.elements[element] = {structure_.value_mask(), {gdl_variable(variable)}};
  all.scope.carriers[variable] = {element, 0};
  all.on({element});
}

// Static literals that share variables without a carrier are one condition.
void BodyFormulas::add_static(const GdlBody& literals, Conjunction& all) {
  const auto free_variables = [&](const GdlLiteral& literal) {
    std::set<std::string> names;
    collect_variables(literal.term, names);
    std::erase_if(names,
                  [&](const std::string& name) { return all.scope.carriers.count(name) > 0; });
    return names;
  };
  std::vector<bool> used(literals.size());
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (used[i]) continue;
    used[i] = true;
    std::set<std::string> names = free_variables(literals[i]);
    if (names.empty()) {
      if (literals[i].kind == Kind::distinct) {
        add_comparison(literals[i], all);
      } else {
        GdlLiteral positive = literals[i];
        positive.negated = false;
        add_static_group({positive}, literals[i].negated, all);
      }
      continue;
    }
    GdlBody group = {literals[i]};
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t j = 0; j < literals.size(); ++j) {
        if (used[j]) continue;
        const std::set<std::string> others = free_variables(literals[j]);
        const bool shares = std::any_of(others.begin(), others.end(), [&](const std::string& name) {
          return names.count(name) > 0;
        });
        if (!shares) continue;
        used[j] = grown = true;
        names.insert(others.begin(), others.end());
        group.push_back(literals[j]);
      }
    }
    if (!binds_all(group)) {
      // Elements of the mask of values stand for the variables without a carrier.
      for (const std::string& name : names) carry_by_value(name, all);
      for (const GdlLiteral& literal : group) add_static({literal}, all);
      continue;
    }
    add_static_group(group, false, all);
  }
}

void BodyFormulas::add_comparison(const GdlLiteral& literal, Conjunction& all) {
  const GdlTerm& a = literal.term.arguments[0];
  const GdlTerm& b = literal.term.arguments[1];
  const bool differ = !literal.negated;
  if (!a.is_variable && !b.is_variable) {
    require_flat(literal.term);
    if ((print(a) != print(b)) != differ) all.is_false = true;
  } else if (a.is_variable && b.is_variable) {
    all.equate(all.scope.carriers.at(a.name), all.scope.carriers.at(b.name), differ);
  } else {
    require_flat(literal.term);
    const GdlTerm& variable = a.is_variable ? a : b;
    all.fix(all.scope.carriers.at(variable.name), print(a.is_variable ? b : a), differ);
  }
}

void BodyFormulas::add_static_group(const GdlBody& group, bool negated, Conjunction& all) {
  std::set<std::string> names;
  collect_variables(group, names);
  for (const GdlLiteral& literal : group) require_flat(literal.term);
  std::vector<std::string> elements, outputs;
  std::vector<std::pair<std::string, std::size_t>> places;  // element, position
  Substitution canonical;
  for (const std::string& name : names) {
    const auto carrier = all.scope.carriers.find(name);
    if (carrier == all.scope.carriers.end()) {
      canonical[name] = gdl_variable(fmt::format("i{}", canonical.size()));
      continue;
    }
    outputs.push_back(fmt::format("o{}", canonical.size()));
    canonical[name] = gdl_variable(outputs.back());
    places.emplace_back(carrier->second.element, carrier->second.position);
    if (std::find(elements.begin(), elements.end(), carrier->second.element) == elements.end()) {
      elements.push_back(carrier->second.element);
    }
  }
  StableRelation::Fact fact;
  for (const GdlLiteral& literal : group) {
    fact.body.push_back(substitute(literal, canonical));
    fact.text += print(fact.body.back());
  }
  fact.outputs = outputs;
  if (outputs.empty()) {
    const bool holds = structure_.holds(fact.body);
    all.is_false = all.is_false || holds == negated;
    return;
  }
  std::sort(elements.begin(), elements.end());
  for (const auto& [element, position] : places) {
    const auto column = std::find(elements.begin(), elements.end(), element) - elements.begin();
    fact.places.push_back({static_cast<std::size_t>(column), position});
  }
  if (!negated) {
    all.on(elements).facts.insert(std::move(fact));
    return;
  }
  Conjunction apart;
  apart.scope = all.scope;
  apart.on(elements).facts.insert(std::move(fact));
  all.negated_conditions.push_back(apart.conditions.front());
}

void BodyFormulas::add_call(const GdlLiteral& literal, Conjunction& all) {
  const FormulaPtr called = call(literal.term, all.scope);
  all.parts.push_back(literal.negated ? negation(called) : called);
}

BodyFormulas::FormulaPtr BodyFormulas::call(const GdlTerm& called, const CarrierScope& scope) {
  require_flat(called);
  CallPattern pattern;
  std::vector<std::string> elements;
  for (const GdlTerm& argument : called.arguments) {
    if (!argument.is_variable) {
      pattern.arguments.push_back({print(argument), {}, true});
      continue;
    }
    const Carrier& carrier = scope.carriers.at(argument.name);
    auto at = std::find(elements.begin(), elements.end(), carrier.element);
    const auto column = static_cast<std::size_t>(at - elements.begin());
    if (at == elements.end()) {
      elements.push_back(carrier.element);
      pattern.masks.push_back(scope.elements.at(carrier.element).mask);
    }
    pattern.arguments.push_back({"", {column, carrier.position}, false});
  }
  return atom(define(called.name, pattern), elements);
}

std::string BodyFormulas::define(const std::string& predicate, const CallPattern& pattern) {
  const std::string text = pattern.text(predicate);
  const auto known = defined_.find(text);
  if (known != defined_.end()) {
    const auto open = std::find(open_.begin(), open_.end(), text);
    if (open == open_.end()) return known->second;
    if (open + 1 != open_.end()) {
      throw NotTranslatable{
          fmt::format("{} is defined by recursion through other predicates", predicate)};
    }
    recursive_.insert(text);
    return "X" + known->second;
  }
  for (const std::string& open : open_) {
    if (open.substr(0, open.find('|')) == predicate) {
      throw NotTranslatable{fmt::format(
          "{} is defined by recursion in which its arguments are carried differently", predicate)};
    }
  }
  const std::string name = relation_name(predicate, defined_.size());
  defined_.emplace(text, name);
  open_.push_back(text);
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < pattern.masks.size(); ++i) parameters.push_back(fresh_element());
  std::vector<FormulaPtr> clauses;
  for (const GdlClause& clause : rules_.of(predicate)) {
    const FormulaPtr formula = clause_formula(clause, pattern, parameters);
    if (!is_truth(*formula, false)) clauses.push_back(formula);
  }
  open_.pop_back();
  const FormulaPtr formula = disjunction(std::move(clauses));
  const std::string list = fmt::format("{}", fmt::join(parameters, ", "));
  std::string right = print(*formula);
  if (recursive_.count(text) > 0) {
    right = fmt::format("lfp X{}({}) = ({})", name, list, right);
  }
  definitions_ += fmt::format("REL {}({}) = {}\n", name, list, right);
  return name;
}

BodyFormulas::FormulaPtr BodyFormulas::clause_formula(const GdlClause& clause,
                                                      const CallPattern& pattern,
                                                      const std::vector<std::string>& parameters) {
  const GdlClause renamed = renamed_apart(clause, 1'000'000 + clauses_++);
  if (renamed.head.arguments.size() != pattern.arguments.size()) return truth(false);
  require_flat(renamed.head);
  CarrierScope scope;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    scope.elements[parameters[i]] = {pattern.masks[i], {}};
  }
  Substitution constants;
  GdlBody body = renamed.body;
  for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
    const Argument& argument = pattern.arguments[i];
    const GdlTerm head = substitute(renamed.head.arguments[i], constants);
    if (argument.is_constant) {
      if (!head.is_variable) {
        if (print(head) != argument.constant) return truth(false);
      } else if (scope.carriers.count(head.name) > 0) {
        body.push_back(
            {Kind::distinct, true, {"distinct", false, {head, gdl_constant(argument.constant)}}});
      } else {
        constants[head.name] = gdl_constant(argument.constant);
      }
      continue;
    }
    const Carrier here{parameters[argument.place.column], argument.place.position};
    const std::string name = fmt::format("h{}_{}", clauses_, i);
    scope.carriers[name] = here;
    if (head.is_variable && scope.carriers.emplace(head.name, here).second) continue;
    body.push_back({Kind::distinct, true, {"distinct", false, {gdl_variable(name), head}}});
  }
  for (GdlLiteral& literal : body) literal = substitute(literal, constants);
  return this->body(std::move(body), scope);
}

BodyFormulas::FormulaPtr BodyFormulas::introduce(const std::string& element, std::size_t mask,
                                                 const std::vector<GdlTerm>& keys,
                                                 CarrierScope& scope) {
  Conjunction all;
  scope.elements[element] = {mask, keys};
  all.scope = scope;
  all.on({element});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Carrier here{element, structure_.masks()[mask].keys[i]};
    if (!keys[i].is_variable) {
      all.fix(here, print(keys[i]));
    } else if (!scope.carriers.emplace(keys[i].name, here).second) {
      all.equate(here, scope.carriers.at(keys[i].name));
    }
  }
  return atoms(all.conditions);
}

BodyFormulas::FormulaPtr BodyFormulas::sentence(const std::string& predicate) {
  if (rules_.of(predicate).empty()) return truth(false);
  return atom(define(predicate, {}), {});
}

BodyFormulas::FormulaPtr BodyFormulas::goal(const std::string& role, const std::string& value) {
  return atom(define("goal", {{}, {{role, {}, true}, {value, {}, true}}}), {});
}

}  // namespace zermelo::translate::toss
