#include "lanes/sliced_machine.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

#include "base/error_name.h"
#include "lanes/choice_tree.h"
#include "lanes/lower.h"

namespace zermelo::lanes {

namespace {

using ground::Atom;
using ground::Game;

// Goals are evaluated at every step if they add less than this fraction of the step's operations.
constexpr double cheap_goals = 0.25;

std::vector<bool> values_read(const LaneProgram& program, const std::vector<Value>& outputs,
                              Value values) {
  std::vector<bool> read(values);
  for (const Value value : outputs) read[value] = true;
  for (const Block& block : program.blocks) {
    for (const LaneOp& op : block.ops) {
      for (const Value operand : op.operands()) read[operand] = true;
    }
  }
  return read;
}

std::size_t operations_of(const std::vector<SlicedPhase>& phases) {
  std::size_t total = 0;
  for (const SlicedPhase& phase : phases)
    total += phase.before_choice.operations() + phase.after_choice.operations();
  return total;
}

// Whether the order of the copies does not matter.
[[maybe_unused]] bool are_independent(const std::vector<SlotCopy>& copies) {
  std::unordered_set<Slot> written;
  for (const SlotCopy& copy : copies) written.insert(copy.to);
  return std::none_of(copies.begin(), copies.end(),
                      [&](const SlotCopy& copy) { return written.contains(copy.from); });
}

// Emits one phase. Values are translated to slots at the end.
class PhaseCompiler {
 public:
  PhaseCompiler(const Game& game, const circuit::GameCircuit& circuit, const SlicedOptions& options)
      : game_(game), circuit_(circuit), options_(options), lowering_(builder_, circuit) {}

  struct Task {
    const std::vector<Atom>& live;
    const std::vector<bool>& initial;
    const std::vector<circuit::FixedFluents>& fixed;  // by phase
    std::size_t number;                               // of the phase
    bool with_goals;

    std::size_t following() const { return (number + 1) % fixed.size(); }
    bool is_last() const { return following() == 0; }
    Slot state_slot(std::size_t phase, std::size_t i) const {
      return static_cast<Slot>(phase * live.size() + i);
    }
  };

  SlicedPhase run(const Task& task) {
    read_state(task.live);
    lowering_.emit_loops(0, circuit_.state_loops);
    for (const circuit::Wire wire : circuit_.legal) legal_.push_back(lowering_.value(wire));
    const Value terminal = keep(lowering_.value(circuit_.terminal));
    std::vector<Value> goals;
    for (const circuit::GameCircuit::Goal& goal : circuit_.goals) {
      if (task.with_goals) goals.push_back(keep(lowering_.value(goal.wire)));
    }
    for (std::uint32_t role = 0; role < game_.roles.size(); ++role) add_role(role);
    phase_.before_choice = builder_.take_program();

    for (Choice& choice : choices_) descend(choice);
    lowering_.emit_loops(circuit_.state_loops, circuit_.loops.size());
    const std::vector<Value> next = next_state(task);
    if (options_.observe_moves || options_.observe_chosen_moves) observe();
    phase_.after_choice = builder_.take_program();
    allocate(task, next);
    finish(terminal, goals);
    place_fluents(task);
    return std::move(phase_);
  }

 private:
  struct Leaf {
    Value legal;
    std::vector<std::uint32_t> moves;
  };
  struct Choice {
    std::vector<Leaf> leaves;
    std::unique_ptr<ChoiceTree> tree;
    std::vector<Value> number;
    Value possible;
  };

  Value keep(Value value) {
    kept_.push_back(value);
    return value;
  }

  // Fluents that are not live may still occur in conditions that have no effect.
  void read_state(const std::vector<Atom>& live) {
    for (const circuit::Wire fluent : circuit_.fluents) lowering_.bind(fluent, builder_.zero());
    for (const Atom fluent : live) {
      state_.push_back(builder_.add_input());
      lowering_.bind(circuit_.fluents[fluent], state_.back());
    }
    for (const circuit::Wire move : circuit_.does) lowering_.bind(move, builder_.zero());
  }

