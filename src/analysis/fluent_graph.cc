// Michulke and Schiffel, "Distance Features for General Game Playing" (GIGA 2011), Definitions 2
// and 3, with one difference: the disjunctive normal form of the condition of a fluent, which may
// be exponentially large, is never written down.
//
// Instead, a cover of every atom is found: a set of fluents of which at least one holds whenever
// the atom does. The cover of a fluent is the fluent itself. A move can only be made if it is
// legal, so its cover is that of the atom `legal`. The cover of a derived atom is the union of
// covers of its rules. All literals of a rule's body must hold, so the cover of any positive one is
// a cover of the rule; the best is chosen. By induction over the order of the atoms each of these
// sets is a cover. The sources of a fluent f are a cover of next(f), so the graph satisfies
// Definition 2, and by the paper's Theorem 1 the distances in it are lower bounds. Atoms of
// recursive components are not followed: they are covered by nothing, as in the paper.
//
// What depends on moves is covered from scratch for each target, so that similar fluents are
// preferred. What depends on the state only, such as the conditions of moves, is most of the rules
// and shared by many targets. It is visited once: each such atom has a few alternative covers, from
// which the target chooses. So the construction is about linear in the size of the rules, where the
// paper's did not finish for checkers and chess.
//
// Several graphs are possible, because of the choices. The distance in each is a lower bound, so
// the largest one is, too. The paper's order chooses badly where the rules have fluents for empty
// cells: a pawn can arrive where an empty cell was, and that cell is more similar than the one it
// came from. The second order knows that the cell is often empty, but that the pawn comes late. It
// looks at some states of random games, because at the start all cells have had their first value.
// The number of moves after which a fluent can hold is the heuristic h_max of planning (Bonet and
// Geffner): all conditions of a rule can be reached independently, so that the latest one counts.
#include "analysis/fluent_graph.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "analysis/random_walk.h"
#include "base/limited_steps.h"
#include "base/random.h"

namespace zermelo::analysis {
namespace {

using ground::Atom;
using ground::Game;

constexpr std::uint16_t unreachable = FluentDistances::unreachable;

constexpr int max_depth = 500;  // of rules that are followed

struct Cover {
  std::vector<Atom> fluents;  // ascending; may contain always_a_source
};

std::vector<Atom> merged(const std::vector<Atom>& a, const std::vector<Atom>& b) {
  std::vector<Atom> result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

// By atom: a lower bound for the number of moves from a state after which it can hold.
class Levels {
 public:
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  Levels(const Game& game, const base::BitSet& state, base::LimitedSteps& steps)
      : game_(game), steps_(steps), levels_(game.atoms, never) {
    state.for_each([&](std::size_t fluent) { levels_[fluent] = 0; });
    for (int round = 0; round < max_rounds && derive_all(); ++round) {
    }
  }

  std::uint32_t operator[](Atom atom) const { return levels_[atom]; }

 private:
  static constexpr int max_rounds = 200;

  // Returns whether a fluent can hold earlier than was known.
  bool derive_all() {
    for (Atom atom = game_.first_derived; atom < game_.first_after_does; ++atom) derive(atom);
    for (std::size_t move = 0; move < game_.moves.size(); ++move) {
      if (game_.legal[move] == ground::no_atom) continue;
      levels_[game_.does(static_cast<std::uint32_t>(move))] = levels_[game_.legal[move]];
    }
    for (Atom atom = game_.first_after_does; atom < game_.atoms; ++atom) derive(atom);
    bool changes = false;
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      const Atom next = game_.next[fluent];
      if (next == ground::no_atom || levels_[next] >= levels_[fluent]) continue;
      if (levels_[next] + 1 >= levels_[fluent]) continue;
      levels_[fluent] = levels_[next] + 1;
      changes = true;
    }
    return changes;
  }

  void derive(Atom atom) {
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      steps_.take(game_.body(rule).size() + 1);
      std::uint32_t latest = 0;
      for (const ground::Literal literal : game_.body(rule)) {
        if (!literal.negated()) latest = std::max(latest, levels_[literal.atom()]);
      }
      levels_[atom] = std::min(levels_[atom], latest);
    }
  }

