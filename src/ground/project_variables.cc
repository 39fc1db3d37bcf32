// Projection: variable elimination in rule bodies.
//
// In h(X) :- a(X, Y), b(Y, Z), c(Z, X), d(X) the variable Y is not needed by the head. The literals
// that mention it are joined into an auxiliary predicate over their other variables that are still
// needed,
//
//   aux(X, Z) :- a(X, Y), b(Y, Z).        h(X) :- aux(X, Z), c(Z, X), d(X).
//
// which is equivalent. It has at most |X||Y||Z| + |X||Z| instances, and far fewer than the original
// if the remaining part has variables that the extracted part does not have. This is the step of
// the normal form of Saffidine and Cazenave (A Forward Chaining Based Game Description Language
// Compiler, GIGA'11) and of bucket elimination. It can also increase the work. So a variable is
// eliminated only if the estimated number of instances drops noticeably, the best variable first.
// Auxiliary predicates that depend on neither state nor moves cost almost nothing, since they are
// evaluated directly afterwards.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "ground/estimate.h"
#include "ground/passes.h"

namespace zermelo::ground {

namespace {

using LiteralKind = BodyLiteral::Kind;
using VariableSet = std::vector<std::uint32_t>;  // ascending

constexpr double min_cost = 200;
constexpr double min_gain = 1.2;
// Instances of rules over finished predicates are not part of the ground game.
constexpr double cost_of_finished = 0.05;

bool includes(const VariableSet& all, const VariableSet& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

VariableSet unite(const VariableSet& a, const VariableSet& b) {
  VariableSet result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

// A choice of literals to extract from a rule.
struct Cut {
  std::vector<bool> taken;  // by literal
  VariableSet kept;         // variables of the taken literals used elsewhere
  double cost = std::numeric_limits<double>::infinity();
};

class Projection {
 public:
  Projection(Program& program, const Instantiation& instantiation)
      : program_(program), estimates_(program, instantiation) {}

  void run() {
    open_ = std::move(program_.rules);
    program_.rules.clear();
    while (!open_.empty()) {
      Rule rule = std::move(open_.back());
      open_.pop_back();
      project(rule);
    }
  }

 private:
  // Cuts the rule while this reduces the cost. Each extracted part is a new rule, which is also
  // projected.
  void project(Rule& rule) {
    load(rule);
    while (const std::optional<Cut> cut = best_cut(rule)) {
      take_out(rule, *cut);
      load(rule);
    }
    program_.rules.push_back(std::move(rule));
  }

  void load(const Rule& rule) {
    variables_.clear();
    factors_.clear();
    for (const BodyLiteral& literal : rule.body) {
      variables_.push_back(variables_of(literal.arguments));
      factors_.push_back(literal.kind == LiteralKind::positive ? factor(literal) : Factor{});
    }
  }

  Factor factor(const BodyLiteral& literal) const {
    const auto made = made_.find(literal.predicate);
    if (made == made_.end()) return estimates_.factor(literal);
    Factor result{.rows = made->second.rows, .columns = {}};
    for (std::size_t c = 0; c < literal.arguments.size(); ++c) {
      result.columns.push_back({variable_of(literal.arguments[c]), made->second.domains[c]});
    }
    return result;
  }

  std::optional<Cut> best_cut(const Rule& rule) const {
    const double cost = guess(rule, std::vector<bool>(rule.body.size(), true));
    if (cost < min_cost) return std::nullopt;
    const VariableSet head = variables_of(rule.arguments);
    Cut best;
    for (const std::uint32_t variable : body_variables()) {
      if (std::binary_search(head.begin(), head.end(), variable)) continue;
      if (std::optional<Cut> cut = cut_by(rule, head, variable); cut && cut->cost < best.cost)
        best = std::move(*cut);
    }
    if (best.cost * min_gain > cost) return std::nullopt;
    return best;
  }

  VariableSet body_variables() const {
    VariableSet all;
    for (const VariableSet& variables : variables_) all = unite(all, variables);
    return all;
  }

  // Extracts every literal with the variable, and the literals over no other variables.
  std::optional<Cut> cut_by(const Rule& rule, const VariableSet& head,
                            std::uint32_t variable) const {
    Cut cut{.taken = std::vector<bool>(rule.body.size()), .kept = {}};
    VariableSet inside, bound;
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
      cut.taken[l] = std::binary_search(variables_[l].begin(), variables_[l].end(), variable);
      if (!cut.taken[l]) continue;
      inside = unite(inside, variables_[l]);
      if (rule.body[l].kind == LiteralKind::positive) bound = unite(bound, variables_[l]);
    }
    if (bound != inside) return std::nullopt;
    VariableSet needed = head;
    bool any_left = false;
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
      if (cut.taken[l]) continue;
      if (includes(inside, variables_[l])) {
        cut.taken[l] = true;
        continue;
      }
      needed = unite(needed, variables_[l]);
      any_left |= rule.body[l].kind == LiteralKind::positive;
    }
    if (!any_left) return std::nullopt;
    std::set_intersection(inside.begin(), inside.end(), needed.begin(), needed.end(),
                          std::back_inserter(cut.kept));
    cut.cost = cost_of(rule, cut);
    return cut;
  }

  double cost_of(const Rule& rule, const Cut& cut) const {
    const double inner = guess(rule, cut.taken);
    const bool finished = is_finished(rule, cut.taken);
    std::vector<Factor> rest{auxiliary_factor(cut, inner)};
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
      if (!cut.taken[l] && rule.body[l].kind == LiteralKind::positive) rest.push_back(factors_[l]);
    }
    return inner * (finished ? cost_of_finished : 1) + matches(rest);
  }

