#include "search/mast.h"

#include <algorithm>

namespace zermelo::search {

void Mast::add(std::size_t role, Move move, float reward) {
  Average& average = averages_[slot(role, move)];
  const std::uint32_t before = average.samples.load(std::memory_order_relaxed);
  const std::uint32_t samples = std::max(before, before + 1);  // saturates at the largest number
  const float mean = samples == 1 ? 0 : average.mean.load(std::memory_order_relaxed);
  average.samples.store(samples, std::memory_order_relaxed);
  average.mean.store(mean + (reward - mean) / static_cast<float>(samples),
                     std::memory_order_relaxed);
}

std::size_t Mast::choose(std::size_t role, std::span<const Move> moves,
                         base::Random& random) const {
  const auto count = static_cast<std::uint32_t>(moves.size());
  const std::uint32_t any = random.below(count);
  constexpr std::uint32_t scale = 1 << 20;
  if (count == 1 || random.below(scale) < random_share_ * scale) return any;
  std::size_t chosen = any;
  float best = averages_[slot(role, moves[any])].mean.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const float mean = averages_[slot(role, moves[i])].mean.load(std::memory_order_relaxed);
    if (mean > best) {
      best = mean;
      chosen = i;
    }
  }
  return chosen;
}

}  // namespace zermelo::search
