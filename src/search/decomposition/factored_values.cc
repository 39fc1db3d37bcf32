#include "search/decomposition/factored_values.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <utility>

#include "base/quantities.h"
#include "search/decomposition/factored_reduction.h"
#include "search/decomposition/impartial_sum.h"
#include "search/decomposition/partisan_sum.h"
#include "solve/explicit/explicit_solver.h"

namespace zermelo::search::decomposition {
namespace {

// With more classes, solving takes longer than a player has before the first move.
constexpr solve::StateIndex max_classes = 1'000'000;

class GrundyValues : public eval::StateValues {
 public:
  explicit GrundyValues(ImpartialSum sum) : sum_(std::move(sum)) {}

  std::optional<eval::Rewards> value(const machine::State& state) const override {
    return sum_.value(state);
  }

 private:
  ImpartialSum sum_;
};

class PartisanValues : public eval::StateValues {
 public:
  explicit PartisanValues(std::unique_ptr<PartisanSum> sum) : sum_(std::move(sum)) {}

  std::optional<eval::Rewards> value(const machine::State& state) const override {
    const std::lock_guard lock(mutex_);
    return sum_->value(state);
  }

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<PartisanSum> sum_;
};

class ReducedValues : public eval::StateValues {
 public:
  explicit ReducedValues(solve::ExplicitSolution solution) : solution_(std::move(solution)) {}

  std::optional<eval::Rewards> value(const machine::State& state) const override {
    const std::lock_guard lock(mutex_);
    auto found = solution_.value(state);
    return found && found->empty() ? std::nullopt : found;
  }

 private:
  mutable std::mutex mutex_;
  solve::ExplicitSolution solution_;
};

}  // namespace

FactoredValues find_factored_values(const std::shared_ptr<const machine::Machine>& machine,
                                    const base::Limits& limits) {
  if (auto sum = ImpartialSum::find(machine, limits)) {
    const std::string description =
        fmt::format("{} independent subgames, by Grundy numbers", sum->parts());
    return {std::make_shared<const GrundyValues>(std::move(*sum)), description};
  }
  if (auto sum = PartisanSum::find(machine, limits)) {
    if (sum->value(machine::Stepper(machine).initial_state())) {
      const std::string description =
          fmt::format("{} positions of components, by combinatorial game values",
                      base::grouped(sum->positions()));
      return {std::make_shared<const PartisanValues>(std::move(sum)), description};
    }
  }
  Factoring factoring(machine);
  const auto reduction = find_reduction(factoring, limits);
  if (!reduction) return {};
  auto solution = solve::solve_explicit_up_to(max_classes, machine,
                                              {solve::OpponentModel::own, limits, reduction});
  if (!solution || !*solution) return {};
  const std::string description = reduction->description();
  return {std::make_shared<const ReducedValues>(std::move(**solution)), description};
}

}  // namespace zermelo::search::decomposition
