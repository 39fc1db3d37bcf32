// What a player wants: the order in which a role prefers the outcomes of a game.
//
// `own`: the most for oneself; of equal rewards the one that leaves the others the least in all.
// `difference`: the most above the best of the others; of equal differences the most for oneself.
// Both are the orders of Kissmann and Edelkamp, "Layer-Abstraction for Symbolically Solving General
// Two-Player Games", Figure 3, continued to any number of players, where they give max^n (Luckhardt
// and Irani). What is still equal is ordered by the rewards in the order of the roles, the larger
// first, so that the order is total and a solution is the same whoever computes it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace zermelo::eval {

enum class OpponentModel { own, difference };

std::string name_of(OpponentModel model);

// The goals of a terminal state, by role. Empty stands for play that never ends.
using Rewards = std::vector<int>;

// Moves to the end of the game with best play.
using Distance = std::uint32_t;
inline constexpr Distance no_distance = ~Distance{0};  // play need not end, or it is not known when

// What best play from a state leads to.
struct Worth {
  Rewards rewards;
  Distance distance = no_distance;

  auto operator<=>(const Worth&) const = default;
};

// What the role wants the most of: its reward, or by how much that is above the best of the others'
// (the reward itself when there is no other).
int aim(OpponentModel model, std::size_t role, const Rewards& rewards);

// Whether the role likes the first better.
bool prefers(OpponentModel model, std::size_t role, const Rewards& a, const Rewards& b);

// Whether the role wants a game with these rewards to end soon: it gets at least as much as every
// other. The winner hurries, the loser delays, and with even rewards everybody hurries.
bool hurries(std::size_t role, const Rewards& rewards);
// Whether the role likes the first better: by the rewards, and of equal ones by who hurries.
bool prefers(OpponentModel model, std::size_t role, const Worth& a, const Worth& b);

// For each of different outcomes its place in the role's order, the best being 0.
std::vector<std::uint32_t> ranks(OpponentModel model, std::size_t role,
                                 const std::vector<Rewards>& outcomes);

}  // namespace zermelo::eval
