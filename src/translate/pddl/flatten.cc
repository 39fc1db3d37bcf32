// Function terms are taken out of the rules in three ways.
//
// 1. Grounding's own passes split a predicate by the functions that can stand at an argument:
//    true(cell(X, Y)) becomes a predicate of two columns, p(f(X)) a predicate p-f. A variable that
//    stands for a whole fluent or move is replaced by each function it can be, a copy of the rule
//    each. This covers all that the paper's section 3.4 excludes, except the third case.
// 2. A fluent or move that is a constant would end up as a value of a column shared by all such
//    constants. To get a predicate and an action of its own, it is wrapped as a function of a dummy
//    argument before the split; the wrapping and the dummy's column are removed after it. So are
//    the values of goals where rules ask for goals.
// 3. Functions that can contain themselves cannot be split. The terms that can occur become
// objects,
//    a static predicate says which object is made of which others, and a rule that mentions f(X)
//    gets a variable T for it and the condition term-f(T, X). Which terms can occur is found by
//    grounding the rules.
//
// Predicates that depend on neither state nor moves, init among them, are evaluated: their atoms
// are facts of the initial state. Where there would be very many, only init and what it depends on
// are evaluated, and the others stay rules.
#include "translate/pddl/flatten.h"

#include <algorithm>
#include <set>

#include "gdl/require_no_functions.h"
#include "ground/passes.h"

namespace zermelo::translate::pddl {

namespace {

using gdl::Symbol;
using gdl::Term;
using ground::BodyLiteral;
using ground::PredicateId;
using ground::Program;
using ground::Rule;
namespace keyword = gdl::keyword;

constexpr std::size_t max_facts = 200'000;  // above, predicates stay rules where they can
constexpr std::uint32_t wrapping = std::uint32_t{1} << 31;  // added to the symbol of a constant

bool is_wrapping(const Term& term) {
  return term.kind == Term::Kind::function &&
         (static_cast<std::uint32_t>(term.name) & wrapping) != 0;
}

// The argument of a keyword that holds a fluent or a move.
const Term* named_thing(const Program& program, PredicateId predicate,
                        const std::vector<Term>& arguments) {
  const Symbol word = program.predicates[predicate].keyword;
  if (word == keyword::true_ || word == keyword::next || word == keyword::init)
    return &arguments[0];
  return word == keyword::legal || word == keyword::does ? &arguments[1] : nullptr;
}

std::set<Symbol> constant_fluents_and_moves(const Program& program) {
  std::set<Symbol> names;
  const auto look = [&](PredicateId predicate, const std::vector<Term>& arguments) {
    const Term* thing = named_thing(program, predicate, arguments);
    if (thing && thing->kind == Term::Kind::constant) names.insert(thing->name);
  };
  std::set<Symbol> roles;  // stay whole: an action names the role it belongs to
  for (const Rule& rule : program.rules) {
    if (program.predicates[rule.head].keyword == keyword::role)
      roles.insert(rule.arguments[0].name);
    look(rule.head, rule.arguments);
    for (const BodyLiteral& literal : rule.body) {
      if (literal.kind == BodyLiteral::Kind::positive ||
          literal.kind == BodyLiteral::Kind::negative) {
        look(literal.predicate, literal.arguments);
      }
    }
  }
  std::erase_if(names, [&](Symbol name) { return roles.contains(name); });
  return names;
}

template <class Change>
void change_terms(Rule& rule, Change change) {
  for (Term& argument : rule.arguments) change(argument);
  for (BodyLiteral& literal : rule.body) {
    for (Term& argument : literal.arguments) change(argument);
  }
}

void wrap(Term& term, const std::set<Symbol>& names) {
  for (Term& argument : term.arguments) wrap(argument, names);
  if (term.kind != Term::Kind::constant || !names.contains(term.name)) return;
  const Term dummy{Term::Kind::constant, keyword::implied_by, {}, {}};
  const Symbol name{static_cast<std::uint32_t>(term.name) | wrapping};
  term = Term{Term::Kind::function, name, {dummy}, {}};
}

template <class Visit>
void visit_goals(Program& program, Visit visit) {
  for (Rule& rule : program.rules) {
    const auto look = [&](PredicateId predicate, std::vector<Term>& arguments, bool in_body) {
      if (program.predicates[predicate].keyword == keyword::goal) visit(arguments[1], in_body);
    };
    look(rule.head, rule.arguments, false);
    for (BodyLiteral& literal : rule.body) {
      if (literal.kind == BodyLiteral::Kind::positive ||
          literal.kind == BodyLiteral::Kind::negative) {
        look(literal.predicate, literal.arguments, true);
      }
    }
  }
}

// goal(p, 0) if not goal(p, 100) is stratified by values only: each becomes a predicate.
void wrap_goals(Program& program) {
  bool is_read = false, are_constants = true;
  visit_goals(program, [&](const Term& value, bool in_body) {
    is_read = is_read || in_body;
    are_constants = are_constants && value.kind == Term::Kind::constant;
  });
  if (!is_read || !are_constants) return;
  visit_goals(program, [&](Term& value, bool) { wrap(value, {value.name}); });
}

void unwrap(Term& term) {
  if (is_wrapping(term)) {
    const Symbol name{static_cast<std::uint32_t>(term.name) & ~wrapping};
    term = Term{Term::Kind::constant, name, {}, {}};
  }
  for (Term& argument : term.arguments) unwrap(argument);
}

// Removes the columns of dummies.
class Unwrapping {
 public:
  explicit Unwrapping(Program& program) : program_(program) {
    for (ground::Predicate& predicate : program.predicates) unwrap_predicate(predicate);
  }

