#include "solve/folder/plot.h"

#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <cmath>

namespace zermelo::solve {
namespace {

constexpr double left = 60, top = 20, width = 800, height = 320, legend = 24;

double logarithm(double number) { return number < 1 ? 0 : std::log10(number) + 0.1; }

std::string label_of(const Rewards& rewards) {
  return rewards.empty() ? "endless" : fmt::format("{}", fmt::join(rewards, "/"));
}

// By rank in the first role's order, from blue (best) to red; grey for endless play.
std::vector<std::string> colours(const Description& description) {
  std::vector<std::size_t> order;
  for (std::size_t o = 0; o < description.outcomes.size(); ++o) {
    if (!description.outcomes[o].empty()) order.push_back(o);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return prefers(description.model, 0, description.outcomes[a], description.outcomes[b]);
  });
  std::vector<std::string> colour(description.outcomes.size(), "#999999");
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double share = order.size() < 2 ? 0 : double(i) / double(order.size() - 1);
    colour[order[i]] = fmt::format("hsl({:.0f},60%,55%)", 220 + 140 * share);
  }
  return colour;
}

class Plot {
 public:
  Plot(const Description& description, const Manifest& manifest)
      : description_(description), layers_(manifest.layers), colour_(colours(description)) {
    for (const StoredLayer& layer : layers_) {
      const double nodes = static_cast<double>(layer.nodes);
      tallest_ = std::max({tallest_, logarithm(mpz_class(layer.states).get_d()), logarithm(nodes)});
    }
    step_ = width / static_cast<double>(std::max<std::size_t>(1, layers_.size()));
  }

  std::string draw() {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n",
        left + width + 20, top + height + 40 + legend);
    draw_axis();
    for (std::size_t l = 0; l < layers_.size(); ++l) draw_bar(l);
    draw_nodes();
    draw_legend();
    return text_ + "</svg>\n";
  }

 private:
  double y(double log) const { return top + height - log / tallest_ * height; }
  double x(std::size_t layer) const { return left + step_ * static_cast<double>(layer); }

  void draw_axis() {
    for (int power = 0; power + 0.1 <= tallest_; ++power) {
      const double at = y(power + 0.1);
      text_ += fmt::format(
          "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#dddddd\"/>\n"
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">1e{}</text>\n",
          left, left + width, at, at, left - 6, at + 4, power);
    }
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">layers 0 to {}</text>\n", left,
                         top + height + 18, layers_.size() - 1);
  }

  void draw_bar(std::size_t l) {
    const double states = mpz_class(layers_[l].states).get_d();
    const double whole = logarithm(states);
    double below = 0;
    for (std::size_t o = 0; o < layers_[l].by_value.size(); ++o) {
      const double part = mpz_class(layers_[l].by_value[o]).get_d() / states * whole;
      if (part <= 0) continue;
      text_ += fmt::format(
          "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\">"
          "<title>layer {}: {} states with {}</title></rect>\n",
          x(l), y(below + part), step_ * 0.85, y(below) - y(below + part), colour_[o], l,
          layers_[l].by_value[o], label_of(description_.outcomes[o]));
      below += part;
    }
  }

  void draw_nodes() {
    text_ += "<polyline fill=\"none\" stroke=\"black\" stroke-width=\"1.5\" points=\"";
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      text_ += fmt::format("{:.2f},{:.2f} ", x(l) + step_ * 0.42,
                           y(logarithm(static_cast<double>(layers_[l].nodes))));
    }
    text_ += "\"/>\n";
  }

  void draw_legend() {
    double at = left;
    const double line = top + height + 40;
    for (std::size_t o = 0; o < description_.outcomes.size(); ++o) {
      text_ += fmt::format(
          "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"10\" height=\"10\" fill=\"{}\"/>"
          "<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n",
          at, line - 9, colour_[o], at + 14, line, label_of(description_.outcomes[o]));
      at += 80;
    }
    text_ += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">line: nodes</text>\n", at, line);
  }

  const Description& description_;
  const std::vector<StoredLayer>& layers_;
  std::vector<std::string> colour_;
  double tallest_ = 1, step_ = 0;
  std::string text_;
};

}  // namespace

std::string plot(const Description& description, const Manifest& manifest) {
  return Plot(description, manifest).draw();
}

}  // namespace zermelo::solve
