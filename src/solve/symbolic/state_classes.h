// Determines which role decides in the states of a layer, and the rewards of its terminal states.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dd/conditions.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "solve/common/opponent_model.h"
#include "symbolic/model.h"

namespace zermelo::solve {

class StateClasses {
 public:
  // The model must outlive this. Who decides is computed for all assignments together if that takes
  // at most `max_nodes` nodes of conditions.
  StateClasses(const symbolic::Model& model, dd::Options options,
               std::size_t max_nodes = std::size_t{1} << 21);

  // Converts a layer with the constants of symbolic/layers.h to the constants of a solution's
  // diagram of states. Adds new outcomes. Fails with not_applicable and a state in which two roles
  // have a choice or a role has no move.
  base::Result<dd::Diagram> classify(std::size_t layer, const dd::Diagram& states,
                                     std::vector<Rewards>& outcomes);
  // Whether the role has a choice in some state of the layer with this constant.
  base::Result<bool> decides(std::size_t layer, const dd::Diagram& states, dd::NodeId constant,
                             std::size_t role);

 private:
  struct Deciders {
    dd::Diagram who;                  // 0 if no role has a choice; refusals are above the roles
    dd::Diagram movers;               // like who, with some role if none has a choice
    dd::Diagram refusals;             // the set of refused states
    std::optional<std::size_t> only;  // the one role that ever has a choice
  };
  using Goals = std::vector<std::vector<symbolic::Goal>>;
  using Positions = std::pair<std::size_t, std::size_t>;  // in a layer and in the one before

  base::Result<std::vector<symbolic::Condition>> choices(const symbolic::PhaseModel& phase,
                                                         std::size_t role);
  base::Result<std::vector<dd::Diagram>> choice_diagrams(const symbolic::PhaseModel& phase);
  base::Result<dd::Diagram> who_decides(const symbolic::PhaseModel& phase);
  base::Result<dd::Diagram> who_decides_in(const symbolic::PhaseModel& phase,
                                           const dd::Diagram& set);
  base::Result<dd::Diagram> count_moves(const symbolic::PhaseModel& phase, std::size_t role,
                                        dd::Diagram counted);
  base::Result<Deciders> deciders_where(dd::Diagram who) const;
  base::Result<Deciders> deciders(std::size_t layer, const dd::Diagram& states,
                                  dd::NodeId constant);
  base::Result<dd::Diagram> where(const dd::Diagram& diagram, dd::NodeId constant) const;
  const dd::Diagram& diagram(symbolic::Condition condition);
  Positions positions(std::size_t layer) const;
  base::Result<const Goals*> goals(std::size_t layer);
  std::optional<Rewards> find_rewards_where(symbolic::Condition condition, const Goals& goals);
  std::optional<int> reward_where(const dd::Diagram& states,
                                  const std::vector<symbolic::Goal>& goals);
  base::Result<std::optional<Rewards>> rewards_where(std::size_t layer,
                                                     symbolic::Condition condition);
  base::Result<bool> meets(const dd::Diagram& states,
                           const std::vector<symbolic::Condition>& conditions);
  base::Result<std::optional<Rewards>> common_rewards(std::size_t layer, const dd::Diagram& states);
  base::Result<dd::Diagram> find_rewards(std::size_t layer, const dd::Diagram& states,
                                         std::vector<Rewards>& found);
  base::Result<dd::Diagram> refine(std::size_t layer, std::size_t role, dd::Diagram classes,
                                   std::vector<Rewards>& found);
  std::vector<dd::NodeId> add_outcomes(const std::vector<Rewards>& found,
                                       std::vector<Rewards>& outcomes) const;
  base::Result<dd::Diagram> classify_each(std::size_t layer, const dd::Diagram& states,
                                          std::vector<Rewards>& outcomes);
  base::Result<dd::Diagram> joined(std::size_t layer, const Deciders& who,
                                   const dd::Diagram& states, const dd::Diagram& rewards,
                                   const std::vector<dd::NodeId>& terminal, dd::NodeId constants);
  base::Error refusal(std::size_t layer, const dd::Diagram& diagram, dd::NodeId constant,
                      const std::string& problem) const;

  const symbolic::Model& model_;
  dd::Options options_;
  dd::Conditions conditions_;     // a copy of the model's, extended by conditions on choices
  std::size_t nodes_of_model_;    // nodes of the model in it
  std::vector<bool> has_effect_;  // by move
  // nullopt if the diagram is too large for all states.
  std::map<const symbolic::PhaseModel*, std::optional<Deciders>> deciders_;
  std::map<symbolic::Condition, dd::Diagram> diagrams_;
  std::map<Positions, Goals> goals_;
  std::map<std::pair<Positions, symbolic::Condition>, std::optional<Rewards>> rewards_where_;
};

}  // namespace zermelo::solve
