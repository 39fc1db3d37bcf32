// Algebraic factoring: ab + ac + d = a(b + c) + d.
//
// The literal that occurs in most of the cubes is taken out, and both parts are factored in turn.
// That is the greedy "best literal" method of multi-level logic synthesis (Brayton, McMullen 1982);
// it is quick and does well on rule bodies, which share conditions on the same fluents. Cubes that
// contain another cube are dropped first; and where a literal is a cube by itself, the others need
// not say that it does not hold: f + !f g = f + g, as in "what is marked stays marked".
#include <algorithm>
#include <set>
#include <unordered_map>

#include "machine/game_circuit.h"

namespace zermelo::machine {

namespace {

// Comparing all pairs of cubes is worth it for few cubes only.
constexpr std::size_t most_cubes_to_compare = 400;

// Once more where that makes a cube a single literal.
void drop_opposites_of_literals(std::vector<Cube>& cubes) {
  std::set<Wire> opposites;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Cube& cube : cubes) {
      if (cube.size() == 1) changed |= opposites.insert(cube[0] ^ 1).second;
    }
    if (!changed) return;
    for (Cube& cube : cubes)
      std::erase_if(cube, [&](Wire wire) { return opposites.contains(wire); });
  }
}

void drop_contained(std::vector<Cube>& cubes) {
  std::sort(cubes.begin(), cubes.end(), [](const Cube& a, const Cube& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  cubes.erase(std::unique(cubes.begin(), cubes.end()), cubes.end());
  if (cubes.size() > most_cubes_to_compare) return;
  std::vector<Cube> kept;
  for (Cube& cube : cubes) {
    const bool contained = std::any_of(kept.begin(), kept.end(), [&](const Cube& smaller) {
      return std::includes(cube.begin(), cube.end(), smaller.begin(), smaller.end());
    });
    if (!contained) kept.push_back(std::move(cube));
  }
  cubes = std::move(kept);
}

// The most frequent literal and how often it occurs; ties go to the smaller literal.
std::pair<Wire, std::size_t> most_frequent(const std::vector<Cube>& cubes) {
  std::unordered_map<Wire, std::size_t> counts;
  for (const Cube& cube : cubes) {
    for (const Wire wire : cube) ++counts[wire];
  }
  std::pair<Wire, std::size_t> best{0, 0};
  for (const auto& [wire, count] : counts) {
    if (count > best.second || (count == best.second && wire < best.first)) best = {wire, count};
  }
  return best;
}

Wire factor_sorted(Circuit& circuit, std::vector<Cube> cubes) {
  std::vector<Wire> parts;
  while (!cubes.empty()) {
    const auto [common, count] = most_frequent(cubes);
    if (count <= 1) break;
    std::vector<Cube> with, without;
    for (Cube& cube : cubes) {
      const auto place = std::lower_bound(cube.begin(), cube.end(), common);
      const bool has = place != cube.end() && *place == common;
      if (has) cube.erase(place);
      (has ? with : without).push_back(std::move(cube));
    }
    const bool any_empty =
        std::any_of(with.begin(), with.end(), [](const Cube& cube) { return cube.empty(); });
    parts.push_back(any_empty ? common
                              : circuit.all_of({common, factor_sorted(circuit, std::move(with))}));
    cubes = std::move(without);
  }
  for (Cube& cube : cubes) parts.push_back(circuit.all_of(std::move(cube)));
  return circuit.any_of(std::move(parts));
}

}  // namespace

Wire factor(Circuit& circuit, std::vector<Cube> cubes) {
  drop_opposites_of_literals(cubes);
  drop_contained(cubes);
  if (!cubes.empty() && cubes.front().empty()) return always_true;
  return factor_sorted(circuit, std::move(cubes));
}

}  // namespace zermelo::machine
