// Subgames are the connected components of a graph of fluents and moves, as in "Factoring General
// Games" by Günther, Schiffel and Thielscher (2009). A move is connected with the fluents it acts
// on (Definition 2, see step_dependencies.cc) and with those its legality depends on (Definition
// 3). A fluent is connected with the fluents its next value depends on. Differences to the paper:
//
// - The analysis is on ground rules, in which everything that can never hold is already gone. For
//   the grain of symbols, fluents and moves of one symbol are one node, so that a symbol is an
//   effect of another if some instance of it is.
// - Action-independent fluents (Definition 4) are the autonomous ones (circuit/autonomous.h), each
//   independent part a subgame. They need not be unread: the player to move and a step counter that
//   legal moves depend on are known from the number of steps, so that they do not connect what
//   reads them. The subgames then depend on each other only through the time. `is_read` says so,
//   because some algorithms need subgames that do not even share the time.
// - The graph is the union over the phases of the clock, in which the player to move is a constant.
//   So the waiting move of a player connects nothing, and a move may belong to one subgame in one
//   phase and to another one in another phase.
// - A fluent that changes when none of its moves is made does not connect everything. Its subgame
//   is marked instead (`is_kept`).
//
// If this finds a single subgame, the game may still be a parallel composition, in which a move
// acts in all subgames at once. Then moves are not nodes. Two fluents are connected if the next
// value of one depends on the other, or if a conjunct of the legality of a move depends on both. So
// the legality of a move is a conjunction of conditions on one subgame each, and its effect on a
// subgame depends on that subgame alone. Moves that differ neither in the effect on a subgame nor
// in the condition on it are one local move. The game is a parallel composition if every
// combination of local moves is a move: then the choices in the subgames are independent.
//
// The work is limited by the size of the rules in all phases and by a number of steps, so that the
// result does not depend on the machine. A game that needs more counts as one subgame.
#include "analysis/subgames.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "analysis/step_dependencies.h"
#include "base/limited_steps.h"

namespace zermelo::analysis {

using ground::Atom;

namespace {

using SubgameNode = std::uint32_t;
constexpr SubgameNode not_a_node = ~SubgameNode{0};
constexpr std::size_t max_work = 10'000'000;
constexpr std::size_t max_rule_literals = 2'000'000;  // in all phases together

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : leader_(size), is_counted_(size) {
    std::iota(leader_.begin(), leader_.end(), 0);
  }

  // From now on, the set of this node counts.
  void count(SubgameNode node) {
    node = find(node);
    counted_ += !is_counted_[node];
    is_counted_[node] = true;
  }
  // The number of sets with a node that counts.
  std::size_t counted() const { return counted_; }

  SubgameNode find(SubgameNode node) {
    while (leader_[node] != node) node = leader_[node] = leader_[leader_[node]];
    return node;
  }
  void join(SubgameNode a, SubgameNode b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    leader_[std::max(a, b)] = std::min(a, b);
    counted_ -= is_counted_[a] && is_counted_[b];
    is_counted_[std::min(a, b)] = is_counted_[a] || is_counted_[b];
  }

 private:
  std::vector<SubgameNode> leader_;
  std::vector<bool> is_counted_;
  std::size_t counted_ = 0;
};

// Numbers fluents and moves so that those of one node have one number.
class SubgameNodes {
 public:
  SubgameNodes(const ground::Game& game, Grain grain, std::size_t phases) : game_(game) {
    std::map<std::uint64_t, SubgameNode> fluents, moves;
    for (Atom f = 0; f < game.fluents.size(); ++f) {
      const std::uint64_t key = grain == Grain::ground ? f : gdl::signature(game.fluents[f]);
      fluent_nodes_.push_back(fluents.emplace(key, fluents.size()).first->second);
    }
    const auto first = static_cast<SubgameNode>(fluents.size());
    for (std::size_t phase = 0; phase < phases; ++phase) {
      for (std::uint32_t m = 0; m < game.moves.size(); ++m) {
        const std::uint64_t key = grain == Grain::ground ? phase * game.moves.size() + m
                                                         : gdl::signature(game.moves[m].term);
        move_nodes_.push_back(first + moves.emplace(key, moves.size()).first->second);
      }
    }
    size_ = first + moves.size();
  }

  SubgameNode fluent(Atom f) const { return fluent_nodes_[f]; }
  SubgameNode move(std::size_t phase, std::uint32_t m) const {
    return move_nodes_[phase * game_.moves.size() + m];
  }
  std::size_t size() const { return size_; }

