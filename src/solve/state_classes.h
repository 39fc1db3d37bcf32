// Which role decides in the states of a layer, and what its terminal states are worth.
#pragma once

#include <map>
#include <vector>

#include "base/result.h"
#include "dd/conditions.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "solve/opponent_model.h"
#include "symbolic/model.h"

namespace zermelo::solve {

class StateClasses {
 public:
  // The model must outlive this.
  StateClasses(const symbolic::Model& model, dd::Options options);

  // From a layer with the constants of symbolic/layers.h to the constants of a solution's diagram
  // of states. Outcomes that were not known are added. Fails with not_applicable, naming a state,
  // where two roles have a choice, one has no move, or a terminal state has not one goal per role.
  base::Result<dd::Diagram> classify(std::size_t layer, const dd::Diagram& states,
                                     std::vector<Rewards>& outcomes);
  // Whether the role has a choice in some of the states that have that constant, in a layer.
  base::Result<bool> decides(std::size_t layer, const dd::Diagram& states, dd::NodeId constant,
                             std::size_t role);

 private:
  base::Result<dd::Diagram> find_deciders(const symbolic::Phase& phase);
  base::Result<const dd::Diagram*> deciders(std::size_t layer);
  base::Result<dd::Diagram> find_rewards(std::size_t layer, const dd::Diagram& states,
                                         std::vector<Rewards>& found);
  base::Result<dd::Diagram> refine(std::size_t layer, std::size_t role, dd::Diagram classes,
                                   std::vector<Rewards>& found);
  base::Result<const std::vector<std::vector<symbolic::Goal>>*> goals(std::size_t layer);
  base::Error refusal(std::size_t layer, const dd::Diagram& diagram, dd::NodeId constant,
                      const std::string& problem) const;

  const symbolic::Model& model_;
  dd::Options options_;
  dd::Conditions conditions_;
  std::map<const symbolic::Phase*, dd::Diagram> deciders_;
  // By the positions of the clock in a layer and in the one before.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::vector<symbolic::Goal>>> goals_;
};

}  // namespace zermelo::solve
