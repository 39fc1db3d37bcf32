// The text of the program. Its parts, from top to bottom:
//
//   the word type        one bit for each of many games (cpp_runtime.h, prelude)
//   names and tables     fluents and moves in the order of their names, as enumerators and strings
//   the frame            the current and next state, legal moves, moves made, goals
//   the rules            three sections of functions: evaluate_state (legal, terminal),
//                        evaluate_goals and evaluate_next; the last two require the first
//   the rest             an engine for single states, perft, playouts and main (cpp_runtime.h)
//
// The approach follows the forward-chaining compiler of Saffidine and Cazenave (A Forward Chaining
// Based Game Description Language Compiler, 2011): rules become code of a general-purpose language
// that derives all atoms bottom-up from the state. Their compiler keeps variables and looks up
// facts in tables at run time. Here the rules are ground and optimised as a circuit, and every rule
// is a bitwise operation on as many games as a word has bits.
#include "translate/cpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/limited_steps.h"
#include "circuit/game_circuit.h"
#include "translate/cpp_names.h"
#include "translate/cpp_plan.h"
#include "translate/cpp_runtime.h"

namespace zermelo::translate {

namespace {

using circuit::GameCircuit;
using circuit::is_negated;
using circuit::Node;
using circuit::node_of;
using circuit::Wire;
using ground::Game;

constexpr std::size_t line_width = 100;
constexpr std::size_t terms_per_statement = 100;
constexpr std::size_t steps_of_statement = 16;

// Fluents, or moves, in the order in which the program numbers them.
struct Numbering {
  std::vector<std::uint32_t> order;      // by number in the program: the number in the game
  std::vector<std::string> names;        // by number in the game
  std::vector<std::string> identifiers;  // by number in the game; empty if omitted
};

std::size_t array_size(std::size_t size) { return std::max<std::size_t>(size, 1); }

// Breaks lines at spaces. Requires that spaces occur only between tokens.
void append_wrapped(std::string& text, std::string_view line, std::size_t indent) {
  const std::string further = "\n" + std::string(indent + 4, ' ');
  text.append(indent, ' ');
  std::size_t width = line_width - indent;
  while (line.size() > width) {
    std::size_t cut = line.rfind(' ', width);
    if (cut == std::string_view::npos) cut = line.find(' ');
    if (cut == std::string_view::npos) break;
    text.append(line.substr(0, cut)).append(further);
    line.remove_prefix(cut + 1);
    width = line_width - indent - 4;
  }
  text.append(line).append("\n");
}

class Writer {
 public:
  Writer(const Game& game, GameCircuit circuit, const base::Limits& limits)
      : game_(game), circuit_(std::move(circuit)), steps_(limits, "writing the program") {
    number_fluents();
    number_moves();
    plan_ = make_plan(circuit_, tasks(), steps_);
    name_inputs();
  }

  std::string run() {
    write_head();
    text_ += cpp_prelude;
    write_tables();
    write_frame();
    for (const Section& section : plan_.sections) write_section(section);
    text_ += cpp_runtime;
    return std::move(text_);
  }

 private:
  void number_fluents() {
    for (ground::Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      steps_.take();
      fluents_.order.push_back(fluent);
      fluents_.names.push_back(game_.fluent_name(fluent));
    }
    sort_by_name(fluents_, 0, fluents_.order.size());
    fluents_.identifiers.resize(fluents_.names.size());
    for (const std::uint32_t fluent : fluents_.order) {
      fluents_.identifiers[fluent] = identifiers_.make("is_", fluents_.names[fluent]);
    }
  }

  // Moves that are never legal are omitted.
  void number_moves() {
    for (std::uint32_t move = 0; move < game_.moves.size(); ++move) {
      steps_.take();
      moves_.names.push_back(game_.move_name(move));
    }
    moves_.identifiers.resize(game_.moves.size());
    for (std::uint32_t role = 0; role < game_.roles.size(); ++role) number_moves_of(role);
    first_move_.push_back(moves_.order.size());
  }

