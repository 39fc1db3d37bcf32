#include "lanes/batch_code.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error_name.h"
#include "lanes/choice_tree.h"
#include "lanes/lower.h"

namespace zermelo::lanes {

namespace {

using Moves = std::vector<std::uint32_t>;

// Bits enough for the rank of every move; at least one.
std::size_t bits_of_ranks(std::size_t moves) {
  return moves < 2 ? 1 : static_cast<std::size_t>(std::bit_width(moves - 1));
}

// Emits one program.
class BatchCompiler {
 public:
  BatchCompiler(const circuit::GameCircuit& circuit, const BatchOptions& options)
      : circuit_(circuit), options_(options), lowering_(builder_, circuit) {}

  void make_look(BatchCode::Look& look) {
    const std::vector<Value> state = read_state();
    lowering_.emit_loops(0, circuit_.state_loops);
    const Value terminal = lowering_.value(circuit_.terminal);
    std::vector<Value> legal, goals;
    for (const circuit::Wire wire : circuit_.legal)
      legal.push_back(builder_.and_not(terminal, lowering_.value(wire)));
    for (const circuit::GameCircuit::Goal& goal : circuit_.goals)
      goals.push_back(builder_.and_(terminal, lowering_.value(goal.wire)));
    const std::vector<Value> turn = turns(legal);
    const Value over = over_in(terminal, legal);
    keep(legal);
    keep(goals);
    keep(turn);
    keep({over});
    finish(look.program);
    look.state = slots(look.program.slots, state);
    look.legal = slots(look.program.slots, legal);
    look.goals = slots(look.program.slots, goals);
    look.turn = slots(look.program.slots, turn);
    look.over = look.program.slots.slot_of[over];
  }

  void make_choose(BatchCode::Choose& choose) {
    const std::vector<Value> legal = inputs(circuit_.legal.size());
    std::vector<ChoiceTree> trees;
    std::vector<std::vector<Value>> numbers;
    std::vector<Value> possible;
    for (const Moves& moves : options_.moves) {
      trees.emplace_back(builder_, leaves(moves, legal));
      keep(trees.back().count());
      numbers.push_back(inputs(bits_of_ranks(std::max<std::size_t>(1, moves.size()))));
      possible.push_back(input());
    }
    choose.count_operations = builder_.take_program();
    std::vector<std::vector<Value>> fields;
    for (std::size_t role = 0; role < trees.size(); ++role) {
      fields.push_back(ranks(trees[role].descend(numbers[role], possible[role])));
      fields.back().push_back(builder_.not_(possible[role]));
      keep(fields.back());
    }
    choose.pick_operations = builder_.take_program();
    finish_choose(choose);
    choose.legal = slots(choose.slots, legal);
    for (std::size_t role = 0; role < trees.size(); ++role) {
      choose.draws.push_back({slots(choose.slots, trees[role].count()),
                              slots(choose.slots, numbers[role]),
                              choose.slots.slot_of[possible[role]]});
      choose.fields.push_back(slots(choose.slots, fields[role]));
    }
  }

  void make_step(BatchCode::Step& step) {
    const std::vector<Value> state = read_state();
    const std::vector<Value> legal = inputs(circuit_.legal.size());
    const Value stays = input();
    std::vector<std::vector<Value>> fields;
    std::vector<Value> illegal;
    for (const Moves& moves : options_.moves) {
      fields.push_back(inputs(bits_of_ranks(moves.size()) + 1));
      illegal.push_back(read_choice(moves, legal, fields.back()));
    }
    lowering_.emit_loops(0, circuit_.loops.size());
    std::vector<Value> next;
    for (std::size_t fluent = 0; fluent < state.size(); ++fluent) {
      const Value changed = lowering_.value(circuit_.next[fluent]);
      next.push_back(builder_.choose(stays, state[fluent], changed));
    }
    keep(next);
    keep(illegal);
    finish(step.program);
    step.state = slots(step.program.slots, state);
    step.legal = slots(step.program.slots, legal);
    step.next = slots(step.program.slots, next);
    step.illegal = slots(step.program.slots, illegal);
    step.stays = step.program.slots.slot_of[stays];
    for (const auto& field : fields) step.fields.push_back(slots(step.program.slots, field));
  }

 private:
  Value input() {
    kept_.push_back(builder_.add_input());
    return kept_.back();
  }

  std::vector<Value> inputs(std::size_t count) {
    std::vector<Value> values(count);
    for (Value& value : values) value = input();
    return values;
  }

  void keep(const std::vector<Value>& values) {
    kept_.insert(kept_.end(), values.begin(), values.end());
  }

  std::vector<Value> read_state() {
    std::vector<Value> state = inputs(circuit_.fluents.size());
    for (std::size_t fluent = 0; fluent < state.size(); ++fluent)
      lowering_.bind(circuit_.fluents[fluent], state[fluent]);
    return state;
  }

  std::vector<Value> leaves(const Moves& moves, const std::vector<Value>& legal) {
    std::vector<Value> leaves;
    for (const std::uint32_t move : moves) leaves.push_back(legal[move]);
    if (leaves.empty()) leaves.push_back(builder_.zero());
    return leaves;
  }

  Value any_of(const Moves& moves, const std::vector<Value>& legal) {
    Value any = builder_.zero();
    for (const std::uint32_t move : moves) any = builder_.or_(any, legal[move]);
    return any;
  }

