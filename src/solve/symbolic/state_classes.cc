// A role decides if it has at least two legal moves. This condition is built from those of the
// moves, once per phase. Moves on which no rule for the next state depends count as one, so a role
// whose choice changes nothing does not decide. If no role has a choice, any role may be taken as
// the mover. If only one role ever has a choice in a phase, it is taken as the mover everywhere,
// and the states need not be divided. If the condition "one of these moves is legal" is too large,
// the moves are counted in the states of one layer instead, one move after the other.
//
// Often all states that end the game for one reason have the same rewards (a line of the role that
// moved last, for example), and no state of a layer ends it for another reason. The conditions
// alone show this. Otherwise the rewards are found role by role: the terminal states of the layer
// are divided by each goal value in turn. So a condition is combined only with the states of one
// layer, never with another condition, which can be far larger than both.

#include "solve/symbolic/state_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "dd/operations.h"
#include "solve/common/refused_state.h"
#include "solve/common/turn.h"
#include "symbolic/layers.h"

namespace zermelo::solve {

using dd::Diagram;
using dd::NodeId;

namespace {

constexpr NodeId move_counts = 3;           // none, one, more
constexpr std::size_t max_pairs = 1 << 16;  // of nodes, where the rewards of a condition are sought

// The role that decides if only one does, any role if none does. `decides` is by role.
std::optional<std::size_t> only_decider(const std::vector<bool>& decides) {
  const auto count = std::count(decides.begin(), decides.end(), true);
  if (count > 1) return std::nullopt;
  if (count == 0) return 0;
  return std::find(decides.begin(), decides.end(), true) - decides.begin();
}

// The position of the rewards in the list, from 1. Adds them if they are new.
NodeId place_of_rewards(const Rewards& rewards, std::vector<Rewards>& list) {
  const auto known = std::find(list.begin(), list.end(), rewards);
  const auto place = static_cast<NodeId>(known - list.begin() + 1);
  if (known == list.end()) list.push_back(rewards);
  return place;
}

}  // namespace

StateClasses::StateClasses(const symbolic::Model& model, dd::Options options, std::size_t max_nodes)
    : model_(model),
      options_(std::move(options)),
      conditions_(model.conditions()),
      nodes_of_model_(conditions_.table_size()),
      has_effect_(moves_with_effect(model.machine().game())) {
  conditions_.allow_more(max_nodes);
}

base::Error StateClasses::refusal(std::size_t layer, const Diagram& diagram, NodeId constant,
                                  const std::string& problem) const {
  const machine::State state = model_.encoding().state(*diagram.pick(constant), layer);
  return refused_state(problem, state, model_.machine().game());
}

const Diagram& StateClasses::diagram(symbolic::Condition condition) {
  const auto known = diagrams_.find(condition);
  if (known != diagrams_.end()) return known->second;
  return diagrams_.emplace(condition, model_.conditions().diagram(condition)).first->second;
}

// The conditions under which moves of a role are legal; moves without effect are combined.
base::Result<std::vector<symbolic::Condition>> StateClasses::choices(
    const symbolic::PhaseModel& phase, std::size_t role) {
  std::vector<symbolic::Condition> legal;
  symbolic::Condition idle = dd::Conditions::never;
  for (const std::uint32_t move : phase.moves[role]) {
    if (has_effect_[move]) {
      legal.push_back(phase.legal[move]);
      continue;
    }
    const auto either = conditions_.either(idle, phase.legal[move]);
    if (!either) return tl::unexpected(either.error());
    idle = *either;
  }
  legal.push_back(idle);
  return legal;
}

// Two conditions per role: it has at least one move; it has at least two.
base::Result<std::vector<Diagram>> StateClasses::choice_diagrams(
    const symbolic::PhaseModel& phase) {
  std::vector<Diagram> result;
  for (std::size_t role = 0; role < phase.moves.size(); ++role) {
    auto one = dd::Conditions::never, two = dd::Conditions::never;
    const auto legal = choices(phase, role);
    if (!legal) return tl::unexpected(legal.error());
    for (const symbolic::Condition move : *legal) {
      const auto both = conditions_.both(one, move);
      const auto more = both ? conditions_.either(two, *both) : both;
      const auto any = more ? conditions_.either(one, move) : more;
      if (!any) return tl::unexpected(any.error());
      one = *any;
      two = *more;
    }
    result.push_back(conditions_.diagram(one));
    result.push_back(conditions_.diagram(two));
  }
  return result;
}

// The constants are 0 if no role has a choice and 1 + r if role r has one; with n roles, n + 1 if
// several have one, and n + 2 if a role has no move. Fails if the diagram is too large.
base::Result<Diagram> StateClasses::who_decides(const symbolic::PhaseModel& phase) {
  const auto roles = static_cast<NodeId>(model_.machine().roles().size());
  const auto has_choice = choice_diagrams(phase);
  if (!has_choice) return tl::unexpected(has_choice.error());
  const auto decider = [roles](std::span<const NodeId> c) {
    NodeId found = 0;
    for (NodeId role = 0; role < roles; ++role) {
      if (c[2 * role] == 0) return roles + 2;
      if (c[2 * role + 1] != 0) found = found == 0 ? 1 + role : roles + 1;
    }
    return found;
  };
  return dd::combine(*has_choice, {roles + 3, decider}, options_);
}

// The same in the states of a set, and 0 elsewhere. While the moves of a role are counted, a
// constant other than 0 encodes who decides among the roles before it, and how many of the role's
// moves are legal so far: none, one, or more.
base::Result<Diagram> StateClasses::who_decides_in(const symbolic::PhaseModel& phase,
                                                   const Diagram& set) {
  const auto roles = static_cast<NodeId>(model_.machine().roles().size());
  const NodeId several = roles + 1, stuck = roles + 2, constants = 1 + move_counts * (roles + 3);
  auto counted = dd::relabel(set, {0, 1}, constants, options_);
  for (NodeId role = 0; counted && role < roles; ++role) {
    counted = count_moves(phase, role, std::move(*counted));
    if (!counted) return counted;
    std::vector<NodeId> table(constants, 0);
    for (NodeId c = 1; c < constants; ++c) {
      const NodeId before = (c - 1) / move_counts, moves = (c - 1) % move_counts;
      NodeId who = before;
      if (moves == 0) who = stuck;
      if (moves == 2 && before != stuck) who = before == 0 ? 1 + role : several;
      table[c] = 1 + move_counts * who;
    }
    counted = dd::relabel(*counted, table, constants, options_);
  }
  if (!counted) return counted;
  std::vector<NodeId> table(constants, 0);
  for (NodeId c = 1; c < constants; ++c) table[c] = (c - 1) / move_counts;
  return dd::relabel(*counted, table, roles + 3, options_);
}

// Counts the legal moves of a role in the constants.
base::Result<Diagram> StateClasses::count_moves(const symbolic::PhaseModel& phase, std::size_t role,
                                                Diagram counted) {
  std::vector<std::uint32_t> moves = phase.moves[role];
  std::stable_partition(moves.begin(), moves.end(), [&](auto move) { return !has_effect_[move]; });
  for (const std::uint32_t move : moves) {
    const NodeId most = has_effect_[move] ? 2 : 1;
    const auto is_final = [most](NodeId c) { return c == 0 || (c - 1) % move_counts >= most; };
    dd::Combination add{counted.constants(), [&](std::span<const NodeId> c) {
                          return c[1] == 0 || is_final(c[0]) ? c[0] : c[0] + 1;
                        }};
    for (NodeId c = 0; c < counted.constants(); ++c) {
      if (is_final(c)) add.shortcuts.push_back({0, c, c});
    }
    auto more = dd::combine({counted, diagram(phase.legal[move])}, add, options_);
    if (!more) return more;
    counted = std::move(*more);
  }
  return counted;
}

base::Result<StateClasses::Deciders> StateClasses::deciders_where(Diagram who) const {
  const auto roles = static_cast<NodeId>(model_.machine().roles().size());
  const std::vector<bool> occurs = dd::occurring_constants(who);
  std::vector<NodeId> movers(roles + 3), refusals(roles + 3, 0);
  std::iota(movers.begin(), movers.end(), 0u);
  const auto only = only_decider(std::vector(occurs.begin() + 1, occurs.begin() + 1 + roles));
  movers[0] = static_cast<NodeId>(1 + only.value_or(0));
  refusals[roles + 1] = refusals[roles + 2] = 1;
  auto moving = dd::relabel(who, movers, roles + 3, options_);
  auto refused = dd::relabel(who, refusals, 2, options_);
  if (!moving || !refused) return tl::unexpected((moving ? refused : moving).error());
  return Deciders{std::move(who), std::move(*moving), std::move(*refused), only};
}

// Valid at least in the states of the layer that have the constant.
base::Result<StateClasses::Deciders> StateClasses::deciders(std::size_t layer,
                                                            const Diagram& states,
                                                            NodeId constant) {
  const symbolic::PhaseModel& phase = model_.phase(layer);
  if (!deciders_.contains(&phase)) {
    auto who = who_decides(phase);
    const bool is_too_large = !who && conditions_.is_full();
    conditions_.forget_after(nodes_of_model_);
    if (!who && !is_too_large) return tl::unexpected(who.error());
    auto found = who ? std::optional(deciders_where(std::move(*who))) : std::nullopt;
    if (found && !*found) return *found;
    deciders_.emplace(&phase, found ? std::optional(std::move(**found)) : std::nullopt);
  }
  if (const auto& known = deciders_.at(&phase)) return *known;
  const auto set = where(states, constant);
  if (!set) return tl::unexpected(set.error());
  auto who = who_decides_in(phase, *set);
  if (!who) return tl::unexpected(who.error());
  return deciders_where(std::move(*who));
}

// The set of assignments with this constant.
base::Result<Diagram> StateClasses::where(const Diagram& diagram, NodeId constant) const {
  std::vector<NodeId> table(diagram.constants(), 0);
  table[constant] = 1;
  return dd::relabel(diagram, table, 2, options_);
}

StateClasses::Positions StateClasses::positions(std::size_t layer) const {
  const symbolic::Clock& clock = model_.encoding().clock();
  return {clock.position(layer), layer == 0 ? clock.positions() : clock.position(layer - 1)};
}

base::Result<const StateClasses::Goals*> StateClasses::goals(std::size_t layer) {
  const Positions key = positions(layer);
  auto known = goals_.find(key);
  if (known == goals_.end()) {
    auto found = model_.goals(layer);
    if (!found) return tl::unexpected(found.error());
    known = goals_.emplace(key, std::move(*found)).first;
  }
  return &known->second;
}

// The rewards of all states that satisfy the condition, if they are equal and easy to determine.
std::optional<Rewards> StateClasses::find_rewards_where(symbolic::Condition condition,
                                                        const Goals& goals) {
  const Diagram& states = diagram(condition);
  Rewards rewards;
  for (const std::vector<symbolic::Goal>& of_role : goals) {
    const auto reward = reward_where(states, of_role);
    if (!reward) return std::nullopt;
    rewards.push_back(*reward);
  }
  return rewards;
}

// The reward of one role in all the states: the largest goal that holds in some must hold in all.
std::optional<int> StateClasses::reward_where(const Diagram& states,
                                              const std::vector<symbolic::Goal>& goals) {
  for (auto goal = goals.rbegin(); goal != goals.rend(); ++goal) {
    const auto meet = dd::intersect_within(states, diagram(goal->condition), max_pairs);
    if (!meet) return std::nullopt;
    if (!*meet) continue;
    const auto without = dd::complement(diagram(goal->condition));
    const bool in_all = without && dd::intersect_within(states, *without, max_pairs) == false;
    return in_all ? std::optional(goal->value) : std::nullopt;
  }
  return 0;
}

base::Result<std::optional<Rewards>> StateClasses::rewards_where(std::size_t layer,
                                                                 symbolic::Condition condition) {
  const auto key = std::pair(positions(layer), condition);
  auto known = rewards_where_.find(key);
  if (known == rewards_where_.end()) {
    const auto goals = this->goals(layer);
    if (!goals) return tl::unexpected(goals.error());
    known = rewards_where_.emplace(key, find_rewards_where(condition, **goals)).first;
  }
  return known->second;
}

// Whether some state satisfies one of the conditions.
base::Result<bool> StateClasses::meets(const Diagram& states,
                                       const std::vector<symbolic::Condition>& conditions) {
  for (const symbolic::Condition condition : conditions) {
    const auto met = dd::intersect(states, diagram(condition), options_);
    if (!met || *met) return met;
  }
  return false;
}

// The rewards of all terminal states of the layer, if they are equal and easy to determine.
// Requires that there are some.
base::Result<std::optional<Rewards>> StateClasses::common_rewards(std::size_t layer,
                                                                  const Diagram& states) {
  std::map<Rewards, std::vector<symbolic::Condition>> reasons;
  for (const symbolic::Condition condition :
       layer == 0 ? model_.phase(0).terminal : model_.terminal_after(layer - 1)) {
    const auto rewards = rewards_where(layer, condition);
    if (!rewards) return rewards;
    if (*rewards) {
      reasons[**rewards].push_back(condition);
      continue;
    }
    const auto met = meets(states, {condition});
    if (!met) return tl::unexpected(met.error());
    if (*met) return std::nullopt;
  }
  for (auto reason = reasons.begin(); reasons.size() > 1 && reason != reasons.end();) {
    const auto met = meets(states, reason->second);
    if (!met) return tl::unexpected(met.error());
    reason = *met ? std::next(reason) : reasons.erase(reason);
  }
  if (reasons.size() != 1) return std::nullopt;
  return reasons.begin()->first;
}

// Divides the classes by the goals of a role, ascending, so that the largest counts; 0 where there
// is none. found[c - 1] are the rewards of the roles before it in class c.
base::Result<Diagram> StateClasses::refine(std::size_t layer, std::size_t role, Diagram classes,
                                           std::vector<Rewards>& found) {
  const auto all_goals = this->goals(layer);
  if (!all_goals) return tl::unexpected(all_goals.error());
  const std::vector<symbolic::Goal>& goals = (**all_goals)[role];
  const auto n = static_cast<NodeId>(found.size());
  const auto constants = static_cast<NodeId>(n * (goals.size() + 1) + 1);
  for (NodeId g = 0; g < goals.size(); ++g) {
    const dd::Combination divide{constants,
                                 [&](std::span<const NodeId> c) {
                                   if (c[0] == 0 || c[1] == 0) return c[0];
                                   return (c[0] - 1) % n + 1 + n * (g + 1);
                                 },
                                 {{0, 0, 0}}};
    auto divided = dd::combine({classes, diagram(goals[g].condition)}, divide, options_);
    if (!divided) return divided;
    classes = std::move(*divided);
  }
  std::vector<NodeId> table(classes.constants(), 0);
  std::vector<Rewards> refined;
  const std::vector<bool> occurs = dd::occurring_constants(classes);
  for (NodeId c = 1; c < classes.constants(); ++c) {
    if (!occurs[c]) continue;
    Rewards rewards = found[(c - 1) % n];
    rewards.push_back(c <= n ? 0 : goals[(c - 1) / n - 1].value);
    table[c] = place_of_rewards(rewards, refined);
  }
  found = std::move(refined);
  return dd::relabel(classes, table, static_cast<NodeId>(found.size() + 1), options_);
}

base::Result<Diagram> StateClasses::find_rewards(std::size_t layer, const Diagram& states,
                                                 std::vector<Rewards>& found) {
  auto classes = dd::relabel(states, {0, 0, 1}, 2, options_);
  found = {Rewards()};
  for (std::size_t role = 0; classes && role < model_.machine().roles().size(); ++role) {
    if (classes->is_empty_set()) found.clear();
    if (found.empty()) break;
    classes = refine(layer, role, std::move(*classes), found);
  }
  return classes;
}

// Adds new rewards to the outcomes. Returns, by index of `found`, the constant of such terminal
// states.
std::vector<NodeId> StateClasses::add_outcomes(const std::vector<Rewards>& found,
                                               std::vector<Rewards>& outcomes) const {
  std::vector<Rewards> fresh;
  for (const Rewards& rewards : found) {
    const bool is_known = std::find(outcomes.begin(), outcomes.end(), rewards) != outcomes.end();
    if (!is_known) fresh.push_back(rewards);
  }
  std::sort(fresh.begin(), fresh.end(), std::greater<>());
  outcomes.insert(outcomes.end(), fresh.begin(), fresh.end());
  std::vector<NodeId> constants;
  for (const Rewards& rewards : found) {
    const auto at = std::find(outcomes.begin(), outcomes.end(), rewards) - outcomes.begin();
    constants.push_back(static_cast<NodeId>(model_.machine().roles().size()) + 1 +
                        static_cast<NodeId>(at));
  }
  return constants;
}

base::Result<Diagram> StateClasses::classify(std::size_t layer, const Diagram& states,
                                             std::vector<Rewards>& outcomes) {
  std::optional<Rewards> common;
  const bool ends = dd::occurring_constants(states)[symbolic::terminal];
  if (ends) {
    auto found = common_rewards(layer, states);
    if (!found) return tl::unexpected(found.error());
    common = std::move(*found);
  }
  if (ends && !common) return classify_each(layer, states, outcomes);
  std::vector<NodeId> table = {0, 0, 0};  // by constant of the states, that of the terminal ones
  if (common) table[symbolic::terminal] = add_outcomes({*common}, outcomes).front();
  const auto constants = static_cast<NodeId>(model_.machine().roles().size() + 1 + outcomes.size());
  const auto who = deciders(layer, states, symbolic::not_terminal);
  if (!who) return tl::unexpected(who.error());
  if (!who->only) return joined(layer, *who, states, states, table, constants);
  const auto refused = dd::intersect(states, who->refusals, options_);
  if (!refused) return tl::unexpected(refused.error());
  if (*refused) return joined(layer, *who, states, states, table, constants);
  table[symbolic::not_terminal] = static_cast<NodeId>(1 + *who->only);
  return dd::relabel(states, table, constants, options_);
}

// Determines the rewards of each terminal state.
base::Result<Diagram> StateClasses::classify_each(std::size_t layer, const Diagram& states,
                                                  std::vector<Rewards>& outcomes) {
  std::vector<Rewards> found;
  const auto rewards = find_rewards(layer, states, found);
  if (!rewards) return rewards;
  std::vector<NodeId> table = add_outcomes(found, outcomes);
  table.insert(table.begin(), 0);
  const auto constants = static_cast<NodeId>(model_.machine().roles().size() + 1 + outcomes.size());
  const auto who = deciders(layer, states, symbolic::not_terminal);
  if (!who) return tl::unexpected(who.error());
  return joined(layer, *who, states, *rewards, table, constants);
}

// `terminal` maps constants of the rewards to those of terminal states.
base::Result<Diagram> StateClasses::joined(std::size_t layer, const Deciders& who,
                                           const Diagram& states, const Diagram& rewards,
                                           const std::vector<NodeId>& terminal, NodeId constants) {
  const auto roles = static_cast<NodeId>(model_.machine().roles().size());
  // The two kinds of refusals have the largest constants.
  const dd::Combination join{constants + 2,
                             [&](std::span<const NodeId> c) {
                               if (c[0] != symbolic::not_terminal) return terminal[c[1]];
                               return c[2] > roles ? constants + c[2] - roles - 1 : c[2];
                             },
                             {{0, 0, 0}}};
  const auto result = dd::combine({states, rewards, who.movers}, join, options_);
  if (!result) return result;
  const std::vector<bool> occurs = dd::occurring_constants(*result);
  if (occurs[constants]) {
    return tl::unexpected(
        refusal(layer, *result, constants, "several roles decide at the same time in the state"));
  }
  if (occurs[constants + 1]) {
    return tl::unexpected(
        refusal(layer, *result, constants + 1, "a role has no legal move in the state"));
  }
  std::vector<NodeId> table(constants + 2, 0);
  std::iota(table.begin(), table.begin() + constants, 0u);
  return dd::relabel(*result, table, constants, options_);
}

base::Result<bool> StateClasses::decides(std::size_t layer, const Diagram& states, NodeId constant,
                                         std::size_t role) {
  const auto who = deciders(layer, states, constant);
  if (!who) return tl::unexpected(who.error());
  const auto choosing = where(who->who, static_cast<NodeId>(1 + role));
  const auto asked = where(states, constant);
  if (!choosing || !asked) return tl::unexpected(choosing ? asked.error() : choosing.error());
  return dd::intersect(*choosing, *asked, options_);
}

}  // namespace zermelo::solve