  void number_moves_of(std::uint32_t role) {
    first_move_.push_back(moves_.order.size());
    for (std::uint32_t move = game_.first_move_of[role]; move < game_.first_move_of[role + 1];
         ++move) {
      if (circuit_.legal[move] != circuit::always_false) moves_.order.push_back(move);
    }
    sort_by_name(moves_, first_move_.back(), moves_.order.size());
    for (std::size_t i = first_move_.back(); i < moves_.order.size(); ++i) {
      const std::uint32_t move = moves_.order[i];
      steps_.take();
      moves_.identifiers[move] =
          identifiers_.make("move_", game_.role_name(role) + "_" + moves_.names[move]);
    }
  }

  static void sort_by_name(Numbering& numbering, std::size_t first, std::size_t last) {
    const auto begin = numbering.order.begin();
    std::sort(
        begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last),
        [&](std::uint32_t a, std::uint32_t b) { return numbering.names[a] < numbering.names[b]; });
  }

  std::vector<SectionTask> tasks() const {
    SectionTask state{"state", {}, std::nullopt}, goals{"goals", {}, 0}, next{"next", {}, 0};
    for (const std::uint32_t move : moves_.order)
      state.outputs.push_back({"f.legal[" + moves_.identifiers[move] + "]", circuit_.legal[move]});
    state.outputs.push_back({"f.terminal", circuit_.terminal});
    for (std::size_t i = 0; i < circuit_.goals.size(); ++i)
      goals.outputs.push_back({fmt::format("f.goal[{}]", i), circuit_.goals[i].wire});
    for (const std::uint32_t fluent : fluents_.order)
      next.outputs.push_back(
          {"f.next[" + fluents_.identifiers[fluent] + "]", circuit_.next[fluent]});
    return {state, goals, next};
  }

  void name_inputs() {
    name_of_.resize(circuit_.circuit.size());
    for (std::size_t fluent = 0; fluent < circuit_.fluents.size(); ++fluent)
      name_of_[node_of(circuit_.fluents[fluent])] = "f.now[" + fluents_.identifiers[fluent] + "]";
    for (std::size_t move = 0; move < circuit_.does.size(); ++move)
      name_of_[node_of(circuit_.does[move])] = "f.does[" + moves_.identifiers[move] + "]";
    for (const circuit::Loop& loop : circuit_.loops) {
      for (const Wire wire : loop.variables)
        name_of_[node_of(wire)] = fmt::format("f.loop[{}]", plan_.number[node_of(wire)]);
    }
    for (Node node = 0; node < plan_.is_shared.size(); ++node) {
      if (plan_.is_shared[node]) name_of_[node] = fmt::format("f.shared[{}]", shared_++);
    }
  }

  void write_head() {
    const GameCircuit::Size size = circuit_.size();
    text_ += fmt::format(
        "// Generated by `zermelo compile` from {}:\n"
        "// {} fluents, {} moves, {} gates with {} inputs.\n",
        string_literal(game_.rulesheet->source->name()), game_.fluents.size(), moves_.order.size(),
        size.gates, size.wires);
  }

  void write_enumerators(const Numbering& numbering, std::string_view what) {
    text_ += fmt::format("\nenum {} : unsigned {{\n", what);
    for (const std::uint32_t index : numbering.order)
      text_ += "  " + numbering.identifiers[index] + ",\n";
    text_ += "};\n";
  }

  void write_strings(std::string_view name, const std::vector<std::string>& strings) {
    text_ += fmt::format("\nconst char* const {}[] = {{\n", name);
    for (const std::string& string : strings) text_ += "    " + string_literal(string) + ",\n";
    text_ += "    nullptr};\n";
  }

  static std::vector<std::string> in_order(const Numbering& numbering) {
    std::vector<std::string> names;
    for (const std::uint32_t index : numbering.order) names.push_back(numbering.names[index]);
    return names;
  }

