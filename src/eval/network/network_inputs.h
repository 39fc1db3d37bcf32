// The inputs of a game's network: its fluents, then the derived atoms of the goals that are not
// taken apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/fuzzy_program.h"
#include "eval/network/domain_theory.h"
#include "eval/plane_rules.h"
#include "machine/machine.h"

namespace zermelo::eval::network {

class NetworkInputs {
 public:
  NetworkInputs(const ground::Game& game, const DomainTheory& theory);

  // The number of inputs.
  std::size_t size() const { return atoms_.size(); }
  // The fluent or derived atom of an input.
  ground::Atom atom(std::uint32_t input) const { return atoms_[input]; }
  // The number of each input of the theory.
  const std::vector<std::uint32_t>& of_theory() const { return of_theory_; }
  // Sets the inputs that hold in the state, ascending.
  void read(const machine::State& state, std::vector<std::uint32_t>& active) const;

 private:
  std::size_t fluents_;
  std::vector<ground::Atom> atoms_;  // by input
  std::vector<std::uint32_t> of_theory_;
  PlaneRules rules_;  // of the derived atoms
};

}  // namespace zermelo::eval::network