  void add_role(std::uint32_t role) {
    std::vector<Leaf> leaves = leaves_of(role);
    if (leaves.empty()) {
      forced_.push_back(builder_.zero());
    } else if (leaves.size() == 1 && leaves[0].moves.size() == 1) {
      forced_.push_back(keep(leaves[0].legal));
      lowering_.bind(circuit_.does[leaves[0].moves[0]], builder_.ones());
    } else {
      add_choice(std::move(leaves));
    }
  }

  // The moves that can be legal; mutually exclusive moves share one leaf.
  std::vector<Leaf> leaves_of(std::uint32_t role) {
    std::vector<Leaf> leaves;
    std::vector<bool> done(game_.moves.size());
    const auto add = [&](std::vector<std::uint32_t> moves) {
      Leaf leaf{builder_.zero(), {}};
      for (const std::uint32_t move : moves) {
        if (done[move] || legal_[move] == builder_.zero()) continue;
        done[move] = true;
        leaf.legal = builder_.or_(leaf.legal, legal_[move]);
        leaf.moves.push_back(move);
      }
      if (!leaf.moves.empty()) leaves.push_back(std::move(leaf));
    };
    for (const std::vector<std::uint32_t>& group : options_.exclusive_moves) {
      if (!group.empty() && game_.moves[group[0]].role == role) add(group);
    }
    for (std::uint32_t move = game_.first_move_of[role]; move < game_.first_move_of[role + 1];
         ++move)
      add({move});
    return leaves;
  }

  void add_choice(std::vector<Leaf> leaves) {
    Choice choice{std::move(leaves), nullptr, {}, builder_.zero()};
    std::vector<Value> legal;
    for (const Leaf& leaf : choice.leaves) legal.push_back(leaf.legal);
    choice.tree = std::make_unique<ChoiceTree>(builder_, std::move(legal));
    for (const Value bit : choice.tree->count()) keep(bit);
    for (std::size_t rest = choice.leaves.size() - 1; choice.number.empty() || rest > 0; rest /= 2)
      choice.number.push_back(keep(builder_.add_input()));
    choice.possible = keep(builder_.add_input());
    choices_.push_back(std::move(choice));
  }

  void descend(Choice& choice) {
    const std::vector<Value> chosen = choice.tree->descend(choice.number, choice.possible);
    for (std::size_t i = 0; i < choice.leaves.size(); ++i) {
      const Leaf& leaf = choice.leaves[i];
      for (const std::uint32_t move : leaf.moves) {
        const Value made =
            leaf.moves.size() == 1 ? chosen[i] : builder_.and_(chosen[i], legal_[move]);
        lowering_.bind(circuit_.does[move], made);
      }
    }
  }

  // The only possible move of a role is made in every lane.
  void observe() {
    for (std::uint32_t move = 0; move < game_.moves.size(); ++move) {
      if (options_.observe_moves) keep(legal_[move]);
      does_.push_back(keep(lowering_.value(circuit_.does[move])));
    }
  }

  std::vector<Value> next_state(const Task& task) {
    std::vector<Value> next;
    if (task.is_last()) restart_ = keep(builder_.add_input());
    for (std::size_t i = 0; i < task.live.size(); ++i) {
      Value value = lowering_.value(circuit_.next[task.live[i]]);
      if (task.is_last())
        value =
            task.initial[i] ? builder_.or_(value, *restart_) : builder_.and_not(*restart_, value);
      next.push_back(keep(value));
    }
    return next;
  }

  void allocate(const Task& task, const std::vector<Value>& next) {
    optimise_for(options_.backend, {&phase_.before_choice, &phase_.after_choice}, kept_,
                 builder_.values());
    ReservedSlots reserved = slots_of_inputs(task);
    const std::vector<std::size_t> elsewhere = place_next(task, next, reserved);
    phase_.slots = allocate_slots({&phase_.before_choice, &phase_.after_choice}, kept_,
                                  builder_.values(), reserved);
    for (const std::size_t i : elsewhere) {
      phase_.copies.push_back(
          {phase_.slots.slot_of[next[i]], task.state_slot(task.following(), i)});
    }
    assert(are_independent(phase_.copies));
  }

