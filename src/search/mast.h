// MAST (Finnsson and Bjornsson, 2008): the mean result of every move over all playouts in which it
// was made, wherever; playouts prefer moves that did well. Unlike the paper, moves of the tree are
// not counted, as these are seen in a batch of playouts only once, and the choice is
// epsilon-greedy, which needs no exponentials.
#pragma once

#include <array>
#include <atomic>

#include "search/simulator.h"

namespace zermelo::search {

// Shared by threads; an update may be lost. Moves share a mean where their hashes meet.
class Mast : public MovePreference {
 public:
  explicit Mast(double random_share) : random_share_(random_share) {}

  void add(std::size_t role, Move move, float reward);
  std::size_t choose(std::size_t role, std::span<const Move> moves,
                     base::Random& random) const override;

 private:
  struct Average {
    std::atomic<float> mean = 1;  // what was never made is tried
    std::atomic<std::uint32_t> samples = 0;
  };

  static std::size_t slot(std::size_t role, Move move) {
    return ((std::uint64_t{role} << 32 | move) * 0x9e3779b97f4a7c15u) >> 50;
  }

  double random_share_;
  std::vector<Average> averages_ = std::vector<Average>(1 << 14);
};

}  // namespace zermelo::search
