// Splits a circuit into functions of a few hundred statements.
//
// A small gate with one reader is written inside its reader. Every other gate becomes a statement:
// as a conjunction or, if most readers use its negation, as the disjunction of the negated
// literals. Gates are ordered depth first from the outputs, so that most are read soon after they
// are computed. The size of a function is limited, because compilers are slow on large functions. A
// gate that is read only in its own function is a local variable; the others are stored in the
// frame.
//
// A loop is a separate block. Gates that do not depend on its variables come before it. Within it a
// variable takes its new value immediately (chaotic iteration). All functions are monotone in the
// variables of their loop, so every order leads to the same least fixpoint. The last pass, in which
// nothing changes, leaves all gates with their final values.
#include "translate/cpp_plan.h"

#include <algorithm>
#include <utility>

namespace zermelo::translate {

namespace {

using circuit::GameCircuit;
using circuit::is_negated;
using circuit::Loop;
using circuit::Node;
using circuit::node_of;
using circuit::Wire;

constexpr std::size_t max_inlined_literals = 8;
constexpr std::size_t max_inlined_depth = 2;
constexpr std::size_t max_chunk_literals = 400;
constexpr std::uint32_t no_loop = ~std::uint32_t{0};

class SectionPlanner {
 public:
  SectionPlanner(const GameCircuit& game, const std::vector<SectionTask>& tasks,
                 base::LimitedSteps& steps)
      : game_(game), tasks_(tasks), steps_(steps) {
    number_loop_variables();
    order_gates();
    decide_negation();
    decide_inlining();
  }

  Plan run() {
    for (const SectionTask& task : tasks_) plan_section(task);
    find_shared();
    return std::move(plan_);
  }

 private:
  // The gates and loops that are computed after a section.
  struct Known {
    std::vector<bool> gates;
    std::vector<bool> loops;
  };

  bool is_gate(Node node) const { return game_.circuit.is_gate(node); }

  void number_loop_variables() {
    loop_of_.assign(game_.circuit.size(), no_loop);
    plan_.number.assign(game_.circuit.size(), 0);
    for (std::uint32_t loop = 0; loop < game_.loops.size(); ++loop) {
      for (const Wire variable : game_.loops[loop].variables) {
        loop_of_[node_of(variable)] = loop;
        plan_.number[node_of(variable)] = plan_.loop_variables++;
      }
    }
  }

  // Orders all needed gates, each after those it reads.
  void order_gates() {
    for (const SectionTask& task : tasks_) {
      for (const Statement& output : task.outputs) roots_.push_back(output.wire);
    }
    for (const Loop& loop : game_.loops)
      roots_.insert(roots_.end(), loop.functions.begin(), loop.functions.end());
    std::vector<bool> known(game_.circuit.size());
    order_ = missing_gates(roots_, known);
  }

  // Goes from the outputs down. A gate is negated if the majority of its readers, as written, use
  // the negation.
  void decide_negation() {
    readers_.assign(game_.circuit.size(), 0);
    plan_.is_negated.assign(game_.circuit.size(), false);
    std::vector<int> wanted(game_.circuit.size(), 0);
    const auto read = [&](Wire wire) {
      ++readers_[node_of(wire)];
      wanted[node_of(wire)] += is_negated(wire) ? -1 : 1;
    };
    std::for_each(roots_.begin(), roots_.end(), read);
    for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
      plan_.is_negated[*node] = wanted[*node] < 0;
      const auto flip = static_cast<Wire>(plan_.is_negated[*node]);
      for (const Wire wire : game_.circuit.wires(*node)) read(wire ^ flip);
    }
  }

