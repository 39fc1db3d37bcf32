// How many rows a predicate and how many matches a conjunction will have, guessed before grounding.
//
// Each column has a domain: of finished predicates the terms that occur; of the others the terms
// that can flow there when every column is looked at alone. A predicate that is still to be made
// has at most as many rows as its domains allow, and at most as many as its rules are guessed to
// match. The matches of a conjunction are guessed as in database systems: the product of the sizes,
// divided for each variable by the domain sizes of all its columns but the smallest.
#pragma once

#include <vector>

#include "base/bit_set.h"
#include "ground/instantiate.h"
#include "ground/program.h"

namespace zermelo::ground {

// A positive literal as far as guessing goes.
struct Factor {
  struct Column {
    std::uint32_t variable;
    double domain;
  };
  double rows = 1;
  std::vector<Column> columns;
};

class Estimates {
 public:
  Estimates(const Program& program, const Instantiation& instantiation);

  bool is_finished(PredicateId predicate) const { return finished_[predicate]; }
  double rows(PredicateId predicate) const { return rows_[predicate]; }
  double domain(PredicateId predicate, std::size_t column) const {
    return domain_sizes_[predicate][column];
  }

  Factor factor(const BodyLiteral& positive) const;
  // The guessed number of instances of a rule.
  double instances(const Rule& rule) const;

 private:
  void find_domains(const Program& program);
  bool flow(const Rule& rule);
  bool flow(const Rule& rule, const Term& argument, base::BitSet& into);
  base::BitSet possible(const Rule& rule, std::uint32_t variable) const;
  void guess_rows(const Program& program);
  double most_rows(PredicateId predicate) const;

  const Instantiation& instantiation_;
  std::vector<bool> finished_;
  std::vector<std::vector<base::BitSet>> domains_;  // by predicate and column
  std::vector<std::vector<bool>> unbounded_;        // columns in which terms are built
  std::vector<std::vector<double>> domain_sizes_;
  std::vector<double> rows_;
};

// The guessed number of matches of a conjunction.
double matches(const std::vector<Factor>& factors);

}  // namespace zermelo::ground
