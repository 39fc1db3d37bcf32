// The layers of the layered solver: states labelled with the role that decides, or with the outcome
// of a terminal state.
#pragma once

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "solve/folder/solution_folder.h"
#include "solve/symbolic/state_classes.h"
#include "symbolic/layers.h"
#include "symbolic/model.h"

namespace zermelo::solve {

class StateLabels : public symbolic::LayerLabels {
 public:
  // Adds outcomes to the description as they are found. The stored description always has all
  // outcomes that a stored layer uses. All arguments but the options must outlive this.
  StateLabels(const symbolic::Model& model, const SolutionFolder& folder,
              const dd::Options& options, Description& description)
      : folder_(folder), classes_(model, options), description_(description) {}

  bool is_terminal(dd::NodeId constant) const override {
    return description_.is_terminal(constant);
  }
  std::optional<std::uint64_t> meaning(dd::NodeId constants) const override;
  // Removes the outcomes that the stored layers do not use, so that later layers are labelled as in
  // an uninterrupted run.
  base::Result<void> resume(dd::NodeId constants) override;
  // Fails like StateClasses::classify.
  base::Result<dd::Diagram> label(std::size_t layer, dd::Diagram states) override;

 private:
  const SolutionFolder& folder_;
  StateClasses classes_;
  Description& description_;
};

}  // namespace zermelo::solve
