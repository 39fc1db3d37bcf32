// The features of goals that `fuzzy` knows, each in a file of its own.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

namespace zermelo::eval {

enum class Feature : std::uint8_t {
  cardinality,       // how many solutions an expression has
  order,             // how far apart two values are in an order
  distance_between,  // how near to each other two fluents are
  number_distance,   // how near a fluent is to a fixed one, by arguments that are numbers
  graph_distance,    // the same by arguments that are nodes of a graph
  persistence,       // fluents that stay true, or false, forever
};
inline constexpr std::array<std::string_view, 6> feature_names = {
    "cardinality", "order", "distance_between", "number_distance", "graph_distance", "persistence"};

using FeatureSet = std::bitset<feature_names.size()>;

inline constexpr std::size_t index_of(Feature feature) { return static_cast<std::size_t>(feature); }

inline std::optional<Feature> feature_of(std::string_view name) {
  for (std::size_t i = 0; i < feature_names.size(); ++i) {
    if (feature_names[i] == name) return static_cast<Feature>(i);
  }
  return std::nullopt;
}

}  // namespace zermelo::eval
