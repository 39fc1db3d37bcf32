#include "analysis/mutex_samples.h"

#include <algorithm>

#include "analysis/random_walk.h"

namespace zermelo::analysis {

namespace {

using machine::State;

std::size_t states_to_sample(const ground::Game& game, const SampleOptions& options) {
  const std::uint64_t affordable = options.max_literals / (game.literals.size() + game.atoms + 1);
  return std::min<std::uint64_t>(options.max_states, std::max<std::uint64_t>(affordable, 64));
}

}  // namespace

MutexSamples::MutexSamples(std::shared_ptr<const machine::Machine> machine,
                           const SampleOptions& options, ProofLimits limits) {
  const std::size_t wanted = states_to_sample(machine->game(), options);
  const std::size_t longest_game = std::max<std::size_t>(1, wanted / 8);
  words_per_row_ = (wanted + 63) / 64;
  bits_.assign(machine->game().fluents.size() * words_per_row_, 0);
  RandomWalk walk(std::move(machine), {options.seed, longest_game - 1, options.past_terminal});
  do {
    record(walk.state());
    if (!walk.advance()) walk.restart();
  } while (states_ < wanted && !limits.exceeded());
  words_ = (states_ + 63) / 64;
}

MutexSamples::MutexSamples(const ground::Game& game)
    : states_(1), words_(1), words_per_row_(1), bits_(game.fluents.size(), 0) {
  for (const ground::Atom fluent : game.initial) bits_[fluent] = 1;
}

void MutexSamples::record(const State& state) {
  state.for_each([&](std::size_t fluent) {
    bits_[fluent * words_per_row_ + states_ / 64] |= std::uint64_t{1} << states_ % 64;
  });
  ++states_;
}

bool MutexSamples::add_disjoint(Occurrence& occurrence, std::span<const std::uint64_t> row) {
  std::uint64_t both = 0;
  for (std::size_t w = 0; w < row.size(); ++w) {
    both |= occurrence[w] & row[w];
    occurrence[w] |= row[w];
  }
  return both == 0;
}

bool MutexSamples::everywhere(const Occurrence& occurrence) const {
  return std::all_of(occurrence.begin(), occurrence.end() - 1, [](auto w) { return ~w == 0; }) &&
         occurrence.back() == last_word();
}

Occurrence MutexSamples::complement(const Occurrence& occurrence) const {
  Occurrence result = occurrence;
  for (std::uint64_t& word : result) word = ~word;
  result.back() &= last_word();
  return result;
}

}  // namespace zermelo::analysis
