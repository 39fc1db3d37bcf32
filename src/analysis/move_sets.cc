#include "analysis/move_sets.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace zermelo::analysis {

using ground::Atom;
using ground::Literal;
using ground::RuleIndex;

namespace {

// If all sets together have more moves than this, further atoms are skipped.
constexpr std::size_t max_stored_moves = 20'000'000;

void sort_unique(std::vector<std::uint32_t>& moves) {
  std::sort(moves.begin(), moves.end());
  moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
}

}  // namespace

MoveSets::MoveSets(const ground::Game& game, ProofLimits limits)
    : game_(game), all_moves_(game.moves.size()), moves_of_(game.atoms - game.first_after_does) {
  std::iota(all_moves_.begin(), all_moves_.end(), 0);
  auto component = game.recursive.begin();
  for (Atom atom = game.first_after_does; atom < game.atoms && !limits.exceeded(); ++atom) {
    while (component != game.recursive.end() && component->last <= atom) ++component;
    const bool recursive = component != game.recursive.end() && component->first <= atom;
    if (!recursive && stored_ < max_stored_moves) collect(atom);
  }
}

std::optional<std::span<const std::uint32_t>> MoveSets::moves(Atom atom) const {
  if (atom >= game_.first_after_does) {
    const auto& moves = moves_of_[atom - game_.first_after_does];
    if (moves.empty()) return std::nullopt;
    return moves;
  }
  if (atom < game_.fluents.size() || atom >= game_.first_derived) return std::nullopt;
  return std::span(all_moves_).subspan(atom - game_.fluents.size(), 1);
}

void MoveSets::collect(Atom atom) {
  std::vector<std::uint32_t> all;
  for (RuleIndex rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
    const auto body = game_.body(rule);
    if (body.size() != 1 || body.front().negated()) return;
    const auto some = moves(body.front().atom());
    if (!some) return;
    all.insert(all.end(), some->begin(), some->end());
  }
  sort_unique(all);
  stored_ += all.size();
  moves_of_[atom - game_.first_after_does] = std::move(all);
}

std::vector<FactoredRules> factor_rules(const ground::Game& game, const MoveSets& sets, Atom atom) {
  std::vector<FactoredRules> result;
  std::map<std::vector<Literal>, std::vector<std::uint32_t>> with_move;
  for (RuleIndex rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
    const auto body = game.body(rule);
    const auto asks_for_move = [&](Literal l) { return !l.negated() && sets.moves(l.atom()); };
    std::vector<Literal> rest(body.begin(), body.end());
    if (std::count_if(body.begin(), body.end(), asks_for_move) != 1) {
      result.push_back({std::move(rest), {}});
      continue;
    }
    const auto place = std::find_if(rest.begin(), rest.end(), asks_for_move);
    const auto moves = *sets.moves(place->atom());
    rest.erase(place);
    auto& all = with_move[std::move(rest)];
    all.insert(all.end(), moves.begin(), moves.end());
  }
  for (auto& [rest, moves] : with_move) {
    sort_unique(moves);
    result.push_back({rest, std::move(moves)});
  }
  return result;
}

}  // namespace zermelo::analysis
