// Finds the autonomous fluents with a short period.
//
// The autonomous fluents are stepped a few times from the initial state. They consist of
// independent parts; a part that returns to its start within these steps is periodic. The number of
// phases is the least common multiple of the periods. Fluents that never change have the same value
// in all phases (lasting.cc).
#include "circuit/phases.h"

#include <algorithm>
#include <numeric>

namespace zermelo::circuit {

namespace {

using ground::Atom;

constexpr std::size_t longest_period = 8;
constexpr std::size_t max_phases = 12;

using Values = std::vector<bool>;  // by fluent of a part

Values values_of(const std::vector<Atom>& part, const std::vector<Atom>& holding) {
  Values values;
  for (const Atom fluent : part) {
    values.push_back(std::binary_search(holding.begin(), holding.end(), fluent));
  }
  return values;
}

// The part's values over one period; empty if it has no short one.
std::vector<Values> periodic_values(const std::vector<Atom>& part,
                                    const std::vector<std::vector<Atom>>& steps) {
  std::vector<Values> cycle{values_of(part, steps[0])};
  for (std::size_t step = 1; step < steps.size(); ++step) {
    Values values = values_of(part, steps[step]);
    if (values == cycle[0]) return cycle;
    cycle.push_back(std::move(values));
  }
  return {};
}

// Fixes the fluents of a part in every phase, unless that makes too many phases.
void add_part(const std::vector<Atom>& part, const std::vector<Values>& cycle,
              std::vector<FixedFluents>& phases) {
  const std::size_t before = phases.size();
  const std::size_t together = std::lcm(before, cycle.size());
  if (together > max_phases) return;
  for (std::size_t k = before; k < together; ++k) phases.push_back(phases[k % before]);
  for (std::size_t k = 0; k < together; ++k) {
    for (std::size_t i = 0; i < part.size(); ++i) phases[k][part[i]] = cycle[k % cycle.size()][i];
  }
}

}  // namespace

std::vector<FixedFluents> find_phases(const AutonomousFluents& autonomous,
                                      const FixedFluents& constant) {
  std::vector<std::vector<Atom>> steps{autonomous.initial()};
  while (steps.size() <= longest_period) steps.push_back(autonomous.after(steps.back()));
  std::vector<FixedFluents> phases{constant};
  for (const std::vector<Atom>& part : autonomous.parts()) {
    const std::vector<Values> cycle = periodic_values(part, steps);
    if (!cycle.empty()) add_part(part, cycle, phases);
  }
  return phases;
}

}  // namespace zermelo::circuit