 private:
  const ground::Game& game_;
  std::vector<SubgameNode> fluent_nodes_, move_nodes_;
  std::size_t size_ = 0;
};

// Connects what conditions depend on. Every gate of the circuit is visited once.
class ConnectedConditions {
 public:
  // `node_of` returns not_a_node for fluents that connect nothing. All must outlive this.
  ConnectedConditions(const circuit::GameCircuit& step, DisjointSets& sets,
                      const std::function<SubgameNode(Atom)>& node_of)
      : step_(step),
        sets_(sets),
        example_(step.circuit.size(), not_a_node),
        loop_of_(step.circuit.size(), not_a_node),
        visited_(step.circuit.size()) {
    for (Atom f = 0; f < step.fluents.size(); ++f) {
      const circuit::Node node = circuit::node_of(step.fluents[f]);
      if (node != 0) example_[node] = node_of(f);
    }
    for (std::uint32_t i = 0; i < step.loops.size(); ++i) {
      for (const circuit::Wire wire : step.loops[i].variables) loop_of_[circuit::node_of(wire)] = i;
    }
    find_examples();
    while (find_examples_of_loops()) find_examples();
  }

  // Connects everything that the condition depends on.
  void connect(circuit::Wire wire) { connect(example_[circuit::node_of(wire)], wire); }
  // The same, and a node with it.
  void connect(SubgameNode node, circuit::Wire wire) {
    visit(node, wire);
    while (!open_.empty()) {
      const circuit::Node gate = open_.back();
      open_.pop_back();
      for (const circuit::Wire input : step_.circuit.wires(gate)) visit(example_[gate], input);
      if (loop_of_[gate] == not_a_node) continue;
      for (const circuit::Wire function : step_.loops[loop_of_[gate]].functions) {
        visit(example_[gate], function);
      }
    }
  }

 private:
  void visit(SubgameNode node, circuit::Wire wire) {
    const circuit::Node gate = circuit::node_of(wire);
    if (example_[gate] == not_a_node) return;
    sets_.join(node, example_[gate]);
    if (visited_[gate]) return;
    visited_[gate] = true;
    open_.push_back(gate);
  }

  void find_examples() {
    for (circuit::Node gate = 0; gate < example_.size(); ++gate) {
      const auto wires = step_.circuit.wires(gate);
      for (std::size_t i = 0; i < wires.size() && example_[gate] == not_a_node; ++i) {
        example_[gate] = example_[circuit::node_of(wires[i])];
      }
    }
  }

  bool find_examples_of_loops() {
    bool changed = false;
    for (const circuit::Loop& loop : step_.loops) {
      SubgameNode example = not_a_node;
      for (const circuit::Wire wire : loop.functions) {
        if (example == not_a_node) example = example_[circuit::node_of(wire)];
      }
      for (const circuit::Wire wire : loop.variables) {
        changed |= example_[circuit::node_of(wire)] != example;
        if (example_[circuit::node_of(wire)] == not_a_node) {
          example_[circuit::node_of(wire)] = example;
        }
      }
    }
    return changed;
  }

  const circuit::GameCircuit& step_;
  DisjointSets& sets_;
  std::vector<SubgameNode> example_;    // by gate: a node it depends on
  std::vector<std::uint32_t> loop_of_;  // by gate
  std::vector<bool> visited_;
  std::vector<circuit::Node> open_;
};

// The local moves of a role: what its moves are in each part of a parallel composition.
class LocalMoves {
 public:
  LocalMoves(const ground::Game& game, const Decomposition& parts, StepDependencies& phase,
             std::uint32_t role)
      : phase_(phase), part_of_(game.fluents.size()), parts_(1) {
    for (const Subgame& subgame : parts.subgames) {
      if (subgame.is_read || subgame.fluents.empty()) continue;
      for (const Atom f : subgame.fluents) part_of_[f] = parts_;
      ++parts_;
    }
    for (std::uint32_t m = game.first_move_of[role]; m < game.first_move_of[role + 1]; ++m) {
      if (phase.is_choice(m)) moves_.push_back(m);
    }
    local_.assign(moves_.size(), std::vector<Code>(parts_));
  }

