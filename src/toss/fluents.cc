#include "toss/fluents.h"

#include <algorithm>
#include <set>

namespace zermelo::toss {
namespace {

// The right side's tuples that stand for left elements, by those elements; nothing in `created` is
// left out, it only counts.
struct RightTuples {
  TupleSet kept;
  bool has_created = false;
};

RightTuples right_tuples(const Rule& rule, std::size_t relation) {
  const TupleSet& right = rule.right.structure.relation(relation);
  RightTuples result{TupleSet(right.width()), false};
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::vector<Element> tuple;
    for (const Element element : right[i]) {
      if (rule.origin[element]) tuple.push_back(*rule.origin[element]);
    }
    if (tuple.size() == right.width()) {
      result.kept.insert(tuple);
    } else {
      result.has_created = true;
    }
  }
  return result;
}

bool removes(const Rule& rule, std::size_t relation) {
  const TupleSet& left = rule.left.structure.relation(relation);
  return rule.embeds(relation) && !left.without(right_tuples(rule, relation).kept).empty();
}

bool changes(const Rule& rule, std::size_t relation) {
  const RightTuples right = right_tuples(rule, relation);
  const bool adds = !right.kept.without(rule.left.structure.relation(relation)).empty();
  return adds || right.has_created || removes(rule, relation);
}

struct ElementChanges {
  bool creates = false, removes_or_copies = false;
};

ElementChanges element_changes(const Rule& rule) {
  ElementChanges result;
  std::vector<int> successors(rule.left.names.size());
  for (const std::optional<Element>& origin : rule.origin) {
    if (origin) {
      ++successors[*origin];
    } else {
      result.creates = true;
    }
  }
  result.removes_or_copies =
      std::any_of(successors.begin(), successors.end(), [](int count) { return count != 1; });
  return result;
}

bool meet(const Names& a, const Names& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& name) { return b.count(name) > 0; });
}

}  // namespace

std::vector<std::size_t> rules_in_use(const Game& game) {
  std::set<std::size_t> result;
  for (const Location& location : game.locations) {
    for (const PlayerPart& part : location.players) {
      for (const Edge& edge : part.moves) result.insert(edge.rule);
    }
  }
  return {result.begin(), result.end()};
}

bool FluentNames::in(const Formula& formula) const {
  return meet(relations_in(formula), relations) || meet(functions_in(formula), functions);
}

FluentNames find_fluents(const Game& game) {
  const StablePart stable = find_stable_part(game);
  FluentNames result;
  for (std::size_t r = 0; r < stable.relations.size(); ++r) {
    if (!stable.relations[r]) result.relations.insert(game.signature.relations[r].name);
  }
  for (std::size_t f = 0; f < stable.functions.size(); ++f) {
    if (!stable.functions[f]) result.functions.insert(game.signature.functions[f]);
  }
  for (const Definition& definition : game.definitions) {
    if (result.in(*definition.body)) result.relations.insert(definition.name);
  }
  return result;
}

StablePart find_stable_part(const Game& game) {
  StablePart result{std::vector<bool>(game.signature.relations.size(), true),
                    std::vector<bool>(game.signature.functions.size(), true), true};
  for (const std::size_t r : rules_in_use(game)) {
    const Rule& rule = game.rules[r];
    const ElementChanges elements = element_changes(rule);
    result.universe = result.universe && !elements.creates && !elements.removes_or_copies;
    for (std::size_t s = 0; s < result.relations.size(); ++s) {
      const bool moved = elements.removes_or_copies && game.signature.relations[s].arity > 0;
      if (moved || changes(rule, s)) result.relations[s] = false;
    }
    for (std::size_t f = 0; f < result.functions.size(); ++f) {
      const bool set = !rule.right.structure.function(f).empty();
      if (set || elements.removes_or_copies) result.functions[f] = false;
    }
  }
  return result;
}

bool removes_tuples(const Game& game) {
  for (const std::size_t r : rules_in_use(game)) {
    const Rule& rule = game.rules[r];
    if (element_changes(rule).removes_or_copies) return true;
    for (std::size_t s = 0; s < game.signature.relations.size(); ++s) {
      if (removes(rule, s)) return true;
    }
  }
  return false;
}

}  // namespace zermelo::toss
