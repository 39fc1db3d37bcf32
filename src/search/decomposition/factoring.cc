#include "search/decomposition/factoring.h"

#include <fmt/format.h>

namespace zermelo::search::decomposition {

using analysis::Decomposition;
using analysis::Grain;

const Decomposition* Factoring::subgames(Grain grain, const base::Limits& limits) {
  auto& known = subgames_[static_cast<std::size_t>(grain)];
  if (!known) {
    auto found = analysis::find_subgames(*machine_->compiled(), {grain, limits});
    known = found && found->is_decomposed() ? Found(std::move(*found)) : Found();
  }
  if (!*known) return nullptr;
  if (grain == Grain::ground) {
    const Decomposition* coarse = subgames(Grain::symbol, limits);
    const bool is_same = coarse != nullptr && coarse->parts() == (*known)->parts() &&
                         coarse->is_parallel == (*known)->is_parallel;
    if (is_same) return nullptr;
  }
  return &**known;
}

const std::vector<analysis::SerialStage>& Factoring::stages(const base::Limits& limits) {
  if (!stages_) {
    stages_ = analysis::find_serial_stages(machine_, limits)
                  .value_or(std::vector<analysis::SerialStage>());
  }
  return *stages_;
}

std::string description_of(const std::vector<analysis::SerialStage>& stages) {
  const std::string number =
      stages.size() == 1 ? "a stage" : fmt::format("{} stages", stages.size());
  return number + " that can be over before the game ends";
}

}  // namespace zermelo::search::decomposition
