#include "eval/argument_metric.h"

#include <algorithm>

namespace zermelo::eval {
namespace {

// Breadth-first from one element; sets the row of its distances.
void search_from(std::size_t start, const std::vector<std::vector<std::size_t>>& next,
                 std::span<float> distances) {
  std::vector<std::size_t> queue{start};
  distances[start] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::size_t to : next[queue[i]]) {
      if (distances[to] != ArgumentMetric::infinite) continue;
      distances[to] = distances[queue[i]] + 1;
      queue.push_back(to);
    }
  }
}

}  // namespace

ArgumentMetric::ArgumentMetric(Feature kind,
                               const std::vector<std::pair<std::string, std::string>>& steps,
                               std::size_t longest)
    : kind_(kind) {
  std::vector<std::vector<std::size_t>> next;
  const auto element = [&](const std::string& name) {
    const auto [entry, is_new] = elements_.try_emplace(name, elements_.size());
    if (is_new) next.emplace_back();
    return entry->second;
  };
  for (const auto& [from, to] : steps) {
    const std::size_t a = element(from), b = element(to);
    next[a].push_back(b);
  }
  const std::size_t size = elements_.size();
  distances_.assign(size * size, infinite);
  for (std::size_t e = 0; e < size; ++e) search_from(e, next, {&distances_[e * size], size});
  float largest = static_cast<float>(longest);
  for (const float distance : distances_) {
    if (longest == 0 && distance != infinite) largest = std::max(largest, distance);
  }
  for (float& distance : distances_) distance /= std::max(largest, 1.0f);
}

float ArgumentMetric::between(const std::string& from, const std::string& to) const {
  if (from == to) return 0;
  const auto a = elements_.find(from), b = elements_.find(to);
  if (a == elements_.end() || b == elements_.end()) return infinite;
  return distances_[a->second * elements_.size() + b->second];
}

}  // namespace zermelo::eval
