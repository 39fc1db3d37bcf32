// Solves games with hidden information: for one player the best strategy, for two players with
// opposite interests an equilibrium.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "solve/common/algorithm.h"
#include "solve/hidden/best_response.h"
#include "solve/hidden/sequence_form.h"

namespace zermelo::solve {

// Where CFR+ stops: exploitability, as a share of the range of payoffs.
inline constexpr double default_precision = 0.001;
// The linear program is chosen automatically up to this number of sequences of both players.
inline constexpr std::size_t program_up_to = 600;

struct HiddenOptions {
  OpponentModel model = OpponentModel::own;
  // automatic, cfr_plus or sequence_form; for one player only automatic.
  Algorithm algorithm = Algorithm::automatic;
  double precision = default_precision;
  base::Limits limits = {};
  // Called now and then with the iterations of CFR+ and the exploitability of their average.
  std::function<void(std::uint64_t, double)> progress = [](std::uint64_t, double) {};
};

struct HiddenSolution {
  SequenceForm form;
  PlanPair pair;                 // of a game with one player, the second plan is empty
  Algorithm algorithm;           // retrograde for one player, else cfr_plus or sequence_form
  std::string reason;            // why, if it was chosen automatically
  std::uint64_t iterations = 0;  // of CFR+
  std::string exact_value = {};  // with one player, its expected reward as a fraction

  // Bounds on the expected reward of a player; with the model difference, on its lead.
  double low(std::size_t player) const {
    return form.offset() + (player == 0 ? pair.low : -pair.high);
  }
  double high(std::size_t player) const {
    return form.offset() + (player == 0 ? pair.high : -pair.low);
  }
};

// Fails with not_applicable for games that are not covered (SequenceForm::make) and for an
// algorithm that does not apply; with the limit that is reached, and then the message has the
// bounds that are proved so far.
base::Result<HiddenSolution> solve_hidden(std::shared_ptr<const machine::Machine> machine,
                                          const HiddenOptions& options);

}  // namespace zermelo::solve