  void run() {
    for (Rule& rule : program_.rules) unwrap_rule(rule);
    std::erase_if(program_.rules, [](Rule& rule) { return !ground::simplify(rule); });
  }

 private:
  void unwrap_predicate(ground::Predicate& predicate) {
    std::vector<bool> dropped(predicate.arity, false);
    for (const Term& term : predicate.shape) mark(term, dropped);
    for (Term& term : predicate.shape) unwrap(term);
    std::uint32_t columns = 0;
    for (Term& term : predicate.shape) renumber(term, columns);
    predicate.arity = columns;
    dropped_.push_back(std::move(dropped));
  }

  static void mark(const Term& term, std::vector<bool>& dropped) {
    for (const Term& argument : term.arguments) mark(argument, dropped);
    if (is_wrapping(term)) dropped[ground::variable_of(term.arguments[0])] = true;
  }

  // A shape's columns are numbered from left to right.
  static void renumber(Term& term, std::uint32_t& columns) {
    if (term.kind == Term::Kind::variable) term = ground::make_variable(columns++);
    for (Term& argument : term.arguments) renumber(argument, columns);
  }

  void unwrap_rule(Rule& rule) const {
    drop_columns(rule.head, rule.arguments);
    for (BodyLiteral& literal : rule.body) {
      if (literal.kind == BodyLiteral::Kind::positive ||
          literal.kind == BodyLiteral::Kind::negative) {
        drop_columns(literal.predicate, literal.arguments);
      }
    }
    change_terms(rule, unwrap);
  }

  void drop_columns(PredicateId predicate, std::vector<Term>& arguments) const {
    std::size_t column = 0;
    std::erase_if(arguments, [&](const Term&) { return dropped_[predicate][column++]; });
  }

