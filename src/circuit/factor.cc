// Algebraic factoring: ab + ac + d = a(b + c) + d.
//
// The literal that occurs in the most cubes is factored out, and both parts are factored
// recursively. This is the greedy "best literal" method of multi-level logic synthesis (Brayton,
// McMullen 1982). It is fast and works well on rule bodies, which share conditions on the same
// fluents. Cubes that contain another cube are dropped first. If a literal is a cube by itself, its
// negation is dropped from the others: f + !f g = f + g, as in "what is marked stays marked".
#include <algorithm>

#include "circuit/game_circuit.h"

namespace zermelo::circuit {

namespace {

// Above this number, cubes are not compared pairwise.
constexpr std::size_t max_cubes_to_compare = 400;

// The negations of the literals that are cubes by themselves, ascending.
std::vector<Wire> opposites_of_literals(const std::vector<Cube>& cubes) {
  std::vector<Wire> opposites;
  for (const Cube& cube : cubes) {
    if (cube.size() == 1) opposites.push_back(cube[0] ^ 1);
  }
  std::sort(opposites.begin(), opposites.end());
  return opposites;
}

// Repeats if a cube becomes a single literal.
void drop_opposites_of_literals(std::vector<Cube>& cubes) {
  std::size_t literals = 0;
  for (auto opposites = opposites_of_literals(cubes); opposites.size() > literals;
       opposites = opposites_of_literals(cubes)) {
    literals = opposites.size();
    for (Cube& cube : cubes) {
      std::erase_if(cube, [&](Wire wire) {
        return std::binary_search(opposites.begin(), opposites.end(), wire);
      });
    }
  }
}

// One bit per literal. A cube that lacks a bit of another does not contain it.
std::uint64_t signature(const Cube& cube) {
  std::uint64_t bits = 0;
  for (const Wire wire : cube) bits |= std::uint64_t{1} << (wire * 0x9e3779b1u >> 26);
  return bits;
}

void drop_contained(std::vector<Cube>& cubes) {
  std::sort(cubes.begin(), cubes.end(), [](const Cube& a, const Cube& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  cubes.erase(std::unique(cubes.begin(), cubes.end()), cubes.end());
  if (cubes.size() > max_cubes_to_compare) return;
  std::vector<Cube> kept;
  std::vector<std::uint64_t> signatures;  // of those
  for (Cube& cube : cubes) {
    const std::uint64_t bits = signature(cube);
    bool contains = false;
    for (std::size_t i = 0; i < kept.size() && !contains; ++i) {
      contains = (signatures[i] & ~bits) == 0 &&
                 std::includes(cube.begin(), cube.end(), kept[i].begin(), kept[i].end());
    }
    if (contains) continue;
    kept.push_back(std::move(cube));
    signatures.push_back(bits);
  }
  cubes = std::move(kept);
}

// By literal, the number of cubes that contain it.
class LiteralCounts {
 public:
  explicit LiteralCounts(const std::vector<Cube>& cubes) {
    std::vector<Wire> literals;
    for (const Cube& cube : cubes) literals.insert(literals.end(), cube.begin(), cube.end());
    std::sort(literals.begin(), literals.end());
    for (const Wire literal : literals) {
      if (counts_.empty() || counts_.back().literal != literal) counts_.push_back({literal, 0});
      ++counts_.back().count;
    }
  }

  struct Count {
    Wire literal;
    std::size_t count;
  };

  // The smallest of the most frequent literals. Requires at least one literal.
  Count most() const {
    return *std::max_element(counts_.begin(), counts_.end(),
                             [](const Count& a, const Count& b) { return a.count < b.count; });
  }

  std::size_t size() const { return counts_.size(); }

  void remove(const Cube& cube) {
    for (const Wire literal : cube) {
      --std::lower_bound(counts_.begin(), counts_.end(), literal, [](const Count& a, Wire wire) {
          return a.literal < wire;
        })->count;
    }
  }

 private:
  std::vector<Count> counts_;  // ascending literals
};

// Removes the cubes that contain the literal and returns them without it.
std::vector<Cube> divide(std::vector<Cube>& cubes, Wire literal, LiteralCounts& counts) {
  std::vector<Cube> with;
  std::erase_if(cubes, [&](Cube& cube) {
    const auto place = std::lower_bound(cube.begin(), cube.end(), literal);
    if (place == cube.end() || *place != literal) return false;
    counts.remove(cube);
    cube.erase(place);
    with.push_back(std::move(cube));
    return true;
  });
  return with;
}

Wire factor_sorted(Circuit& circuit, std::vector<Cube> cubes) {
  std::vector<Wire> parts;
  LiteralCounts counts(cubes);
  while (!cubes.empty()) {
    circuit.count_steps(counts.size() + cubes.size());
    const auto [common, count] = counts.most();
    if (count <= 1) break;
    std::vector<Cube> with = divide(cubes, common, counts);
    const bool any_empty =
        std::any_of(with.begin(), with.end(), [](const Cube& cube) { return cube.empty(); });
    parts.push_back(any_empty ? common
                              : circuit.all_of({common, factor_sorted(circuit, std::move(with))}));
  }
  for (Cube& cube : cubes) parts.push_back(circuit.all_of(std::move(cube)));
  return circuit.any_of(std::move(parts));
}

}  // namespace

Wire factor(Circuit& circuit, std::vector<Cube> cubes) {
  circuit.count_steps(cubes.size());
  drop_opposites_of_literals(cubes);
  drop_contained(cubes);
  if (!cubes.empty() && cubes.front().empty()) return always_true;
  return factor_sorted(circuit, std::move(cubes));
}

}  // namespace zermelo::circuit
