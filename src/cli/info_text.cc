#include "cli/info_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/playout_engine.h"
#include "cli/knowledge_text.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;
using analysis::Evidence;
using analysis::Finding;

constexpr std::size_t shown_steps = 10;
constexpr std::size_t shown_phases = 8;

// "white 155, black 155"
template <class Value>
std::string per_role(const ground::Game& game, Value value) {
  std::vector<std::string> parts;
  const auto roles = app::role_names(game);
  for (std::size_t role = 0; role < roles.size(); ++role) {
    parts.push_back(fmt::format("{} {}", roles[role], value(role)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Lines size_lines(const app::GameDescription& facts) {
  const ground::Game& game = *facts.game;
  const auto moves = [&](std::size_t role) { return grouped(app::moves_of(game, role)); };
  const auto goals = [&](std::size_t role) {
    const std::vector<int> values = app::goal_values(game, role);
    return values.empty() ? "none" : fmt::format("{}", fmt::join(values, "/"));
  };
  return {
      {"roles", fmt::format("{}", fmt::join(app::role_names(game), ", "))},
      {"fluents", grouped(game.fluents.size())},
      {"moves", per_role(game, moves)},
      {"goal values", per_role(game, goals)},
      {"ground rules", grouped(game.rules()) + (game.recursive.empty() ? "" : ", some recursive")},
      {"grounded in", fmt::format("{:.3f} s", facts.ground_seconds)},
  };
}

// Only of games in GDL-II.
Lines information_lines(const app::GameDescription& facts) {
  const ground::Game& game = *facts.game;
  if (!game.imperfect_information()) return {};
  Lines lines = {{"information", app::information_of(facts)},
                 {"chance", game.random_role() ? "yes" : "no"}};
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
    if (game.is_random(role)) continue;
    std::vector<std::string> parts;
    for (const auto& [name, count] : app::percepts_of(game, role))
      parts.push_back(fmt::format("{} ({})", name, grouped(count)));
    lines.push_back({game.role_name(role) + " sees",
                     parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "))});
  }
  if (!facts.knowledge) return lines;
  const Lines known = knowledge_lines(*facts.knowledge);
  lines.insert(lines.end(), known.begin(), known.end());
  return lines;
}

Lines bound_lines(const analysis::StateBound& bound) {
  if (bound.games == 0) return {};
  return {{"states", fmt::format("at least {:.1e} (estimated from {})", bound.states,
                                 counted(bound.games, "random game"))}};
}

// "1. (mark 1 1), noop 2. ...", shortened if it is long.
std::string beginning_of(const analysis::Line& line) {
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < std::min(line.size(), shown_steps); ++i) {
    steps.push_back(fmt::format("{}. {}", i + 1, fmt::join(line[i], ", ")));
  }
  if (line.size() > shown_steps) {
    steps.push_back(fmt::format("and {} more (see --json)", line.size() - shown_steps));
  }
  return fmt::format("{}", fmt::join(steps, " "));
}

struct NamedFinding {
  const char* name;
  const Finding* finding;
};

bool same_reason(const Finding& a, const Finding& b) {
  return a.evidence == b.evidence && a.reason == b.reason && a.line == b.line;
}

std::string as_text(const Finding& finding) {
  std::string text = fmt::format("{}: {}", app::name_of(finding.evidence), finding.reason);
  if (finding.evidence == Evidence::refuted && !finding.line.empty()) {
    text += "; moves: " + beginning_of(finding.line);
  }
  return text;
}

// A reason that was given before is not repeated.
std::string as_text(const NamedFinding& here, std::span<const NamedFinding> all) {
  for (const NamedFinding& earlier : all) {
    if (earlier.finding == here.finding) break;
    if (!same_reason(*earlier.finding, *here.finding)) continue;
    return fmt::format("{}: as \"{}\"", app::name_of(here.finding->evidence), earlier.name);
  }
  return as_text(*here.finding);
}

Lines condition_lines(const analysis::DynamicConditions& found) {
  Lines lines;
  if (found.states) {
    lines.push_back({"states", fmt::format("{}, {} terminal", grouped(*found.states),
                                           grouped(found.terminal_states.value_or(0)))});
  }
  if (found.longest_game)
    lines.push_back({"longest game", counted(*found.longest_game, "joint move")});
  const NamedFinding findings[] = {{"always a move", &found.has_moves},
                                   {"always ends", &found.ends},
                                   {"one goal each", &found.unique_goals},
                                   {"turn taking", &found.turn_taking},
                                   {"constant sum", &found.constant_sum}};
  for (const NamedFinding& here : findings) lines.push_back({here.name, as_text(here, findings)});
  if (found.goal_sum) lines.push_back({"sum of goals", std::to_string(*found.goal_sum)});
  return lines;
}

Lines mutex_lines(const analysis::MutexGroups& found, const ground::Game& game) {
  std::size_t fluents = 0;
  for (const analysis::MutexGroup& group : found.groups) fluents += group.fluents.size();
  return {{"mutex groups", fmt::format("{} of {} in {}", grouped(fluents),
                                       counted(game.fluents.size(), "fluent"), found.summary)}};
}

Lines subgame_lines(const app::SubgameFacts& facts) {
  std::vector<std::string> parts;
  if (facts.by_symbol.value_or(0) > 1)
    parts.push_back(fmt::format("{} by symbol", *facts.by_symbol));
  if (facts.by_ground.value_or(0) > 1) {
    parts.push_back(fmt::format("{} by ground fluent and move", *facts.by_ground));
  }
  if (parts.empty()) return {};
  return {{"subgames", fmt::format("{} (see `zermelo factor`)", fmt::join(parts, ", "))}};
}

Lines optimiser_lines(const app::OptimiserFacts& facts) {
  std::vector<std::string> passes;
  for (const circuit::PassSize& pass : facts.passes) {
    passes.push_back(
        fmt::format("{} {} ({})", pass.pass, grouped(pass.size.gates), grouped(pass.size.wires)));
  }
  return {{"optimiser", fmt::format("gates (wires): {}", fmt::join(passes, ", "))},
          {"lasting facts",
           fmt::format("{} always true, {} always false, {} stay true, {} stay false",
                       counted(facts.always_true, "fluent"), grouped(facts.always_false),
                       grouped(facts.stay_true), grouped(facts.stay_false))},
          {"random play", fmt::format("{} per step of 256 games, {}",
                                      counted(facts.operations_per_step, "operation"),
                                      counted(facts.phases, "phase"))}};
}

template <class Number>
std::string joined(const std::vector<app::SymbolicFacts::Phase>& phases, Number number) {
  std::vector<std::string> parts;
  for (const auto& phase : phases) parts.push_back(number(phase));
  if (parts.size() > shown_phases) {
    parts.resize(shown_phases);
    parts.push_back("...");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string terminal_sizes(const app::SymbolicFacts::Phase& phase) {
  std::vector<std::string> sizes;
  for (const auto& condition : phase.terminal) sizes.push_back(grouped(condition.nodes));
  return fmt::format("{}", fmt::join(sizes, " + "));
}

// "cell 1 1 b +2": the first fluent and the number of others.
std::string short_name(const std::vector<std::string>& fluents) {
  return fluents.front() + (fluents.size() > 1 ? fmt::format(" +{}", fluents.size() - 1) : "");
}

Lines symbolic_lines(const app::SymbolicFacts& facts) {
  std::vector<std::string> names;
  for (const auto& fluents : facts.variables) names.push_back(short_name(fluents));
  const auto relation = [](const auto& phase) { return grouped(phase.relation_nodes); };
  const auto moves = [](const auto& phase) { return grouped(phase.joint_moves); };
  return {{"variables",
           fmt::format("{}; {} depend on the step number only", grouped(facts.variables.size()),
                       counted(facts.clock_fluents, "fluent"))},
          {"variable order", facts.order.origin},
          {"from the top", fmt::format("{}", fmt::join(names, ", "))},
          {"joint moves", joined(facts.phases, moves)},
          {"relation nodes", joined(facts.phases, relation)},
          {"terminal nodes", joined(facts.phases, terminal_sizes)}};
}

}  // namespace

std::string info_text(const app::GameDescription& facts) {
  Lines lines = size_lines(facts);
  const auto add = [&](const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  add(information_lines(facts));
  if (facts.state_bound) add(bound_lines(*facts.state_bound));
  if (facts.conditions) add(condition_lines(*facts.conditions));
  if (facts.mutex_groups) add(mutex_lines(*facts.mutex_groups, *facts.game));
  if (facts.subgames) add(subgame_lines(*facts.subgames));
  if (facts.optimiser) add(optimiser_lines(*facts.optimiser));
  if (facts.symbolic) add(symbolic_lines(*facts.symbolic));
  return name_value_lines(lines);
}

}  // namespace zermelo::cli
