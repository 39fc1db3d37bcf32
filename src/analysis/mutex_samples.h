// The states of random games as a bit matrix: one row of bits per fluent, one bit per state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/mutex_candidates.h"

namespace zermelo::analysis {

// The states in which something holds.
using Occurrence = std::vector<std::uint64_t>;

class MutexSamples {
 public:
  MutexSamples(std::shared_ptr<const machine::Machine> machine, const SampleOptions& options);
  // The initial state alone.
  explicit MutexSamples(const ground::Game& game);

  std::size_t states() const { return states_; }
  Occurrence nowhere() const { return Occurrence(words_); }
  std::span<const std::uint64_t> row(ground::Atom fluent) const {
    return {bits_.data() + fluent * words_, words_};
  }
  // Adds the states of a row; false when one of them was there already.
  static bool add_disjoint(Occurrence& occurrence, std::span<const std::uint64_t> row);
  bool everywhere(const Occurrence& occurrence) const;
  Occurrence complement(const Occurrence& occurrence) const;

 private:
  void record(const machine::State& state);
  std::uint64_t last_word() const {
    return states_ % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << states_ % 64) - 1;
  }

  std::size_t states_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace zermelo::analysis
