#include "app/draw_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/svg.h"

namespace zermelo::app {
namespace {

namespace svg = base::svg;

constexpr std::size_t max_drawn_worlds = 200;

struct AgentStyle {
  const char* colour;
  const char* dashes;  // of SVG
  const char* style;   // of Graphviz
};

// Colours that remain distinct for most colour-blind readers; the dashes differ as well.
constexpr AgentStyle agent_styles[] = {
    {"#0072b2", "none", "solid"},    {"#d55e00", "8 4", "dashed"}, {"#009e73", "2 4", "dotted"},
    {"#cc79a7", "12 4 2 4", "bold"}, {"#56b4e9", "4 2", "dashed"}, {"#e69f00", "1 6", "dotted"},
};

const AgentStyle& style_of_agent(std::size_t agent) {
  return agent_styles[agent % std::size(agent_styles)];
}

struct WorldPair {
  std::size_t agent, first, second;
};

// The atoms that do not hold in every world, by world.
std::vector<std::string> world_labels(const know::Model& model) {
  std::map<std::string, std::size_t> count;
  for (const auto& atoms : model.valuation) {
    for (const std::string& atom : atoms) ++count[atom];
  }
  std::vector<std::string> labels;
  for (const auto& atoms : model.valuation) {
    std::string label;
    for (const std::string& atom : atoms) {
      if (count[atom] < model.worlds.size()) label += (label.empty() ? "" : " ") + atom;
    }
    labels.push_back(label.empty() ? "-" : label);
  }
  return labels;
}

// Neighbours in the chain of every class.
std::vector<WorldPair> indistinguishable_pairs(const know::Model& model) {
  std::vector<WorldPair> pairs;
  for (std::size_t agent = 0; agent < model.agents.size(); ++agent) {
    std::map<std::uint32_t, std::size_t> last;
    for (std::size_t w = 0; w < model.worlds.size(); ++w) {
      const auto [entry, is_first] = last.try_emplace(model.class_of[agent][w], w);
      if (!is_first) pairs.push_back({agent, std::exchange(entry->second, w), w});
    }
  }
  return pairs;
}

base::Result<void> check_size(const know::Model& model) {
  if (model.worlds.size() <= max_drawn_worlds) return {};
  return base::fail(base::ErrorKind::invalid_request,
                    fmt::format("the round has {} worlds; a picture shows at most {}",
                                model.worlds.size(), max_drawn_worlds));
}

std::string dot_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// Worlds on a circle; lines of several agents between the same worlds bend apart.
class ModelPicture {
 public:
  explicit ModelPicture(const know::Model& model) : model_(model), labels_(world_labels(model)) {
    for (const std::string& label : labels_) longest_ = std::max(longest_, label.size());
    const double around = static_cast<double>(model.worlds.size()) * 60;
    radius_ = model.worlds.size() == 1 ? 0 : std::max(110.0, around / (2 * std::numbers::pi));
  }

  std::string text() const {
    std::string text = svg::begin(2 * centre_x(), 2 * centre_y() + legend_height());
    for (const WorldPair& pair : indistinguishable_pairs(model_)) text += curve(pair);
    for (std::size_t w = 0; w < model_.worlds.size(); ++w) text += world(w);
    for (std::size_t a = 0; a < model_.agents.size(); ++a) text += legend(a);
    return text + "</svg>\n";
  }

 private:
  static constexpr double character_width = 7.5, margin = 40, dot = 7;

  double centre_x() const {
    return radius_ + margin + character_width * static_cast<double>(longest_);
  }
  double centre_y() const { return radius_ + margin; }
  double legend_height() const { return 20 * static_cast<double>(model_.agents.size()) + 10; }
  double angle(std::size_t w) const {
    return 2 * std::numbers::pi * static_cast<double>(w) /
               static_cast<double>(model_.worlds.size()) -
           std::numbers::pi / 2;
  }
  double x(std::size_t w) const { return centre_x() + radius_ * std::cos(angle(w)); }
  double y(std::size_t w) const { return centre_y() + radius_ * std::sin(angle(w)); }

  static std::string stroke(std::size_t agent) {
    const AgentStyle& style = style_of_agent(agent);
    return fmt::format("stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" fill=\"none\"",
                       style.colour, style.dashes);
  }

  std::string curve(const WorldPair& pair) const {
    const double bend = 0.12 * (1 + static_cast<double>(pair.agent));
    const double x1 = x(pair.first), y1 = y(pair.first), x2 = x(pair.second), y2 = y(pair.second);
    return fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" {}/>\n", x1, y1,
                       (x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1), x2, y2,
                       stroke(pair.agent));
  }

  std::string world(std::size_t w) const {
    const bool right = std::cos(angle(w)) >= -0.01;
    const std::string title = model_.worlds[w] + ": " + labels_[w];
    return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
                       x(w), y(w), dot, svg::escaped(title)) +
           svg::label({x(w) + (right ? 12 : -12), y(w) + 4 + 14 * std::sin(angle(w)),
                       right ? svg::Anchor::start : svg::Anchor::end, labels_[w]});
  }

  std::string legend(std::size_t agent) const {
    const double at = 2 * centre_y() + 20 * static_cast<double>(agent);
    return fmt::format("<path d=\"M16 {0:.1f}H56\" {1}/>\n", at, stroke(agent)) +
           svg::label({64, at + 4, svg::Anchor::start, model_.agents[agent]});
  }

  const know::Model& model_;
  std::vector<std::string> labels_;
  std::size_t longest_ = 0;
  double radius_ = 0;
};

}  // namespace

base::Result<std::string> model_as_svg(const know::Model& model) {
  if (const auto fits = check_size(model); !fits) return tl::unexpected(fits.error());
  return ModelPicture(model).text();
}

base::Result<std::string> model_as_dot(const know::Model& model) {
  if (const auto fits = check_size(model); !fits) return tl::unexpected(fits.error());
  const std::vector<std::string> labels = world_labels(model);
  std::string text = "graph model {\n";
  for (std::size_t w = 0; w < labels.size(); ++w)
    text += fmt::format("  {} [label={}];\n", model.worlds[w], dot_text(labels[w]));
  for (const WorldPair& pair : indistinguishable_pairs(model)) {
    const AgentStyle& style = style_of_agent(pair.agent);
    text += fmt::format("  {} -- {} [color=\"{}\", style={}, label={}];\n",
                        model.worlds[pair.first], model.worlds[pair.second], style.colour,
                        style.style, dot_text(model.agents[pair.agent]));
  }
  return text + "}\n";
}

}  // namespace zermelo::app
