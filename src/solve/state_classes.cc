// A role decides where it has at least two legal moves; these conditions are built from those of
// the moves, once for each phase. The rewards of terminal states are found role by role: the
// terminal states of the layer are divided by each goal value in turn, so that a condition is only
// ever joined with the states of one layer and never with another condition, which can be far
// larger than both.

#include "solve/state_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "dd/operations.h"
#include "symbolic/layers.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;
using dd::NodeId;

// By constant, whether some assignment has it.
std::vector<bool> occurring(const Diagram& diagram) {
  std::vector<bool> occurs(diagram.constants(), false);
  if (diagram.is_constant()) occurs[diagram.root()] = true;
  for (std::size_t l = 0; l < diagram.variables() && !diagram.is_constant(); ++l) {
    for (const NodeId child : diagram.level(l).children) {
      if (child < diagram.constants()) occurs[child] = true;
    }
  }
  return occurs;
}

}  // namespace

StateClasses::StateClasses(const symbolic::Model& model, dd::Options options)
    : model_(model), options_(std::move(options)), conditions_(model.conditions()) {}

base::Error StateClasses::refusal(std::size_t layer, const Diagram& diagram, NodeId constant,
                                  const std::string& problem) const {
  const machine::State state = model_.encoding().state(*diagram.pick(constant), layer);
  std::string fluents;
  state.for_each([&](std::size_t f) {
    fluents += (fluents.empty() ? "" : " ") +
               model_.machine().game().fluent_name(static_cast<ground::Atom>(f));
  });
  return {base::ErrorKind::not_applicable, problem + ": " + fluents};
}

// 0 where nobody has a choice, 1 + r where role r has; with n roles n + 1 where several have, and
// n + 2 where a role has no move.
base::Result<Diagram> StateClasses::find_deciders(const symbolic::Phase& phase) {
  const auto roles = static_cast<NodeId>(model_.machine().roles().size());
  std::vector<Diagram> operands;  // by role: has a move, has two
  for (std::size_t role = 0; role < roles; ++role) {
    auto one = dd::Conditions::never, two = dd::Conditions::never;
    for (const std::uint32_t move : phase.moves[role]) {
      const auto both = conditions_.both(one, phase.legal[move]);
      const auto more = both ? conditions_.either(two, *both) : both;
      const auto any = more ? conditions_.either(one, phase.legal[move]) : more;
      if (!any) return tl::unexpected(any.error());
      one = *any;
      two = *more;
    }
    operands.push_back(conditions_.diagram(one));
    operands.push_back(conditions_.diagram(two));
  }
  const auto decider = [roles](std::span<const NodeId> c) {
    NodeId found = 0;
    for (NodeId role = 0; role < roles; ++role) {
      if (c[2 * role] == 0) return roles + 2;
      if (c[2 * role + 1] != 0) found = found == 0 ? 1 + role : roles + 1;
    }
    return found;
  };
  return dd::combine(operands, {roles + 3, decider}, options_);
}

base::Result<const Diagram*> StateClasses::deciders(std::size_t layer) {
  const symbolic::Phase* phase = &model_.phase(layer);
  auto known = deciders_.find(phase);
  if (known == deciders_.end()) {
    auto found = find_deciders(*phase);
    if (!found) return tl::unexpected(found.error());
    known = deciders_.emplace(phase, std::move(*found)).first;
  }
  return &known->second;
}

base::Result<const std::vector<std::vector<symbolic::Goal>>*> StateClasses::goals(
    std::size_t layer) {
  const symbolic::Clock& clock = model_.encoding().clock();
  const std::size_t before = layer == 0 ? clock.positions() : clock.position(layer - 1);
  const auto key = std::pair(clock.position(layer), before);
  auto known = goals_.find(key);
  if (known == goals_.end()) {
    auto found = model_.goals(layer);
    if (!found) return tl::unexpected(found.error());
    known = goals_.emplace(key, std::move(*found)).first;
  }
  return &known->second;
}