  const Game& game_;
  base::LimitedSteps& steps_;
  std::vector<std::uint32_t> levels_;
};

// Finds the sources of one fluent after another.
class CoverFinder {
 public:
  CoverFinder(const Game& game, FluentGraphOrder order, const base::Limits& limits,
              std::span<const base::BitSet> states)
      : game_(game),
        order_(order),
        steps_(limits, "relating fluents"),
        covers_(game.atoms),
        alternatives_(game.first_after_does),
        is_recursive_(game.atoms),
        similarity_(game.fluents.size()) {
    if (order == FluentGraphOrder::latest) add_levels(states);
    for (const Game::Component& component : game.recursive) {
      std::fill(is_recursive_.begin() + component.first, is_recursive_.begin() + component.last,
                true);
    }
  }

  std::vector<Atom> sources_of(Atom fluent) {
    const Atom next = game_.next[fluent];
    if (next == ground::no_atom) return {};
    target_ = fluent;
    chosen_.clear();
    reached_.assign(levels_.size(), max_level);
    for (const Atom atom : known_) covers_[atom].reset();
    known_.clear();
    for (Atom other = 0; other < game_.fluents.size(); ++other) {
      similarity_[other] = similarity(game_.fluents[other], game_.fluents[fluent]);
    }
    steps_.take(game_.fluents.size());
    cover(next);
    return chosen_;
  }

 private:
  using Alternatives = std::vector<std::vector<Atom>>;

  static constexpr std::uint32_t max_level = 100;
  static constexpr std::size_t max_alternatives = 8;  // of an atom
  static constexpr std::size_t max_cover = 400;       // larger ones say nothing

  void add_levels(std::span<const base::BitSet> states) {
    base::BitSet initial(game_.fluents.size());
    for (const Atom fluent : game_.initial) initial.set(fluent);
    if (states.empty()) states = {&initial, 1};
    for (const base::BitSet& state : states) {
      const Levels levels(game_, state, steps_);
      std::vector<std::uint32_t>& of_fluents = levels_.emplace_back();
      for (Atom f = 0; f < game_.fluents.size(); ++f) {
        of_fluents.push_back(std::min(levels[f], max_level));
      }
    }
  }

  // Smaller is better.
  using Cost = std::tuple<bool, std::size_t, std::size_t, std::size_t, std::size_t>;

  const std::vector<Atom>& cover(Atom atom) {
    if (!covers_[atom]) {
      ++depth_;
      covers_[atom] = find_cover(atom);
      --depth_;
      known_.push_back(atom);
    }
    return covers_[atom]->fluents;
  }

  Cover find_cover(Atom atom) {
    if (is_recursive_[atom] || depth_ > max_depth) return {{FluentGraph::always_a_source}};
    Cover result;
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      result.fluents = merged(result.fluents, cover_of_rule(rule));
      // Sources of the target are chosen rule by rule, so that later rules can use them again.
      if (game_.next[target_] == atom) choose(result.fluents);
    }
    return result;
  }

  // A few covers of an atom that does not depend on moves, the best first; none if nothing covers
  // it. They do not depend on the target, so each atom is visited once for the whole graph.
  const Alternatives& alternatives(Atom atom) {
    if (!alternatives_[atom]) {
      ++depth_;
      Alternatives found = find_alternatives(atom);
      --depth_;
      alternatives_[atom] = std::move(found);
    }
    return *alternatives_[atom];
  }

