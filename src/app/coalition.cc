#include "app/coalition.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/svg.h"
#include "ground/ground.h"

namespace zermelo::app {
namespace {

namespace svg = base::svg;

// A horizontal bar chart: a label, a bar and a number in each row.
struct BarChart {
  double scale = 1;  // the value of the longest bar
  double y = 0;      // of the next row
  std::string text = {};

  static constexpr double left = 220, widest = 420, row = 22;

  void heading(const std::string& title) {
    text += svg::label({.x = 16, .y = y + 18, .text = title, .bold = true});
    y += 28;
  }
  void bar(const std::string& name, double value, const char* colour) {
    text += svg::label({.x = left - 8, .y = y + 14, .anchor = svg::Anchor::end, .text = name});
    const double length = std::max(0.0, value) / scale * widest;
    text +=
        svg::box({left, y + 3, length, row - 8}, colour, fmt::format("{}: {:.2f}", name, value));
    text += svg::label({.x = left + length + 6, .y = y + 14, .text = fmt::format("{:.2f}", value)});
    y += row;
  }
};

}  // namespace

std::vector<std::string> CoalitionResult::members(solve::Coalition coalition) const {
  std::vector<std::string> names;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    if (coalition >> role & 1) names.push_back(roles[role]);
  }
  return names;
}

base::Result<CoalitionResult> coalition(const CoalitionRequest& request, const Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  const base::Limits limits = request.limits.start(context);
  context.report("solving for every coalition");
  auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  CoalitionResult result;
  result.roles = (*machine)->roles();
  auto values = solve::coalition_values(*machine, limits);
  if (!values) return tl::unexpected(values.error());
  result.values = std::move(*values);
  result.shapley = shapley_values(result.values);
  auto core = least_core(result.values, limits);
  if (!core) {
    return base::fail(base::ErrorKind::not_applicable, "the linear program of the core failed");
  }
  result.core = std::move(*core);
  result.violation = superadditivity_violation(result.values);
  result.cost = cost_since(begin);
  return result;
}

std::string coalition_picture(const CoalitionResult& result, const std::string& title) {
  BarChart chart;
  for (const double value : result.values.high) chart.scale = std::max(chart.scale, value);
  chart.heading(title + ": what each coalition secures");
  for (solve::Coalition c = 1; c <= result.values.everybody(); ++c) {
    chart.bar(fmt::format("{}", fmt::join(result.members(c), ", ")), result.values.value(c),
              "#2166ac");
  }
  chart.heading("Shapley value");
  for (std::size_t role = 0; role < result.roles.size(); ++role) {
    chart.bar(result.roles[role], result.shapley[role], "#c8553d");
  }
  chart.heading(result.core.core_is_empty() ? "Least core (the core is empty)"
                                            : "A point of the core");
  for (std::size_t role = 0; role < result.roles.size(); ++role) {
    chart.bar(result.roles[role], result.core.shares[role], "#777777");
  }
  return svg::begin(720, chart.y + 16) + chart.text + "</svg>\n";
}

}  // namespace zermelo::app
