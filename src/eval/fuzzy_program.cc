#include "eval/fuzzy_program.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>

namespace zermelo::eval {
namespace {

// A small number per state.
using Bytes = std::array<std::uint8_t, states_per_block>;

// Adds the bits of a plane to the numbers.
void add_bits(std::uint64_t plane, std::size_t states, Bytes& bytes) {
  for (std::size_t s = 0; s < states; s += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes.data() + s, 8);
    eight += spread_byte(static_cast<std::uint8_t>(plane >> s));
    std::memcpy(bytes.data() + s, &eight, 8);
  }
}

constexpr std::size_t max_levels = 250;  // so that their numbers fit into a byte

using PlanesByValue = std::map<float, std::vector<Plane>, std::greater<>>;

// Of every two levels, the one with the smaller value receives the other's planes.
PlanesByValue coarser(const PlanesByValue& fine) {
  PlanesByValue coarse;
  for (auto larger = fine.begin(); larger != fine.end();) {
    const auto smaller = std::next(larger) == fine.end() ? larger : std::next(larger);
    std::vector<Plane>& planes = coarse[smaller->first];
    for (auto level = larger; level != std::next(smaller); ++level) {
      planes.insert(planes.end(), level->second.begin(), level->second.end());
    }
    larger = std::next(smaller);
  }
  return coarse;
}

template <class Visit>
void for_each_bit(std::uint64_t plane, Visit visit) {
  for (; plane != 0; plane &= plane - 1) visit(static_cast<std::size_t>(std::countr_zero(plane)));
}

}  // namespace

LevelTable make_level_table(const std::vector<std::pair<Plane, float>>& values, float otherwise) {
  PlanesByValue by_value;
  for (const auto& [plane, value] : values) {
    if (value > otherwise) by_value[value].push_back(plane);
  }
  while (by_value.size() > max_levels) by_value = coarser(by_value);
  LevelTable table{{}, otherwise};
  for (auto& [value, planes] : by_value) table.levels.push_back({value, std::move(planes)});
  return table;
}

FuzzyProgram::Node FuzzyProgram::push(Part part, Label label) {
  nodes_.push_back(part);
  labels_.push_back(std::move(label));
  return static_cast<Node>(nodes_.size() - 1);
}

FuzzyProgram::Node FuzzyProgram::add_constant(float value, Label label) {
  constants_.push_back(value);
  return push({Kind::constant, static_cast<std::uint32_t>(constants_.size() - 1), 0},
              std::move(label));
}

FuzzyProgram::Node FuzzyProgram::add_levels(std::vector<LevelTable> tables, Label label) {
  std::vector<LevelTable> different;
  for (LevelTable& table : tables) {
    if (std::find(different.begin(), different.end(), table) == different.end()) {
      different.push_back(std::move(table));
    }
  }
  levels_.push_back(std::move(different));
  return push({Kind::levels, static_cast<std::uint32_t>(levels_.size() - 1), 0}, std::move(label));
}

FuzzyProgram::Node FuzzyProgram::add_count(std::vector<Plane> planes, std::vector<float> by_count,
                                           Label label) {
  counts_.push_back({std::move(planes), std::move(by_count)});
  return push({Kind::count, static_cast<std::uint32_t>(counts_.size() - 1), 0}, std::move(label));
}

FuzzyProgram::Node FuzzyProgram::add_sum(float base, std::vector<std::pair<Plane, float>> weights,
                                         Label label) {
  sums_.push_back({base, std::move(weights)});
  return push({Kind::sum, static_cast<std::uint32_t>(sums_.size() - 1), 0}, std::move(label));
}

FuzzyProgram::Node FuzzyProgram::add_pairs(std::vector<Plane> first, std::vector<Plane> second,
                                           std::vector<float> values, Label label) {
  pairs_.push_back({std::move(first), std::move(second), std::move(values)});
  return push({Kind::pairs, static_cast<std::uint32_t>(pairs_.size() - 1), 0}, std::move(label));
}

FuzzyProgram::Node FuzzyProgram::add(Connective connective, const std::vector<Node>& children,
                                     Label label) {
  constexpr Kind kinds[] = {Kind::all, Kind::any, Kind::negation};
  const auto first = static_cast<std::uint32_t>(children_.size());
  children_.insert(children_.end(), children.begin(), children.end());
  return push({kinds[static_cast<std::size_t>(connective)], first,
               static_cast<std::uint32_t>(children_.size())},
              std::move(label));
}

std::vector<Plane> FuzzyProgram::planes() const {
  std::vector<Plane> result;
  const auto append = [&](const std::vector<Plane>& planes) {
    result.insert(result.end(), planes.begin(), planes.end());
  };
  for (const std::vector<LevelTable>& tables : levels_) {
    for (const LevelTable& table : tables) {
      for (const LevelTable::Level& level : table.levels) append(level.planes);
    }
  }
  for (const Count& count : counts_) append(count.planes);
  for (const Sum& sum : sums_) {
    for (const auto& [plane, weight] : sum.weights) result.push_back(plane);
  }
  for (const Pairs& pairs : pairs_) {
    append(pairs.first);
    append(pairs.second);
  }
  return result;
}

// The number of levels that a state has not reached is the index of its value. Levels are visited
// from the largest value on, so the states reached so far only become more.
void FuzzyProgram::evaluate_levels(const std::vector<LevelTable>& tables, const BitPlanes& planes,
                                   float* out) const {
  const std::size_t states = planes.states();
  std::fill_n(out, states, 1.0f);
  for (const LevelTable& table : tables) {
    std::array<float, max_levels + 1> values;
    Bytes missed{};
    std::uint64_t reached = 0;
    std::size_t level = 0;
    for (; level < table.levels.size() && reached != planes.all(); ++level) {
      for (const Plane plane : table.levels[level].planes) reached |= planes[plane];
      add_bits(~reached, states, missed);
      values[level] = table.levels[level].value;
    }
    values[level] = table.otherwise;
    for (std::size_t s = 0; s < states; ++s) out[s] = std::min(out[s], values[missed[s]]);
  }
}

