#include "machine/step_program.h"

#include <algorithm>
#include <numeric>

#include "machine/step_program_union.h"

namespace zermelo::machine {

namespace {

constexpr std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

// The part of a loop that depends on its variables, and its inputs from outside.
struct LoopBody {
  std::vector<circuit::Node> conjunctions;  // ascending, so that each follows what it reads
  std::vector<circuit::Node> reads;
  std::uint32_t level = 0;
};

class Builder {
 public:
  Builder(const StepSource& source, const base::Limits& limits)
      : source_(source),
        union_(unite_phases(source.circuits, limits)),
        circuit_(union_.circuit),
        levels_(circuit_.size()),
        reached_(circuit_.size()) {}

  StepProgram run() {
    for (const circuit::Loop& loop : union_.loops) bodies_.push_back(body_of(loop));
    fix_fluents();
    lay_out_bits();
    find_reached();
    find_levels();
    find_leaves();
    number_nodes();
    add_loops();
    link();
    evaluate();
    return std::move(program_);
  }

 private:
  struct Shown {
    circuit::Wire wire;
    BitIndex bit;
  };

  // ---- loops

  LoopBody body_of(const circuit::Loop& loop) {
    LoopBody body;
    union_.circuit.count_steps(circuit_.size() / 16);  // for the sets of nodes
    std::vector<bool> varies(circuit_.size());
    for (const circuit::Wire variable : loop.variables) varies[circuit::node_of(variable)] = true;
    const auto read = [&](circuit::Wire wire) {
      if (!varies[circuit::node_of(wire)] && circuit::node_of(wire) != 0)
        body.reads.push_back(circuit::node_of(wire));
    };
    for (const circuit::Node node : cone_of(loop.functions)) {
      const auto wires = circuit_.wires(node);
      if (std::any_of(wires.begin(), wires.end(),
                      [&](circuit::Wire w) { return varies[circuit::node_of(w)]; })) {
        varies[node] = true;
        body.conjunctions.push_back(node);
        for (const circuit::Wire wire : wires) read(wire);
      } else {
        levels_[node] = level_above(wires);
      }
    }
    for (const circuit::Wire wire : loop.functions) read(wire);
    std::sort(body.reads.begin(), body.reads.end());
    body.reads.erase(std::unique(body.reads.begin(), body.reads.end()), body.reads.end());
    for (const circuit::Node node : body.reads) body.level = std::max(body.level, levels_[node]);
    ++body.level;
    for (const circuit::Wire variable : loop.variables)
      levels_[circuit::node_of(variable)] = body.level;
    return body;
  }

  // The conjunctions that some wires depend on, ascending.
  std::vector<circuit::Node> cone_of(const std::vector<circuit::Wire>& wires) const {
    std::vector<bool> seen(circuit_.size());
    std::vector<circuit::Node> open, cone;
    const auto visit = [&](circuit::Wire wire) {
      const circuit::Node node = circuit::node_of(wire);
      if (seen[node] || !circuit_.is_gate(node)) return;
      seen[node] = true;
      open.push_back(node);
    };
    for (const circuit::Wire wire : wires) visit(wire);
    while (!open.empty()) {
      cone.push_back(open.back());
      open.pop_back();
      for (const circuit::Wire wire : circuit_.wires(cone.back())) visit(wire);
    }
    std::sort(cone.begin(), cone.end());
    return cone;
  }

  std::uint32_t level_above(std::span<const circuit::Wire> wires) const {
    std::uint32_t level = 0;
    for (const circuit::Wire wire : wires) level = std::max(level, levels_[circuit::node_of(wire)]);
    return level + 1;
  }

  // ---- bits

  void fix_fluents() {
    program_.fixed.resize(words_for(union_.fluents.size()));
    for (std::size_t f = 0; f < union_.fluents.size(); ++f) {
      if (is_fixed(f)) set_bit(program_.fixed, static_cast<BitIndex>(f));
    }
  }

  bool is_fixed(std::size_t fluent) const { return source_.fixed[0][fluent].has_value(); }

