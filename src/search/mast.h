// MAST (Finnsson and Bjornsson, 2008): the mean result of every move over all playouts that contain
// it, in any state. Playouts prefer moves with good means. Unlike in the paper, moves in the tree
// are not counted, as a batch of playouts shares them, and the choice is epsilon-greedy, which
// needs no exponentials.
#pragma once

#include <array>
#include <atomic>

#include "search/simulator.h"

namespace zermelo::search {

// Shared by threads; updates may be lost. Moves with equal hashes share a mean.
class Mast : public MovePreference {
 public:
  explicit Mast(double random_share) : random_share_(random_share) {}

  void add(std::size_t role, Move move, float reward);
  std::size_t choose(std::size_t role, std::span<const Move> moves,
                     base::Random& random) const override;

 private:
  struct Average {
    std::atomic<float> mean = 1;  // optimistic, so that new moves are tried
    std::atomic<std::uint32_t> samples = 0;
  };

  static std::size_t slot(std::size_t role, Move move) {
    return ((std::uint64_t{role} << 32 | move) * 0x9e3779b97f4a7c15u) >> 50;
  }

  double random_share_;
  std::vector<Average> averages_ = std::vector<Average>(1 << 14);
};

}  // namespace zermelo::search
