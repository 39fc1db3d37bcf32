// Turns the clauses of the rulesheet into the rules of a program.
//
// A body is a formula of any nesting. Negations are pushed down to the atoms (De Morgan), then the
// body is converted to disjunctive normal form, with one rule per disjunct. `base` and `input`
// clauses are dropped: they declare what can become true, which grounding computes anyway.
//
// Three rules that relate the keywords are added: `true` follows from `init` and from `next`, and
// `does` from `legal`. They define what can become true and are not part of the ground game.
#include <map>
#include <optional>
#include <utility>

#include "gdl/functions.h"
#include "ground/passes.h"

namespace zermelo::ground {

namespace {

using gdl::Clause;
using gdl::Formula;
namespace keyword = gdl::keyword;

using Conjunction = std::vector<BodyLiteral>;
using Disjuncts = std::vector<Conjunction>;

class Splitter {
 public:
  Splitter(std::shared_ptr<const gdl::Rulesheet> rulesheet, const base::Limits& limits)
      : limits_(limits) {
    program_.rulesheet = std::move(rulesheet);
    find_functions();
    program_.variables = static_cast<std::uint32_t>(program_.rulesheet->symbols.size());
  }

  base::Result<Program> run() {
    if (auto allowed = gdl::require_allowed(*program_.rulesheet); !allowed) {
      return tl::unexpected(allowed.error());
    }
    link_keywords();
    const auto& clauses = program_.rulesheet->clauses;
    for (std::uint32_t i = 0; i < clauses.size(); ++i) {
      const Symbol head = clauses[i].head.name;
      const bool declares =
          head == keyword::base || head == keyword::input || functions_->is_declaration(clauses[i]);
      if (!declares) add_rules(clauses[i], i);
      if (exceeded_) return tl::unexpected(limit_error(program_, *exceeded_, i, made_));
    }
    return std::move(program_);
  }

 private:
  // The results of functions may be names that the rules do not contain, so they get a copy.
  void find_functions() {
    functions_.emplace(*program_.rulesheet);
    if (functions_->empty()) return;
    program_.extended = std::make_shared<gdl::Rulesheet>(gdl::copy(*program_.rulesheet));
    program_.rulesheet = program_.extended;
    functions_.emplace(*program_.rulesheet);
    program_.functions.assign(functions_->functions().begin(), functions_->functions().end());
  }

  PredicateId predicate(Symbol name, std::size_t arity) {
    const auto [place, added] = ids_.try_emplace({name, arity}, 0);
    if (added) {
      const Kind kind = name == keyword::true_  ? Kind::fluent
                        : name == keyword::does ? Kind::does
                                                : Kind::derived;
      place->second = program_.add_auxiliary(kind, static_cast<std::uint32_t>(arity));
      program_.predicates[place->second].keyword = name;
    }
    return place->second;
  }

  void link_keywords() {
    add_link(keyword::true_, keyword::init, 1);
    add_link(keyword::true_, keyword::next, 1);
    add_link(keyword::does, keyword::legal, 2);
  }

  void add_link(Symbol head, Symbol body, std::size_t arity) {
    Rule rule{.head = predicate(head, arity), .arguments = {}, .body = {}, .emits = false};
    for (std::size_t i = 0; i < arity; ++i) rule.arguments.push_back(program_.fresh_variable());
    rule.body.push_back({BodyLiteral::Kind::positive, predicate(body, arity), rule.arguments});
    program_.rules.push_back(std::move(rule));
  }

  void add_rules(const Clause& clause, std::uint32_t index) {
    const PredicateId head = predicate(clause.head.name, clause.head.arguments.size());
    for (Conjunction& body : conjunction(clause.body, false)) {
      if (is_exceeded(1)) return;
      Rule rule{.head = head,
                .arguments = clause.head.arguments,
                .body = std::move(body),
                .clause = index};
      rename_variables(program_, rule);
      program_.rules.push_back(std::move(rule));
    }
  }

  // The disjuncts of a formula, or of its negation.
  Disjuncts disjuncts(const Formula& formula, bool negated) {
    switch (formula.kind) {
      case Formula::Kind::atom:
        return {{atom(formula.atom, negated)}};
      case Formula::Kind::distinct:
        return {{distinct(formula.atom, negated)}};
      case Formula::Kind::negation:
        return disjuncts(formula.children[0], !negated);
      case Formula::Kind::conjunction:
        return negated ? disjunction(formula.children, true) : conjunction(formula.children, false);
      case Formula::Kind::disjunction:
        return negated ? conjunction(formula.children, true) : disjunction(formula.children, false);
    }
    return {};
  }

  Disjuncts disjunction(const std::vector<Formula>& formulas, bool negated) {
    Disjuncts result;
    for (const Formula& formula : formulas) {
      for (Conjunction& part : disjuncts(formula, negated)) result.push_back(std::move(part));
    }
    return result;
  }

  Disjuncts conjunction(const std::vector<Formula>& formulas, bool negated) {
    Disjuncts result = {{}};
    for (const Formula& formula : formulas) {
      const Disjuncts parts = disjuncts(formula, negated);
      Disjuncts product;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const bool is_last = p + 1 == parts.size();
        for (Conjunction& before : result) {
          if (is_exceeded(is_last ? 1 : before.size())) return {};
          product.push_back(is_last ? std::move(before) : before);
          product.back().insert(product.back().end(), parts[p].begin(), parts[p].end());
        }
      }
      result = std::move(product);
    }
    return result;
  }

  // Called before a conjunction or a rule is created. `literals` is the number of literals it
  // copies.
  bool is_exceeded(std::size_t literals) {
    constexpr std::size_t check_interval = 4096;
    ++made_;
    copied_ += literals;
    if (exceeded_ || copied_ < check_interval) return exceeded_.has_value();
    copied_ = 0;
    exceeded_ = limits_.exceeded();
    return exceeded_.has_value();
  }

  BodyLiteral atom(const Term& atom, bool negated) {
    if (const gdl::UsedFunction* function = functions_->find(atom)) {
      return {negated ? BodyLiteral::Kind::not_computed : BodyLiteral::Kind::computed,
              static_cast<PredicateId>(function - functions_->functions().data()), atom.arguments,
              function->inputs};
    }
    return {negated ? BodyLiteral::Kind::negative : BodyLiteral::Kind::positive,
            predicate(atom.name, atom.arguments.size()), atom.arguments};
  }

  static BodyLiteral distinct(const Term& atom, bool negated) {
    return {negated ? BodyLiteral::Kind::equal : BodyLiteral::Kind::distinct, 0, atom.arguments};
  }

  Program program_;
  std::optional<gdl::FunctionTable> functions_;
  const base::Limits& limits_;
  std::size_t made_ = 0;    // conjunctions and rules so far
  std::size_t copied_ = 0;  // literals since the last check of the limits
  std::optional<base::ErrorKind> exceeded_;
  std::map<std::pair<Symbol, std::size_t>, PredicateId> ids_;
};

}  // namespace

base::Result<Program> split_disjunctions(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                         const base::Limits& limits) {
  return Splitter(std::move(rulesheet), limits).run();
}

}  // namespace zermelo::ground
