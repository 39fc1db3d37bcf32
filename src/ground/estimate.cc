#include "ground/estimate.h"

#include <algorithm>
#include <map>

namespace zermelo::ground {

namespace {

using LiteralKind = BodyLiteral::Kind;

// The assumed domain of columns in which rules build new terms.
constexpr double unbounded_domain = 1000;
constexpr int estimation_rounds = 6;

}  // namespace

Estimates::Estimates(const Program& program, const Instantiation& instantiation)
    : instantiation_(instantiation) {
  finished_.assign(program.predicates.size(), true);
  for (const Rule& rule : program.rules) finished_[rule.head] = false;
  find_domains(program);
  estimate_rows(program);
}

void Estimates::find_domains(const Program& program) {
  const std::size_t terms = instantiation_.terms.size();
  domains_.resize(program.predicates.size());
  unbounded_.resize(program.predicates.size());
  domain_sizes_.resize(program.predicates.size());
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const std::uint32_t arity = program.predicates[p].arity;
    domains_[p].assign(arity, base::BitSet(terms));
    unbounded_[p].assign(arity, false);
    if (!finished_[p] || p >= instantiation_.relations.size()) continue;
    for (std::uint32_t c = 0; c < arity; ++c) {
      for (TermId term = 0; term < terms; ++term) {
        if (instantiation_.relations[p].holds(c, term)) domains_[p][c].set(term);
      }
    }
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Rule& rule : program.rules) changed |= flow(rule);
  }
  for (PredicateId p = 0; p < domains_.size(); ++p) {
    for (std::size_t c = 0; c < domains_[p].size(); ++c) {
      const double size = static_cast<double>(domains_[p][c].count());
      domain_sizes_[p].push_back(
          std::max(1.0, unbounded_[p][c] ? std::max(size, unbounded_domain) : size));
    }
  }
}

bool Estimates::flow(const Rule& rule) {
  bool changed = false;
  for (std::size_t c = 0; c < rule.arguments.size(); ++c) {
    const Term& argument = rule.arguments[c];
    if (argument.kind == Term::Kind::function) {
      changed |= !unbounded_[rule.head][c];
      unbounded_[rule.head][c] = true;
    } else {
      changed |= flow(rule, argument, domains_[rule.head][c]);
    }
  }
  return changed;
}

bool Estimates::flow(const Rule& rule, const Term& argument, base::BitSet& into) {
  const std::size_t before = into.count();
  if (argument.kind == Term::Kind::variable) {
    into |= possible(rule, variable_of(argument));
  } else if (const auto constant = instantiation_.terms.find_constant(argument.name)) {
    into.set(*constant);
  }
  return into.count() != before;
}

base::BitSet Estimates::possible(const Rule& rule, std::uint32_t variable) const {
  base::BitSet result(instantiation_.terms.size());
  bool any = false;
  for (const BodyLiteral& literal : rule.body) {
    if (literal.kind != LiteralKind::positive) continue;
    for (std::size_t c = 0; c < literal.arguments.size(); ++c) {
      const Term& argument = literal.arguments[c];
      if (argument.kind != Term::Kind::variable || variable_of(argument) != variable) continue;
      if (any) {
        result &= domains_[literal.predicate][c];
      } else {
        result = domains_[literal.predicate][c];
      }
      any = true;
    }
  }
  return result;
}

double Estimates::max_rows(PredicateId predicate) const {
  double product = 1;
  for (const double size : domain_sizes_[predicate]) product *= size;
  return product;
}

void Estimates::estimate_rows(const Program& program) {
  for (PredicateId p = 0; p < finished_.size(); ++p) {
    const bool known = finished_[p] && p < instantiation_.relations.size();
    rows_.push_back(known ? instantiation_.relations[p].size() : max_rows(p));
  }
  for (int round = 0; round < estimation_rounds; ++round) {
    std::vector<double> made(rows_.size(), 0);
    for (const Rule& rule : program.rules) made[rule.head] += instances(rule);
    for (PredicateId p = 0; p < rows_.size(); ++p) {
      const bool is_open = !finished_[p] && program.predicates[p].kind != Kind::fluent;
      if (is_open) rows_[p] = std::max(1.0, std::min(rows_[p], made[p]));
    }
  }
}

Factor Estimates::factor(const BodyLiteral& positive) const {
  Factor result{.rows = rows_[positive.predicate], .columns = {}};
  for (std::size_t c = 0; c < positive.arguments.size(); ++c) {
    const double domain = domain_sizes_[positive.predicate][c];
    if (positive.arguments[c].kind == Term::Kind::variable) {
      result.columns.push_back({variable_of(positive.arguments[c]), domain});
    } else if (is_ground(positive.arguments[c])) {
      result.rows /= domain;
    } else {
      for (const std::uint32_t variable : variables_of({positive.arguments[c]})) {
        result.columns.push_back({variable, domain});
      }
    }
  }
  return result;
}

double Estimates::instances(const Rule& rule) const {
  std::vector<Factor> factors;
  for (const BodyLiteral& literal : rule.body) {
    if (literal.kind == LiteralKind::positive) factors.push_back(factor(literal));
  }
  return matches(factors);
}

double matches(const std::vector<Factor>& factors) {
  struct Places {
    double product = 1;
    double smallest = 1e300;
  };
  double result = 1;
  std::map<std::uint32_t, Places> places;
  for (const Factor& factor : factors) {
    result *= factor.rows;
    for (const Factor::Column& column : factor.columns) {
      Places& of_variable = places[column.variable];
      of_variable.product *= column.domain;
      of_variable.smallest = std::min(of_variable.smallest, column.domain);
    }
  }
  double most = 1;
  for (const auto& [variable, of_variable] : places) {
    result /= of_variable.product / of_variable.smallest;
    most *= of_variable.smallest;
  }
  return std::min(result, most);
}

}  // namespace zermelo::ground
