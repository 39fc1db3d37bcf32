#include "circuit/pass_sizes.h"

namespace zermelo::circuit {

base::Result<std::vector<PassSize>> pass_sizes(const CompiledGame& compiled,
                                               const base::Limits& limits) {
  const auto whole = compiled.whole(limits);
  if (!whole) return tl::unexpected(whole.error());
  const auto facts = compiled.facts(limits);
  if (!facts) return tl::unexpected(facts.error());
  const ground::Game& game = compiled.game();
  const FixedFluents nothing(game.fluents.size());
  std::vector<PassSize> sizes;
  const auto built = [&](const FixedFluents& fixed, CircuitPasses passes) {
    auto circuit = build_circuit_within(limits, game, fixed, passes);
    if (!circuit) throw base::LimitReached(circuit.error().kind, "making the game's circuits");
    return std::move(*circuit);
  };
  const auto add = [&](std::string pass, CircuitPasses passes) {
    sizes.push_back({std::move(pass), built(nothing, passes).size()});
  };
  return base::within_limits([&] {
    add("rules", {.exclusive_does = false, .factor = false, .select_by_move = false});
    add("exclusive_does", {.factor = false, .select_by_move = false});
    add("factor", {.select_by_move = false});
    sizes.push_back({"select_by_move", (*whole)->size()});
    GameCircuit fixed = built((*facts)->lasting.constant, {});
    sizes.push_back({"lasting", fixed.size()});
    share_pairs(fixed, limits);
    sizes.push_back({"share_pairs", fixed.size()});
    return sizes;
  });
}

}  // namespace zermelo::circuit
