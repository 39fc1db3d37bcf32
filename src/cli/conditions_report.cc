#include "cli/conditions_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/output.h"

namespace zermelo::cli {
namespace {

using Json = nlohmann::ordered_json;
using analysis::Evidence;
using analysis::Finding;

constexpr std::size_t shown_steps = 10;

const char* name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::proved:
      return "proved";
    case Evidence::refuted:
      return "refuted";
    case Evidence::sampled:
      return "sampled";
  }
  return "";
}

Json as_json(const Finding& finding) {
  Json json = {{"evidence", name_of(finding.evidence)}, {"reason", finding.reason}};
  if (finding.evidence == Evidence::refuted) json["line"] = finding.line;
  return json;
}

// " (1. (mark 1 1), noop 2. ...)", not all of it when it is long.
std::string beginning_of(const analysis::Line& line) {
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < std::min(line.size(), shown_steps); ++i) {
    steps.push_back(fmt::format("{}. {}", i + 1, fmt::join(line[i], ", ")));
  }
  if (line.size() > shown_steps) {
    steps.push_back(fmt::format("and {} more, shown by --json", line.size() - shown_steps));
  }
  return fmt::format("{}", fmt::join(steps, " "));
}

std::string as_text(const Finding& finding) {
  std::string text = fmt::format("{}: {}", name_of(finding.evidence), finding.reason);
  if (finding.evidence == Evidence::refuted && !finding.line.empty()) {
    text += "; by " + beginning_of(finding.line);
  }
  return text;
}

}  // namespace

Json conditions_as_json(const analysis::DynamicConditions& found) {
  return {{"has_moves", as_json(found.has_moves)},
          {"ends", as_json(found.ends)},
          {"unique_goals", as_json(found.unique_goals)}};
}

void add_traits(const analysis::DynamicConditions& found, Json& traits) {
  traits["turn_taking"] = as_json(found.turn_taking);
  traits["constant_sum"] = as_json(found.constant_sum);
  if (found.goal_sum) traits["goal_sum"] = *found.goal_sum;
  if (found.longest_game) traits["longest_game"] = *found.longest_game;
  if (found.states) traits["states"] = std::to_string(*found.states);
  if (found.terminal_states) traits["terminal_states"] = std::to_string(*found.terminal_states);
}

std::vector<std::pair<std::string, std::string>> condition_lines(
    const analysis::DynamicConditions& found) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (found.states) {
    lines.push_back({"states", fmt::format("{}, {} terminal", grouped(*found.states),
                                           grouped(found.terminal_states.value_or(0)))});
  }
  if (found.longest_game)
    lines.push_back({"longest game", counted(*found.longest_game, "joint move")});
  lines.push_back({"always a move", as_text(found.has_moves)});
  lines.push_back({"always ends", as_text(found.ends)});
  lines.push_back({"one goal each", as_text(found.unique_goals)});
  lines.push_back({"turn taking", as_text(found.turn_taking)});
  lines.push_back({"constant sum", as_text(found.constant_sum)});
  if (found.goal_sum) lines.push_back({"sum of goals", std::to_string(*found.goal_sum)});
  return lines;
}

}  // namespace zermelo::cli