  Value several_of(const Moves& moves, const std::vector<Value>& legal) {
    Value any = builder_.zero(), several = builder_.zero();
    for (const std::uint32_t move : moves) {
      several = builder_.or_(several, builder_.and_(any, legal[move]));
      any = builder_.or_(any, legal[move]);
    }
    return several;
  }

  Value acts(const Moves& moves, const std::vector<Value>& legal) {
    Value acts = builder_.zero();
    for (const std::uint32_t move : moves)
      if (options_.acting[move]) acts = builder_.or_(acts, legal[move]);
    return acts;
  }

  // By role, the lanes in which it is the only one that has a choice, or if none has, the first
  // that acts.
  std::vector<Value> turns(const std::vector<Value>& legal) {
    std::vector<Value> choice, turn;
    Value none = builder_.ones(), many = builder_.zero();
    for (const Moves& moves : options_.moves) {
      choice.push_back(several_of(moves, legal));
      many = builder_.or_(many, builder_.and_not(none, choice.back()));
      none = builder_.and_not(choice.back(), none);
    }
    for (std::size_t role = 0; role < choice.size(); ++role) {
      const Value first = builder_.and_(none, acts(options_.moves[role], legal));
      none = builder_.and_not(first, none);
      turn.push_back(builder_.or_(first, builder_.and_not(many, choice[role])));
    }
    return turn;
  }

  Value over_in(Value terminal, const std::vector<Value>& legal) {
    Value over = terminal;
    for (const Moves& moves : options_.moves)
      over = builder_.or_(over, builder_.not_(any_of(moves, legal)));
    return over;
  }

  // The rank of the chosen move, as bits.
  std::vector<Value> ranks(const std::vector<Value>& chosen) {
    std::vector<Value> bits(bits_of_ranks(chosen.size()), builder_.zero());
    for (std::size_t rank = 0; rank < chosen.size(); ++rank) {
      for (std::size_t bit = 0; bit < bits.size(); ++bit)
        if (rank >> bit & 1) bits[bit] = builder_.or_(bits[bit], chosen[rank]);
    }
    return bits;
  }

  // Binds the moves of a role to what its field says. Returns the lanes where that is not one legal
  // move.
  Value read_choice(const Moves& moves, const std::vector<Value>& legal,
                    const std::vector<Value>& field) {
    const Value forced = field.back();
    Value made_legally = builder_.zero();
    for (std::size_t rank = 0; rank < moves.size(); ++rank) {
      Value made = builder_.not_(forced);
      for (std::size_t bit = field.size() - 1; bit-- > 0;)
        made =
            rank >> bit & 1 ? builder_.and_(made, field[bit]) : builder_.and_not(field[bit], made);
      made = builder_.or_(made, builder_.and_(forced, legal[moves[rank]]));
      made_legally = builder_.or_(made_legally, builder_.and_(made, legal[moves[rank]]));
      lowering_.bind(circuit_.does[moves[rank]], made);
    }
    const Value unclear = builder_.and_(forced, several_of(moves, legal));
    return builder_.or_(unclear, builder_.not_(made_legally));
  }

  std::vector<Value> kept_and_constants() const {
    std::vector<Value> kept = {builder_.zero(), builder_.ones()};
    kept.insert(kept.end(), kept_.begin(), kept_.end());
    return kept;
  }

  void finish(BatchCode::Program& program) {
    program.operations = builder_.take_program();
    const std::vector<Value> kept = kept_and_constants();
    optimise_for(options_.backend, {&program.operations}, kept, builder_.values());
    program.slots = allocate_slots({&program.operations}, kept, builder_.values());
    program.code = make_executor(options_.backend, program.operations, program.slots, {});
  }

  void finish_choose(BatchCode::Choose& choose) {
    LaneProgram& count = choose.count_operations;
    LaneProgram& pick = choose.pick_operations;
    const std::vector<Value> kept = kept_and_constants();
    optimise_for(options_.backend, {&count, &pick}, kept, builder_.values());
    choose.slots = allocate_slots({&count, &pick}, kept, builder_.values());
    choose.count = make_executor(options_.backend, count, choose.slots, {&pick});
    choose.pick = make_executor(options_.backend, pick, choose.slots, {});
  }

  static std::vector<Slot> slots(const SlotMap& map, const std::vector<Value>& values) {
    std::vector<Slot> result;
    for (const Value value : values) result.push_back(map.slot_of[value]);
    return result;
  }

  const circuit::GameCircuit& circuit_;
  const BatchOptions& options_;
  LaneBuilder builder_;
  Lowering lowering_;
  std::vector<Value> kept_;
};

}  // namespace

base::Result<std::shared_ptr<const BatchCode>> BatchCode::make(const circuit::CompiledGame& game,
                                                               const BatchOptions& options) {
  const auto whole = game.whole(options.limits);
  if (!whole) return tl::unexpected(whole.error());
  circuit::GameCircuit circuit = **whole;
  const auto shared = base::within_limits([&] { circuit::share_pairs(circuit, options.limits); });
  if (!shared) return tl::unexpected(shared.error());
  const std::shared_ptr<BatchCode> code(new BatchCode);
  code->goal_values_ = circuit.goals;
  code->moves_ = options.moves;
  code->initial_ = game.game().initial;
  BatchCompiler(circuit, options).make_look(code->look_);
  BatchCompiler(circuit, options).make_choose(code->choose_);
  BatchCompiler(circuit, options).make_step(code->step_);
  if (const auto exceeded = options.limits.exceeded())
    return tl::unexpected(base::limit_error(*exceeded, "while compiling the game"));
  return code;
}

}  // namespace zermelo::lanes
