#include "circuit/pass_sizes.h"

#include "circuit/lasting.h"

namespace zermelo::circuit {

std::vector<PassSize> pass_sizes(const ground::Game& game) {
  const FixedFluents nothing(game.fluents.size());
  std::vector<PassSize> sizes;
  const auto add = [&](std::string pass, CircuitPasses passes) {
    sizes.push_back({std::move(pass), build_circuit(game, nothing, passes).size()});
  };
  add("rules", {.exclusive_does = false, .factor = false, .select_by_move = false});
  add("exclusive_does", {.factor = false, .select_by_move = false});
  add("factor", {.select_by_move = false});
  const GameCircuit whole = build_circuit(game, nothing);
  sizes.push_back({"select_by_move", whole.size()});
  GameCircuit fixed = build_circuit(game, find_lasting(game, whole).constant);
  sizes.push_back({"lasting", fixed.size()});
  share_pairs(fixed);
  sizes.push_back({"share_pairs", fixed.size()});
  return sizes;
}

}  // namespace zermelo::circuit