  Alternatives find_alternatives(Atom atom) {
    if (atom < game_.fluents.size()) return {{atom}};
    if (atom < game_.first_derived) {
      const Atom legal = game_.legal[atom - game_.fluents.size()];
      return legal == ground::no_atom ? Alternatives{{}} : alternatives(legal);
    }
    if (is_recursive_[atom] || depth_ > max_depth) return {};
    std::vector<Alternatives> by_rule;
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      by_rule.push_back(alternatives_of_rule(rule));
      if (by_rule.back().empty()) return {};
    }
    return united(by_rule);
  }

  Alternatives alternatives_of_rule(ground::RuleIndex rule) {
    steps_.take(game_.body(rule).size() + 1);
    Alternatives found;
    for (const ground::Literal literal : game_.body(rule)) {
      if (literal.negated()) continue;
      const Alternatives& of_literal = alternatives(literal.atom());
      found.insert(found.end(), of_literal.begin(), of_literal.end());
    }
    const auto cost = [&](const std::vector<Atom>& cover) {
      return std::pair(general_earliness(cover), cover.size());
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (found.size() > max_alternatives) found.resize(max_alternatives);
    return found;
  }

  // Covers of all rules: for each one of the first rule, those of the others that add the fewest
  // fluents, then those of the same name.
  Alternatives united(const std::vector<Alternatives>& by_rule) {
    if (by_rule.empty()) return {{}};
    if (by_rule.size() == 1) return by_rule.front();
    Alternatives result;
    for (const std::vector<Atom>& first : by_rule.front()) {
      std::vector<Atom> all = first;
      for (std::size_t i = 1; i < by_rule.size() && all.size() <= max_cover; ++i) {
        const auto cost = [&](const std::vector<Atom>& other) {
          steps_.take(other.size());
          const auto added = std::count_if(other.begin(), other.end(), [&](Atom fluent) {
            return !std::binary_search(all.begin(), all.end(), fluent);
          });
          const bool is_alike =
              !first.empty() && !other.empty() &&
              game_.fluents[first.front()].name == game_.fluents[other.front()].name;
          return std::tuple(!is_alike && added > 0, added);
        };
        const auto best =
            std::min_element(by_rule[i].begin(), by_rule[i].end(),
                             [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
        all = merged(all, *best);
      }
      if (all.size() <= max_cover) result.push_back(std::move(all));
    }
    return result;
  }

  // Like earliness, for any target.
  std::size_t general_earliness(const std::vector<Atom>& cover) {
    std::size_t sum = 0;
    steps_.take(levels_.size() * cover.size());
    for (const std::vector<std::uint32_t>& of_fluents : levels_) {
      std::uint32_t earliest = max_level;
      for (const Atom fluent : cover) earliest = std::min(earliest, of_fluents[fluent]);
      sum += 1'000 / (1 + earliest);
    }
    return sum;
  }

  std::vector<Atom> cover_of_rule(ground::RuleIndex rule) {
    const std::span<const ground::Literal> body = game_.body(rule);
    steps_.take(body.size() + 1);
    // The fluent itself needs no path, and in the paper's order any source so far costs nothing.
    for (const ground::Literal literal : body) {
      if (literal.negated()) continue;
      const bool is_free = order_ == FluentGraphOrder::fewest_edges && is_chosen(literal.atom());
      if (literal.atom() == target_ || is_free) return {literal.atom()};
    }
    std::vector<Atom> best{FluentGraph::always_a_source};
    for (const ground::Literal literal : body) {
      if (literal.negated()) continue;
      if (literal.atom() >= game_.first_after_does) {
        const std::vector<Atom>& candidate = cover(literal.atom());
        if (cost(candidate) < cost(best)) best = candidate;
        continue;
      }
      for (const std::vector<Atom>& candidate : alternatives(literal.atom())) {
        if (cost(candidate) < cost(best)) best = candidate;
      }
    }
    return best;
  }

  bool is_chosen(Atom fluent) const {
    return std::binary_search(chosen_.begin(), chosen_.end(), fluent);
  }

  Cost cost(const std::vector<Atom>& candidate) {
    if (!candidate.empty() && candidate.back() == FluentGraph::always_a_source) {
      return {true, 0, 0, 0, 0};
    }
    std::size_t added = 0, similar = 0;
    for (const Atom fluent : candidate) {
      steps_.take();
      if (is_chosen(fluent)) continue;
      ++added;
      similar += similarity_[fluent];
    }
    const std::size_t unlike =
        added == 0 ? 0 : similarity_[target_] * 1'000 - similar * 1'000 / added;
    return {false, earliness(candidate), added, unlike, candidate.size()};
  }

  void choose(const std::vector<Atom>& sources) {
    chosen_ = sources;
    for (std::size_t i = 0; i < levels_.size(); ++i) reached_[i] = level(i, sources);
  }

  // After how many moves from a state one of the fluents can hold.
  std::uint32_t level(std::size_t state, const std::vector<Atom>& fluents) const {
    std::uint32_t earliest = max_level;
    for (const Atom fluent : fluents) {
      if (fluent == FluentGraph::always_a_source) return 0;
      if (fluent != target_) earliest = std::min(earliest, levels_[state][fluent]);
    }
    return earliest;
  }

  // The larger, the sooner the target can hold after the states if these fluents are sources, too.
  // States in which one of them holds already count most.
  std::size_t earliness(const std::vector<Atom>& candidate) {
    std::size_t sum = 0;
    steps_.take(levels_.size() * candidate.size());
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      sum += 1'000 / (1 + std::min(reached_[i], level(i, candidate)));
    }
    return sum;
  }

  const Game& game_;
  FluentGraphOrder order_;
  base::LimitedSteps steps_;
  std::vector<std::vector<std::uint32_t>> levels_;  // by state and fluent; none in other orders
  Atom target_ = 0;
  int depth_ = 0;
  std::vector<Atom> chosen_;                  // the sources of the target so far, ascending
  std::vector<std::uint32_t> reached_;        // by state: their level
  std::vector<std::optional<Cover>> covers_;  // by atom; depend on the target
  std::vector<std::optional<Alternatives>> alternatives_;  // by atom before moves
  std::vector<Atom> known_;                                // the atoms that have one
  std::vector<bool> is_recursive_;                         // by atom
  std::vector<std::size_t> similarity_;                    // by fluent, to the target
};

// States of one random game, or of several if it is short.
std::vector<base::BitSet> random_states(const std::shared_ptr<const machine::Machine>& machine) {
  constexpr std::size_t wanted = 16;
  constexpr std::uint32_t max_gap = 12;
  RandomWalk walk(machine, {});
  std::vector<base::BitSet> states{walk.state()};
  base::Random random(1);
  for (std::uint32_t left = 1 + random.below(max_gap); states.size() < wanted;) {
    const bool is_over = !walk.advance();
    if (is_over || --left == 0) {
      states.push_back(walk.state());
      left = 1 + random.below(max_gap);
    }
    if (is_over) walk.restart();
  }
  return states;
}

}  // namespace

