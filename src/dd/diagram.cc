#include "dd/diagram.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "dd/upwards.h"

namespace zermelo::dd {

Diagram::Diagram(Domains domains, NodeId constants, std::vector<Level> levels, NodeId root)
    : body_(std::make_shared<const Body>(
          Body{std::move(domains), constants, std::move(levels), root})) {
  assert(body_->levels.size() == body_->domains.size());
  assert(root < ids());
}

Diagram Diagram::constant(Domains domains, NodeId constants, NodeId value) {
  std::vector<Level> levels(domains.size(), Level{constants, {}});
  return Diagram(std::move(domains), constants, std::move(levels), value);
}

std::size_t Diagram::nodes() const {
  std::size_t sum = 0;
  for (std::size_t l = 0; l < variables(); ++l) sum += nodes_at(l);
  return sum;
}

std::size_t Diagram::bytes() const {
  std::size_t sum = 0;
  for (const Level& level : body_->levels) sum += level.children.size() * sizeof(NodeId);
  return sum;
}

NodeId Diagram::ids() const {
  return variables() == 0 ? constants() : level(0).base + static_cast<NodeId>(nodes_at(0));
}

NodeId Diagram::evaluate(std::span<const Value> assignment) const {
  assert(assignment.size() == variables());
  NodeId id = root();
  for (std::size_t l = 0; l < variables(); ++l) id = child(l, id, assignment[l]);
  return id;
}

namespace {

// Matches the ids of two diagrams from the roots down; fails if one would have two partners.
class Pairing {
 public:
  explicit Pairing(NodeId constants, NodeId ids) : partner_(ids, unpaired) {
    for (NodeId c = 0; c < constants; ++c) partner_[c] = c;
  }

  bool pair(NodeId a, NodeId b) {
    if (partner_[a] == unpaired) partner_[a] = b;
    return partner_[a] == b;
  }

  NodeId operator[](NodeId a) const { return partner_[a]; }
  bool has(NodeId a) const { return partner_[a] != unpaired; }

 private:
  static constexpr NodeId unpaired = ~NodeId{0};
  std::vector<NodeId> partner_;
};

bool pair_rows(Pairing& pairing, std::span<const NodeId> a, std::span<const NodeId> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!pairing.pair(a[i], b[i])) return false;
  }
  return true;
}

bool same_shape(const Diagram& a, const Diagram& b) {
  if (a.domains() != b.domains() || a.constants() != b.constants()) return false;
  for (std::size_t l = 0; l < a.variables(); ++l) {
    if (a.nodes_at(l) != b.nodes_at(l)) return false;
  }
  return true;
}

}  // namespace

bool operator==(const Diagram& a, const Diagram& b) {
  if (a.body_ == b.body_) return true;
  if (!same_shape(a, b)) return false;
  Pairing pairing(a.constants(), a.ids());
  if (!pairing.pair(a.root(), b.root())) return false;
  for (std::size_t l = 0; l < a.variables(); ++l) {
    const Diagram::Level &level = a.level(l), &other = b.level(l);
    const std::size_t width = a.domains()[l];
    for (std::size_t row = 0; row < a.nodes_at(l); ++row) {
      const NodeId id = level.base + static_cast<NodeId>(row);
      if (!pairing.has(id)) continue;
      if (pairing[id] < other.base) return false;
      const std::size_t other_row = pairing[id] - other.base;
      if (other_row >= b.nodes_at(l) || !pair_rows(pairing, {&level.children[row * width], width},
                                                   {&other.children[other_row * width], width})) {
        return false;
      }
    }
  }
  return true;
}

bool identical(const Diagram& a, const Diagram& b) {
  if (!same_shape(a, b) || a.root() != b.root()) return false;
  for (std::size_t l = 0; l < a.variables(); ++l) {
    const NodeArray &x = a.level(l).children, &y = b.level(l).children;
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
  }
  return true;
}

std::vector<bool> occurring_constants(const Diagram& diagram) {
  std::vector<bool> occurs(diagram.constants(), false);
  if (diagram.is_constant()) occurs[diagram.root()] = true;
  for (std::size_t l = 0; l < diagram.variables() && !diagram.is_constant(); ++l) {
    for (const NodeId child : diagram.level(l).children) {
      if (child < diagram.constants()) occurs[child] = true;
    }
    diagram.release(l);
  }
  return occurs;
}

namespace {

Passed<std::vector<std::uint8_t>> reaching(const Diagram& diagram, const std::vector<bool>& wanted,
                                           const Options& options) {
  return values_upwards(
      diagram, std::vector<std::uint8_t>(wanted.begin(), wanted.end()), options,
      [&](std::size_t l, const NodeId* children, const std::vector<std::uint8_t>& reach) {
        return std::any_of(children, children + diagram.domains()[l],
                           [&](NodeId child) { return reach[child] != 0; });
      });
}

}  // namespace

base::Result<std::vector<std::uint8_t>> reaches(const Diagram& diagram,
                                                const std::vector<bool>& wanted,
                                                const Options& options) {
  assert(wanted.size() == diagram.constants());
  return result_of(within_memory([&] { return reaching(diagram, wanted, options); }));
}

std::optional<std::vector<Value>> Diagram::pick(NodeId constant) const {
  std::optional<std::vector<Value>> found;
  enumerate(constant, [&](std::span<const Value> assignment) {
    found.emplace(assignment.begin(), assignment.end());
    return false;
  });
  return found;
}

void Diagram::enumerate(NodeId constant,
                        const std::function<bool(std::span<const Value>)>& visit) const {
  std::vector<bool> wanted(constants(), false);
  wanted[constant] = true;
  const std::vector<std::uint8_t> leads_there = *reaching(*this, wanted, {});
  std::vector<Value> assignment(variables(), 0);
  const std::function<bool(std::size_t, NodeId)> walk = [&](std::size_t l, NodeId id) {
    if (!leads_there[id]) return true;
    if (l == variables()) return visit(assignment);
    for (assignment[l] = 0; assignment[l] < domains()[l]; ++assignment[l]) {
      if (!walk(l + 1, child(l, id, assignment[l]))) return false;
    }
    return true;
  };
  walk(0, root());
}

std::string Diagram::dot() const {
  std::string text = "digraph {\n";
  const auto name = [](NodeId id) { return "n" + std::to_string(id); };
  for (NodeId c = 1; c < constants(); ++c) {
    text += "  " + name(c) + " [shape=box,label=\"" + std::to_string(c) + "\"];\n";
  }
  for (std::size_t l = 0; l < variables(); ++l) {
    for (std::size_t row = 0; row < nodes_at(l); ++row) {
      const NodeId id = level(l).base + static_cast<NodeId>(row);
      text += "  " + name(id) + " [label=\"x" + std::to_string(l) + "\"];\n";
      for (Value value = 0; value < domains()[l]; ++value) {
        const NodeId target = child(l, id, value);
        if (target == 0) continue;
        text += "  " + name(id) + " -> " + name(target) + " [label=\"" + std::to_string(value) +
                "\"];\n";
      }
    }
  }
  return text + "}\n";
}

}  // namespace zermelo::dd
