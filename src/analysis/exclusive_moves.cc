// Two moves are never legal together if their requirements leave some variable no value: one moves
// a piece from a cell that the other needs empty. Partitioning the moves into sets of pairwise
// exclusive moves is a clique cover, which is NP-hard to minimise, so a greedy algorithm is used.
// The move with the fewest remaining partners starts a set and then adds, one by one, the common
// partner that has the fewest partners itself. So moves with few partners find one before it is
// taken. Ties are broken by the order of the moves, so the result is deterministic.
//
// The partners of a move are a row of bits, computed from one row per variable and value: the moves
// that allow the value. The rows are as long as there are moves. So beyond some thousand moves, the
// partition is computed within blocks of the sorted moves, which keeps the time proportional.

#include "analysis/exclusive_moves.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "analysis/requirements.h"
#include "base/bit_set.h"

namespace zermelo::analysis {

namespace {

using base::BitSet;
using machine::Move;

constexpr std::size_t block_size = 8'192;
// Limit on the literals in the rules of games for which exclusive moves are found by default.
constexpr std::size_t max_literals = 10'000'000;

class Division {
 public:
  Division(const std::vector<Requirement>& requirements, Move first, Move last, ProofLimits& limits)
      : requirements_(requirements), first_(first), size_(last - first), limits_(limits) {
    index_values();
    for (std::uint32_t i = 0; i < size_ && !limits_.exceeded(); ++i) {
      partners_.push_back(partners_of(i));
      degree_.push_back(static_cast<std::uint32_t>(partners_[i].count()));
    }
  }

  // At a limit, some moves are left out.
  std::vector<std::vector<Move>> run() {
    if (partners_.size() < size_) return {};
    for (std::uint32_t i = 0; i < size_; ++i) queue_.emplace(degree_[i], i);
    std::vector<std::vector<Move>> sets;
    while (!queue_.empty() && !limits_.exceeded()) sets.push_back(next_set());
    return sets;
  }

 private:
  struct Variable {
    BitSet restricting;              // moves that restrict the variable
    std::map<int, BitSet> allowing;  // by value: those of them that allow it
  };

  const Requirement& requirement(std::uint32_t i) const { return requirements_[first_ + i]; }

  template <class Visit>
  static void for_each_value(std::uint64_t values, Visit visit) {
    for (; values != 0; values &= values - 1) visit(std::countr_zero(values));
  }

  void index_values() {
    for (std::uint32_t i = 0; i < size_; ++i) {
      for (const Allowed& allowed : requirement(i).allowed) {
        Variable& variable =
            variables_.try_emplace(allowed.variable, Variable{BitSet(size_), {}}).first->second;
        variable.restricting.set(i);
        for_each_value(allowed.values, [&](int value) {
          variable.allowing.try_emplace(value, BitSet(size_)).first->second.set(i);
        });
      }
    }
  }

  BitSet partners_of(std::uint32_t i) const {
    BitSet partners(size_);
    for (const Allowed& allowed : requirement(i).allowed) {
      const Variable& variable = variables_.at(allowed.variable);
      BitSet compatible(size_);
      for_each_value(allowed.values, [&](int v) { compatible |= variable.allowing.at(v); });
      BitSet excluded = variable.restricting;
      compatible.for_each([&](std::size_t other) { excluded.reset(other); });
      partners |= excluded;
    }
    return partners;
  }

  std::vector<Move> next_set() {
    const std::uint32_t start = queue_.begin()->second;
    std::vector<std::uint32_t> members{start};
    BitSet common = partners_[start];
    take(start);
    for (;;) {
      const std::uint32_t next = least_wanted(common);
      if (next == size_ || limits_.exceeded()) break;
      members.push_back(next);
      common &= partners_[next];
      take(next);
    }
    std::sort(members.begin(), members.end());
    std::vector<Move> moves;
    for (const std::uint32_t i : members) moves.push_back(first_ + i);
    return moves;
  }

  std::uint32_t least_wanted(const BitSet& candidates) const {
    std::uint32_t best = size_;
    candidates.for_each([&](std::size_t i) {
      if (best == size_ || degree_[i] < degree_[best]) best = static_cast<std::uint32_t>(i);
    });
    return best;
  }

  void take(std::uint32_t taken) {
    queue_.erase({degree_[taken], taken});
    partners_[taken].for_each([&](std::size_t i) {
      const auto partner = static_cast<std::uint32_t>(i);
      partners_[partner].reset(taken);
      queue_.erase({degree_[partner], partner});
      queue_.emplace(--degree_[partner], partner);
    });
  }

  const std::vector<Requirement>& requirements_;
  Move first_;
  std::uint32_t size_;
  ProofLimits& limits_;
  std::map<std::uint32_t, Variable> variables_;
  std::vector<BitSet> partners_;                             // by move, without moves already taken
  std::vector<std::uint32_t> degree_;                        // number of remaining partners
  std::set<std::pair<std::uint32_t, std::uint32_t>> queue_;  // degree and move, not taken yet
};

std::vector<std::vector<Move>> divide(const ground::Game& game, std::uint32_t role,
                                      const Requirements& requirements, ProofLimits& limits) {
  std::vector<std::vector<Move>> sets;
  const Move end = game.first_move_of[role + 1];
  for (Move first = game.first_move_of[role]; first < end; first += block_size) {
    const Move last = std::min<Move>(end, first + block_size);
    for (auto& set : Division(requirements.of_moves(), first, last, limits).run()) {
      sets.push_back(std::move(set));
    }
  }
  return sets;
}

}  // namespace

std::vector<std::vector<Move>> exclusive_moves(const ground::Game& game, std::uint32_t role,
                                               const std::vector<MutexGroup>& groups) {
  ProofLimits unlimited;
  return divide(game, role, Requirements(game, groups), unlimited);
}

std::vector<std::vector<Move>> exclusive_moves(const ground::Game& game,
                                               const base::Limits& limits) {
  std::vector<std::vector<Move>> sets;
  if (game.literals.size() > max_literals) return sets;
  ProofLimits proofs(limits);
  const Requirements requirements(game, find_mutex_groups_by_rules(game, limits), proofs);
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
    for (auto& set : divide(game, role, requirements, proofs)) {
      if (set.size() > 1) sets.push_back(std::move(set));
    }
  }
  return sets;
}

}  // namespace zermelo::analysis