  void lay_out_bits() {
    const std::size_t fluents = union_.fluents.size();
    reserve_words(fluents);
    for (std::size_t f = 0; f < fluents; ++f) {
      if (!is_fixed(f)) show(union_.fluents[f], static_cast<BitIndex>(f));
    }
    for (std::size_t k = 0; k < union_.phases.size(); ++k) {
      program_.phases.push_back(lay_out_phase(union_.phases[k], source_.fixed[k]));
    }
    program_.start.bits.resize(words_);
  }

  StepPhase lay_out_phase(const StepUnion::PhaseWires& from, const circuit::FixedFluents& fixed) {
    StepPhase phase;
    phase.fixed.resize(program_.fixed.size());
    for (std::size_t f = 0; f < fixed.size(); ++f) {
      if (fixed[f].value_or(false)) set_bit(phase.fixed, static_cast<BitIndex>(f));
    }
    show_legal(from, phase);
    show_changing(from, phase);
    BitIndex bit = reserve_words(from.goals.size() + 1) * 64;
    phase.terminal = bit;
    show(from.terminal, bit);
    for (const circuit::GameCircuit::Goal& goal : from.goals) {
      phase.goals.push_back({goal.role, goal.value, ++bit});
      show(goal.wire, bit);
    }
    phase.sees = reserve_words(from.sees.size());
    for (std::size_t p = 0; p < from.sees.size(); ++p) {
      show(from.sees[p], phase.sees * 64 + static_cast<BitIndex>(p));
    }
    return phase;
  }

  void show_legal(const StepUnion::PhaseWires& from, StepPhase& phase) {
    const ground::Game& game = source_.game;
    for (std::size_t role = 0; role < game.roles.size(); ++role) {
      const std::uint32_t first = game.first_move_of[role];
      const std::uint32_t last = game.first_move_of[role + 1];
      phase.legal.push_back(reserve_words(last - first));
      for (std::uint32_t move = first; move < last; ++move) {
        show(from.legal[move], phase.legal.back() * 64 + source_.rank_of_move[move]);
      }
    }
  }

  void show_changing(const StepUnion::PhaseWires& from, StepPhase& phase) {
    phase.changing = reserve_words(from.turns_on.size());
    for (std::size_t f = 0; f < from.turns_on.size(); ++f) {
      const BitIndex bit = phase.changing * 64 + static_cast<BitIndex>(f);
      show(from.turns_on[f], bit);
      show(from.turns_off[f], bit);
    }
  }

  WordIndex reserve_words(std::size_t bits) {
    const WordIndex first = words_;
    words_ += static_cast<WordIndex>(words_for(bits));
    return first;
  }

  void show(circuit::Wire wire, BitIndex bit) { shown_.push_back({wire, bit}); }

