// Splits arguments that are functions.
//
// true(cell(X, Y, P)) has one argument in GDL and three columns in a join. A flow analysis finds
// which functions can occur at every argument of every predicate and function. Constants, and
// functions that can occur within themselves (lists), are treated together as "other". An argument
// where some function can occur is split: the predicate becomes one predicate per function, with
// the arguments of the function in place of the argument, and one for "other". A rule with a
// variable at such an argument is copied for each function that can occur there. This repeats until
// nothing is left to split. It terminates because functions that do not contain themselves have a
// finite nesting depth.
//
// A rule with several such variables is copied for every combination, so the limits are checked.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "ground/passes.h"

namespace zermelo::ground {

namespace {

using LiteralKind = BodyLiteral::Kind;

// A function with its number of arguments; everything else is `other`.
struct Functor {
  Symbol name{};
  std::uint32_t arity = 0;
  auto operator<=>(const Functor&) const = default;
};
constexpr Functor other{};

using FunctorSet = std::set<Functor>;

Functor functor_of(const Term& term) {
  if (term.kind != Term::Kind::function) return other;
  return {term.name, static_cast<std::uint32_t>(term.arguments.size())};
}

// The functions that can occur at each argument of each predicate and function.
class FlowAnalysis {
 public:
  explicit FlowAnalysis(const Program& program) : at_predicate_(program.predicates.size()) {
    for (std::size_t p = 0; p < at_predicate_.size(); ++p)
      at_predicate_[p].resize(program.predicates[p].arity);
    do {
      changed_ = false;
      for (const Rule& rule : program.rules) flow(rule);
    } while (changed_);
  }

  const FunctorSet& at(PredicateId predicate, std::size_t argument) const {
    return at_predicate_[predicate][argument];
  }

  // The functions a variable can be bound to: those possible at all of its positions in the body.
  FunctorSet of_variable(const Rule& rule, std::uint32_t variable) const {
    std::optional<FunctorSet> result;
    for (const BodyLiteral& literal : rule.body) {
      if (literal.has_result()) {  // results are constants
        restrict_by(literal.arguments.back(), {other}, variable, result);
      }
      if (literal.kind != LiteralKind::positive) continue;
      for (std::size_t i = 0; i < literal.arguments.size(); ++i) {
        restrict_by(literal.arguments[i], at(literal.predicate, i), variable, result);
      }
    }
    if (!result) return {};
    if (std::find(rule.whole.begin(), rule.whole.end(), variable) != rule.whole.end()) {
      std::erase_if(*result, [&](const Functor& functor) {
        return functor != other && !contains_itself(functor);
      });
    }
    return std::move(*result);
  }

  bool contains_itself(Functor functor) const {
    FunctorSet reached;
    std::vector<Functor> open{functor};
    while (!open.empty()) {
      const Functor from = open.back();
      open.pop_back();
      for (std::uint32_t i = 0; i < from.arity; ++i) {
        const auto found = at_function_.find({from, i});
        if (found == at_function_.end()) continue;
        for (const Functor& inner : found->second) {
          if (inner == functor) return true;
          if (inner != other && reached.insert(inner).second) open.push_back(inner);
        }
      }
    }
    return false;
  }

 private:
  void flow(const Rule& rule) {
    for (std::size_t i = 0; i < rule.arguments.size(); ++i) {
      flow(rule, rule.arguments[i], at_predicate_[rule.head][i]);
    }
  }

  void flow(const Rule& rule, const Term& term, FunctorSet& into) {
    if (term.kind == Term::Kind::variable) {
      for (const Functor& functor : of_variable(rule, variable_of(term))) add(functor, into);
      return;
    }
    add(functor_of(term), into);
    for (std::uint32_t i = 0; i < term.arguments.size(); ++i) {
      flow(rule, term.arguments[i], at_function_[{functor_of(term), i}]);
    }
  }

  void add(const Functor& functor, FunctorSet& into) { changed_ |= into.insert(functor).second; }

