// Numbers for the values of variables whose sum grows by one with every step: discs on a board, or
// removed pegs. States of different layers then have different sums, so no state needs to be
// searched for in earlier layers.
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
  // Guesses numbers from random games. Returns nullopt if there are none that fit all of them.
  static std::optional<Grading> guess(std::shared_ptr<const machine::Machine> machine,
                                      const Encoding& encoding);

  // Whether the sum of every state of a layer is the layer's number. This is exact. Takes memory
  // for one number per node.
  base::Result<bool> holds(const dd::Diagram& layer, std::size_t number,
                           const dd::Options& options = {}) const;

 private:
  using Numbers = std::vector<std::vector<std::uint64_t>>;  // by variable and value, modulo a prime

  explicit Grading(Numbers numbers) : numbers_(std::move(numbers)) {}

  Numbers numbers_;
};

}  // namespace zermelo::symbolic
