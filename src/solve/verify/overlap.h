// Which states are in several layers of a stored solution, for the checker.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/file.h"
#include "dd/options.h"
#include "machine/machine.h"
#include "solve/folder/solution_folder.h"

namespace zermelo::solve {

class OverlapCheck {
 public:
  // `fixed` has, by layer, the fluents without a variable that hold in it. Layers in which these
  // differ have no common states. The folder and the description must outlive this.
  OverlapCheck(const SolutionFolder& folder, const Description& description,
               const std::vector<machine::State>& fixed, dd::Options options);

  // Counts the states that are in no earlier layer. Layers must be passed in order.
  base::Result<NewStates> count_new(std::size_t layer, const dd::Diagram& states,
                                    const dd::Diagram& values);

  // Returns an earlier layer that also has the state. Looks it up in the file of each.
  base::Result<std::optional<std::size_t>> find_earlier(std::size_t layer,
                                                        const std::vector<dd::Value>& assignment);

 private:
  const SolutionFolder& folder_;
  const Description& description_;
  dd::Options options_;
  std::vector<std::size_t> group_;                // by layer, the first one with the same fluents
  std::map<std::size_t, dd::Diagram> seen_;       // by group
  std::map<std::size_t, dd::DiagramFile> files_;  // by layer, of states
};

}  // namespace zermelo::solve