  void restrict_by(const Term& term, const FunctorSet& possible, std::uint32_t variable,
                   std::optional<FunctorSet>& result) const {
    if (term.kind == Term::Kind::variable) {
      if (variable_of(term) == variable) intersect(result, possible);
      return;
    }
    for (std::uint32_t i = 0; i < term.arguments.size(); ++i) {
      const auto found = at_function_.find({functor_of(term), i});
      restrict_by(term.arguments[i], found == at_function_.end() ? FunctorSet{} : found->second,
                  variable, result);
    }
  }

  static void intersect(std::optional<FunctorSet>& result, const FunctorSet& with) {
    if (!result) {
      result = with;
      return;
    }
    std::erase_if(*result, [&](const Functor& functor) { return !with.contains(functor); });
  }

  std::vector<std::vector<FunctorSet>> at_predicate_;
  std::map<std::pair<Functor, std::uint32_t>, FunctorSet> at_function_;
  bool changed_ = false;
};

// An argument of a predicate, and the functions to split it by.
struct SplitArgument {
  PredicateId predicate;
  std::uint32_t argument;
  FunctorSet cases;
};

// Splits one argument of one predicate by the functions that can occur there.
class ArgumentSplit {
 public:
  ArgumentSplit(Program& program, const FlowAnalysis& flow, const base::Limits& limits,
                const SplitArgument& place)
      : program_(program),
        flow_(flow),
        limits_(limits),
        predicate_(place.predicate),
        argument_(place.argument) {
    for (const Functor& functor : place.cases) variants_.emplace(functor, add_variant(functor));
  }

  base::Result<void> run() {
    std::vector<Rule> rules = std::move(program_.rules);
    program_.rules.clear();
    for (Rule& rule : rules) {
      const std::uint32_t clause = rule.clause;
      rewrite(std::move(rule));
      if (exceeded_)
        return tl::unexpected(limit_error(program_, *exceeded_, clause, program_.rules.size()));
    }
    return {};
  }

 private:
  PredicateId add_variant(const Functor& functor) {
    Predicate variant = program_.predicates[predicate_];
    std::vector<Term> columns;
    const std::uint32_t added = functor == other ? 1 : functor.arity;
    variant.arity = variant.arity - 1 + added;
    for (std::uint32_t i = 0; i < added; ++i) columns.push_back(make_variable(argument_ + i));
    const Term inserted = functor == other ? columns[0] : make_function(functor, columns);
    renumber(variant.shape, added, inserted);
    return program_.add_predicate(std::move(variant));
  }

  static Term make_function(const Functor& functor, std::vector<Term> arguments) {
    const auto kind = arguments.empty() ? Term::Kind::constant : Term::Kind::function;
    return Term{.kind = kind, .name = functor.name, .arguments = std::move(arguments), .span = {}};
  }

  // Shifts the columns after the split one, and replaces the split one by `inserted`.
  void renumber(std::vector<Term>& shape, std::uint32_t added, const Term& inserted) const {
    for (Term& term : shape) {
      if (term.kind != Term::Kind::variable) {
        renumber(term.arguments, added, inserted);
      } else if (variable_of(term) == argument_) {
        term = inserted;
      } else if (variable_of(term) > argument_) {
        term = make_variable(variable_of(term) + added - 1);
      }
    }
  }

  // Copies a rule for each function that a variable at the split argument can be, then rewrites it.
  void rewrite(Rule rule) {
    if (exceeded_ || (program_.rules.size() % 4096 == 4095 && (exceeded_ = limits_.exceeded())))
      return;
    if (const Term* variable = undecided_variable(rule)) {
      copy_for_cases(rule, variable_of(*variable));
      return;
    }
    if (!rewrite_literal(rule.head, rule.arguments)) return;
    std::vector<BodyLiteral> body;
    for (BodyLiteral& literal : rule.body) {
      if (!literal.has_predicate() || rewrite_literal(literal.predicate, literal.arguments)) {
        body.push_back(std::move(literal));
      } else if (literal.kind == LiteralKind::positive) {
        return;
      }
    }
    rule.body = std::move(body);
    if (simplify(rule)) program_.rules.push_back(std::move(rule));
  }

