#include "machine/lane_program.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace zermelo::machine {

std::size_t LaneProgram::operations() const {
  std::size_t total = 0;
  for (const Block& block : blocks) total += block.ops.size();
  return total;
}

LaneBuilder::LaneBuilder() { program_.blocks.emplace_back(); }

Value LaneBuilder::and_(Value a, Value b) {
  if (a == zero() || b == zero()) return zero();
  if (a == ones() || a == b) return b;
  if (b == ones()) return a;
  return emit(Operation::and_, std::min(a, b), std::max(a, b));
}

Value LaneBuilder::and_not(Value a, Value b) {
  if (a == ones() || b == zero() || a == b) return zero();
  if (a == zero()) return b;
  return emit(Operation::and_not, a, b);
}

Value LaneBuilder::or_(Value a, Value b) {
  if (a == ones() || b == ones()) return ones();
  if (a == zero() || a == b) return b;
  if (b == zero()) return a;
  return emit(Operation::or_, std::min(a, b), std::max(a, b));
}

Value LaneBuilder::xor_(Value a, Value b) {
  if (a == b) return zero();
  if (a == zero()) return b;
  if (b == zero()) return a;
  if (a == ones()) return not_(b);
  if (b == ones()) return not_(a);
  return emit(Operation::xor_, std::min(a, b), std::max(a, b));
}

Value LaneBuilder::choose(Value selector, Value a, Value b) { return xor_(b, and_(selector, xor_(a, b))); }

Value LaneBuilder::emit(Operation operation, Value a, Value b) {
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  const auto [place, added] = known_[static_cast<int>(operation)].try_emplace(key, values_);
  if (added) program_.blocks.back().ops.push_back({operation, values_++, a, b});
  return place->second;
}

LaneProgram LaneBuilder::take_program() {
  assert(!in_loop_);
  LaneProgram taken = std::exchange(program_, {});
  program_.blocks.emplace_back();
  return taken;
}

void LaneBuilder::begin_loop() {
  assert(!in_loop_);
  in_loop_ = true;
  program_.blocks.emplace_back();
}

void LaneBuilder::end_loop(std::vector<Value> variables, std::vector<Value> values) {
  Value changed = zero();
  for (std::size_t i = 0; i < variables.size(); ++i) changed = or_(changed, xor_(variables[i], values[i]));
  Block& loop = program_.blocks.back();
  loop.changed = changed;
  loop.variables = std::move(variables);
  loop.values = std::move(values);
  in_loop_ = false;
  program_.blocks.emplace_back();
}

namespace {

class SlotAllocation {
 public:
  SlotAllocation(const std::vector<const LaneProgram*>& in_order, const std::vector<Value>& kept, Value values)
      : in_order_(in_order) {
    map_.slot_of.assign(values, unplaced);
    map_.is_kept.assign(values, false);
    last_use_.assign(values, 0);
    for (const Value value : kept) keep(value);
  }

  SlotMap run() {
    for_each_block([&](const Block& block) { note_uses(block); });
    time_ = 0;
    for_each_block([&](const Block& block) { place(block); });
    return std::move(map_);
  }

 private:
  static constexpr Slot unplaced = ~Slot{0};

  template <class Visit>
  void for_each_block(Visit visit) {
    for (const LaneProgram* program : in_order_) {
      for (const Block& block : program->blocks) visit(block);
    }
  }

  void keep(Value value) {
    map_.is_kept[value] = true;
    if (map_.slot_of[value] == unplaced) map_.slot_of[value] = map_.slots++;
  }

  // What a loop reads or writes is used until its end.
  void note_uses(const Block& block) {
    const std::size_t end = time_ + block.ops.size();
    for (const LaneOp& op : block.ops) {
      last_use_[op.a] = last_use_[op.b] = block.loops() ? end : time_;
      if (block.loops()) last_use_[op.target] = std::max(last_use_[op.target], end);
      ++time_;
    }
    if (!block.loops()) return;
    for (const Value value : block.variables) keep(value);
    for (const Value value : block.values) keep(value);
    keep(block.changed);
  }

  void place(const Block& block) {
    for (const LaneOp& op : block.ops) {
      release(op.a);
      if (op.b != op.a) release(op.b);
      if (map_.slot_of[op.target] == unplaced) map_.slot_of[op.target] = free_slot();
      release(op.target);
      ++time_;
    }
    if (block.loops()) release_loop(block);
  }

  void release(Value value) {
    if (!map_.is_kept[value] && last_use_[value] <= time_ && map_.slot_of[value] != unplaced) {
      free_.push_back(map_.slot_of[value]);
      last_use_[value] = never;
    }
  }

  void release_loop(const Block& block) {
    for (const LaneOp& op : block.ops) {
      release(op.a);
      release(op.b);
      release(op.target);
    }
  }

  Slot free_slot() {
    if (free_.empty()) return map_.slots++;
    const Slot slot = free_.back();
    free_.pop_back();
    return slot;
  }

  static constexpr std::size_t never = ~std::size_t{0};

  const std::vector<const LaneProgram*>& in_order_;
  SlotMap map_;
  std::vector<std::size_t> last_use_;  // by value
  std::vector<Slot> free_;
  std::size_t time_ = 0;
};

}  // namespace

SlotMap allocate_slots(const std::vector<const LaneProgram*>& in_order, const std::vector<Value>& kept, Value values) {
  return SlotAllocation(in_order, kept, values).run();
}

}  // namespace zermelo::machine