  double guess(const Rule& rule, const std::vector<bool>& taken) const {
    std::vector<Factor> factors;
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
      if (taken[l] && rule.body[l].kind == LiteralKind::positive) factors.push_back(factors_[l]);
    }
    return matches(factors);
  }

  bool is_finished(const Rule& rule, const std::vector<bool>& taken) const {
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
      const BodyLiteral& literal = rule.body[l];
      if (!taken[l] || !literal.has_predicate()) continue;
      const auto made = made_.find(literal.predicate);
      if (made == made_.end() ? !estimates_.is_finished(literal.predicate) : !made->second.finished)
        return false;
    }
    return true;
  }

  Factor auxiliary_factor(const Cut& cut, double inner) const {
    Factor result{.rows = inner, .columns = {}};
    double most = 1;
    for (const std::uint32_t variable : cut.kept) {
      const double domain = smallest_domain(cut, variable);
      result.columns.push_back({variable, domain});
      most *= domain;
    }
    result.rows = std::min(inner, most);
    return result;
  }

  double smallest_domain(const Cut& cut, std::uint32_t variable) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t l = 0; l < factors_.size(); ++l) {
      if (!cut.taken[l]) continue;
      for (const Factor::Column& column : factors_[l].columns) {
        if (column.variable == variable) smallest = std::min(smallest, column.domain);
      }
    }
    return smallest;
  }

  void take_out(Rule& rule, const Cut& cut) {
    const Factor expected = auxiliary_factor(cut, guess(rule, cut.taken));
    Auxiliary auxiliary{
        .rows = expected.rows, .domains = {}, .finished = is_finished(rule, cut.taken)};
    for (const Factor::Column& column : expected.columns)
      auxiliary.domains.push_back(column.domain);

    const Kind kind = rule.emits ? Kind::derived : Kind::guard;
    Rule inner{.head = program_.add_auxiliary(kind, static_cast<std::uint32_t>(cut.kept.size())),
               .arguments = {},
               .body = {},
               .clause = rule.clause,
               .emits = rule.emits};
    for (const std::uint32_t variable : cut.kept)
      inner.arguments.push_back(make_variable(variable));
    std::vector<BodyLiteral> rest{{LiteralKind::positive, inner.head, inner.arguments}};
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
      (cut.taken[l] ? inner.body : rest).push_back(std::move(rule.body[l]));
    }
    rule.body = std::move(rest);
    made_.emplace(inner.head, std::move(auxiliary));
    open_.push_back(std::move(inner));
  }

  // A predicate created by this pass, with its estimates.
  struct Auxiliary {
    double rows;
    std::vector<double> domains;
    bool finished;
  };

  Program& program_;
  Estimates estimates_;
  std::map<PredicateId, Auxiliary> made_;
  std::vector<Rule> open_;
  std::vector<VariableSet> variables_;  // of the current rule, by literal
  std::vector<Factor> factors_;
};

}  // namespace

base::Result<void> project_variables(Program& program, Instantiation& instantiation) {
  Projection(program, instantiation).run();
  return {};
}

}  // namespace zermelo::ground
