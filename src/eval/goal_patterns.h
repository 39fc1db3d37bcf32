// How far the conjunctions of the goals are: how many lines have three of their four discs and can
// still be completed. Numbers of such conjunctions are inputs of learned evaluations.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "eval/bit_planes.h"
#include "eval/fuzzy_program.h"

namespace zermelo::eval {

class GoalPatterns {
 public:
  // Fails at a limit. A game may have no patterns.
  static base::Result<GoalPatterns> make(const std::shared_ptr<const machine::Machine>& machine,
                                         const base::Limits& limits);

  // The number of inputs: one for every family of conjunctions, number of fluents that hold, and
  // player to move.
  std::size_t inputs() const { return families_.size() * levels_ * turns_; }
  std::string name(std::size_t input) const;
  // Sets counts[input * states_per_block + state], for the states of the planes of fluents.
  void count(const BitPlanes& planes, std::vector<std::uint8_t>& counts) const;

 private:
  static constexpr std::size_t max_fluents = 7;  // of a conjunction

  struct Conjunction {
    std::uint32_t family;
    std::vector<std::uint32_t> fluents;  // indices into fluents_
  };
  struct Fluent {
    Plane plane;
    std::vector<Plane> sources;  // if none of these holds, it can never hold again
  };
  // Conjunctions of the same length below the same disjunction.
  struct Family {
    std::string name;
    std::size_t length;
  };

  std::vector<Fluent> fluents_;
  std::vector<Conjunction> conjunctions_;
  std::vector<Family> families_;
  std::vector<Plane> turn_;  // fluents that tell whose turn it is; may be empty
  std::size_t levels_ = max_fluents;
  std::size_t turns_ = 1;
};

}  // namespace zermelo::eval
