#include "search/random_move.h"

namespace zermelo::search {

bool choose_at_random(Walker& walker, base::Random& random, std::span<Move> joint) {
  for (std::size_t role = 0; role < joint.size(); ++role) {
    const std::span<const Move> legal = walker.legal(role);
    if (legal.empty()) return false;
    joint[role] = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
  }
  return true;
}

}  // namespace zermelo::search
