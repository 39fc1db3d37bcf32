#include "translate/gddl/conditions.h"

#include <algorithm>
#include <charconv>

#include "translate/gddl/actions.h"
#include "translate/sas/task.h"

namespace zermelo::translate::gddl {

namespace {

using gdl::Term;
using ground::Atom;
using ground::BodyLiteral;
using ground::PredicateId;
using ground::Rule;
namespace keyword = gdl::keyword;
using Texts = std::vector<std::string>;

constexpr std::size_t max_written = 64u << 20;

std::string negated(const std::string& text) { return "(not " + text + ")"; }

std::optional<int> goal_value(const Term& term, const gdl::SymbolTable& symbols) {
  if (term.kind != Term::Kind::constant) return std::nullopt;
  const std::string& text = symbols.name(term.name);
  int value = -1;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
  return is_number && value >= 0 && value <= 100 ? std::optional(value) : std::nullopt;
}

bool compares(const BodyLiteral& literal) {
  return literal.kind == BodyLiteral::Kind::distinct || literal.kind == BodyLiteral::Kind::equal;
}

}  // namespace

std::string connected(const std::string& word, const Texts& parts) {
  if (parts.size() == 1) return parts[0];
  std::string text = "(" + word;
  for (const std::string& part : parts) text += " " + part;
  return text + ")";
}

void RuleConditions::use(PredicateId predicate) {
  if (used_.insert(predicate).second) open_.push_back(predicate);
}

std::string RuleConditions::argument(const Term& term, TypeId type, RuleText& text) {
  if (term.kind != Term::Kind::variable) return names_.object(type, term);
  return text.variables
      .try_emplace(ground::variable_of(term), "?v" + std::to_string(text.variables.size()))
      .first->second;
}

std::string RuleConditions::literal(const BodyLiteral& literal, const Rule& rule, RuleText& text) {
  if (compares(literal)) {
    const auto types = names_.types_of_variables(rule);
    TypeId type = 0;
    for (const Term& term : literal.arguments) {
      const auto known = types.find(ground::variable_of(term));
      if (term.kind == Term::Kind::variable && known != types.end()) type = known->second;
    }
    const std::string equal = "(= " + argument(literal.arguments[0], type, text) + " " +
                              argument(literal.arguments[1], type, text) + ")";
    return literal.kind == BodyLiteral::Kind::distinct ? negated(equal) : equal;
  }
  use(literal.predicate);
  std::string atom = "(" + names_.predicate_name(literal.predicate);
  for (std::size_t i = 0; i < literal.arguments.size(); ++i)
    atom += " " + argument(literal.arguments[i], names_.place(literal.predicate, i), text);
  atom += ")";
  return literal.kind == BodyLiteral::Kind::negative ? negated(atom) : atom;
}

// The conditions, with the variables that the head does not have quantified.
std::string RuleConditions::body(const Rule& rule, RuleText& text) {
  for (const BodyLiteral& condition : rule.body)
    text.conditions.push_back(literal(condition, rule, text));
  const auto types = names_.types_of_variables(rule);
  std::string free;
  for (const auto& [variable, name] : text.variables) {
    if (text.bound.contains(variable)) continue;
    free += (free.empty() ? "" : " ") + name + " - " + names_.type_name(types.at(variable));
  }
  const std::string all = connected("and", text.conditions);
  return free.empty() ? all : "(exists (" + free + ") " + all + ")";
}

std::string RuleConditions::terminal() {
  Texts ways;
  for (const Rule& rule : rules_.program.rules) {
    if (rules_.program.predicates[rule.head].keyword != keyword::terminal) continue;
    RuleText text;
    ways.push_back(body(rule, text));
  }
  return connected("or", ways);
}

std::string RuleConditions::gains() {
  std::string text;
  for (const Rule& rule : rules_.program.rules) {
    if (rules_.program.predicates[rule.head].keyword == keyword::goal) add_gains(rule, text);
  }
  return text;
}

// If the value is a variable, one gain for each number that it can be.
void RuleConditions::add_gains(const Rule& rule, std::string& out) {
  const ground::Predicate& predicate = rules_.program.predicates[rule.head];
  const auto& symbols = rules_.program.rulesheet->symbols;
  const Term value = instantiate(predicate.shape[1], rule.arguments);
  if (value.kind != Term::Kind::variable) {
    if (const auto number = goal_value(value, symbols)) add_gain(rule, *number, out);
    return;
  }
  const TypeId type = names_.types_of_variables(rule).at(ground::variable_of(value));
  for (const Term& term : std::vector<Term>(names_.terms(type))) {
    const auto number = goal_value(term, symbols);
    if (!number) continue;
    Rule instance = rule;
    ground::substitute(instance, ground::variable_of(value), term);
    add_gain(instance, *number, out);
  }
}

void RuleConditions::add_gain(const Rule& rule, int value, std::string& out) {
  const ground::Predicate& predicate = rules_.program.predicates[rule.head];
  const Term role = instantiate(predicate.shape[0], rule.arguments);
  RuleText text;
  if (role.kind == Term::Kind::variable) {
    text.variables[ground::variable_of(role)] = "?player";
    text.bound.insert(ground::variable_of(role));
  } else {
    text.conditions.push_back("(= ?player " + names_.object(names_.role_type(), role) + ")");
  }
  out += " (:gain ?player - role " + std::to_string(value) + "\n  " + body(rule, text) + ")\n";
}

// A head's constants and repeated variables become variables of their own, equal to them.
std::string RuleConditions::derived(const Rule& rule) {
  RuleText text;
  std::string head = names_.predicate_name(rule.head);
  std::set<std::string> in_head;
  for (std::size_t i = 0; i < rule.arguments.size(); ++i) {
    const Term& term = rule.arguments[i];
    const TypeId type = names_.place(rule.head, i);
    std::string word = argument(term, type, text);
    if (term.kind == Term::Kind::variable) text.bound.insert(ground::variable_of(term));
    if (term.kind != Term::Kind::variable || !in_head.insert(word).second) {
      const std::string fresh = "?h" + std::to_string(i);
      text.conditions.push_back("(= " + fresh + " " + word + ")");
      word = fresh;
    }
    head += " " + word + " - " + names_.type_name(type);
  }
  return "  (:derived (" + head + ")\n   " + body(rule, text) + ")\n";
}

std::string RuleConditions::derived() {
  std::string text;
  while (!open_.empty()) {
    const PredicateId predicate = open_.front();
    open_.erase(open_.begin());
    for (const Rule& rule : rules_.program.rules) {
      const bool is_fluent =
          rules_.program.predicates[predicate].keyword == keyword::true_;  // given by the state
      if (rule.head == predicate && !is_fluent) text += derived(rule);
    }
  }
  return text;
}

std::string RuleConditions::predicates() {
  std::string text;
  for (const PredicateId predicate : used_) {
    if (rules_.program.predicates[predicate].keyword == keyword::true_) continue;
    text += "\n  (" + names_.predicate_name(predicate);
    for (std::uint32_t i = 0; i < rules_.program.predicates[predicate].arity; ++i)
      text += " ?v" + std::to_string(i) + " - " + names_.type_name(names_.place(predicate, i));
    text += ")";
  }
  return text;
}

std::vector<std::string> RuleConditions::facts() {
  Texts result;
  for (const pddl::FlatRules::Fact& fact : rules_.facts) {
    if (!used_.contains(fact.predicate)) continue;
    std::string text = "(" + names_.predicate_name(fact.predicate);
    for (std::size_t i = 0; i < fact.arguments.size(); ++i)
      text += " " + names_.object(names_.place(fact.predicate, i), fact.arguments[i]);
    result.push_back(text + ")");
  }
  return result;
}

template <class Make>
std::string GroundConditions::remember(std::map<std::uint32_t, std::optional<std::string>>& known,
                                       std::uint32_t key, Make make) {
  const auto [place, is_new] = known.try_emplace(key);
  if (!is_new && !place->second) problem_ = "depend on themselves";
  if (problem_) return "(or)";
  if (is_new) {
    place->second = make();
    written_ += place->second->size();
    if (written_ > max_written) problem_ = "would be too long";
  }
  return *place->second;
}

std::string GroundConditions::of(Atom atom) {
  if (atom == ground::no_atom) return "(or)";
  if (atom < game_.fluents.size()) return atom_text(names_.fluent(atom), names_);
  return remember(atoms_, atom, [&] {
    Texts ways;
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      Texts parts;
      for (const ground::Literal literal : game_.body(rule)) {
        const std::string text = of(literal.atom());
        parts.push_back(literal.negated() ? negated(text) : text);
      }
      ways.push_back(connected("and", parts));
    }
    return connected("or", ways);
  });
}

std::string GroundConditions::of_fluent(const sas::Encoding& encoding, const sas::Condition& c) {
  const auto& fluents = encoding.fluents[c.variable];
  if (c.value < fluents.size())
    return c.equal ? of(fluents[c.value]) : negated(of(fluents[c.value]));
  Texts all;
  for (const Atom fluent : fluents) all.push_back(of(fluent));
  const std::string any = connected("or", all);
  return c.equal ? negated(any) : any;
}

std::string GroundConditions::of_axiom(const sas::AxiomTable& axioms, const sas::Encoding& encoding,
                                       std::uint32_t variable) {
  return remember(axioms_, variable, [&] {
    Texts ways;
    for (const sas::Cube& cube : axioms.definition(variable - axioms.first())) {
      Texts parts;
      for (const sas::Condition& c : cube) {
        if (c.variable < encoding.variables()) {
          parts.push_back(of_fluent(encoding, c));
          continue;
        }
        const std::string text = of_axiom(axioms, encoding, c.variable);
        parts.push_back(c.equal == (c.value == sas::derived_true) ? text : negated(text));
      }
      ways.push_back(connected("and", parts));
    }
    return connected("or", ways);
  });
}

}  // namespace zermelo::translate::gddl
