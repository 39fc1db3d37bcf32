// A picture of two panels with a common horizontal axis, the layers. Above, bars for the number of
// states and a line for the nodes of the diagrams, on a logarithmic scale: numbers of layers differ
// by many orders of magnitude. Below, how the states of a layer are divided by value, in percent:
// shares are only readable on a linear scale, so they are not drawn inside the logarithmic bars.
#include "solve/folder/layer_chart.h"

#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <cmath>

#include "base/quantities.h"
#include "base/svg.h"

namespace zermelo::solve {
namespace {

namespace svg = base::svg;
using svg::Anchor;

constexpr double left = 74, width = 800, right = 20;
constexpr double top = 56, states_height = 220, gap = 34, shares_height = 150, axis_height = 50;
constexpr double shares_top = top + states_height + gap, bottom = shares_top + shares_height;
constexpr double legend_line = 20, legend_space = 24;
constexpr std::string_view bar_colour = "#9fb4c7", grid_colour = "#dddddd",
                           nodes_colour = "#222222";
constexpr double bar_share = 0.85;  // of the width of a layer

class LayerPicture {
 public:
  explicit LayerPicture(const LayerChart& chart) : chart_(chart), layers_(chart.layers) {
    for (const LayerChart::Layer& layer : layers_) {
      largest_ = std::max({largest_, mpz_class(layer.states).get_d(),
                           static_cast<double>(layer.nodes.value_or(0))});
      has_nodes_ = has_nodes_ || layer.nodes;
    }
    powers_ = std::max(1, static_cast<int>(std::ceil(std::log10(largest_))));
    step_ = width / static_cast<double>(std::max<std::size_t>(1, layers_.size()));
    place_legend();
  }

  std::string draw() {
    const double lines = legend_.empty() ? 0 : legend_.back().line + 1;
    text_ =
        svg::begin(left + width + right, bottom + axis_height + legend_space + legend_line * lines);
    draw_title();
    draw_states_axis();
    draw_shares_axis();
    draw_layer_axis();
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      draw_states(l);
      draw_shares(l);
    }
    if (has_nodes_) draw_nodes();
    draw_legend();
    return text_ + "</svg>\n";
  }

 private:
  struct Entry {
    std::size_t part;
    double x, line;
  };

  double x(std::size_t layer) const { return left + step_ * static_cast<double>(layer); }
  double middle(std::size_t layer) const { return x(layer) + step_ * bar_share / 2; }
  // A bar of one state is visible: it has a tenth of a power of ten.
  double y(double number) const {
    constexpr double least = -0.1;
    const double place = std::log10(std::max(number, 1.0)) - least;
    return top + states_height * (1 - place / (powers_ - least));
  }
  static double share_y(double share) { return bottom - shares_height * share; }

  void place_legend() {
    constexpr double per_letter = 6.6, square = 30;
    double at = left, line = 0;
    for (std::size_t p = 0; p < chart_.parts.size(); ++p) {
      const double length = square + per_letter * static_cast<double>(chart_.parts[p].name.size());
      if (at > left && at + length > left + width) {
        at = left;
        ++line;
      }
      legend_.push_back({p, at, line});
      at += length;
    }
  }

  void draw_title() {
    mpz_class states = 0;
    for (const LayerChart::Layer& layer : layers_) states += mpz_class(layer.states);
    text_ += svg::label({left, 24, Anchor::start, chart_.title, 16, true});
    text_ += svg::label({left, 43, Anchor::start,
                         fmt::format("{} states in {}", base::with_commas(states.get_str()),
                                     base::counted(layers_.size(), "layer"))});
    const double at = left + width - 260;
    text_ +=
        svg::box({at, 33, 12, 12}, bar_colour) + svg::label({at + 17, 43, Anchor::start, "states"});
    if (!has_nodes_) return;
    text_ += svg::line({at + 80, 39, at + 104, 39}, nodes_colour, 2) +
             svg::label({at + 109, 43, Anchor::start, "nodes of the diagrams"});
  }

  void draw_states_axis() {
    for (int power = 0; power <= powers_; power += powers_ > 12 ? 2 : 1) {
      const double at = y(std::pow(10.0, power));
      text_ += svg::line({left, at, left + width, at}, grid_colour);
      text_ += svg::power_of_ten(left - 8, at + 4, power);
    }
    text_ += svg::label(
        {22, top + states_height / 2, Anchor::middle, "number, log scale", 12, false, true});
  }

  void draw_shares_axis() {
    for (int percent = 0; percent <= 100; percent += 25) {
      const double at = share_y(percent / 100.0);
      text_ += svg::line({left - 4, at, left + width, at}, grid_colour);
      text_ += svg::label({left - 8, at + 4, Anchor::end, fmt::format("{}%", percent)});
    }
    text_ += svg::label(
        {22, shares_top + shares_height / 2, Anchor::middle, "share of states", 12, false, true});
  }

  void draw_layer_axis() {
    const double last = layers_.empty() ? 0 : static_cast<double>(layers_.size() - 1);
    for (const double tick : svg::round_ticks(last, 20)) {
      const double at = middle(static_cast<std::size_t>(tick));
      text_ += svg::line({at, bottom, at, bottom + 5}, nodes_colour);
      text_ += svg::label({at, bottom + 18, Anchor::middle, fmt::format("{:.0f}", tick)});
    }
    text_ += svg::label({left + width / 2, bottom + 38, Anchor::middle, chart_.axis});
  }

  void draw_states(std::size_t l) {
    const double at = y(mpz_class(layers_[l].states).get_d());
    text_ += svg::box({x(l), at, step_ * bar_share, top + states_height - at}, bar_colour,
                      fmt::format("layer {}: {} states", l, base::with_commas(layers_[l].states)));
  }

  void draw_shares(std::size_t l) {
    const double states = mpz_class(layers_[l].states).get_d();
    double below = 0;
    for (std::size_t p = 0; p < layers_[l].parts.size(); ++p) {
      const std::string& count = layers_[l].parts[p];
      const double share = mpz_class(count).get_d() / states;
      if (!(share > 0)) continue;  // also not a number, of an empty layer
      text_ += svg::box({x(l), share_y(below + share), step_ * bar_share, shares_height * share},
                        chart_.parts[p].colour,
                        fmt::format("layer {}: {} states ({:.1f}%) with {}", l,
                                    base::with_commas(count), 100 * share, chart_.parts[p].name));
      below += share;
    }
  }

  void draw_nodes() {
    text_ += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"",
                         nodes_colour);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      text_ += fmt::format("{:.2f},{:.2f} ", middle(l),
                           y(static_cast<double>(layers_[l].nodes.value_or(0))));
    }
    text_ += "\"/>\n";
  }

  void draw_legend() {
    for (const auto& [part, x, line] : legend_) {
      const double at = bottom + axis_height + legend_space - 8 + legend_line * line;
      text_ += svg::box({x, at - 10, 12, 12}, chart_.parts[part].colour);
      text_ += svg::label({x + 17, at, Anchor::start, chart_.parts[part].name});
    }
  }

  const LayerChart& chart_;
  const std::vector<LayerChart::Layer>& layers_;
  std::vector<Entry> legend_;
  double largest_ = 1, step_ = 0;
  int powers_ = 1;  // of ten, shown on the axis
  bool has_nodes_ = false;
  std::string text_;
};

}  // namespace

std::string svg_of(const LayerChart& chart) { return LayerPicture(chart).draw(); }

}  // namespace zermelo::solve