  void decide_inlining() {
    plan_.is_inlined.assign(game_.circuit.size(), false);
    weight_.assign(game_.circuit.size(), 1);
    std::vector<std::uint8_t> depth(game_.circuit.size(), 0);
    for (const Node node : order_) {
      std::size_t weight = 0;
      for (const Wire wire : game_.circuit.wires(node)) {
        const bool inside = plan_.is_inlined[node_of(wire)];
        weight += inside ? weight_[node_of(wire)] : 1;
        if (inside) depth[node] = std::max(depth[node], depth[node_of(wire)]);
      }
      ++depth[node];
      weight_[node] = weight;
      plan_.is_inlined[node] =
          readers_[node] == 1 && weight <= max_inlined_literals && depth[node] <= max_inlined_depth;
    }
    for (const SectionTask& task : tasks_) {
      for (const Statement& output : task.outputs) expand(output.wire);
    }
  }

  // The gate of an output is written in its assignment, whatever its size.
  void expand(Wire wire) {
    if (is_gate(node_of(wire)) && readers_[node_of(wire)] == 1)
      plan_.is_inlined[node_of(wire)] = true;
  }

  // Returns the unknown gates below the wires, each after those it reads, and marks them known.
  std::vector<Node> missing_gates(const std::vector<Wire>& roots, std::vector<bool>& known) const {
    std::vector<Node> result;
    std::vector<std::pair<Node, std::size_t>> stack;
    const auto enter = [&](Wire wire) {
      if (!is_gate(node_of(wire)) || known[node_of(wire)]) return;
      known[node_of(wire)] = true;
      stack.emplace_back(node_of(wire), 0);
    };
    for (const Wire root : roots) {
      enter(root);
      while (!stack.empty()) {
        steps_.take();
        auto& [node, position] = stack.back();
        if (position == game_.circuit.wires(node).size()) {
          result.push_back(node);
          stack.pop_back();
        } else {
          enter(game_.circuit.wires(node)[position++]);
        }
      }
    }
    return result;
  }

  void plan_section(const SectionTask& task) {
    known_ = task.after ? known_after_[*task.after]
                        : Known{std::vector<bool>(game_.circuit.size()),
                                std::vector<bool>(game_.loops.size())};
    section_ = {task.name, {}};
    std::vector<Wire> roots;
    for (const Statement& output : task.outputs) roots.push_back(output.wire);
    begin_block(std::nullopt);
    for (const std::uint32_t loop : missing_loops(std::move(roots))) plan_loop(loop);
    for (const Statement& output : task.outputs) {
      for (const Node node : missing_gates({output.wire}, known_.gates)) add_gate(node);
      add(output, plan_.is_inlined[node_of(output.wire)] ? weight_[node_of(output.wire)] : 1);
    }
    known_after_.push_back(std::move(known_));
    plan_.sections.push_back(std::move(section_));
  }

  // The unknown loops that the wires depend on, ascending.
  std::vector<std::uint32_t> missing_loops(std::vector<Wire> roots) const {
    std::vector<bool> seen = known_.gates;
    std::vector<bool> needed(game_.loops.size());
    const auto need = [&](Wire wire, std::vector<Wire>& more) {
      const std::uint32_t loop = loop_of_[node_of(wire)];
      if (loop == no_loop || known_.loops[loop] || needed[loop]) return;
      needed[loop] = true;
      const std::vector<Wire>& functions = game_.loops[loop].functions;
      more.insert(more.end(), functions.begin(), functions.end());
    };
    while (!roots.empty()) {
      std::vector<Wire> more;
      for (const Wire root : roots) need(root, more);
      for (const Node node : missing_gates(roots, seen)) {
        for (const Wire wire : game_.circuit.wires(node)) need(wire, more);
      }
      roots = std::move(more);
    }
    std::vector<std::uint32_t> result;
    for (std::uint32_t loop = 0; loop < needed.size(); ++loop) {
      if (needed[loop]) result.push_back(loop);
    }
    return result;
  }

