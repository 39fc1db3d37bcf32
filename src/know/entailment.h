// Where a formula holds (Definitions 5 and 7 of the paper).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "know/formula.h"

namespace zermelo::know {

// One truth value per world.
using Truth = std::vector<std::uint8_t>;

// An epistemic model as the checker reads it: which worlds the agents cannot tell apart, and where
// atoms hold.
struct Frame {
  std::size_t worlds = 0;
  std::vector<std::vector<std::uint32_t>> class_of;  // by agent and world, numbered from 0
  std::unordered_map<std::uint32_t, Truth> atoms;    // by atom: all that formulas use
};

// Linear in the worlds for every operator.
Truth truth(const Formula& formula, const Frame& frame);

// The worlds in which the formula holds: the model after its public announcement. `kept` gets the
// numbers of the kept worlds. Sets of classes are renumbered.
Frame announce(const Formula& formula, const Frame& frame, std::vector<std::uint32_t>& kept);

// Why a formula fails in a world: the agent that lacks the knowledge (nullopt for distributed and
// common knowledge) and a world, indistinguishable for it, that shows it.
struct Witness {
  std::optional<std::uint32_t> agent;
  std::uint32_t world = 0;
};

// Requires that the formula fails in the world. nullopt if it fails for another reason than missing
// knowledge.
std::optional<Witness> witness_against(const Formula& formula, const Frame& frame,
                                       std::uint32_t world);

// The partition of the worlds by common knowledge of some agents: the transitive closure of their
// relations. Numbered from 0.
std::vector<std::uint32_t> common_classes(const Frame& frame,
                                          const std::vector<std::uint32_t>& agents);
// The partition by distributed knowledge: the intersection of their relations. Numbered from 0.
std::vector<std::uint32_t> distributed_classes(const Frame& frame,
                                               const std::vector<std::uint32_t>& agents);

}  // namespace zermelo::know