void FuzzyProgram::evaluate_count(const Count& count, const BitPlanes& planes, float* out) const {
  const std::size_t states = planes.states();
  std::array<std::uint32_t, states_per_block> total{};
  for (std::size_t from = 0; from < count.planes.size(); from += 255) {
    Bytes bytes{};
    const std::size_t end = std::min(from + 255, count.planes.size());
    for (std::size_t i = from; i < end; ++i) add_bits(planes[count.planes[i]], states, bytes);
    for (std::size_t s = 0; s < states; ++s) total[s] += bytes[s];
  }
  for (std::size_t s = 0; s < states; ++s) out[s] = count.by_count[total[s]];
}

void FuzzyProgram::evaluate_sum(const Sum& sum, const BitPlanes& planes, float* out) const {
  std::fill_n(out, planes.states(), sum.base);
  for (const auto& [plane, weight] : sum.weights) {
    for_each_bit(planes[plane], [&, w = weight](std::size_t s) { out[s] += w; });
  }
  for (std::size_t s = 0; s < planes.states(); ++s) out[s] = std::clamp(out[s], 0.0f, 1.0f);
}

void FuzzyProgram::evaluate_pairs(const Pairs& pairs, const BitPlanes& planes, float* out) const {
  std::fill_n(out, planes.states(), 0.0f);
  for (std::size_t i = 0; i < pairs.first.size(); ++i) {
    const std::uint64_t first = planes[pairs.first[i]];
    if (first == 0) continue;
    for (std::size_t j = 0; j < pairs.second.size(); ++j) {
      const float value = pairs.values[i * pairs.second.size() + j];
      for_each_bit(first & planes[pairs.second[j]],
                   [&](std::size_t s) { out[s] = std::max(out[s], value); });
    }
  }
}

void FuzzyProgram::evaluate_product(const Part& part, const std::vector<float>& degrees,
                                    std::size_t states, float* out) const {
  const bool is_all = part.kind == Kind::all;
  std::array<float, states_per_block> product;
  product.fill(1);
  for (std::uint32_t c = part.first; c < part.last; ++c) {
    const float* child = degrees.data() + children_[c] * states_per_block;
    if (is_all) {
      for (std::size_t s = 0; s < states; ++s) product[s] *= child[s];
    } else {
      for (std::size_t s = 0; s < states; ++s) product[s] *= 1 - child[s];
    }
  }
  for (std::size_t s = 0; s < states; ++s) {
    out[s] = part.kind == Kind::any ? 1 - product[s] : product[s];
  }
}

void FuzzyProgram::evaluate_yager(const Part& part, const std::vector<float>& degrees,
                                  std::size_t states, float* out) const {
  std::vector<float> of_children(part.last - part.first);
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t c = 0; c < of_children.size(); ++c) {
      of_children[c] = degrees[children_[part.first + c] * states_per_block + s];
    }
    out[s] = part.kind == Kind::all ? logic_.all_of(of_children) : logic_.any_of(of_children);
  }
}

void FuzzyProgram::evaluate(const BitPlanes& planes, std::vector<float>& degrees) const {
  degrees.resize(nodes_.size() * states_per_block);
  const std::size_t states = planes.states();
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const Part& part = nodes_[node];
    float* const out = degrees.data() + node * states_per_block;
    switch (part.kind) {
      case Kind::constant:
        std::fill_n(out, states, constants_[part.first]);
        break;
      case Kind::levels:
        evaluate_levels(levels_[part.first], planes, out);
        break;
      case Kind::count:
        evaluate_count(counts_[part.first], planes, out);
        break;
      case Kind::sum:
        evaluate_sum(sums_[part.first], planes, out);
        break;
      case Kind::pairs:
        evaluate_pairs(pairs_[part.first], planes, out);
        break;
      case Kind::all:
      case Kind::any:
        if (logic_.norm == FuzzyLogic::Norm::yager) {
          evaluate_yager(part, degrees, states, out);
        } else {
          evaluate_product(part, degrees, states, out);
        }
        break;
      case Kind::negation:
        evaluate_product(part, degrees, states, out);
        break;
    }
  }
}

// Breadth first, so that what is near to the node is kept.
EvaluationPart FuzzyProgram::explain(Node root, const std::vector<float>& degrees,
                                     std::size_t max_parts) const {
  struct Open {
    Node node;
    std::size_t parent;
    std::size_t first_child = 0, last_child = 0;
  };
  std::vector<Open> open{{root, 0}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Part& part = nodes_[open[i].node];
    const bool is_inner = part.kind >= Kind::all;
    if (!is_inner || open.size() + (part.last - part.first) > max_parts) continue;
    open[i].first_child = open.size();
    for (std::uint32_t c = part.first; c < part.last; ++c) open.push_back({children_[c], i});
    open[i].last_child = open.size();
  }
  std::vector<EvaluationPart> parts;
  for (const Open& each : open) {
    const Label& label = labels_[each.node];
    parts.push_back(
        {label.name, label.kind, static_cast<double>(degrees[each.node * states_per_block]), {}});
  }
  for (std::size_t i = open.size(); i-- > 0;) {
    for (std::size_t c = open[i].first_child; c < open[i].last_child; ++c) {
      parts[i].children.push_back(std::move(parts[c]));
    }
  }
  return std::move(parts.front());
}

}  // namespace zermelo::eval