  // Whether every combination of local moves is a move. False if that takes more work.
  bool are_a_product(std::size_t max_work) {
    const std::size_t end = phase_.work() + max_work;
    for (std::size_t i = 0; i < moves_.size() && phase_.work() < end; ++i) add_conditions(i);
    std::size_t looked_at = 1;
    for (Atom f = 0; f < part_of_.size() && phase_.work() < end; ++f) {
      if (part_of_[f] == 0) continue;
      add_effects(f);
      if (f < looked_at) continue;
      if (combinations() > static_cast<double>(moves_.size())) return false;
      looked_at = 2 * f;
    }
    if (phase_.work() >= end) return false;
    std::set<std::vector<Code>> different(local_.begin(), local_.end());
    return combinations() == static_cast<double>(different.size());
  }

 private:
  // Conditions and effects, as numbers that are equal for equal ones.
  using Code = std::vector<std::uint64_t>;

  void add_conditions(std::size_t i) {
    for (const circuit::Wire wire : phase_.conjuncts_of_legal(moves_[i])) {
      std::uint32_t part = 0;
      for (const Atom f : phase_.support(wire).fluents) part = std::max(part, part_of_[f]);
      local_[i][part].push_back(wire);
    }
  }

  void add_effects(Atom f) {
    const ConditionSupport next = phase_.of_next(f);
    if (next.moves.empty()) return;
    std::optional<std::uint64_t> of_others;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      const std::uint32_t m = moves_[i];
      const bool is_mentioned = std::binary_search(next.moves.begin(), next.moves.end(), m);
      if (!is_mentioned && !of_others) of_others = phase_.next_after(f, m);
      std::uint64_t result = is_mentioned ? phase_.next_after(f, m) : *of_others;
      // Recursive conditions cannot be compared.
      if (is_mentioned && next.has_recursion_over_moves) result = std::uint64_t{1} << 40 | m;
      local_[i][part_of_[f]].push_back(result);
    }
  }

  // The number of combinations of what differs so far. It only grows.
  double combinations() const {
    double product = 1;
    for (std::uint32_t part = 0; part < parts_; ++part) {
      std::set<Code> different;
      for (const auto& codes : local_) different.insert(codes[part]);
      product *= static_cast<double>(different.size());
    }
    return product;
  }

  StepDependencies& phase_;
  std::vector<std::uint32_t> part_of_;  // by fluent; 0: what all parts read
  std::uint32_t parts_;
  std::vector<std::uint32_t> moves_;
  std::vector<std::vector<Code>> local_;  // by move and part
};

