#include "solve/folder/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "solve/folder/layer_chart.h"

namespace zermelo::solve {
namespace {

constexpr std::string_view endless_colour = "#777777";

struct Rgb {
  double red, green, blue;
};
// From the best outcome of the first role over the even ones to the worst. Told apart without red
// and green too.
constexpr std::array<Rgb, 3> scale = {{{33, 102, 172}, {217, 217, 217}, {200, 85, 61}}};

// The colour at a place of the scale, from 0 to 1.
std::string colour_at(double place) {
  const double position = place * static_cast<double>(scale.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(position), scale.size() - 2);
  const double share = position - static_cast<double>(low);
  const auto mixed = [&](double Rgb::*part) {
    return static_cast<int>(
        std::lround(scale[low].*part * (1 - share) + scale[low + 1].*part * share));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(&Rgb::red), mixed(&Rgb::green),
                     mixed(&Rgb::blue));
}

// The outcomes from the best to the worst of the first role; endless play is last.
std::vector<std::size_t> best_first(const Description& description) {
  std::vector<std::size_t> order(description.outcomes.size());
  for (std::size_t o = 0; o < order.size(); ++o) order[o] = o;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Rewards &of_a = description.outcomes[a], &of_b = description.outcomes[b];
    if (of_a.empty() || of_b.empty()) return of_b.empty() && !of_a.empty();
    return prefers(description.model, 0, of_a, of_b);
  });
  return order;
}

// "white 100, black 0"
std::string outcome_text(const Description& description, std::size_t outcome) {
  const Rewards& rewards = description.outcomes[outcome];
  if (rewards.empty()) return "endless";
  std::vector<std::string> parts;
  for (std::size_t r = 0; r < rewards.size(); ++r) {
    parts.push_back(fmt::format("{} {}", description.roles[r], rewards[r]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// By outcome in the given order, endless play last.
std::vector<LayerChart::Part> parts_of(const Description& description,
                                       const std::vector<std::size_t>& order) {
  const auto ends = static_cast<std::size_t>(
      std::count_if(description.outcomes.begin(), description.outcomes.end(),
                    [](const Rewards& rewards) { return !rewards.empty(); }));
  std::vector<LayerChart::Part> parts;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double place = ends < 2 ? 0 : static_cast<double>(i) / static_cast<double>(ends - 1);
    parts.push_back({outcome_text(description, order[i]),
                     i < ends ? colour_at(place) : std::string(endless_colour)});
  }
  return parts;
}

}  // namespace

std::string plot(const Description& description, const Manifest& manifest,
                 const std::string& title) {
  const std::vector<std::size_t> order = best_first(description);
  const bool plies = description.layers == LayerKind::plies;
  LayerChart chart{(title.empty() ? "" : title + ": ") + "states and values by layer",
                   plies ? "layer: moves made" : "layer: fewest moves from the start",
                   parts_of(description, order),
                   {}};
  for (const StoredLayer& stored : manifest.layers) {
    LayerChart::Layer layer{stored.states, stored.nodes};
    for (const std::size_t o : order) {
      layer.parts.push_back(o < stored.by_value.size() ? stored.by_value[o] : "0");
    }
    chart.layers.push_back(std::move(layer));
  }
  return svg_of(chart);
}

}  // namespace zermelo::solve
