// Magic sets: large predicates are grounded only for the arguments that rules ask for.
//
// A predicate such as threatened(Player, X, Y, KX, KY, U, V) has millions of atoms over all
// arguments, but rules use only a few thousand of them. Every predicate with a high estimated cost
// gets a guard over its bound arguments, as in magic sets (Bancilhon, Maier, Sagiv, Ullman 1986). A
// call in the body of a rule demands its arguments for all values that the other literals of the
// body allow. Every rule of the predicate gets the guard as an additional condition. Guards
// over-approximate: they ignore negation and replace truth by "can become true". So no atom that is
// used is lost, not even one used under a negation. Guards restrict the instances and are not part
// of the ground game.
//
// An argument is bound if in every call each of its variables occurs in another positive literal or
// in a bound argument of the head. Among the guarded predicates called in one body, only earlier
// calls may restrict later ones (negative calls come last), so that no two guards depend on each
// other.
#include <algorithm>

#include "ground/estimate.h"
#include "ground/passes.h"

namespace zermelo::ground {

namespace {

namespace keyword = gdl::keyword;
using LiteralKind = BodyLiteral::Kind;

// A predicate with fewer estimated instances gets no guard.
constexpr double min_guarded_instances = 20'000;
// The maximum estimated cost of a guard, as a share of the cost of the predicate it restricts.
constexpr double max_guard_cost_share = 0.5;

class Demand {
 public:
  Demand(Program& program, const Instantiation& instantiation)
      : program_(program), estimates_(program, instantiation), cost_(program.predicates.size(), 0) {
    for (const Rule& rule : program.rules) cost_[rule.head] += estimates_.instances(rule);
  }

  void run() {
    guarded_.resize(program_.predicates.size());
    for (PredicateId p = 0; p < guarded_.size(); ++p) guarded_[p] = may_be_guarded(p);
    do {
      find_bound_arguments();
    } while (drop_unprofitable_guard());
    add_guards();
  }

 private:
  bool may_be_guarded(PredicateId predicate) const {
    const Predicate& it = program_.predicates[predicate];
    const bool plain = it.keyword > keyword::random && it.kind == Kind::derived;
    return plain && !estimates_.is_finished(predicate) && cost_[predicate] >= min_guarded_instances;
  }

  // Finds the largest sets of arguments that every call binds.
  void find_bound_arguments() {
    bound_.assign(program_.predicates.size(), {});
    for (PredicateId p = 0; p < guarded_.size(); ++p) {
      if (guarded_[p]) bound_[p].assign(program_.predicates[p].arity, true);
    }
    bool changed = true;
    while (changed) {
      changed = false;
      for_each_call([&](const Rule& rule, std::size_t call) { changed |= unbind(rule, call); });
    }
  }

  template <class Visit>
  void for_each_call(Visit visit) const {
    for (const Rule& rule : program_.rules) {
      for (std::size_t l = 0; l < rule.body.size(); ++l) {
        if (is_call(rule.body[l])) visit(rule, l);
      }
    }
  }

  bool is_call(const BodyLiteral& literal) const {
    return literal.has_predicate() && guarded_[literal.predicate];
  }

  // Unmarks the arguments that this call does not bind.
  bool unbind(const Rule& rule, std::size_t call) {
    const BodyLiteral& literal = rule.body[call];
    bool changed = false;
    for (std::size_t c = 0; c < literal.arguments.size(); ++c) {
      if (!bound_[literal.predicate][c]) continue;
      const std::vector<std::uint32_t> variables = variables_of({literal.arguments[c]});
      const bool bound =
          std::all_of(variables.begin(), variables.end(),
                      [&](std::uint32_t variable) { return binds(rule, call, variable); });
      if (bound) continue;
      bound_[literal.predicate][c] = false;
      changed = true;
    }
    return changed;
  }

  bool binds(const Rule& rule, std::size_t call, std::uint32_t variable) const {
    if (guarded_[rule.head] &&
        contains_variable(bound_arguments(rule.head, rule.arguments), variable))
      return true;
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
      if (may_restrict(rule, l, call) && contains_variable(rule.body[l].arguments, variable))
        return true;
    }
    return false;
  }

  // True if the guard of a call may use the literal of the same body.
  bool may_restrict(const Rule& rule, std::size_t literal, std::size_t call) const {
    if (literal == call || rule.body[literal].kind != LiteralKind::positive) return false;
    if (!guarded_[rule.body[literal].predicate]) return true;
    return rule.body[call].kind == LiteralKind::negative || literal < call;
  }

