// Evaluates formulas bottom-up, each subformula as a set of worlds. K of an agent holds in the
// information sets all of whose worlds satisfy the operand. E is the conjunction of several K.
// Common and distributed knowledge are K for another partition: the finest one that is coarser than
// those of all agents (by union-find), and the coarsest one that is finer than all (by hashing the
// tuples of class numbers).
#include "know/entailment.h"

#include <algorithm>
#include <numeric>

#include "know/tuple_table.h"

namespace zermelo::know {

namespace {

using Kind = Formula::Kind;
using Classes = std::vector<std::uint32_t>;

std::uint32_t class_count(const Classes& classes) {
  return classes.empty() ? 0 : 1 + *std::max_element(classes.begin(), classes.end());
}

// Where all worlds of the class satisfy the operand.
Truth in_whole_class(const Truth& operand, const Classes& classes) {
  Truth whole(class_count(classes), 1);
  for (std::size_t w = 0; w < classes.size(); ++w) whole[classes[w]] &= operand[w];
  Truth result(classes.size());
  for (std::size_t w = 0; w < classes.size(); ++w) result[w] = whole[classes[w]];
  return result;
}

Truth negated(Truth truth) {
  for (std::uint8_t& value : truth) value ^= 1;
  return truth;
}

template <class Combine>
Truth combined(Truth a, const Truth& b, Combine combine) {
  for (std::size_t w = 0; w < a.size(); ++w) a[w] = combine(a[w] != 0, b[w] != 0) ? 1 : 0;
  return a;
}

Truth both(Truth a, const Truth& b) {
  return combined(std::move(a), b, [](bool x, bool y) { return x && y; });
}
Truth either(Truth a, const Truth& b) {
  return combined(std::move(a), b, [](bool x, bool y) { return x || y; });
}

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }
  std::uint32_t root(std::uint32_t element) {
    while (parents_[element] != element) {
      parents_[element] = parents_[parents_[element]];
      element = parents_[element];
    }
    return element;
  }
  void unite(std::uint32_t a, std::uint32_t b) { parents_[root(a)] = root(b); }

 private:
  std::vector<std::uint32_t> parents_;
};

Classes renumbered(const Classes& classes) {
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  Classes result;
  for (const std::uint32_t c : classes)
    result.push_back(
        numbers.try_emplace(c, static_cast<std::uint32_t>(numbers.size())).first->second);
  return result;
}

}  // namespace

Classes common_classes(const Frame& frame, const std::vector<std::uint32_t>& agents) {
  UnionFind sets(frame.worlds);
  for (const std::uint32_t agent : agents) {
    const Classes& classes = frame.class_of[agent];
    std::vector<std::uint32_t> first(class_count(classes), ~std::uint32_t{0});
    for (std::uint32_t w = 0; w < frame.worlds; ++w) {
      if (first[classes[w]] == ~std::uint32_t{0}) first[classes[w]] = w;
      sets.unite(w, first[classes[w]]);
    }
  }
  Classes roots;
  for (std::uint32_t w = 0; w < frame.worlds; ++w) roots.push_back(sets.root(w));
  return renumbered(roots);
}

Classes distributed_classes(const Frame& frame, const std::vector<std::uint32_t>& agents) {
  TupleTable tuples(agents.size());
  std::vector<std::uint32_t> tuple(agents.size());
  Classes result;
  for (std::size_t w = 0; w < frame.worlds; ++w) {
    for (std::size_t a = 0; a < agents.size(); ++a) tuple[a] = frame.class_of[agents[a]][w];
    result.push_back(tuples.add(tuple).first);
  }
  return result;
}

Truth truth(const Formula& formula, const Frame& frame) {
  if (formula.kind == Kind::atom) return frame.atoms.at(formula.atom);
  Truth first = truth(formula.children[0], frame);
  switch (formula.kind) {
    case Kind::atom:
      break;
    case Kind::negation:
      return negated(std::move(first));
    case Kind::conjunction:
      return both(std::move(first), truth(formula.children[1], frame));
    case Kind::disjunction:
      return either(std::move(first), truth(formula.children[1], frame));
    case Kind::implication:
      return either(negated(std::move(first)), truth(formula.children[1], frame));
    case Kind::knows:
      return in_whole_class(first, frame.class_of[formula.agents[0]]);
    case Kind::knows_whether: {
      const Classes& classes = frame.class_of[formula.agents[0]];
      return either(in_whole_class(first, classes), in_whole_class(negated(first), classes));
    }
    case Kind::everybody_knows: {
      Truth result(frame.worlds, 1);
      for (const std::uint32_t agent : formula.agents)
        result = both(std::move(result), in_whole_class(first, frame.class_of[agent]));
      return result;
    }
    case Kind::distributed_knowledge:
      return in_whole_class(first, distributed_classes(frame, formula.agents));
    case Kind::common_knowledge:
      return in_whole_class(first, common_classes(frame, formula.agents));
  }
  return first;
}

Frame announce(const Formula& formula, const Frame& frame, std::vector<std::uint32_t>& kept) {
  const Truth holds = truth(formula, frame);
  kept.clear();
  for (std::uint32_t w = 0; w < frame.worlds; ++w) {
    if (holds[w] != 0) kept.push_back(w);
  }
  Frame result;
  result.worlds = kept.size();
  for (const Classes& classes : frame.class_of) {
    Classes rest;
    for (const std::uint32_t w : kept) rest.push_back(classes[w]);
    result.class_of.push_back(renumbered(rest));
  }
  for (const auto& [atom, values] : frame.atoms) {
    Truth rest;
    for (const std::uint32_t w : kept) rest.push_back(values[w]);
    result.atoms.emplace(atom, std::move(rest));
  }
  return result;
}

namespace {

// A world of the same class where the operand has the given value; the world itself if it does, or
// if there is none.
std::uint32_t world_with(const Truth& operand, const Classes& classes, std::uint32_t world,
                         bool value) {
  if ((operand[world] != 0) == value) return world;
  for (std::uint32_t w = 0; w < classes.size(); ++w) {
    if (classes[w] == classes[world] && (operand[w] != 0) == value) return w;
  }
  return world;
}

std::optional<Witness> witness_in_children(const Formula& formula, const Frame& frame,
                                           std::uint32_t world) {
  const std::size_t first = formula.kind == Kind::implication ? 1 : 0;
  for (std::size_t i = first; i < formula.children.size(); ++i) {
    if (truth(formula.children[i], frame)[world] != 0) continue;
    if (const auto found = witness_against(formula.children[i], frame, world)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Witness> witness_against(const Formula& formula, const Frame& frame,
                                       std::uint32_t world) {
  if (formula.kind == Kind::atom || formula.kind == Kind::negation) return std::nullopt;
  if (formula.agents.empty()) return witness_in_children(formula, frame, world);
  const Truth operand = truth(formula.children[0], frame);
  switch (formula.kind) {
    case Kind::distributed_knowledge:
      return Witness{{},
                     world_with(operand, distributed_classes(frame, formula.agents), world, false)};
    case Kind::common_knowledge:
      return Witness{{}, world_with(operand, common_classes(frame, formula.agents), world, false)};
    default:
      break;
  }
  const bool wanted = formula.kind == Kind::knows_whether && operand[world] == 0;
  for (const std::uint32_t agent : formula.agents) {
    const Classes& classes = frame.class_of[agent];
    const std::uint32_t other = world_with(operand, classes, world, wanted);
    if ((operand[other] != 0) == wanted) return Witness{agent, other};
  }
  return std::nullopt;
}

}  // namespace zermelo::know