  ReservedSlots slots_of_inputs(const Task& task) const {
    const Slot constants = task.state_slot(task.fixed.size(), 0);
    ReservedSlots reserved{{{builder_.zero(), constants}, {builder_.ones(), constants + 1}},
                           constants + 2};
    for (std::size_t i = 0; i < state_.size(); ++i)
      reserved.kept.push_back({state_[i], task.state_slot(task.number, i)});
    return reserved;
  }

  // Computes values of the next state directly in their slots, except for values that already have
  // a slot and, in a game of one phase, if the slot is still to be read. Returns the exceptions.
  std::vector<std::size_t> place_next(const Task& task, const std::vector<Value>& next,
                                      ReservedSlots& reserved) const {
    std::vector<std::size_t> elsewhere;
    std::unordered_set<Value> placed;
    for (const auto& [value, slot] : reserved.kept) placed.insert(value);
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (task.fixed.size() > 1 && placed.insert(next[i]).second) {
        reserved.kept.push_back({next[i], task.state_slot(task.following(), i)});
      } else {
        elsewhere.push_back(i);
      }
    }
    return elsewhere;
  }

  void finish(Value terminal, const std::vector<Value>& goals) {
    const auto slot = [&](Value value) { return phase_.slots.slot_of[value]; };
    const auto slots = [&](const std::vector<Value>& values) {
      std::vector<Slot> result;
      for (const Value value : values) result.push_back(slot(value));
      return result;
    };
    phase_.state = slots(state_);
    phase_.goals = slots(goals);
    phase_.forced = slots(forced_);
    phase_.terminal = slot(terminal);
    if (options_.observe_moves) phase_.legal = slots(legal_);
    if (options_.observe_moves || options_.observe_chosen_moves) phase_.does = slots(does_);
    if (restart_) phase_.restart = slot(*restart_);
    for (const Choice& choice : choices_) {
      phase_.draws.push_back(
          {slots(choice.tree->count()), slots(choice.number), slot(choice.possible)});
    }
  }

  void place_fluents(const Task& task) {
    const Slot zero = phase_.slots.slot_of[builder_.zero()];
    const Slot ones = phase_.slots.slot_of[builder_.ones()];
    for (const std::optional<bool>& fixed : task.fixed[task.number])
      phase_.fluents.push_back(fixed.value_or(false) ? ones : zero);
    for (std::size_t i = 0; i < task.live.size(); ++i)
      phase_.fluents[task.live[i]] = phase_.state[i];
  }

  const Game& game_;
  const circuit::GameCircuit& circuit_;
  const SlicedOptions& options_;
  LaneBuilder builder_;
  Lowering lowering_;
  SlicedPhase phase_;
  std::vector<Value> kept_, state_, legal_, does_, forced_;
  std::vector<Choice> choices_;
  std::optional<Value> restart_;
};

}  // namespace

base::Result<std::shared_ptr<const SlicedMachine>> SlicedMachine::make(
    std::shared_ptr<const circuit::CompiledGame> compiled, const SlicedOptions& options) {
  const std::shared_ptr<SlicedMachine> machine(new SlicedMachine(std::move(compiled), options));
  if (auto done = machine->build(); !done) return tl::unexpected(done.error());
  return machine;
}

base::Result<void> SlicedMachine::within_limits() const {
  const auto exceeded = options_.limits.exceeded();
  if (!exceeded) return {};
  return tl::unexpected(base::limit_error(*exceeded, "while compiling the game"));
}

// Holds the whole circuit until it is known whether the goals need it.
base::Result<void> SlicedMachine::build() {
  if (auto within = within_limits(); !within) return within;
  const auto whole = compiled_->whole(options_.limits);
  if (!whole) return tl::unexpected(whole.error());
  goal_values_ = (*whole)->goals;
  if (auto read = read_facts(); !read) return read;
  if (auto compiled = compile_phases(); !compiled) return compiled;
  const bool has_goals = !phases_[0].goals.empty() || goal_values_.empty();
  if (has_goals) return {};
  circuit::GameCircuit goals = **whole;
  const auto shared = base::within_limits([&] { circuit::share_pairs(goals, options_.limits); });
  if (!shared) return shared;
  compile_goals(goals);
  return within_limits();
}