  Program& program_;
  std::vector<std::vector<bool>> dropped_;  // by predicate, by column
};

// distinct(f(X, Y), f(U, V)) becomes distinct(X, U) in one copy of the rule and distinct(Y, V) in
// another.
void split_distinct(Rule rule, std::vector<Rule>& into) {
  const auto pair = std::find_if(rule.body.begin(), rule.body.end(), [](const BodyLiteral& l) {
    return l.kind == BodyLiteral::Kind::distinct && l.arguments[0].kind == Term::Kind::function &&
           l.arguments[1].kind == Term::Kind::function;
  });
  if (pair == rule.body.end()) {
    into.push_back(std::move(rule));
    return;
  }
  const std::vector<Term> sides = pair->arguments;
  for (std::size_t i = 0; i < sides[0].arguments.size(); ++i) {
    pair->arguments = {sides[0].arguments[i], sides[1].arguments[i]};
    Rule copy = rule;
    if (ground::simplify(copy)) split_distinct(std::move(copy), into);
  }
}

void split_distincts(Program& program) {
  std::vector<Rule> rules;
  for (Rule& rule : program.rules) split_distinct(std::move(rule), rules);
  program.rules = std::move(rules);
}

bool is_open_function(const Term& term) {
  return term.kind == Term::Kind::function && !ground::is_ground(term);
}

bool has_open_functions(const Program& program) {
  return std::any_of(program.rules.begin(), program.rules.end(), [](const Rule& rule) {
    return std::any_of(rule.arguments.begin(), rule.arguments.end(), is_open_function) ||
           std::any_of(rule.body.begin(), rule.body.end(), [](const BodyLiteral& literal) {
             return std::any_of(literal.arguments.begin(), literal.arguments.end(),
                                is_open_function);
           });
  });
}

// Replaces terms f(X) in rules by variables.
class TermNaming {
 public:
  TermNaming(FlatRules& flat, const ground::TermTable& terms) : flat_(flat), terms_(terms) {}

  void run() {
    for (Rule& rule : flat_.program.rules) {
      std::vector<BodyLiteral> conditions;
      change_terms(rule, [&](Term& term) { name(term, conditions); });
      rule.body.insert(rule.body.end(), conditions.begin(), conditions.end());
    }
    for (ground::TermId id = 0; id < terms_.size(); ++id) add_fact(id);
  }

 private:
  using Functor = std::pair<Symbol, std::size_t>;

  PredicateId maker_of(const Functor& functor) {
    const auto [place, is_new] = makers_.try_emplace(functor, 0);
    if (is_new) {
      place->second = flat_.program.add_auxiliary(ground::Kind::derived,
                                                  static_cast<std::uint32_t>(functor.second + 1));
      flat_.term_makers[place->second] = functor.first;
    }
    return place->second;
  }

  void name(Term& term, std::vector<BodyLiteral>& conditions) {
    if (!is_open_function(term)) return;
    for (Term& argument : term.arguments) name(argument, conditions);
    const Term variable = flat_.program.fresh_variable();
    BodyLiteral made{
        BodyLiteral::Kind::positive, maker_of({term.name, term.arguments.size()}), {variable}};
    made.arguments.insert(made.arguments.end(), term.arguments.begin(), term.arguments.end());
    conditions.push_back(std::move(made));
    term = variable;
  }

  void add_fact(ground::TermId id) {
    const auto maker = makers_.find({terms_.name(id), terms_.arguments(id).size()});
    if (terms_.arguments(id).empty() || maker == makers_.end()) return;
    FlatRules::Fact fact{maker->second, {terms_.term(id)}};
    for (const ground::TermId argument : terms_.arguments(id))
      fact.arguments.push_back(terms_.term(argument));
    flat_.facts.push_back(std::move(fact));
  }