  static void set_bit(std::vector<std::uint64_t>& words, BitIndex bit) {
    words[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }

  // ---- nodes

  void find_reached() {
    for (const Shown& shown : shown_) reach(circuit::node_of(shown.wire));
    for (std::size_t i = union_.loops.size(); i-- > 0;) {
      const std::vector<circuit::Wire>& variables = union_.loops[i].variables;
      loop_used_.push_back(std::any_of(variables.begin(), variables.end(), [&](circuit::Wire wire) {
        return reached_[circuit::node_of(wire)];
      }));
      if (!loop_used_.back()) continue;
      for (const circuit::Wire variable : variables) reached_[circuit::node_of(variable)] = true;
      for (const circuit::Node node : bodies_[i].reads) reach(node);
    }
    std::reverse(loop_used_.begin(), loop_used_.end());
  }

  void reach(circuit::Node start) {
    std::vector<circuit::Node> open{start};
    while (!open.empty()) {
      const circuit::Node node = open.back();
      open.pop_back();
      if (reached_[node]) continue;
      reached_[node] = true;
      for (const circuit::Wire wire : circuit_.wires(node)) open.push_back(circuit::node_of(wire));
    }
  }

  void find_levels() {
    for (circuit::Node node = 1; node < circuit_.size(); ++node) {
      if (reached_[node] && circuit_.is_gate(node)) {
        levels_[node] = level_above(circuit_.wires(node));
      }
    }
  }

  // A node that appears twice in the same bit does not change it.
  void drop_pairs_of_shown() {
    std::sort(shown_.begin(), shown_.end(), [](const Shown& a, const Shown& b) {
      return std::pair(circuit::node_of(a.wire), a.bit) <
             std::pair(circuit::node_of(b.wire), b.bit);
    });
    std::vector<Shown> kept;
    for (const Shown& shown : shown_) {
      if (!kept.empty() && circuit::node_of(kept.back().wire) == circuit::node_of(shown.wire) &&
          kept.back().bit == shown.bit) {
        if (circuit::is_negated(kept.back().wire) != circuit::is_negated(shown.wire)) {
          program_.start.bits[shown.bit / 64] ^= std::uint64_t{1} << (shown.bit % 64);
        }
        kept.pop_back();
      } else {
        kept.push_back(shown);
      }
    }
    shown_ = std::move(kept);
  }

  void find_leaves() {
    drop_pairs_of_shown();
    std::vector<std::uint32_t> times_shown(circuit_.size());
    for (const Shown& shown : shown_) ++times_shown[circuit::node_of(shown.wire)];
    std::vector<bool> read(circuit_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!loop_used_[i]) continue;
      for (const circuit::Node node : bodies_[i].reads) read[node] = true;
    }
    for_each_gate([&](circuit::Node node) {
      for (const circuit::Wire wire : circuit_.wires(node)) read[circuit::node_of(wire)] = true;
    });
    is_leaf_.resize(circuit_.size());
    for_each_gate(
        [&](circuit::Node node) { is_leaf_[node] = !read[node] && times_shown[node] == 1; });
  }

  template <class Visit>
  void for_each_gate(Visit visit) const {
    for (circuit::Node node = 1; node < circuit_.size(); ++node) {
      if (reached_[node] && circuit_.is_gate(node)) visit(node);
    }
  }

  void number_nodes() {
    number_.assign(circuit_.size(), StepProgram::no_node);
    for (const circuit::Wire fluent : union_.fluents)
      program_.fluents.push_back(number_input(fluent));
    for (const circuit::Wire move : union_.does) program_.does.push_back(number_input(move));
    for (std::size_t i = 0; i < union_.loops.size(); ++i) {
      for (const circuit::Wire variable : union_.loops[i].variables) number_input(variable);
    }
    circuit::Node leaves = 0;
    for_each_gate([&](circuit::Node node) {
      if (is_leaf_[node]) {
        number_[node] = leaves++;
      } else {
        gates_.push_back(node);
      }
    });
    std::stable_sort(gates_.begin(), gates_.end(),
                     [&](circuit::Node a, circuit::Node b) { return levels_[a] < levels_[b]; });
    for (const circuit::Node node : gates_) number_[node] = numbered_++;
    program_.start.leaves.resize(leaves);
    program_.start.nodes.resize(numbered_);
  }

  circuit::Node number_input(circuit::Wire input) {
    if (reached_[circuit::node_of(input)]) number_[circuit::node_of(input)] = numbered_++;
    return number_[circuit::node_of(input)];
  }

  void add_loops() {
    for (std::size_t i = 0; i < union_.loops.size(); ++i) {
      if (loop_used_[i]) program_.loops.push_back(step_loop(union_.loops[i], bodies_[i]));
    }
  }