  const Term* undecided_variable(const Rule& rule) const {
    if (const Term* found = undecided_at(rule, rule.head, rule.arguments)) return found;
    for (const BodyLiteral& literal : rule.body) {
      if (!literal.has_predicate()) continue;
      if (const Term* found = undecided_at(rule, literal.predicate, literal.arguments))
        return found;
    }
    return nullptr;
  }

  static bool is_whole(const Rule& rule, std::uint32_t variable) {
    return std::find(rule.whole.begin(), rule.whole.end(), variable) != rule.whole.end();
  }

  const Term* undecided_at(const Rule& rule, PredicateId predicate,
                           const std::vector<Term>& arguments) const {
    if (predicate != predicate_) return nullptr;
    const Term& term = arguments[argument_];
    return term.kind == Term::Kind::variable && !is_whole(rule, variable_of(term)) ? &term
                                                                                   : nullptr;
  }

  void copy_for_cases(const Rule& rule, std::uint32_t variable) {
    bool left_whole = false;
    for (const Functor& functor : flow_.of_variable(rule, variable)) {
      if (functor == other || flow_.contains_itself(functor)) {
        left_whole = true;
        continue;
      }
      std::vector<Term> fresh;
      for (std::uint32_t i = 0; i < functor.arity; ++i) fresh.push_back(program_.fresh_variable());
      Rule copy = rule;
      substitute(copy, variable, make_function(functor, std::move(fresh)));
      rewrite(std::move(copy));
    }
    if (!left_whole) return;
    Rule copy = rule;
    copy.whole.push_back(variable);
    rewrite(std::move(copy));
  }

  // Returns false if the literal cannot match any variant.
  bool rewrite_literal(PredicateId& predicate, std::vector<Term>& arguments) const {
    if (predicate != predicate_) return true;
    Functor functor = functor_of(arguments[argument_]);
    if (!variants_.contains(functor)) functor = other;
    const auto variant = variants_.find(functor);
    if (variant == variants_.end()) return false;
    predicate = variant->second;
    if (functor == other) return true;
    const std::vector<Term> inner = arguments[argument_].arguments;
    arguments.erase(arguments.begin() + argument_);
    arguments.insert(arguments.begin() + argument_, inner.begin(), inner.end());
    return true;
  }

  Program& program_;
  const FlowAnalysis& flow_;
  const base::Limits& limits_;
  std::optional<base::ErrorKind> exceeded_;
  PredicateId predicate_;
  std::uint32_t argument_;
  std::map<Functor, PredicateId> variants_;
};

// The functions by which to split an argument, with `other` if it can occur there too. Empty if the
// argument is not split.
FunctorSet cases_at(const FlowAnalysis& flow, PredicateId id, std::uint32_t argument) {
  FunctorSet cases;
  bool any_other = false;
  for (const Functor& functor : flow.at(id, argument)) {
    if (functor == other || flow.contains_itself(functor)) {
      any_other = true;
    } else {
      cases.insert(functor);
    }
  }
  if (!cases.empty() && any_other) cases.insert(other);
  return cases;
}

std::optional<SplitArgument> find_split_argument(const Program& program, const FlowAnalysis& flow) {
  std::set<PredicateId> heads;
  for (const Rule& rule : program.rules) heads.insert(rule.head);
  for (const PredicateId predicate : heads) {
    for (std::uint32_t argument = 0; argument < program.predicates[predicate].arity; ++argument) {
      FunctorSet cases = cases_at(flow, predicate, argument);
      if (!cases.empty()) return SplitArgument{predicate, argument, std::move(cases)};
    }
  }
  return std::nullopt;
}

}  // namespace

base::Result<void> split_functions(Program& program, Instantiation& instantiation) {
  while (true) {
    const FlowAnalysis flow(program);
    const std::optional<SplitArgument> argument = find_split_argument(program, flow);
    if (!argument) return {};
    ArgumentSplit split(program, flow, instantiation.limits(), *argument);
    if (auto done = split.run(); !done) return done;
  }
}

}  // namespace zermelo::ground
