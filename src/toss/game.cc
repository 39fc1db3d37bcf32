#include "toss/game.h"

#include <algorithm>

namespace zermelo::toss {
namespace {

template <class T, class Same>
bool all_same(const std::vector<T>& a, const std::vector<T>& b, Same same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool same_atoms(const FormulaPtr& a, const FormulaPtr& b) { return same(a, b); }

bool same_rule(const Rule& a, const Rule& b) {
  return a.name == b.name && a.left == b.left && a.right == b.right && a.origin == b.origin &&
         a.embedded == b.embedded && all_same(a.left_defined, b.left_defined, same_atoms) &&
         same(a.pre, b.pre) && same(a.post, b.post);
}

bool same_definition(const Definition& a, const Definition& b) {
  return a.name == b.name && a.parameters == b.parameters && same(a.body, b.body);
}

bool same_part(const PlayerPart& a, const PlayerPart& b) {
  return a.moves == b.moves && same(a.payoff, b.payoff);
}

bool same_location(const Location& a, const Location& b) {
  return a.number == b.number && all_same(a.players, b.players, same_part);
}

}  // namespace

bool same(const Game& a, const Game& b) {
  return a.players == b.players && a.signature == b.signature && a.start == b.start &&
         a.model == b.model && all_same(a.definitions, b.definitions, same_definition) &&
         all_same(a.rules, b.rules, same_rule) && all_same(a.locations, b.locations, same_location);
}

}  // namespace zermelo::toss
