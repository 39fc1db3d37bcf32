// Evaluates derived atoms of a game in up to 64 states at once, on bit planes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "eval/bit_planes.h"
#include "ground/game.h"

namespace zermelo::eval {

class PlaneRules {
 public:
  PlaneRules() = default;
  // For the roots and everything they depend on; none of it depends on moves. Fluent f of the game
  // is plane plane_of[f]; the planes of derived atoms follow from `first_plane` on.
  PlaneRules(const ground::Game& game, const std::vector<ground::Atom>& roots,
             const std::vector<std::uint32_t>& plane_of, std::uint32_t first_plane);

  // The plane of a root or of an atom that a root depends on.
  std::uint32_t plane(ground::Atom atom) const { return plane_of_.at(atom); }
  // The number of planes, with those of the fluents.
  std::size_t planes() const { return planes_; }
  // From now on, sets only these planes and those they depend on.
  void keep_only(const std::vector<std::uint32_t>& planes);
  // Sets the planes of the derived atoms.
  void derive(BitPlanes& planes) const;

 private:
  struct Derived {
    std::uint32_t first_rule, last_rule;
    std::uint32_t end_of_component;  // the index after its component, itself included
    bool is_needed = true;
  };

  std::uint64_t value(const Derived& derived, const BitPlanes& planes) const;

  std::unordered_map<ground::Atom, std::uint32_t> plane_of_;
  std::vector<Derived> derived_;
  std::vector<std::uint32_t> first_literal_;  // by rule; one more at the end
  std::vector<std::uint32_t> literals_;       // plane * 2 + negated
  std::uint32_t first_plane_ = 0;
  std::size_t planes_ = 0;
};

}  // namespace zermelo::eval
