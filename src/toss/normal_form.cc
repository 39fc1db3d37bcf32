// Procedure TNF of Kaiser and Stafiniak, "First-Order Logic with Counting for General Game
// Playing". To bring ex x f to TNF, f is brought to TNF and then to disjunctive normal form over
// literals and quantified formulas; in each disjunct, the quantifier stays before the conjuncts in
// which x is free, and the others move out. Universal quantifiers are dual. By Theorem 6 the result
// is equivalent and every part under a quantifier contains its variable.
//
// The procedure leaves open which of several adjacent quantifiers is resolved first, which here
// means stands outermost. As in the paper, variables that occur in fluents come before all others.
// Among equals, a variable comes first that shares a conjunct with one already resolved or free in
// the whole formula, so that the result describes one step after another; then the order of the
// formula decides. The order is chosen for each disjunct by itself.
//
// A quantifier whose variable does not occur is dropped: structures are taken to have elements.
#include "toss/normal_form.h"

#include <algorithm>

#include "toss/query.h"

namespace zermelo::toss {
namespace {

using Kind = Formula::Kind;
constexpr std::size_t max_disjuncts = 20'000;

FormulaPtr push_negation(const FormulaPtr& formula, bool positive) {
  const bool chain = formula->kind == Kind::conjunction || formula->kind == Kind::disjunction;
  const bool quantifier = formula->kind == Kind::exists || formula->kind == Kind::forall;
  if (formula->kind == Kind::negation) return push_negation(formula->parts[0], !positive);
  if (!chain && !quantifier) return positive ? formula : negation(formula);
  std::vector<FormulaPtr> parts;
  for (const FormulaPtr& part : formula->parts) parts.push_back(push_negation(part, positive));
  if (chain) {
    const bool conjunctive = (formula->kind == Kind::conjunction) == positive;
    return conjunctive ? conjunction(std::move(parts)) : disjunction(std::move(parts));
  }
  const bool existential = (formula->kind == Kind::exists) == positive;
  return existential ? exists(formula->variables, parts[0]) : forall(formula->variables, parts[0]);
}

bool is_subset(const Conjuncts& a, const Conjuncts& b) {
  return std::all_of(a.begin(), a.end(), [&](const FormulaPtr& part) { return has(b, part); });
}

// Keeps what no other contains. Quadratic, so only where there are few.
void drop_implied(std::vector<Conjuncts>& disjuncts) {
  constexpr std::size_t few = 500;
  if (disjuncts.size() > few) return;
  std::vector<Conjuncts> kept;
  for (std::size_t i = 0; i < disjuncts.size(); ++i) {
    bool implied = false;
    for (std::size_t j = 0; j < disjuncts.size() && !implied; ++j) {
      const bool smaller = disjuncts[j].size() < disjuncts[i].size();
      const bool first = disjuncts[j].size() == disjuncts[i].size() && j < i;
      implied = (smaller || first) && is_subset(disjuncts[j], disjuncts[i]);
    }
    if (!implied) kept.push_back(disjuncts[i]);
  }
  disjuncts = std::move(kept);
}

void check_size(std::size_t disjuncts) {
  if (disjuncts <= max_disjuncts) return;
  throw LimitReached(base::ErrorKind::memory_limit, "a normal form of a formula is too large");
}

std::vector<Conjuncts> product(const std::vector<Conjuncts>& a, const std::vector<Conjuncts>& b) {
  check_size(a.size() * b.size());
  std::vector<Conjuncts> result;
  for (const Conjuncts& left : a) {
    for (const Conjuncts& right : b) {
      result.push_back(left);
      for (const FormulaPtr& part : right) {
        if (!has(left, part)) result.back().push_back(part);
      }
    }
  }
  return result;
}

// `outer` is the kind that is joined, `inner` the kind that is multiplied out.
std::vector<Conjuncts> normal_form(const FormulaPtr& formula, Kind outer, Kind inner) {
  if (formula->kind != outer && formula->kind != inner) return {{formula}};
  std::vector<Conjuncts> result;
  if (formula->kind == inner) result.push_back({});
  for (const FormulaPtr& part : formula->parts) {
    std::vector<Conjuncts> next = normal_form(part, outer, inner);
    if (formula->kind == inner) {
      result = product(result, next);
    } else {
      result.insert(result.end(), next.begin(), next.end());
      check_size(result.size());
    }
    drop_implied(result);
  }
  return result;
}

// Removes true and false parts.
FormulaPtr simplified_chain(Kind kind, std::vector<FormulaPtr> parts) {
  const bool conjunctive = kind == Kind::conjunction;
  for (const FormulaPtr& part : parts) {
    if (is_truth(*part, !conjunctive)) return truth(!conjunctive);
  }
  std::vector<FormulaPtr> kept;
  for (const FormulaPtr& part : parts) {
    if (is_truth(*part, conjunctive) || has(kept, part)) continue;
    if (part->kind == kind) {
      kept.insert(kept.end(), part->parts.begin(), part->parts.end());
    } else {
      kept.push_back(part);
    }
  }
  return conjunctive ? conjunction(std::move(kept)) : disjunction(std::move(kept));
}

class TypeNormalForm {
 public:
  explicit TypeNormalForm(const FluentTest& is_fluent) : is_fluent_(is_fluent) {}

