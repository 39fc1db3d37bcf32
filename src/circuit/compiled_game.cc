#include "circuit/compiled_game.h"

#include <algorithm>
#include <future>
#include <utility>

#include "base/error_name.h"
#include "circuit/live_fluents.h"
#include "circuit/phases.h"

namespace zermelo::circuit {

namespace {

// Larger circuits are not kept for later users.
constexpr std::size_t max_kept_bytes = std::size_t{4} << 20;

bool is_small(const GameCircuit& circuit) { return circuit.circuit.bytes() <= max_kept_bytes; }

bool are_small(const Circuits& circuits) {
  std::size_t bytes = 0;
  for (const CircuitPointer& circuit : circuits) bytes += circuit->circuit.bytes();
  return bytes <= max_kept_bytes;
}

// The phases of games with fewer ground rules are built faster than threads are started.
constexpr std::size_t min_rules_for_threads = 1'000;

bool is_nothing(const FixedFluents& fixed) {
  return std::none_of(fixed.begin(), fixed.end(), [](const auto& f) { return f.has_value(); });
}

}  // namespace

CompiledGame::CompiledGame(std::shared_ptr<const ground::Game> game)
    : game_(std::move(game)),
      whole_(is_small),
      percepts_(is_small),
      facts_([](const CircuitFacts&) { return true; }),
      phase_circuits_(are_small),
      reduced_circuits_(are_small) {}

CompiledGame::CompiledGame(ground::Game game)
    : CompiledGame(std::make_shared<const ground::Game>(std::move(game))) {}

const AutonomousFluents& CompiledGame::autonomous(const base::Limits& limits) const {
  std::call_once(autonomous_is_made_,
                 [&] { autonomous_ = std::make_unique<const AutonomousFluents>(*game_, limits); });
  return *autonomous_;
}

base::Result<CircuitPointer> CompiledGame::whole(const base::Limits& limits) const {
  return whole_.get(limits, [&] {
    return build_circuit_within(limits, *game_, FixedFluents(game_->fluents.size()));
  });
}

base::Result<CircuitPointer> CompiledGame::percepts(const base::Limits& limits) const {
  return percepts_.get(limits, [&] { return build_percept_circuit(limits, *game_); });
}

base::Result<std::shared_ptr<const CircuitFacts>> CompiledGame::facts(
    const base::Limits& limits) const {
  return facts_.get(limits, [&] { return find_facts(limits); });
}

base::Result<CircuitFacts> CompiledGame::find_facts(const base::Limits& limits) const {
  const auto whole = this->whole(limits);
  if (!whole) return tl::unexpected(whole.error());
  return base::within_limits([&] {
    CircuitFacts facts;
    facts.lasting = find_lasting(*game_, **whole);
    facts.phases = find_phases(autonomous(limits), facts.lasting.constant);
    facts.live = find_live(**whole);
    return facts;
  });
}

base::Result<std::shared_ptr<const Circuits>> CompiledGame::phase_circuits(
    const base::Limits& limits) const {
  return phase_circuits_.get(limits, [&] {
    return make_phases(
        limits, [&](std::size_t, const FixedFluents& fixed) { return make_plain(fixed, limits); });
  });
}

base::Result<std::shared_ptr<const Circuits>> CompiledGame::reduced_circuits(
    const base::Limits& limits) const {
  return reduced_circuits_.get(limits, [&] {
    const auto plain = phase_circuits_.known();
    return make_phases(limits, [&](std::size_t k, const FixedFluents& fixed) {
      return make_reduced(fixed, plain ? (*plain)[k] : nullptr, limits);
    });
  });
}

// Builds the phases of large games in parallel: there this is most of the time until the first
// step.
base::Result<Circuits> CompiledGame::make_phases(const base::Limits& limits,
                                                 const MakePhase& make) const {
  const auto facts = this->facts(limits);
  if (!facts) return tl::unexpected(facts.error());
  std::vector<std::future<base::Result<CircuitPointer>>> pending;
  const std::vector<FixedFluents>& phases = (*facts)->phases;
  const bool parallel = phases.size() > 1 && game_->rules() >= min_rules_for_threads;
  const std::launch policy = parallel ? std::launch::async : std::launch::deferred;
  for (std::size_t k = 0; k < phases.size(); ++k) {
    pending.push_back(std::async(policy, [&, k] { return make(k, phases[k]); }));
  }
  Circuits circuits;
  for (auto& one : pending) {
    auto circuit = one.get();
    if (!circuit) return tl::unexpected(circuit.error());
    circuits.push_back(std::move(*circuit));
  }
  return circuits;
}

base::Result<CircuitPointer> CompiledGame::make_plain(const FixedFluents& fixed,
                                                      const base::Limits& limits) const {
  if (is_nothing(fixed)) return whole(limits);
  auto circuit = build_circuit_within(limits, *game_, fixed);
  if (!circuit) return tl::unexpected(circuit.error());
  return std::make_shared<const GameCircuit>(std::move(*circuit));
}

base::Result<CircuitPointer> CompiledGame::make_reduced(const FixedFluents& fixed,
                                                        CircuitPointer plain,
                                                        const base::Limits& limits) const {
  if (!plain && is_nothing(fixed)) plain = whole_.known();
  auto circuit =
      plain ? base::Result<GameCircuit>(*plain) : build_circuit_within(limits, *game_, fixed);
  if (!circuit) return tl::unexpected(circuit.error());
  return base::within_limits([&] {
    share_pairs(*circuit, limits);
    return std::make_shared<const GameCircuit>(std::move(*circuit));
  });
}

}  // namespace zermelo::circuit
