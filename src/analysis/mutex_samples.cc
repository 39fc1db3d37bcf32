#include "analysis/mutex_samples.h"

#include <algorithm>

#include "base/random.h"

namespace zermelo::analysis {

namespace {

using machine::Move;
using machine::State;
using machine::Stepper;

// Returns a random legal joint move; empty if a role has none.
std::vector<Move> random_joint_move(Stepper& stepper, const State& state, base::Random& random) {
  std::vector<Move> joint;
  for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
    const std::vector<Move> legal = stepper.legal_moves(state, role);
    if (legal.empty()) return {};
    joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
  }
  return joint;
}

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
  Stepper stepper(std::move(machine));
  base::Random random(options.seed);
  const auto is_enough = [&] { return states_ >= wanted || (states_ > 0 && limits.exceeded()); };
  while (!is_enough()) {
    State state = stepper.initial_state();
    for (std::size_t depth = 0; depth < longest_game && !is_enough(); ++depth) {
      record(state);
      if (!options.past_terminal && stepper.terminal(state)) break;
      const std::vector<Move> joint = random_joint_move(stepper, state, random);
      if (joint.empty()) break;
      state = stepper.next_state(state, joint);
    }
  }
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