  StepLoop step_loop(const circuit::Loop& loop, const LoopBody& body) const {
    StepLoop result;
    result.level = body.level;
    std::vector<std::uint32_t> local(circuit_.size(), StepProgram::no_node);
    std::uint32_t locals = 0;
    for (const circuit::Wire variable : loop.variables)
      local[circuit::node_of(variable)] = locals++;
    for (const circuit::Node node : body.conjunctions) local[node] = locals++;
    local[0] = locals++;  // the constant true, an empty conjunction
    const auto translated = [&](circuit::Wire wire) {
      const circuit::Node node = circuit::node_of(wire);
      const bool is_local = local[node] != StepProgram::no_node;
      return (is_local ? local[node] : locals + number_[node]) * 2 + (wire & 1);
    };
    for (const circuit::Wire variable : loop.variables) {
      result.variables.push_back(number_[circuit::node_of(variable)]);
    }
    for (const circuit::Wire function : loop.functions)
      result.functions.push_back(translated(function));
    for (const circuit::Node node : body.conjunctions) {
      result.first.push_back(static_cast<std::uint32_t>(result.wires.size()));
      for (const circuit::Wire wire : circuit_.wires(node))
        result.wires.push_back(translated(wire));
    }
    result.first.insert(result.first.end(), 2, static_cast<std::uint32_t>(result.wires.size()));
    return result;
  }

  // ---- links

  // The kinds of links, in the order of StepLinks.
  enum Kind { to_reader, to_negated_reader, to_leaf, to_negated_leaf, to_bit, to_loop, kinds };

  // Calls visit(node, kind, target) for every link.
  template <class Visit>
  void for_each_link(Visit visit) const {
    for_each_gate([&](circuit::Node node) {
      const int kind = is_leaf_[node] ? to_leaf : to_reader;
      for (const circuit::Wire wire : circuit_.wires(node)) {
        visit(number_[circuit::node_of(wire)], kind + static_cast<int>(circuit::is_negated(wire)),
              number_[node]);
      }
    });
    for (const Shown& entry : shown_) {
      const circuit::Node node = circuit::node_of(entry.wire);
      if (node != 0 && !is_leaf_[node]) visit(number_[node], to_bit, entry.bit);
    }
    std::uint32_t used = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!loop_used_[i]) continue;
      for (const circuit::Node node : bodies_[i].reads) visit(number_[node], to_loop, used);
      ++used;
    }
  }