  void plan_loop(std::uint32_t number) {
    const Loop& loop = game_.loops[number];
    std::vector<bool> varies(game_.circuit.size());
    for (const Wire variable : loop.variables) varies[node_of(variable)] = true;
    std::vector<Node> body;
    for (const Node node : missing_gates(loop.functions, known_.gates)) {
      const auto wires = game_.circuit.wires(node);
      varies[node] =
          std::any_of(wires.begin(), wires.end(), [&](Wire wire) { return varies[node_of(wire)]; });
      if (varies[node]) {
        body.push_back(node);
      } else {
        add_gate(node);
      }
    }
    const std::uint32_t first = plan_.number[node_of(loop.variables.front())];
    begin_block(LoopRange{first, first + static_cast<std::uint32_t>(loop.variables.size())});
    for (const Node node : body) add_gate(node);
    for (std::size_t i = 0; i < loop.variables.size(); ++i) {
      add({"f.loop[" + std::to_string(first + i) + "]", loop.functions[i], true}, 1);
    }
    known_.loops[number] = true;
    begin_block(std::nullopt);
  }

  void begin_block(std::optional<LoopRange> loop) {
    section_.blocks.push_back({{}, loop});
    room_ = 0;
  }

  void add_gate(Node node) {
    if (!plan_.is_inlined[node])
      add({"", 2 * node + static_cast<Wire>(plan_.is_negated[node])}, weight_[node]);
  }

  void add(Statement statement, std::size_t weight) {
    std::vector<Chunk>& chunks = section_.blocks.back().chunks;
    if (room_ == 0) {
      chunks.emplace_back();
      room_ = max_chunk_literals;
    }
    chunks.back().push_back(std::move(statement));
    room_ -= std::min(room_, weight);
  }

  // Calls visit(gate) for every named gate in the text of a wire.
  template <class Visit>
  void for_each_named(Wire wire, bool is_definition, Visit visit) const {
    std::vector<std::pair<Node, bool>> open{{node_of(wire), is_definition}};
    while (!open.empty()) {
      steps_.take();
      const auto [node, is_written] = open.back();
      open.pop_back();
      if (!is_gate(node)) continue;
      if (!is_written && !plan_.is_inlined[node]) {
        visit(node);
        continue;
      }
      for (const Wire inner : game_.circuit.wires(node)) open.emplace_back(node_of(inner), false);
    }
  }

  void find_shared() {
    plan_.is_shared.assign(game_.circuit.size(), false);
    for (const Section& section : plan_.sections) {
      std::vector<std::uint32_t> chunk_of(game_.circuit.size(), 0);
      std::uint32_t number = 0;
      for (const Block& block : section.blocks) {
        for (const Chunk& chunk : block.chunks) find_shared(chunk, ++number, chunk_of);
      }
    }
  }

  void find_shared(const Chunk& chunk, std::uint32_t number, std::vector<std::uint32_t>& chunk_of) {
    for (const Statement& statement : chunk) {
      const bool is_definition = statement.target.empty();
      if (is_definition) chunk_of[node_of(statement.wire)] = number;
      for_each_named(statement.wire, is_definition, [&](Node node) {
        if (chunk_of[node] != number) plan_.is_shared[node] = true;
      });
    }
  }

  const GameCircuit& game_;
  const std::vector<SectionTask>& tasks_;
  base::LimitedSteps& steps_;
  Plan plan_;
  std::vector<std::uint32_t> loop_of_;  // by node
  std::vector<Wire> roots_;
  std::vector<Node> order_;             // gates
  std::vector<std::uint32_t> readers_;  // by node
  std::vector<std::size_t> weight_;     // by gate: its number of literals when written out
  std::vector<Known> known_after_;      // by section
  Known known_;
  Section section_;
  std::size_t room_ = 0;
};

}  // namespace

Plan make_plan(const GameCircuit& game, const std::vector<SectionTask>& tasks,
               base::LimitedSteps& steps) {
  return SectionPlanner(game, tasks, steps).run();
}

}  // namespace zermelo::translate
