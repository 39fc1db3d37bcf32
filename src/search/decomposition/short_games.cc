// Combinatorial game values after Conway, "On Numbers and Games" (1976), and Berlekamp, Conway and
// Guy, "Winning Ways". A game G = {L | R} is given by the games that Left and Right can move to.
//
// G + H is the game in which the player to move makes a move in G or in H. G <= H holds if Right,
// moving second, wins G - H; equivalently, if no left option GL has H <= GL and no right option HR
// has HR <= G. G and H are equal if both G <= H and H <= G. Equal games are exchangeable in every
// sum: if G = H, then G + K = H + K, because the second player wins G - H + K - K by answering in
// the component in which the opponent moved. So the outcome of a sum is a function of the values of
// its parts, which is what decomposition search needs (Müller, 1999).
//
// Every game has one canonical form, so that equality of values is equality of forms. It is reached
// by two steps that keep the value: a reversible option (a left option GL with a right option
// GLR <= G) is replaced by the left options of GLR, and a dominated option (a left option that is
// at most another one) is removed; the same holds for right options with the order reversed. Proof
// that the result is unique: if two forms without such options are equal, each left option GL of
// the first has, by G <= H, a left option HL with GL <= HL (the alternative, a GLR <= H, would make
// GL reversible), and that one in turn a GL' with HL <= GL'. As nothing is dominated, GL = GL' =
// HL.
#include "search/decomposition/short_games.h"

#include <algorithm>

namespace zermelo::search::decomposition {
namespace {

std::uint64_t pair_key(GameValue a, GameValue b) { return std::uint64_t{a} << 32 | b; }

void sort_values(std::vector<GameValue>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

ShortGames::ShortGames() { intern({}); }

GameValue ShortGames::intern(Form form) {
  const auto [entry, is_new] =
      numbers_.emplace(std::move(form), static_cast<GameValue>(forms_.size()));
  if (is_new) {
    forms_.push_back(entry->first);
    work_ += 10 + entry->first.left.size() + entry->first.right.size();
  }
  return entry->second;
}

bool ShortGames::is_at_most(GameValue a, GameValue b) {
  if (a == b) return true;
  const std::uint64_t key = pair_key(a, b);
  const auto known = comparisons_.find(key);
  if (known != comparisons_.end()) return known->second;
  if (++work_ > max_work) return false;
  bool result = true;
  for (std::size_t i = 0; i < forms_[a].left.size() && result; ++i) {
    result = !is_at_most(b, forms_[a].left[i]);
  }
  for (std::size_t i = 0; i < forms_[b].right.size() && result; ++i) {
    result = !is_at_most(forms_[b].right[i], a);
  }
  return comparisons_[key] = result;
}

// Replaces one reversible option of a form of `whole`. Whether there was one.
bool ShortGames::bypass_reversible(Form& form, GameValue whole) {
  for (std::size_t i = 0; i < form.left.size(); ++i) {
    for (const GameValue reply : forms_[form.left[i]].right) {
      if (!is_at_most(reply, whole)) continue;
      form.left.erase(form.left.begin() + static_cast<std::ptrdiff_t>(i));
      form.left.insert(form.left.end(), forms_[reply].left.begin(), forms_[reply].left.end());
      sort_values(form.left);
      return true;
    }
  }
  for (std::size_t i = 0; i < form.right.size(); ++i) {
    for (const GameValue reply : forms_[form.right[i]].left) {
      if (!is_at_most(whole, reply)) continue;
      form.right.erase(form.right.begin() + static_cast<std::ptrdiff_t>(i));
      form.right.insert(form.right.end(), forms_[reply].right.begin(), forms_[reply].right.end());
      sort_values(form.right);
      return true;
    }
  }
  return false;
}

void ShortGames::remove_dominated(Form& form) {
  const auto without = [&](std::vector<GameValue>& options, const auto& is_worse) {
    std::vector<GameValue> kept;
    for (const GameValue option : options) {
      const auto beats = [&](GameValue other) {
        return other != option && is_worse(option, other);
      };
      if (std::none_of(options.begin(), options.end(), beats)) kept.push_back(option);
    }
    options = std::move(kept);
  };
  without(form.left, [&](GameValue a, GameValue b) { return is_at_most(a, b); });
  without(form.right, [&](GameValue a, GameValue b) { return is_at_most(b, a); });
}

// The form with all options stays in the table, so that comparisons with it are remembered; it is
// never returned unless it is canonical.
GameValue ShortGames::make(std::vector<GameValue> left, std::vector<GameValue> right) {
  Form form{std::move(left), std::move(right)};
  sort_values(form.left);
  sort_values(form.right);
  const GameValue whole = intern(form);
  const auto known = canonical_.find(whole);
  if (known != canonical_.end()) return known->second;
  while (!is_exhausted() && bypass_reversible(form, whole)) {
  }
  remove_dominated(form);
  return canonical_[whole] = intern(std::move(form));
}

GameValue ShortGames::add(GameValue a, GameValue b) {
  if (a == zero()) return b;
  if (b == zero()) return a;
  if (a > b) std::swap(a, b);
  const std::uint64_t key = pair_key(a, b);
  const auto known = sums_.find(key);
  if (known != sums_.end()) return known->second;
  if (is_exhausted()) return zero();
  std::vector<GameValue> left, right;
  for (std::size_t i = 0; i < forms_[a].left.size(); ++i) left.push_back(add(forms_[a].left[i], b));
  for (std::size_t i = 0; i < forms_[b].left.size(); ++i) left.push_back(add(a, forms_[b].left[i]));
  for (std::size_t i = 0; i < forms_[a].right.size(); ++i) {
    right.push_back(add(forms_[a].right[i], b));
  }
  for (std::size_t i = 0; i < forms_[b].right.size(); ++i) {
    right.push_back(add(a, forms_[b].right[i]));
  }
  return sums_[key] = make(std::move(left), std::move(right));
}

}  // namespace zermelo::search::decomposition