  FormulaPtr run(const FormulaPtr& formula) {
    switch (formula->kind) {
      case Kind::conjunction:
      case Kind::disjunction: {
        std::vector<FormulaPtr> parts;
        for (const FormulaPtr& part : formula->parts) parts.push_back(run(part));
        return simplified_chain(formula->kind, std::move(parts));
      }
      case Kind::exists:
      case Kind::forall:
        return quantified(*formula);
      default:
        return formula;
    }
  }

 private:
  FormulaPtr quantified(const Formula& formula) {
    std::vector<std::string> variables = formula.variables;
    FormulaPtr body = formula.parts[0];
    while (body->kind == formula.kind) {
      variables.insert(variables.end(), body->variables.begin(), body->variables.end());
      body = body->parts[0];
    }
    const bool existential = formula.kind == Kind::exists;
    const FormulaPtr inner = run(body);
    std::vector<FormulaPtr> parts;
    for (const Conjuncts& conjuncts :
         existential ? disjunctive_normal_form(inner) : conjunctive_normal_form(inner)) {
      parts.push_back(quantify(conjuncts, variables, existential));
    }
    return simplified_chain(existential ? Kind::disjunction : Kind::conjunction, std::move(parts));
  }

  // Puts the quantifiers before the parts that need them, the innermost first.
  FormulaPtr quantify(Conjuncts parts, const std::vector<std::string>& variables,
                      bool existential) {
    const std::vector<std::string> order = ordered(parts, variables);
    for (auto variable = order.rbegin(); variable != order.rend(); ++variable) {
      Conjuncts with, without;
      for (const FormulaPtr& part : parts) {
        (free_variables(*part).count(*variable) > 0 ? with : without).push_back(part);
      }
      parts = std::move(without);
      if (with.empty()) continue;
      parts.push_back(existential ? exists({*variable}, conjunction(std::move(with)))
                                  : forall({*variable}, disjunction(std::move(with))));
    }
    return existential ? conjunction(std::move(parts)) : disjunction(std::move(parts));
  }

  // The outermost first.
  std::vector<std::string> ordered(const Conjuncts& parts,
                                   const std::vector<std::string>& variables) {
    Names rest(variables.begin(), variables.end()), resolved;
    for (const FormulaPtr& part : parts) {
      for (const std::string& name : free_variables(*part)) {
        if (rest.count(name) == 0) resolved.insert(name);
      }
    }
    std::vector<std::string> result;
    while (result.size() < variables.size()) {
      const std::string* best = nullptr;
      int best_rank = -1;
      for (const std::string& variable : variables) {
        if (resolved.count(variable) > 0) continue;
        const int rank = rank_of(variable, parts, resolved);
        if (rank > best_rank) {
          best = &variable;
          best_rank = rank;
        }
      }
      result.push_back(*best);
      resolved.insert(*best);
    }
    return result;
  }

  int rank_of(const std::string& variable, const Conjuncts& parts, const Names& resolved) {
    bool fluent = false, connected = false;
    for (const FormulaPtr& part : parts) {
      const Names free = free_variables(*part);
      if (free.count(variable) == 0) continue;
      fluent = fluent || is_fluent_(*part);
      connected = connected || std::any_of(free.begin(), free.end(), [&](const std::string& name) {
                    return resolved.count(name) > 0;
                  });
    }
    return 2 * fluent + connected;
  }

  const FluentTest& is_fluent_;
};

bool is_literal(const Formula& formula) {
  const Formula& inner = formula.kind == Kind::negation ? *formula.parts[0] : formula;
  return inner.kind == Kind::atom || inner.kind == Kind::equal || inner.kind == Kind::compare ||
         inner.kind == Kind::least || inner.kind == Kind::greatest || inner.kind == Kind::closure;
}

// A positive Boolean combination of TNF parts that all contain the variables.
bool is_combination(const Formula& formula, const std::vector<std::string>& variables) {
  if (formula.kind == Kind::conjunction || formula.kind == Kind::disjunction) {
    return std::all_of(formula.parts.begin(), formula.parts.end(),
                       [&](const FormulaPtr& part) { return is_combination(*part, variables); });
  }
  const Names free = free_variables(formula);
  const bool contained = std::all_of(variables.begin(), variables.end(), [&](const auto& variable) {
    return free.count(variable) > 0;
  });
  if (!contained) return false;
  const bool quantifier = formula.kind == Kind::exists || formula.kind == Kind::forall;
  return quantifier ? is_combination(*formula.parts[0], formula.variables) : is_literal(formula);
}

}  // namespace

FormulaPtr negation_normal_form(const FormulaPtr& formula) { return push_negation(formula, true); }

std::vector<Conjuncts> disjunctive_normal_form(const FormulaPtr& formula) {
  return normal_form(formula, Kind::disjunction, Kind::conjunction);
}

std::vector<Conjuncts> conjunctive_normal_form(const FormulaPtr& formula) {
  return normal_form(formula, Kind::conjunction, Kind::disjunction);
}

FormulaPtr type_normal_form(const FormulaPtr& formula, const FluentTest& is_fluent) {
  return TypeNormalForm(is_fluent).run(formula);
}

bool is_in_type_normal_form(const Formula& formula) { return is_combination(formula, {}); }

}  // namespace zermelo::toss