  void write_tables() {
    text_ += fmt::format(
        "\nconstexpr unsigned roles = {};\nconstexpr unsigned fluents = {};\n"
        "constexpr unsigned moves = {};\nconstexpr unsigned goal_values = {};\n",
        game_.roles.size(), fluents_.order.size(), moves_.order.size(), circuit_.goals.size());
    std::vector<std::string> role_names;
    for (std::uint32_t role = 0; role < game_.roles.size(); ++role)
      role_names.push_back(game_.role_name(role));
    write_strings("role_names", role_names);
    write_enumerators(fluents_, "Fluent");
    write_strings("fluent_names", in_order(fluents_));
    text_ += "\n// Grouped by role.\n";
    write_enumerators(moves_, "Move");
    write_strings("move_names", in_order(moves_));
    append_wrapped(text_,
                   fmt::format("constexpr unsigned first_move[roles + 1] = {{{}}};",
                               fmt::join(first_move_, ", ")),
                   0);
    write_initial();
    write_goal_values();
  }

  void write_initial() {
    text_ +=
        fmt::format("\nconstexpr unsigned initial_fluents = {};\nconst Fluent initially[{}] = {{\n",
                    game_.initial.size(), array_size(game_.initial.size()));
    for (const std::uint32_t fluent : fluents_.order) {
      if (std::binary_search(game_.initial.begin(), game_.initial.end(), fluent))
        text_ += "    " + fluents_.identifiers[fluent] + ",\n";
    }
    text_ += "};\n";
  }

  void write_goal_values() {
    text_ += fmt::format(
        "\n// Ascending values within each role.\nstruct Goal {{\n  unsigned role;\n  int value;\n"
        "}};\nconst Goal goals[{}] = {{\n",
        array_size(circuit_.goals.size()));
    for (const GameCircuit::Goal& goal : circuit_.goals)
      text_ += fmt::format("    {{{}, {}}},\n", goal.role, goal.value);
    text_ += "};\n";
  }

  void write_frame() {
    text_ += fmt::format(
        "\n// The state and the derived values of the games in progress.\nstruct Frame {{\n"
        "  Word now[{0}] = {{}};  // the state\n"
        "  Word legal[{1}] = {{}};  // set by evaluate_state, like terminal\n"
        "  Word terminal = {{}};\n"
        "  Word goal[{2}] = {{}};  // set by evaluate_goals, after evaluate_state\n"
        "  Word does[{1}] = {{}};  // read by evaluate_next\n"
        "  Word next[{0}] = {{}};  // set by evaluate_next, after evaluate_state\n"
        "  Word shared[{3}] = {{}};\n"
        "  Word loop[{4}] = {{}};\n"
        "  Word changed = {{}};\n"
        "}};\n",
        array_size(fluents_.order.size()), array_size(moves_.order.size()),
        array_size(circuit_.goals.size()), array_size(shared_), array_size(plan_.loop_variables));
    if (plan_.loop_variables != 0) text_ += cpp_raise;
  }

  void write_section(const Section& section) {
    std::string calls;
    std::size_t number = 0;
    for (const Block& block : section.blocks) {
      if (block.chunks.empty()) continue;
      std::string block_calls;
      for (const Chunk& chunk : block.chunks) {
        const std::string name = fmt::format("{}_{}", section.name, ++number);
        write_function(name, chunk);
        block_calls += fmt::format("  {}{}(f);\n", block.loop ? "  " : "", name);
      }
      calls += block.loop ? repeated(*block.loop, block_calls) : block_calls;
    }
    text_ += fmt::format("\nvoid evaluate_{}([[maybe_unused]] Frame& f) {{\n{}}}\n", section.name,
                         calls);
  }

  static std::string repeated(const LoopRange& loop, const std::string& calls) {
    return fmt::format(
        "  for (unsigned i = {}; i < {}; ++i) f.loop[i] = Word{{}};\n"
        "  do {{\n    f.changed = Word{{}};\n{}  }} while (any(f.changed));\n",
        loop.first, loop.last, calls);
  }

