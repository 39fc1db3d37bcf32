// The metrics of the arguments of fluents, from the steps that the rules make.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "analysis/argument_steps.h"
#include "eval/argument_metric.h"

namespace zermelo::eval {

// Relations by the signature of their predicate.
using Relations = std::unordered_map<std::uint64_t, analysis::BinaryRelation>;

class ArgumentMetrics {
 public:
  // Metrics of kinds that are not among `features` are not used. The relations of all steps must be
  // there, and outlive this.
  ArgumentMetrics(std::vector<analysis::ArgumentStep> steps, const Relations& relations,
                  FeatureSet features);

  // The positions of the arguments under whose values an order or a graph was found.
  const std::set<std::size_t>& ordered(const gdl::Term& fluent) const;
  // The metric of an argument of a fluent, which may have variables; null if there is none. Only
  // the steps of fluents with the same values of the other arguments count, except for those that
  // are ordered themselves: a pawn's steps depend on its colour, not on its place.
  const ArgumentMetric* metric(const gdl::Term& fluent, std::size_t position);

 private:
  std::unique_ptr<ArgumentMetric> make(const std::vector<std::size_t>& steps) const;

  std::vector<analysis::ArgumentStep> steps_;
  const Relations& relations_;
  FeatureSet features_;
  std::unordered_map<std::uint64_t, std::set<std::size_t>> ordered_;             // by signature
  std::map<std::vector<std::size_t>, std::unique_ptr<ArgumentMetric>> metrics_;  // by steps
};

}  // namespace zermelo::eval