// Divides the classes, of which found[c - 1] are the rewards of the roles before, by the goals of a
// role.
base::Result<Diagram> StateClasses::refine(std::size_t layer, std::size_t role, Diagram classes,
                                           std::vector<Rewards>& found) {
  const auto all_goals = this->goals(layer);
  if (!all_goals) return tl::unexpected(all_goals.error());
  const std::vector<symbolic::Goal>& goals = (**all_goals)[role];
  const auto n = static_cast<NodeId>(found.size());
  const auto several = static_cast<NodeId>(n * (goals.size() + 1) + 1);
  for (NodeId g = 0; g < goals.size(); ++g) {
    const dd::Combination divide{several + 1,
                                 [&](std::span<const NodeId> c) {
                                   if (c[0] == 0 || c[1] == 0) return c[0];
                                   return c[0] <= n ? c[0] + n * (g + 1) : several;
                                 },
                                 {{0, 0, 0}}};
    auto divided =
        dd::combine({classes, model_.conditions().diagram(goals[g].condition)}, divide, options_);
    if (!divided) return divided;
    classes = std::move(*divided);
  }
  std::vector<NodeId> table(classes.constants(), 0);
  std::vector<Rewards> refined;
  const std::vector<bool> occurs = occurring(classes);
  const std::string& name = model_.machine().roles()[role];
  for (NodeId c = 1; c < classes.constants(); ++c) {
    if (!occurs[c]) continue;
    if (c <= n || c == several) {
      const char* problem = c == several ? "several goals" : "no goal";
      return tl::unexpected(refusal(layer, classes, c,
                                    fmt::format("{} has {} in the terminal state", name, problem)));
    }
    refined.push_back(found[(c - 1) % n]);
    refined.back().push_back(goals[(c - 1) / n - 1].value);
    table[c] = static_cast<NodeId>(refined.size());
  }
  found = std::move(refined);
  return dd::relabel(classes, table, static_cast<NodeId>(found.size() + 1), options_);
}

base::Result<Diagram> StateClasses::find_rewards(std::size_t layer, const Diagram& states,
                                                 std::vector<Rewards>& found) {
  auto classes = dd::relabel(states, {0, 0, 1}, 2, options_);
  found = {Rewards()};
  for (std::size_t role = 0; classes && role < model_.machine().roles().size(); ++role) {
    if (classes->is_constant() && classes->root() == 0) found.clear();
    if (found.empty()) break;
    classes = refine(layer, role, std::move(*classes), found);
  }
  return classes;
}

base::Result<Diagram> StateClasses::classify(std::size_t layer, const Diagram& states,
                                             std::vector<Rewards>& outcomes) {
  std::vector<Rewards> found;
  const auto rewards = find_rewards(layer, states, found);
  const auto who = deciders(layer);
  if (!rewards || !who) return tl::unexpected(rewards ? who.error() : rewards.error());
  std::vector<Rewards> fresh;
  for (const Rewards& vector : found) {
    if (std::find(outcomes.begin(), outcomes.end(), vector) == outcomes.end()) {
      fresh.push_back(vector);
    }
  }
  std::sort(fresh.begin(), fresh.end(), std::greater<>());
  outcomes.insert(outcomes.end(), fresh.begin(), fresh.end());
  const auto roles = static_cast<NodeId>(model_.machine().roles().size());
  const auto constants = static_cast<NodeId>(roles + 1 + outcomes.size());
  std::vector<NodeId> terminal = {0};
  for (const Rewards& vector : found) {
    const auto at = std::find(outcomes.begin(), outcomes.end(), vector) - outcomes.begin();
    terminal.push_back(roles + 1 + static_cast<NodeId>(at));
  }
  // The two kinds of refusal get constants above the others.
  const dd::Combination join{constants + 2,
                             [&](std::span<const NodeId> c) {
                               if (c[0] != symbolic::not_terminal) return terminal[c[1]];
                               if (c[2] > roles) return constants + c[2] - roles - 1;
                               return std::max<NodeId>(1, c[2]);
                             },
                             {{0, 0, 0}}};
  const auto joined = dd::combine({states, *rewards, **who}, join, options_);
  if (!joined) return joined;
  const std::vector<bool> occurs = occurring(*joined);
  if (occurs[constants]) {
    return tl::unexpected(
        refusal(layer, *joined, constants, "several roles decide at the same time in the state"));
  }
  if (occurs[constants + 1]) {
    return tl::unexpected(
        refusal(layer, *joined, constants + 1, "a role has no legal move in the state"));
  }
  std::vector<NodeId> table(constants + 2, 0);
  for (NodeId c = 0; c < constants; ++c) table[c] = c;
  return dd::relabel(*joined, table, constants, options_);
}

base::Result<bool> StateClasses::decides(std::size_t layer, const Diagram& states, NodeId constant,
                                         std::size_t role) {
  const auto who = deciders(layer);
  if (!who) return tl::unexpected(who.error());
  const auto only = [&](const Diagram& diagram, NodeId kept) {
    std::vector<NodeId> table(diagram.constants(), 0);
    table[kept] = 1;
    return dd::relabel(diagram, table, 2, options_);
  };
  const auto choosing = only(**who, static_cast<NodeId>(1 + role));
  const auto asked = only(states, constant);
  if (!choosing || !asked) return tl::unexpected(choosing ? asked.error() : choosing.error());
  return dd::intersect(*choosing, *asked);
}

}  // namespace zermelo::solve
