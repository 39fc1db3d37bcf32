// The preferences of a player: the order in which a role prefers the outcomes of a game.
//
// `own`: maximises the role's own reward; among equal ones, minimises the sum of the others'
// rewards. `difference`: maximises the difference to the best of the others; among equal ones, the
// own reward.
//
// Both are the orders of Kissmann and Edelkamp, "Layer-Abstraction for Symbolically Solving General
// Two-Player Games", Figure 3, extended to any number of players, where they give max^n (Luckhardt
// and Irani). Remaining ties are broken by comparing the rewards role by role, the larger first. So
// the order is total, and the solution of a game is unique.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace zermelo::eval {

enum class OpponentModel { own, difference };

std::string name_of(OpponentModel model);

// The goals of a terminal state, by role. Empty: play never ends.
using Rewards = std::vector<int>;

// Moves to the end of the game with best play.
using Distance = std::uint32_t;
inline constexpr Distance no_distance =
    ~Distance{0};  // play need not end, or the distance is unknown

// The result of best play from a state.
struct Worth {
  Rewards rewards;
  Distance distance = no_distance;

  auto operator<=>(const Worth&) const = default;
};

// Returns what the role maximises first: its reward, or the difference to the best of the others
// (the reward itself if there is no other role).
int aim(OpponentModel model, std::size_t role, const Rewards& rewards);

// Returns whether the role prefers a to b.
bool prefers(OpponentModel model, std::size_t role, const Rewards& a, const Rewards& b);

// Returns whether the role wants a game with these rewards to end soon: it gets at least as much as
// every other role. The winner hurries, the loser delays, and with equal rewards everybody hurries.
bool hurries(std::size_t role, const Rewards& rewards);
// Returns whether the role prefers a to b: by the rewards, then by the distance.
bool prefers(OpponentModel model, std::size_t role, const Worth& a, const Worth& b);

// Returns the rank of each outcome in the role's order; the best has rank 0. The outcomes must be
// distinct.
std::vector<std::uint32_t> ranks(OpponentModel model, std::size_t role,
                                 const std::vector<Rewards>& outcomes);

}  // namespace zermelo::eval
