// Distances between the values of an argument, normalised to at most 1.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/order_relations.h"
#include "eval/features.h"

namespace zermelo::eval {

class ArgumentMetric {
 public:
  static constexpr float infinite = std::numeric_limits<float>::infinity();

  // Steps between elements, by name. `longest` is the distance that becomes 1; 0: the largest one
  // that is not infinite.
  ArgumentMetric(Feature kind, const std::vector<std::pair<std::string, std::string>>& steps,
                 std::size_t longest);

  Feature kind() const { return kind_; }
  // The number of steps that are needed, divided by the longest distance; 0 from a value to itself.
  float between(const std::string& from, const std::string& to) const;

 private:
  Feature kind_;
  std::unordered_map<std::string, std::size_t> elements_;
  std::vector<float> distances_;  // by pair of elements
};

// Which steps a relation stands for: from the first to the second value of a pair, or back.
struct StepDirections {
  bool forward = false, backward = false;
};

// The distance between numbers of a chain, if the relation is confirmed to be a successor relation.
// Its size is the longest distance.
std::optional<ArgumentMetric> number_metric(const analysis::BinaryRelation& relation,
                                            StepDirections directions);
// The shortest path in the graph of all pairs.
ArgumentMetric graph_metric(
    const std::vector<std::pair<const analysis::BinaryRelation*, StepDirections>>& relations);

}  // namespace zermelo::eval
