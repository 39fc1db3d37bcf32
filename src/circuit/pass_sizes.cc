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
  const auto add = [&](std::string pass, CircuitPasses passes) {
    sizes.push_back({std::move(pass), build_circuit(game, nothing, passes).size()});
  };
  add("rules", {.exclusive_does = false, .factor = false, .select_by_move = false});
  add("exclusive_does", {.factor = false, .select_by_move = false});
  add("factor", {.select_by_move = false});
  sizes.push_back({"select_by_move", (*whole)->size()});
  GameCircuit fixed = build_circuit(game, (*facts)->lasting.constant);
  sizes.push_back({"lasting", fixed.size()});
  share_pairs(fixed);
  sizes.push_back({"share_pairs", fixed.size()});
  return sizes;
}

}  // namespace zermelo::circuit