class SubgameSearch {
 public:
  // Throws base::LimitReached, like run().
  SubgameSearch(const circuit::CompiledGame& compiled, const circuit::CircuitFacts& facts,
                const SubgameOptions& options)
      : compiled_(compiled),
        game_(compiled.game()),
        options_(options),
        constant_(game_.fluents.size()),
        runs_(game_.fluents.size()),
        nodes_(game_, options.grain, facts.phases.size()),
        is_kept_(game_.fluents.size(), true) {
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      constant_[f] = facts.lasting.constant[f].has_value();
    }
    find_running();
    if (game_.literals.size() * facts.phases.size() > max_rule_literals) return;
    for (const circuit::FixedFluents& fixed : facts.phases) add_phase(fixed);
  }

  Decomposition run() {
    if (phases_.empty()) return whole_game();
    DisjointSets sets = connect_with_moves();
    Decomposition result = collect(sets);
    if (result.is_decomposed()) return result;
    DisjointSets fluents = connect_without_moves();
    Decomposition parallel = collect(fluents);
    if (parallel.subgames.size() <= result.subgames.size() || !is_product(parallel)) return result;
    parallel.is_parallel = true;
    add_acting_moves(parallel);
    return parallel.is_decomposed() ? parallel : result;
  }

 private:
  // One subgame, of a game that is too large.
  Decomposition whole_game() {
    DisjointSets sets(nodes_.size());
    SubgameNode first = not_a_node;
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (!is_node(f)) continue;
      if (first == not_a_node) first = nodes_.fluent(f);
      sets.join(first, nodes_.fluent(f));
    }
    is_kept_.assign(is_kept_.size(), false);
    Decomposition result = collect(sets);
    if (first == not_a_node) return result;
    Subgame& all = result.subgames.front();
    all.moves.resize(game_.moves.size());
    std::iota(all.moves.begin(), all.moves.end(), 0);
    all.action_independent = false;
    result.other_moves.clear();
    return result;
  }

  // The fluents that run by themselves, without symbols of which only some instances do.
  void find_running() {
    for (const Atom f : compiled_.autonomous(options_.limits).fluents()) runs_[f] = true;
    if (options_.grain == Grain::ground) return;
    std::vector<bool> is_acted_on(nodes_.size());
    for (Atom f = 0; f < runs_.size(); ++f) {
      if (!runs_[f] && !constant_[f]) is_acted_on[nodes_.fluent(f)] = true;
    }
    for (Atom f = 0; f < runs_.size(); ++f) runs_[f] = runs_[f] && !is_acted_on[nodes_.fluent(f)];
  }

  void add_phase(circuit::FixedFluents fixed) {
    for (Atom f = 0; f < fixed.size(); ++f) {
      if (!constant_[f] && !runs_[f]) fixed[f].reset();
    }
    phases_.push_back(std::make_unique<StepDependencies>(game_, fixed, options_.limits));
  }

  bool is_node(Atom f) const { return !constant_[f] && !runs_[f]; }

  SubgameNode node_of_fluent(Atom f) const { return is_node(f) ? nodes_.fluent(f) : not_a_node; }

  std::size_t work() const {
    std::size_t work = 0;
    for (const auto& phase : phases_) work += phase->work();
    return work;
  }

  DisjointSets connect_with_moves() {
    DisjointSets sets(nodes_.size());
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (is_node(f)) sets.count(nodes_.fluent(f));
    }
    for (std::size_t p = 0; p < phases_.size(); ++p) {
      ConnectedConditions conditions = connect_next(sets, p);
      for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
        if (phases_[p]->is_choice(m)) {
          conditions.connect(nodes_.move(p, m), phases_[p]->circuit().legal[m]);
        }
      }
    }
    for (Atom f = 0; f < game_.fluents.size() && sets.counted() > 1; ++f) {
      if (is_node(f)) connect_effects(sets, f);
    }
    if (sets.counted() <= 1 || work() > max_work) connect_everything(sets);
    return sets;
  }

  ConnectedConditions connect_next(DisjointSets& sets, std::size_t p) {
    ConnectedConditions conditions(phases_[p]->circuit(), sets,
                                   [this](Atom f) { return node_of_fluent(f); });
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (is_node(f)) conditions.connect(nodes_.fluent(f), phases_[p]->circuit().next[f]);
    }
    return conditions;
  }

  void connect_effects(DisjointSets& sets, Atom f) {
    for (std::size_t p = 0; p < phases_.size() && work() <= max_work; ++p) {
      const MoveEffect effect = phases_[p]->effect(f);
      for (const std::uint32_t m : effect.moves) sets.join(nodes_.move(p, m), nodes_.fluent(f));
      is_kept_[f] = is_kept_[f] && effect.is_kept;
    }
  }

  // One subgame of all fluents and of all moves that are a choice.
  void connect_everything(DisjointSets& sets) {
    is_kept_.assign(is_kept_.size(), false);
    Atom first = 0;
    while (first < game_.fluents.size() && !is_node(first)) ++first;
    if (first == game_.fluents.size()) return;
    for (Atom f = first; f < game_.fluents.size(); ++f) {
      if (is_node(f)) sets.join(nodes_.fluent(first), nodes_.fluent(f));
    }
    for (std::size_t p = 0; p < phases_.size(); ++p) {
      for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
        if (phases_[p]->is_choice(m)) sets.join(nodes_.fluent(first), nodes_.move(p, m));
      }
    }
  }

  DisjointSets connect_without_moves() {
    DisjointSets sets(nodes_.size());
    for (std::size_t p = 0; p < phases_.size(); ++p) {
      ConnectedConditions conditions = connect_next(sets, p);
      for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
        if (!phases_[p]->is_choice(m)) continue;
        for (const circuit::Wire wire : phases_[p]->conjuncts_of_legal(m)) {
          conditions.connect(wire);
        }
      }
    }
    return sets;
  }

  Decomposition collect(DisjointSets& sets) {
    Decomposition result;
    result.grain = options_.grain;
    std::map<SubgameNode, Subgame> found;
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (constant_[f]) result.constants.push_back(f);
      if (!is_node(f)) continue;
      Subgame& subgame = found[sets.find(nodes_.fluent(f))];
      subgame.fluents.push_back(f);
      subgame.is_kept = subgame.is_kept && is_kept_[f];
    }
    for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
      bool has_subgame = false;
      for (std::size_t p = 0; p < phases_.size(); ++p) {
        const auto subgame = found.find(sets.find(nodes_.move(p, m)));
        if (subgame == found.end()) continue;
        has_subgame = true;
        std::vector<std::uint32_t>& moves = subgame->second.moves;
        if (moves.empty() || moves.back() != m) moves.push_back(m);
      }
      if (!has_subgame) result.other_moves.push_back(m);
    }
    for (auto& [node, subgame] : found) result.subgames.push_back(std::move(subgame));
    mark_subgames_without_moves(result);
    add_running_parts(result);
    return result;
  }

  static void mark_subgames_without_moves(Decomposition& result) {
    for (Subgame& subgame : result.subgames) subgame.action_independent = subgame.moves.empty();
    std::sort(result.subgames.begin(), result.subgames.end(), [](const auto& a, const auto& b) {
      return std::tie(a.action_independent, a.fluents[0]) <
             std::tie(b.action_independent, b.fluents[0]);
    });
  }

  void add_running_parts(Decomposition& result) const {
    const std::vector<bool> is_read = read_fluents();
    DisjointSets sets(nodes_.size());
    for (const std::vector<Atom>& part : compiled_.autonomous().parts()) {
      for (const Atom f : part) {
        if (runs_[f] && runs_[part[0]]) sets.join(nodes_.fluent(f), nodes_.fluent(part[0]));
      }
    }
    std::map<SubgameNode, Subgame> found;
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (!runs_[f] || constant_[f]) continue;
      Subgame& subgame = found[sets.find(nodes_.fluent(f))];
      subgame.fluents.push_back(f);
      subgame.is_read |= is_read[f];
    }
    for (auto& [node, subgame] : found) {
      subgame.action_independent = true;
      subgame.is_kept = false;
      result.subgames.push_back(std::move(subgame));
    }
  }

  // The fluents that legal moves or the next values of fluents with moves depend on.
  std::vector<bool> read_fluents() const {
    std::vector<bool> reached(game_.atoms);
    std::vector<Atom> open;
    const auto reach = [&](Atom atom) {
      if (atom == ground::no_atom || reached[atom]) return;
      reached[atom] = true;
      open.push_back(atom);
    };
    for (const Atom legal : game_.legal) reach(legal);
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (is_node(f)) reach(game_.next[f]);
    }
    while (!open.empty()) {
      const Atom atom = open.back();
      open.pop_back();
      if (atom < game_.first_derived) continue;
      for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
        for (const ground::Literal literal : game_.body(rule)) reach(literal.atom());
      }
    }
    reached.resize(game_.fluents.size());
    return reached;
  }

  // Whether, for every role that has a choice, every combination of local moves is a move.
  bool is_product(const Decomposition& parts) {
    for (const auto& phase : phases_) {
      for (const std::uint32_t role : phase->choosers()) {
        if (!LocalMoves(game_, parts, *phase, role).are_a_product(max_work)) return false;
      }
    }
    return true;
  }

  // The moves that act in each part of a parallel composition.
  void add_acting_moves(Decomposition& result) {
    std::vector<bool> acts(game_.moves.size());
    for (Subgame& subgame : result.subgames) {
      if (runs_[subgame.fluents[0]]) continue;
      subgame.is_kept = true;
      std::set<std::uint32_t> moves;
      for (const Atom f : subgame.fluents) {
        for (const auto& phase : phases_) {
          const MoveEffect effect = phase->effect(f);
          moves.insert(effect.moves.begin(), effect.moves.end());
          subgame.is_kept = subgame.is_kept && effect.is_kept;
        }
      }
      subgame.moves.assign(moves.begin(), moves.end());
      for (const std::uint32_t m : subgame.moves) acts[m] = true;
    }
    mark_subgames_without_moves(result);
    std::erase_if(result.other_moves, [&](std::uint32_t m) { return acts[m]; });
  }

  const circuit::CompiledGame& compiled_;
  const ground::Game& game_;
  const SubgameOptions& options_;
  std::vector<bool> constant_, runs_;  // by fluent
  SubgameNodes nodes_;
  std::vector<bool> is_kept_;  // by fluent
  std::vector<std::unique_ptr<StepDependencies>> phases_;
};

}  // namespace

std::size_t Decomposition::parts() const {
  return static_cast<std::size_t>(
      std::count_if(subgames.begin(), subgames.end(),
                    [](const Subgame& subgame) { return !subgame.action_independent; }));
}

base::Result<Decomposition> find_subgames(const circuit::CompiledGame& compiled,
                                          const SubgameOptions& options) {
  const auto facts = compiled.facts(options.limits);
  if (!facts) return tl::unexpected(facts.error());
  return base::within_limits([&] { return SubgameSearch(compiled, **facts, options).run(); });
}

}  // namespace zermelo::analysis
