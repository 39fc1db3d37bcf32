// Values of short partisan games: finite games of two players, Left and Right, without repetition,
// in which a player who cannot move loses.
//
//   ShortGames games;
//   const GameValue star = games.make({games.zero()}, {games.zero()});
//   games.is_at_most(games.add(star, star), games.zero());  // star + star = 0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zermelo::search::decomposition {

// Equal games have equal values.
using GameValue = std::uint32_t;

class ShortGames {
 public:
  ShortGames();

  static constexpr GameValue zero() { return 0; }
  // The value of the game with these options, in any order.
  GameValue make(std::vector<GameValue> left, std::vector<GameValue> right);
  GameValue add(GameValue a, GameValue b);

  bool is_at_most(GameValue a, GameValue b);
  // Whether the player wins if it is to move.
  bool left_wins_first(GameValue value) { return !is_at_most(value, zero()); }
  bool right_wins_first(GameValue value) { return !is_at_most(zero(), value); }

  // The options of the canonical form, ascending.
  const std::vector<GameValue>& left(GameValue value) const { return forms_[value].left; }
  const std::vector<GameValue>& right(GameValue value) const { return forms_[value].right; }

  // Whether too many values or comparisons were asked for. All results since then are wrong.
  bool is_exhausted() const { return work_ > max_work; }

 private:
  // Sums of hot games can have very many options.
  static constexpr std::size_t max_work = 3'000'000;

  struct Form {
    std::vector<GameValue> left, right;
    auto operator<=>(const Form&) const = default;
  };

  GameValue intern(Form form);
  bool bypass_reversible(Form& form, GameValue whole);
  void remove_dominated(Form& form);

  std::vector<Form> forms_;
  std::map<Form, GameValue> numbers_;
  std::unordered_map<std::uint64_t, bool> comparisons_;
  std::unordered_map<std::uint64_t, GameValue> sums_;
  std::unordered_map<GameValue, GameValue> canonical_;  // by number of any form
  std::size_t work_ = 0;
};

}  // namespace zermelo::search::decomposition