std::size_t similarity(const gdl::Term& a, const gdl::Term& b) {
  if (a.name != b.name || a.arguments.size() != b.arguments.size()) return 0;
  if (a.arguments.empty()) return 1;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    sum += similarity(a.arguments[i], b.arguments[i]);
  }
  return sum;
}

base::Result<FluentGraph> make_fluent_graph(const ground::Game& game, FluentGraphOrder order,
                                            const base::Limits& limits,
                                            std::span<const base::BitSet> states) {
  return base::within_limits([&] {
    FluentGraph graph;
    CoverFinder finder(game, order, limits, states);
    for (Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
      graph.sources.push_back(finder.sources_of(fluent));
    }
    return graph;
  });
}

base::Result<std::vector<FluentGraph>> make_fluent_graphs(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits) {
  const std::vector<base::BitSet> random = random_states(machine);
  const std::pair<FluentGraphOrder, std::span<const base::BitSet>> choices[] = {
      {FluentGraphOrder::fewest_edges, {}},
      {FluentGraphOrder::latest, {}},
      {FluentGraphOrder::latest, random}};
  std::vector<FluentGraph> graphs;
  for (const auto& [order, states] : choices) {
    auto graph = make_fluent_graph(machine->game(), order, limits, states);
    if (!graph) return tl::unexpected(graph.error());
    graphs.push_back(std::move(*graph));
  }
  return graphs;
}

// A breadth-first search from the target, against the direction of the edges.
FluentDistances::FluentDistances(std::span<const FluentGraph> graphs, ground::Atom target) {
  for (const FluentGraph& graph : graphs) {
    InGraph distances;
    distances.from.assign(graph.sources.size(), unreachable);
    distances.from[target] = 0;
    std::vector<Atom> queue{target};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto next = static_cast<std::uint16_t>(distances.from[queue[i]] + 1);
      for (const Atom source : graph.sources[queue[i]]) {
        std::uint16_t& distance = source == FluentGraph::always_a_source ? distances.from_nothing
                                                                         : distances.from[source];
        if (distance != unreachable) continue;
        distance = next;
        longest_ = std::max(longest_, next);
        if (source != FluentGraph::always_a_source) queue.push_back(source);
      }
    }
    graphs_.push_back(std::move(distances));
  }
}

std::uint16_t FluentDistances::from(std::size_t fluent) const {
  std::uint16_t largest = 0;
  for (const InGraph& graph : graphs_) {
    largest = std::max(largest, std::min(graph.from[fluent], graph.from_nothing));
  }
  return largest;
}

std::uint16_t FluentDistances::from_nothing() const {
  std::uint16_t largest = 0;
  for (const InGraph& graph : graphs_) largest = std::max(largest, graph.from_nothing);
  return largest;
}

std::uint16_t FluentDistances::to_target(const base::BitSet& state) const {
  std::uint16_t largest = 0;
  for (const InGraph& graph : graphs_) {
    std::uint16_t smallest = graph.from_nothing;
    state.for_each([&](std::size_t f) { smallest = std::min(smallest, graph.from[f]); });
    largest = std::max(largest, smallest);
  }
  return largest;
}

}  // namespace zermelo::analysis
