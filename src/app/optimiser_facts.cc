#include "app/optimiser_facts.h"

#include <algorithm>

#include "analysis/exclusive_moves.h"
#include "circuit/lasting.h"
#include "lanes/sliced_machine.h"

namespace zermelo::app {
namespace {

constexpr std::size_t max_rules = 1'000'000;

template <class Values, class Value>
std::size_t count(const Values& values, const Value& value) {
  return static_cast<std::size_t>(std::count(values.begin(), values.end(), value));
}

void add_lasting(const circuit::LastingFacts& lasting, OptimiserFacts& facts) {
  facts.always_true = count(lasting.constant, std::optional<bool>(true));
  facts.always_false = count(lasting.constant, std::optional<bool>(false));
  facts.stay_true = count(lasting.stays_true, true);
  facts.stay_false = count(lasting.stays_false, true);
  facts.lasting_gates = lasting.lasting_gates;
}

}  // namespace

std::optional<OptimiserFacts> optimiser_facts(
    const std::shared_ptr<const circuit::CompiledGame>& compiled, const base::Limits& limits) {
  if (compiled->game().rules() > max_rules || limits.exceeded()) return std::nullopt;
  lanes::SlicedOptions options;
  options.exclusive_moves = analysis::exclusive_moves(compiled->game(), limits);
  options.limits = limits;
  options.backend = lanes::LaneBackend::avx2;  // the same operations on every processor
  auto passes = circuit::pass_sizes(*compiled, limits);
  const auto found = compiled->facts(limits);
  const auto sliced = lanes::SlicedMachine::make(compiled, options);
  if (!passes || !found || !sliced) return std::nullopt;
  OptimiserFacts facts;
  facts.passes = std::move(*passes);
  add_lasting((*found)->lasting, facts);
  facts.phases = (*sliced)->phases().size();
  facts.operations_per_step = (*sliced)->operations() / facts.phases;
  return facts;
}

}  // namespace zermelo::app