  void link() {
    std::vector<std::uint32_t> first(std::size_t{numbered_} * kinds + 1);
    for_each_link(
        [&](circuit::Node node, int kind, std::uint32_t) { ++first[node * kinds + kind + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    program_.links.resize(first.back());
    std::vector<std::uint32_t> place = first;
    for_each_link([&](circuit::Node node, int kind, std::uint32_t target) {
      program_.links[place[node * kinds + kind]++] = target;
    });
    for (circuit::Node node = 0; node < numbered_; ++node) {
      const std::uint32_t* at = &first[std::size_t{node} * kinds];
      program_.nodes.push_back({at[0], at[1], at[2], at[3], at[4], at[5], at[6], 0});
    }
    for (const Shown& entry : shown_) {
      if (is_leaf_[circuit::node_of(entry.wire)]) {
        program_.start.leaves[number_[circuit::node_of(entry.wire)]].bit = entry.bit;
      }
    }
    find_places();
  }

  void find_places() {
    std::uint32_t levels = 1;
    for (const circuit::Node node : gates_) levels = std::max(levels, levels_[node] + 1);
    for (const StepLoop& loop : program_.loops) levels = std::max(levels, loop.level + 1);
    program_.first_of_level.assign(levels + 1, 0);
    for (const circuit::Node node : gates_) {
      program_.nodes[number_[node]].level = levels_[node];
      ++program_.first_of_level[levels_[node] + 1];
    }
    for (const StepLoop& loop : program_.loops) ++program_.first_of_level[loop.level + 1];
    std::partial_sum(program_.first_of_level.begin(), program_.first_of_level.end(),
                     program_.first_of_level.begin());
  }

  // ---- values

  void evaluate() {
    auto gate = gates_.begin();
    for (std::uint32_t level = 1; level + 1 < program_.first_of_level.size(); ++level) {
      for (const StepLoop& loop : program_.loops) {
        if (loop.level == level) evaluate_loop(loop);
      }
      for (; gate != gates_.end() && levels_[*gate] == level; ++gate) {
        StepValues::OfNode& state = program_.start.nodes[number_[*gate]];
        state.false_inputs = false_inputs(*gate);
        state.value = state.false_inputs == 0;
      }
    }
    for_each_gate([&](circuit::Node node) {
      if (is_leaf_[node]) {
        program_.start.leaves[number_[node]].false_inputs = false_inputs(node);
      }
    });
    for (const Shown& entry : shown_) {
      if (value(entry.wire)) {
        program_.start.bits[entry.bit / 64] ^= std::uint64_t{1} << (entry.bit % 64);
      }
    }
  }

  void evaluate_loop(const StepLoop& loop) {
    std::vector<std::uint8_t> scratch(loop.size());
    solve_loop(loop, program_.start.nodes, scratch);
    for (std::size_t i = 0; i < loop.variables.size(); ++i) {
      program_.start.nodes[loop.variables[i]].value = scratch[i] != 0;
    }
  }

  std::uint32_t false_inputs(circuit::Node node) const {
    std::uint32_t count = 0;
    for (const circuit::Wire wire : circuit_.wires(node)) count += value(wire) ? 0 : 1;
    return count;
  }

  bool value(circuit::Wire wire) const {
    const circuit::Node node = circuit::node_of(wire);
    if (node == 0) return !circuit::is_negated(wire);
    const bool holds = is_leaf_[node] ? program_.start.leaves[number_[node]].false_inputs == 0
                                      : program_.start.nodes[number_[node]].value;
    return holds != circuit::is_negated(wire);
  }

  const StepSource& source_;
  StepUnion union_;
  const circuit::Circuit& circuit_;
  StepProgram program_;
  std::vector<LoopBody> bodies_;       // by loop
  std::vector<bool> loop_used_;        // by loop
  std::vector<std::uint32_t> levels_;  // by node of the circuit, as everything below
  std::vector<bool> reached_;
  std::vector<bool> is_leaf_;
  std::vector<circuit::Node> number_;
  std::vector<circuit::Node> gates_;  // except leaves, by level
  std::vector<Shown> shown_;
  WordIndex words_ = 0;
  circuit::Node numbered_ = 0;
};

template <class T>
std::size_t bytes_of(const std::vector<T>& vector) {
  return vector.size() * sizeof(T);
}

}  // namespace

StepProgram make_step_program(const StepSource& source, const base::Limits& limits) {
  return Builder(source, limits).run();
}

std::size_t StepProgram::bytes() const {
  std::size_t total = bytes_of(nodes) + bytes_of(links);
  total += bytes_of(fluents) + bytes_of(does) + bytes_of(first_of_level) + bytes_of(fixed);
  for (const StepLoop& loop : loops) total += bytes_of(loop.wires) + bytes_of(loop.first);
  total += bytes_of(start.nodes) + bytes_of(start.leaves) + bytes_of(start.bits);
  return total;
}

void solve_loop(const StepLoop& loop, const std::vector<StepValues::OfNode>& nodes,
                std::vector<std::uint8_t>& scratch) {
  const std::size_t locals = loop.size();
  const std::size_t variables = loop.variables.size();
  const auto read = [&](circuit::Wire wire) {
    const std::size_t index = wire / 2;
    const bool value = index < locals ? scratch[index] != 0 : nodes[index - locals].value;
    return value != circuit::is_negated(wire);
  };
  std::fill(scratch.begin(), scratch.begin() + static_cast<std::ptrdiff_t>(locals), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t c = 0; variables + c < locals; ++c) {
      const auto first = loop.wires.begin() + loop.first[c];
      const auto last = loop.wires.begin() + loop.first[c + 1];
      scratch[variables + c] = std::all_of(first, last, read);
    }
    for (std::size_t v = 0; v < variables; ++v) {
      if (scratch[v] || !read(loop.functions[v])) continue;
      scratch[v] = 1;
      changed = true;
    }
  }
}

}  // namespace zermelo::machine
