#include "app/draw_dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/svg.h"

namespace zermelo::app {
namespace {

using analysis::DependencyGraph;
using base::svg::escaped;

constexpr int row_height = 30, margin = 16, frame_gap = 18, gap_between_columns = 160;
constexpr int character_width = 8, box_height = 22;

struct BoxPosition {
  int left, width, middle;
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

int width_of(const std::string& name) {
  return character_width * static_cast<int>(name.size()) + 16;
}

std::map<std::uint32_t, std::vector<std::uint32_t>> by_subgame(const DependencyGraph& graph) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> result;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    result[graph.nodes[i].subgame].push_back(i);
  }
  return result;
}

class DependencyPicture {
 public:
  explicit DependencyPicture(const DependencyGraph& graph) : graph_(graph) {
    for (const auto& node : graph.nodes) {
      int& widest = node.is_move ? widest_move_ : widest_fluent_;
      widest = std::max(widest, width_of(node.name));
    }
    positions_.resize(graph.nodes.size());
    for (const auto& [subgame, nodes] : by_subgame(graph)) place(nodes);
  }

  std::string svg() const {
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"monospace\" font-size=\"13\">\n"
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width(), bottom_);
    text += frames_;
    for (const auto& edge : graph_.edges) text += arrow(edge);
    for (std::size_t i = 0; i < positions_.size(); ++i) text += box(i);
    return text + "</svg>\n";
  }

 private:
  int left_of_moves() const { return 2 * margin + widest_fluent_ + gap_between_columns; }
  int width() const { return left_of_moves() + widest_move_ + 2 * margin; }

  // One subgame: its fluents and moves from the top down, and a frame.
  void place(const std::vector<std::uint32_t>& nodes) {
    const int top = bottom_;
    int fluents = top + frame_gap, moves = top + frame_gap;
    for (const std::uint32_t i : nodes) {
      const bool is_move = graph_.nodes[i].is_move;
      int& y = is_move ? moves : fluents;
      positions_[i] = {is_move ? left_of_moves() : 2 * margin, width_of(graph_.nodes[i].name), y};
      y += row_height;
    }
    const int end = std::max(fluents, moves);
    frames_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"none\" "
        "stroke=\"#999\"/>\n",
        margin, top, width() - 2 * margin, end - top - 8);
    bottom_ = end + 4;
  }

  std::string arrow(const DependencyGraph::Edge& edge) const {
    const bool is_effect = graph_.nodes[edge.from].is_move;
    const BoxPosition& fluent = positions_[is_effect ? edge.to : edge.from];
    const BoxPosition& move = positions_[is_effect ? edge.from : edge.to];
    const int shift = is_effect ? -4 : 4;  // the two directions side by side
    const int x1 = fluent.left + fluent.width, x2 = move.left;
    const int y1 = fluent.middle + shift, y2 = move.middle + shift;
    return fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" "
        "marker-end=\"url(#arrow)\"/>\n",
        is_effect ? x2 : x1, is_effect ? y2 : y1, is_effect ? x1 : x2, is_effect ? y1 : y2,
        is_effect ? "#b22" : "#247");
  }

  std::string box(std::size_t i) const {
    const BoxPosition& at = positions_[i];
    const auto& node = graph_.nodes[i];
    return fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" "
        "stroke=\"black\"/>"
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
        at.left, at.middle - box_height / 2, at.width, box_height, node.is_move ? 0 : 10,
        node.is_move ? "#eef3fb" : "#fdf6e3", at.left + at.width / 2, at.middle + 4,
        escaped(node.name));
  }

  const DependencyGraph& graph_;
  int widest_fluent_ = 0, widest_move_ = 0;
  std::vector<BoxPosition> positions_;  // by node
  std::string frames_;
  int bottom_ = margin;
};

}  // namespace

std::string dependencies_as_svg(const DependencyGraph& graph) {
  return DependencyPicture(graph).svg();
}

std::string dependencies_as_dot(const DependencyGraph& graph) {
  std::string text = "digraph dependencies {\n  rankdir=LR;\n";
  for (const auto& [subgame, nodes] : by_subgame(graph)) {
    text += fmt::format("  subgraph cluster_{} {{\n", subgame + 1);
    for (const std::uint32_t i : nodes) {
      text += fmt::format("    n{} [label={}, shape={}];\n", i, quoted(graph.nodes[i].name),
                          graph.nodes[i].is_move ? "box" : "ellipse");
    }
    text += "  }\n";
  }
  for (const auto& edge : graph.edges) text += fmt::format("  n{} -> n{};\n", edge.from, edge.to);
  return text + "}\n";
}

}  // namespace zermelo::app