  FlatRules& flat_;
  const ground::TermTable& terms_;
  std::map<Functor, PredicateId> makers_;
};

void collect_facts(const ground::Instantiation& instantiation, FlatRules& flat) {
  for (PredicateId p = 0; p < instantiation.relations.size(); ++p) {
    const ground::Relation& relation = instantiation.relations[p];
    for (ground::RowId row = 0; row < relation.size(); ++row) {
      FlatRules::Fact fact{p, {}};
      for (std::uint32_t c = 0; c < relation.arity(); ++c)
        fact.arguments.push_back(instantiation.terms.term(relation.row(row)[c]));
      flat.facts.push_back(std::move(fact));
    }
  }
}

// Rules that only relate the words of the language are not part of the game.
void drop_links(Program& program) {
  std::erase_if(program.rules, [](const Rule& rule) { return !rule.emits; });
}

// What rules without bodies define, and what init and the roles depend on.
std::vector<bool> needed_as_facts(const Program& program) {
  std::vector<bool> result(program.predicates.size(), true);
  for (const Rule& rule : program.rules) {
    const Symbol word = program.predicates[rule.head].keyword;
    if (!rule.body.empty() && word != keyword::init && word != keyword::role)
      result[rule.head] = false;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : program.rules) {
      if (!result[rule.head]) continue;
      for (const BodyLiteral& literal : rule.body) {
        changed |= literal.kind != BodyLiteral::Kind::distinct && !result[literal.predicate];
        if (literal.kind != BodyLiteral::Kind::distinct) result[literal.predicate] = true;
      }
    }
  }
  return result;
}

std::size_t rows_of(const ground::Instantiation& instantiation) {
  std::size_t rows = 0;
  for (const ground::Relation& relation : instantiation.relations) rows += relation.size();
  return rows;
}

// Evaluates what must be facts and leaves the other rules.
base::Result<void> evaluate_few(Program& program, ground::Instantiation& instantiation) {
  const std::vector<bool> needed = needed_as_facts(program);
  std::vector<Rule> others;
  std::copy_if(program.rules.begin(), program.rules.end(), std::back_inserter(others),
               [&](const Rule& rule) { return !needed[rule.head]; });
  std::erase_if(program.rules, [&](const Rule& rule) { return !needed[rule.head]; });
  auto done = ground::evaluate_statics(program, instantiation);
  program.rules.insert(program.rules.end(), others.begin(), others.end());
  return done;
}

using InstantiationPointer = std::unique_ptr<ground::Instantiation>;

// Evaluates what depends on neither state nor moves, or less if that would be too much.
base::Result<void> evaluate(Program& program, InstantiationPointer& instantiation,
                            const base::Limits& limits) {
  struct Watch {
    const ground::Instantiation* rows = nullptr;  // counted while this is set
    bool too_many = false;
  };
  const std::vector<Rule> all = program.rules;
  const auto watch = std::make_shared<Watch>();
  base::Limits bounded = limits;
  bounded.end_when([watch, limits] {
    watch->too_many = watch->rows && rows_of(*watch->rows) > max_facts;
    return watch->too_many || limits.exceeded();
  });
  instantiation = std::make_unique<ground::Instantiation>(bounded);
  watch->rows = instantiation.get();
  auto done = ground::evaluate_statics(program, *instantiation);
  watch->rows = nullptr;
  if (done || !watch->too_many) return done;
  program.rules = all;
  instantiation = std::make_unique<ground::Instantiation>(limits);
  return evaluate_few(program, *instantiation);
}

base::Result<void> split(Program& program, const base::Limits& limits) {
  ground::Instantiation instantiation(limits);
  const std::set<Symbol> names = constant_fluents_and_moves(program);
  for (Rule& rule : program.rules) change_terms(rule, [&](Term& term) { wrap(term, names); });
  wrap_goals(program);
  if (auto done = ground::eliminate_equalities(program, instantiation); !done) return done;
  if (auto done = ground::split_functions(program, instantiation); !done) return done;
  Unwrapping(program).run();
  split_distincts(program);
  return {};
}

}  // namespace

base::Result<FlatRules> flatten(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                const base::Limits& limits) {
  if (auto plain = gdl::require_no_functions(*rulesheet, "lifted PDDL"); !plain) {
    return tl::unexpected(plain.error());
  }
  base::Result<Program> program = ground::split_disjunctions(std::move(rulesheet), limits);
  if (!program) return tl::unexpected(program.error());
  FlatRules flat{std::move(*program), {}, {}};
  if (auto done = split(flat.program, limits); !done) return tl::unexpected(done.error());
  InstantiationPointer instantiation;
  if (auto done = evaluate(flat.program, instantiation, limits); !done)
    return tl::unexpected(done.error());
  collect_facts(*instantiation, flat);
  if (has_open_functions(flat.program)) {
    auto done = instantiation->run(flat.program, flat.program.rules, false);
    if (!done) return tl::unexpected(done.error());
    TermNaming(flat, instantiation->terms).run();
  }
  drop_links(flat.program);
  return flat;
}

}  // namespace zermelo::translate::pddl
