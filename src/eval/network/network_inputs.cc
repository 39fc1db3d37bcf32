#include "eval/network/network_inputs.h"

#include <numeric>

namespace zermelo::eval::network {

NetworkInputs::NetworkInputs(const ground::Game& game, const DomainTheory& theory)
    : fluents_(game.fluents.size()), atoms_(fluents_) {
  std::iota(atoms_.begin(), atoms_.end(), ground::Atom{0});
  for (DomainTheory::Node node = 0; node < theory.inputs(); ++node) {
    const ground::Atom atom = theory.atom(node);
    of_theory_.push_back(atom < fluents_ ? atom : static_cast<std::uint32_t>(atoms_.size()));
    if (atom >= fluents_) atoms_.push_back(atom);
  }
  std::vector<Plane> planes(fluents_);
  std::iota(planes.begin(), planes.end(), Plane{0});
  const std::vector<ground::Atom> derived(atoms_.begin() + static_cast<std::ptrdiff_t>(fluents_),
                                          atoms_.end());
  rules_ = PlaneRules(game, derived, planes, static_cast<Plane>(fluents_));
}

void NetworkInputs::read(const machine::State& state, std::vector<std::uint32_t>& active) const {
  active.clear();
  state.for_each([&](std::size_t f) { active.push_back(static_cast<std::uint32_t>(f)); });
  if (atoms_.size() == fluents_) return;
  thread_local BitPlanes planes;
  planes.load({&state, 1}, rules_.planes());
  rules_.derive(planes);
  for (std::size_t input = fluents_; input < atoms_.size(); ++input) {
    if (planes[rules_.plane(atoms_[input])] != 0) {
      active.push_back(static_cast<std::uint32_t>(input));
    }
  }
}

}  // namespace zermelo::eval::network
