// Layers whose constants mark terminal states: the first layer, and the successors of a layer.
#pragma once

#include <map>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "symbolic/layers.h"
#include "symbolic/model.h"

namespace zermelo::symbolic {

class MarkedLayers {
 public:
  // The model must outlive this.
  MarkedLayers(const Model& model, dd::Options options)
      : model_(model), options_(std::move(options)) {}

  base::Result<dd::Diagram> first();
  // The successors of those states of a layer whose constants are in `members`. They are marked by
  // the first condition, which is then removed; use `mark` for the others.
  base::Result<dd::Diagram> successors(std::size_t layer, const dd::Diagram& states,
                                       std::vector<bool> members,
                                       std::vector<Condition>& conditions);
  // Marks the states that satisfy one of the conditions as terminal.
  base::Result<dd::Diagram> mark(dd::Diagram layer, const std::vector<Condition>& conditions);

 private:
  base::Result<dd::Diagram> take_classes(std::vector<Condition>& conditions);
  const dd::Diagram& diagram_of(Condition condition);

  const Model& model_;
  dd::Options options_;
  std::map<Condition, dd::Diagram> condition_diagrams_;
};

}  // namespace zermelo::symbolic