base::Result<void> SlicedMachine::read_facts() {
  const auto facts = compiled_->facts(options_.limits);
  if (!facts) return tl::unexpected(facts.error());
  fixed_ = (*facts)->phases;
  live_ = (*facts)->live;
  std::erase_if(live_, [&](Atom fluent) { return fixed_[0][fluent].has_value(); });
  const std::vector<Atom>& initial = game().initial;
  for (const Atom fluent : live_) {
    initial_.push_back(std::binary_search(initial.begin(), initial.end(), fluent));
  }
  return {};
}

// Includes goals if they are cheap.
base::Result<void> SlicedMachine::compile_phases() {
  const auto circuits = compiled_->reduced_circuits(options_.limits);
  if (!circuits) return tl::unexpected(circuits.error());
  auto without_goals = compile(**circuits, false);
  if (!without_goals) return tl::unexpected(without_goals.error());
  auto with_goals = compile(**circuits, true);
  if (!with_goals) return tl::unexpected(with_goals.error());
  const auto most = static_cast<double>(operations_of(*without_goals)) * (1 + cheap_goals);
  const bool cheap = static_cast<double>(operations_of(*with_goals)) <= most;
  phases_ = std::move(cheap ? *with_goals : *without_goals);
  return {};
}

base::Result<std::vector<SlicedPhase>> SlicedMachine::compile(const circuit::Circuits& circuits,
                                                              bool with_goals) const {
  std::vector<SlicedPhase> phases;
  for (std::size_t k = 0; k < circuits.size(); ++k) {
    phases.push_back(PhaseCompiler(game(), *circuits[k], options_)
                         .run({live_, initial_, fixed_, k, with_goals}));
    if (auto within = within_limits(); !within) return tl::unexpected(within.error());
  }
  return phases;
}

void SlicedMachine::compile_goals(const circuit::GameCircuit& whole) {
  LaneBuilder builder;
  Lowering lowering(builder, whole);
  std::vector<Value> state, goals, kept{builder.zero(), builder.ones()};
  for (const circuit::Wire wire : whole.fluents) {
    state.push_back(builder.add_input());
    lowering.bind(wire, state.back());
  }
  lowering.emit_loops(0, whole.state_loops);
  for (const circuit::GameCircuit::Goal& goal : whole.goals)
    goals.push_back(lowering.value(goal.wire));
  kept.insert(kept.end(), state.begin(), state.end());
  kept.insert(kept.end(), goals.begin(), goals.end());
  goals_.emplace();
  goals_->program = builder.take_program();
  optimise_for(options_.backend, {&goals_->program}, kept, builder.values());
  goals_->slots = allocate_slots({&goals_->program}, kept, builder.values());
  const std::vector<bool> read = values_read(goals_->program, goals, builder.values());
  for (Atom fluent = 0; fluent < state.size(); ++fluent) {
    if (!read[state[fluent]]) continue;
    goals_->fluents.push_back(fluent);
    goals_->state.push_back(goals_->slots.slot_of[state[fluent]]);
  }
  for (const Value value : goals) goals_->goals.push_back(goals_->slots.slot_of[value]);
}

std::optional<std::size_t> SlicedMachine::phase_of(const base::BitSet& state) const {
  for (std::size_t k = 0; k < fixed_.size(); ++k) {
    bool fits = true;
    for (Atom fluent = 0; fluent < fixed_[k].size() && fits; ++fluent) {
      fits = !fixed_[k][fluent] || *fixed_[k][fluent] == state.test(fluent);
    }
    if (fits) return k;
  }
  return std::nullopt;
}

std::size_t SlicedMachine::operations() const { return operations_of(phases_); }

}  // namespace zermelo::lanes
