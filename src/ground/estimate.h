// Estimates, before grounding, of the rows of a predicate and the matches of a conjunction.
//
// Each column has a domain. For a finished predicate it is the set of terms that occur. For the
// others it is the set of terms that can flow there if every column is considered separately. The
// rows of an unfinished predicate are bounded by the product of its domains and by the estimated
// matches of its rules. The matches of a conjunction are estimated as in database systems: the
// product of the sizes, divided for each variable by the domain sizes of all its columns except the
// smallest.
#pragma once

#include <vector>

#include "base/bit_set.h"
#include "ground/instantiate.h"
#include "ground/program.h"

namespace zermelo::ground {

// A positive literal reduced to what the estimates need.
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
  // The estimated number of instances of a rule.
  double instances(const Rule& rule) const;

 private:
  void find_domains(const Program& program);
  bool flow(const Rule& rule);
  bool flow(const Rule& rule, const Term& argument, base::BitSet& into);
  base::BitSet possible(const Rule& rule, std::uint32_t variable) const;
  void estimate_rows(const Program& program);
  double max_rows(PredicateId predicate) const;

  const Instantiation& instantiation_;
  std::vector<bool> finished_;
  std::vector<std::vector<base::BitSet>> domains_;  // by predicate and column
  std::vector<std::vector<bool>> unbounded_;        // columns in which rules build new terms
  std::vector<std::vector<double>> domain_sizes_;
  std::vector<double> rows_;
};

// The estimated number of matches of a conjunction.
double matches(const std::vector<Factor>& factors);

}  // namespace zermelo::ground