  std::vector<Term> bound_arguments(PredicateId predicate,
                                    const std::vector<Term>& arguments) const {
    std::vector<Term> result;
    for (std::size_t c = 0; c < arguments.size(); ++c) {
      if (bound_[predicate][c]) result.push_back(arguments[c]);
    }
    return result;
  }

  // Removes a guard that costs too much. Returns false if there is none.
  bool drop_unprofitable_guard() {
    std::vector<double> guard_cost(guarded_.size(), 0);
    for_each_call([&](const Rule& rule, std::size_t call) {
      guard_cost[rule.body[call].predicate] += cost_of_guard(rule, call);
    });
    for (PredicateId p = 0; p < guarded_.size(); ++p) {
      if (!guarded_[p]) continue;
      const bool any_bound = std::find(bound_[p].begin(), bound_[p].end(), true) != bound_[p].end();
      if (any_bound && guard_cost[p] <= max_guard_cost_share * cost_[p]) continue;
      guarded_[p] = false;
      return true;
    }
    return false;
  }

  double cost_of_guard(const Rule& rule, std::size_t call) const {
    std::vector<Factor> factors;
    for (const BodyLiteral& literal : restricting_literals(rule, call))
      factors.push_back(estimates_.factor(literal));
    if (guarded_[rule.head]) factors.push_back(guard_factor(rule));
    return matches(factors);
  }

  Factor guard_factor(const Rule& rule) const {
    Factor result;
    for (std::size_t c = 0; c < rule.arguments.size(); ++c) {
      if (!bound_[rule.head][c]) continue;
      const double domain = estimates_.domain(rule.head, c);
      result.rows *= domain;
      for (const std::uint32_t variable : variables_of({rule.arguments[c]}))
        result.columns.push_back({variable, domain});
    }
    return result;
  }

  // The literals that share a variable with the bound arguments of the call.
  std::vector<BodyLiteral> restricting_literals(const Rule& rule, std::size_t call) const {
    const BodyLiteral& literal = rule.body[call];
    const std::vector<std::uint32_t> demanded =
        variables_of(bound_arguments(literal.predicate, literal.arguments));
    std::vector<BodyLiteral> result;
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
      if (!may_restrict(rule, l, call)) continue;
      const bool shares =
          std::any_of(demanded.begin(), demanded.end(), [&](std::uint32_t variable) {
            return contains_variable(rule.body[l].arguments, variable);
          });
      if (shares) result.push_back(rule.body[l]);
    }
    return result;
  }

  void add_guards() {
    std::vector<PredicateId> guard_of(guarded_.size());
    for (PredicateId p = 0; p < guarded_.size(); ++p) {
      const auto arity =
          static_cast<std::uint32_t>(std::count(bound_[p].begin(), bound_[p].end(), true));
      if (guarded_[p]) guard_of[p] = program_.add_auxiliary(Kind::guard, arity);
    }
    std::vector<Rule> guards;
    for_each_call([&](const Rule& rule, std::size_t call) {
      guards.push_back(guard_rule(rule, call, guard_of));
    });
    for (Rule& rule : program_.rules) {
      if (guarded_[rule.head]) rule.body.push_back(guard_literal(rule, guard_of));
    }
    for (Rule& guard : guards) {
      rename_variables(program_, guard);
      program_.rules.push_back(std::move(guard));
    }
  }

  Rule guard_rule(const Rule& rule, std::size_t call,
                  const std::vector<PredicateId>& guard_of) const {
    const BodyLiteral& literal = rule.body[call];
    Rule guard{.head = guard_of[literal.predicate],
               .arguments = bound_arguments(literal.predicate, literal.arguments),
               .body = restricting_literals(rule, call),
               .clause = rule.clause,
               .emits = false};
    if (guarded_[rule.head]) guard.body.push_back(guard_literal(rule, guard_of));
    return guard;
  }

  BodyLiteral guard_literal(const Rule& rule, const std::vector<PredicateId>& guard_of) const {
    return {LiteralKind::positive, guard_of[rule.head], bound_arguments(rule.head, rule.arguments)};
  }

  Program& program_;
  Estimates estimates_;
  std::vector<double> cost_;  // by predicate: the estimated instances of its rules
  std::vector<bool> guarded_;
  std::vector<std::vector<bool>> bound_;  // by predicate and argument
};

}  // namespace

base::Result<void> add_demand(Program& program, Instantiation& instantiation) {
  Demand(program, instantiation).run();
  return {};
}

}  // namespace zermelo::ground
