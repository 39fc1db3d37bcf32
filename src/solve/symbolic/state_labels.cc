#include "solve/symbolic/state_labels.h"

#include <utility>

namespace zermelo::solve {

std::optional<std::uint64_t> StateLabels::meaning(dd::NodeId constants) const {
  const dd::NodeId first = description_.terminal_constant(0);
  if (constants < first || constants > description_.state_constants()) return std::nullopt;
  return meaning_of_states(description_, constants - first);
}

base::Result<void> StateLabels::resume(dd::NodeId constants) {
  const dd::NodeId first = description_.terminal_constant(0);
  const std::size_t used = constants < first ? 0 : constants - first;
  if (description_.outcomes.size() == used) return {};
  description_.outcomes.resize(used);
  return folder_.describe(description_);
}

base::Result<dd::Diagram> StateLabels::label(std::size_t layer, dd::Diagram states) {
  const std::size_t outcomes = description_.outcomes.size();
  auto labelled = classes_.classify(layer, states, description_.outcomes);
  if (!labelled || description_.outcomes.size() == outcomes) return labelled;
  const auto described = folder_.describe(description_);
  return described ? std::move(labelled) : tl::unexpected(described.error());
}

}  // namespace zermelo::solve
