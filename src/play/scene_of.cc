#include "play/scene_of.h"

#include <vector>

#include "base/random.h"

namespace zermelo::play {
namespace {

constexpr std::size_t walks = 3, steps_of_walk = 20;

// Adds the legal moves and makes a random joint move. Returns false if there is none.
bool step(const search::Simulator& simulator, search::Walker& walker, base::Random& random,
          analysis::Scene::Material& material) {
  std::vector<search::Move> joint;
  for (std::size_t role = 0; role < simulator.roles().size(); ++role) {
    const auto legal = walker.legal(role);
    if (legal.empty()) return false;
    for (const search::Move move : legal) material.moves.push_back(simulator.move_name(move));
    joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
  }
  walker.make(joint);
  material.states.push_back(simulator.fluent_names(walker.state()));
  return true;
}

}  // namespace

analysis::Scene scene_of(const search::Simulator& simulator, const gdl::Rulesheet* rules,
                         const base::Limits& limits) {
  if (simulator.machine()) return analysis::Scene::of(simulator.machine(), limits);
  analysis::Scene::Material material;
  material.roles = simulator.roles();
  material.states = {simulator.fluent_names(simulator.initial())};
  const auto walker = simulator.walker();
  base::Random random(1);
  for (std::size_t walk = 0; walk < walks; ++walk) {
    walker->go_to(simulator.initial());
    for (std::size_t i = 0; i < steps_of_walk && !walker->terminal() && !limits.exceeded(); ++i) {
      if (!step(simulator, *walker, random, material)) break;
    }
  }
  const gdl::Rulesheet nothing_known;
  return analysis::Scene::of(rules ? *rules : nothing_known, material, limits);
}

}  // namespace zermelo::play
