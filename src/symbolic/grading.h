// Numbers on the values of variables whose sum grows by one with every step: the discs on a board,
// the pegs that are gone. States of different layers then have different sums, so that no state
// needs to be looked for in earlier layers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "machine/machine.h"
#include "symbolic/encoding.h"

namespace zermelo::symbolic {

class Grading {
 public:
  // Guesses numbers from random games, if those agree on some.
  static std::optional<Grading> guess(std::shared_ptr<const machine::Machine> machine,
                                      const Encoding& encoding);

  // Whether the sum of every state of a layer is the layer's number. Exact, whatever was guessed.
  // Takes a number per node.
  base::Result<bool> holds(const dd::Diagram& layer, std::size_t number,
                           const dd::Options& options = {}) const;

 private:
  using Numbers = std::vector<std::vector<std::uint64_t>>;  // by variable and value, modulo a prime

  explicit Grading(Numbers numbers) : numbers_(std::move(numbers)) {}

  Numbers numbers_;
};

}  // namespace zermelo::symbolic
