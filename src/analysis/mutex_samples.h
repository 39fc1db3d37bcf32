// The states of random games as a bit matrix: one row of bits per fluent, one bit per state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/proof_limits.h"
#include "machine/machine.h"

namespace zermelo::analysis {

struct SampleOptions {
  std::size_t max_states = 2'048;
  std::uint64_t max_literals = 400'000'000;  // evaluated while sampling
  bool past_terminal = false;                // games continue after terminal states
  std::uint64_t seed = 1;
};

// The set of sampled states in which something holds.
using Occurrence = std::vector<std::uint64_t>;

class MutexSamples {
 public:
  // At a limit, samples fewer states, but always the initial one.
  MutexSamples(std::shared_ptr<const machine::Machine> machine, const SampleOptions& options,
               ProofLimits limits = {});
  // Samples only the initial state.
  explicit MutexSamples(const ground::Game& game);

  std::size_t states() const { return states_; }
  Occurrence nowhere() const { return Occurrence(words_); }
  std::span<const std::uint64_t> row(ground::Atom fluent) const {
    return {bits_.data() + fluent * words_per_row_, words_};
  }
  // Adds the states of a row; returns false if one of them was already present.
  static bool add_disjoint(Occurrence& occurrence, std::span<const std::uint64_t> row);
  bool everywhere(const Occurrence& occurrence) const;
  Occurrence complement(const Occurrence& occurrence) const;

 private:
  void record(const machine::State& state);
  std::uint64_t last_word() const {
    return states_ % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << states_ % 64) - 1;
  }

  std::size_t states_ = 0;
  std::size_t words_ = 0;          // used words of a row
  std::size_t words_per_row_ = 0;  // allocated words of a row
  std::vector<std::uint64_t> bits_;
};

}  // namespace zermelo::analysis