  void write_function(const std::string& name, const Chunk& chunk) {
    text_ += fmt::format("\nvoid {}(Frame& f) {{\n", name);
    locals_ = 0;
    for (const Statement& statement : chunk) write_statement(statement);
    text_ += "}\n";
  }

  void write_statement(const Statement& statement) {
    const Node node = node_of(statement.wire);
    steps_.take(steps_of_statement + circuit_.circuit.wires(node).size());
    if (statement.raises) {
      append_wrapped(
          text_, fmt::format("raise(f, {}, {});", statement.target, literal(statement.wire)), 2);
    } else if (!statement.target.empty()) {
      write_assignment(
          statement.target, statement.target,
          plan_.is_inlined[node] ? terms(statement.wire) : std::vector{literal(statement.wire)},
          is_negated(statement.wire));
    } else if (plan_.is_shared[node]) {
      write_assignment(name_of_[node], name_of_[node], terms(statement.wire),
                       is_negated(statement.wire));
    } else {
      name_of_[node] = fmt::format("v{}", locals_++);
      const std::vector<std::string> all = terms(statement.wire);
      write_assignment(
          (all.size() > terms_per_statement ? "Word " : "const Word ") + name_of_[node],
          name_of_[node], all, is_negated(statement.wire));
    }
  }

  // Splits a long formula into several statements, since compilers recurse over expressions.
  void write_assignment(const std::string& declaration, const std::string& target,
                        const std::vector<std::string>& terms, bool is_disjunction) {
    const std::string_view operation = is_disjunction ? " | " : " & ";
    for (std::size_t first = 0; first < terms.size(); first += terms_per_statement) {
      const auto begin = terms.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = terms.begin() + static_cast<std::ptrdiff_t>(
                                           std::min(first + terms_per_statement, terms.size()));
      const std::string formula = fmt::format("{}", fmt::join(begin, end, operation));
      append_wrapped(text_,
                     first == 0 ? fmt::format("{} = {};", declaration, formula)
                                : fmt::format("{} {}= {};", target, operation[1], formula),
                     2);
    }
  }

  // The operands of a gate's conjunction, or of the disjunction that is its negation.
  std::vector<std::string> terms(Wire wire) const {
    std::vector<std::string> result;
    for (const Wire inner : circuit_.circuit.wires(node_of(wire)))
      result.push_back(literal(inner ^ static_cast<Wire>(is_negated(wire))));
    return result;
  }

  std::string literal(Wire wire) const {
    const Node node = node_of(wire);
    if (node == 0) return is_negated(wire) ? "Word{}" : "~Word{}";
    if (plan_.is_inlined[node])
      return fmt::format("({})", fmt::join(terms(wire), is_negated(wire) ? " | " : " & "));
    const bool named_by_negation = circuit_.circuit.is_gate(node) && plan_.is_negated[node];
    return (is_negated(wire) != named_by_negation ? "~" : "") + name_of_[node];
  }

  const Game& game_;
  GameCircuit circuit_;
  base::LimitedSteps steps_;
  Identifiers identifiers_;
  Numbering fluents_, moves_;
  std::vector<std::size_t> first_move_;
  Plan plan_;
  std::vector<std::string> name_of_;  // by node
  std::uint32_t shared_ = 0;
  std::size_t locals_ = 0;
  std::string text_;
};

}  // namespace

base::Result<std::string> to_cpp(const Game& game, const base::Limits& limits) {
  auto circuit =
      circuit::build_circuit_within(limits, game, circuit::FixedFluents(game.fluents.size()));
  if (!circuit) return tl::unexpected(circuit.error());
  return base::within_limits([&] {
    circuit::share_pairs(*circuit, limits);
    return Writer(game, std::move(*circuit), limits).run();
  });
}

}  // namespace zermelo::translate
