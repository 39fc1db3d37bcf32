// Finds the fluents that run by themselves with a short period.
//
// A set of fluents is autonomous when the next values of its members depend on its members alone.
// The greatest such set is found by removing fluents that depend on anything else until none is
// left to remove. It falls into independent parts; each is stepped from the initial state, and a
// part that is back at its start after a few steps is periodic. All parts together repeat after the
// least common multiple of their periods, the number of phases. What never changes is the same in
// all of them (lasting.cc).
#include "circuit/phases.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "circuit/lasting.h"

namespace zermelo::circuit {

namespace {

using ground::Atom;

constexpr std::size_t longest_period = 8;
constexpr std::size_t most_phases = 12;

class PhaseSearch {
 public:
  PhaseSearch(const ground::Game& game, const GameCircuit& whole) : game_(game), whole_(whole) {
    for (Atom fluent = 0; fluent < whole.fluents.size(); ++fluent)
      fluent_of_[node_of(whole.fluents[fluent])] = fluent;
  }

  std::vector<FixedFluents> run() {
    find_autonomous();
    std::vector<FixedFluents> phases{find_lasting(game_, whole_).constant};
    for (const std::vector<Atom>& part : independent_parts()) {
      const std::vector<std::vector<bool>> cycle = periodic_values(part);
      const std::size_t together = std::lcm(phases.size(), std::max<std::size_t>(1, cycle.size()));
      if (cycle.empty() || together > most_phases) continue;
      const std::size_t before = phases.size();
      for (std::size_t k = before; k < together; ++k) phases.push_back(phases[k % before]);
      for (std::size_t k = 0; k < together; ++k) {
        for (std::size_t i = 0; i < part.size(); ++i)
          phases[k][part[i]] = cycle[k % cycle.size()][i];
      }
    }
    return phases;
  }

 private:
  // The fluents a wire depends on; nothing when it depends on other inputs, or on too much to be
  // simple.
  std::optional<std::vector<Atom>> support(Wire root) const {
    constexpr std::size_t most_nodes = 200;
    std::vector<Node> open{node_of(root)}, seen{node_of(root)};
    std::vector<Atom> result;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (const auto fluent = fluent_of_.find(node); fluent != fluent_of_.end()) {
        result.push_back(fluent->second);
        continue;
      }
      if (node != 0 && !whole_.circuit.is_gate(node)) return std::nullopt;
      for (const Wire wire : whole_.circuit.wires(node)) {
        if (std::find(seen.begin(), seen.end(), node_of(wire)) != seen.end()) continue;
        seen.push_back(node_of(wire));
        open.push_back(node_of(wire));
      }
      if (seen.size() > most_nodes) return std::nullopt;
    }
    return result;
  }

  void find_autonomous() {
    support_.resize(whole_.fluents.size());
    for (Atom fluent = 0; fluent < support_.size(); ++fluent)
      support_[fluent] = support(whole_.next[fluent]);
    bool changed = true;
    while (changed) {
      changed = false;
      for (auto& support : support_) {
        const bool leaves = support && std::any_of(support->begin(), support->end(),
                                                   [&](Atom f) { return !support_[f]; });
        if (!leaves) continue;
        support.reset();
        changed = true;
      }
    }
  }

  std::vector<std::vector<Atom>> independent_parts() const {
    std::vector<Atom> leader(support_.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](Atom fluent) {
      while (leader[fluent] != fluent) fluent = leader[fluent];
      return fluent;
    };
    for (Atom fluent = 0; fluent < support_.size(); ++fluent) {
      if (!support_[fluent]) continue;
      for (const Atom other : *support_[fluent]) leader[find(fluent)] = find(other);
    }
    std::map<Atom, std::vector<Atom>> parts;
    for (Atom fluent = 0; fluent < support_.size(); ++fluent) {
      if (support_[fluent]) parts[find(fluent)].push_back(fluent);
    }
    std::vector<std::vector<Atom>> result;
    for (auto& [first, part] : parts) result.push_back(std::move(part));
    return result;
  }

  // The part's values over one period; empty when it has no short one.
  std::vector<std::vector<bool>> periodic_values(const std::vector<Atom>& part) const {
    const auto holds_at_start = [&](Atom f) {
      return std::binary_search(game_.initial.begin(), game_.initial.end(), f);
    };
    std::map<Atom, bool> state;
    for (const Atom fluent : part) state[fluent] = holds_at_start(fluent);
    const std::map<Atom, bool> start = state;
    std::vector<std::vector<bool>> cycle;
    while (cycle.size() < longest_period) {
      cycle.emplace_back();
      for (const Atom fluent : part) cycle.back().push_back(state.at(fluent));
      std::map<Atom, bool> next;
      std::map<Node, bool> known;
      for (const Atom fluent : part) next[fluent] = evaluate(whole_.next[fluent], state, known);
      state = std::move(next);
      if (state == start) return cycle;
    }
    return {};
  }

  bool evaluate(Wire wire, const std::map<Atom, bool>& state, std::map<Node, bool>& known) const {
    const Node node = node_of(wire);
    if (const auto found = known.find(node); found != known.end())
      return found->second != is_negated(wire);
    const auto fluent = fluent_of_.find(node);
    const auto wires = whole_.circuit.wires(node);
    const bool value = fluent != fluent_of_.end()
                           ? state.at(fluent->second)
                           : std::all_of(wires.begin(), wires.end(),
                                         [&](Wire w) { return evaluate(w, state, known); });
    known.emplace(node, value);
    return value != is_negated(wire);
  }

  const ground::Game& game_;
  const GameCircuit& whole_;
  std::map<Node, Atom> fluent_of_;
  std::vector<std::optional<std::vector<Atom>>> support_;  // by fluent; nothing when not autonomous
};

}  // namespace

std::vector<FixedFluents> find_phases(const ground::Game& game, const GameCircuit& whole) {
  return PhaseSearch(game, whole).run();
}

}  // namespace zermelo::circuit
