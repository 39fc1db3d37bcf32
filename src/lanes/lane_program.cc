#include "lanes/lane_program.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace zermelo::lanes {

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

Value LaneBuilder::choose(Value selector, Value a, Value b) {
  return xor_(b, and_(selector, xor_(a, b)));
}

Value LaneBuilder::emit(Operation operation, Value a, Value b) {
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  const auto [place, added] = known_[static_cast<int>(operation)].try_emplace(key, values_);
  if (added) program_.blocks.back().ops.push_back({operation, 0, values_++, a, b, b});
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
  for (std::size_t i = 0; i < variables.size(); ++i)
    changed = or_(changed, xor_(variables[i], values[i]));
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
  SlotAllocation(const std::vector<const LaneProgram*>& in_order, const std::vector<Value>& kept,
                 Value values, const ReservedSlots& reserved)
      : in_order_(in_order) {
    map_.slot_of.assign(values, unplaced);
    map_.is_kept.assign(values, false);
    map_.slots = reserved.count;
    last_use_.assign(values, 0);
    for (const auto& [value, slot] : reserved.kept) {
      map_.slot_of[value] = slot;
      keep(value);
    }
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

  // Values that a loop reads or writes are used until its end.
  void note_uses(const Block& block) {
    const std::size_t end = time_ + block.ops.size();
    for (const LaneOp& op : block.ops) {
      for (const Value operand : op.operands()) last_use_[operand] = block.loops() ? end : time_;
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
      for (const Value operand : op.operands()) release(operand);
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
      for (const Value operand : op.operands()) release(operand);
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

namespace {

// List scheduling: among the operations whose operands are ready, the most frequent kind is next.
std::vector<LaneOp> grouped(const std::vector<LaneOp>& ops) {
  std::unordered_map<Value, std::size_t> made_by;
  for (std::size_t i = 0; i < ops.size(); ++i) made_by.emplace(ops[i].target, i);
  std::vector<std::vector<std::size_t>> readers(ops.size());
  std::vector<int> waits_for(ops.size(), 0);
  std::vector<std::size_t> ready[4];
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (const Value operand : {ops[i].a, ops[i].b}) {
      const auto maker = made_by.find(operand);
      if (maker == made_by.end()) continue;
      readers[maker->second].push_back(i);
      ++waits_for[i];
    }
    if (waits_for[i] == 0) ready[static_cast<int>(ops[i].operation)].push_back(i);
  }
  std::vector<LaneOp> result;
  while (result.size() < ops.size()) {
    auto& most =
        *std::max_element(std::begin(ready), std::end(ready),
                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    while (!most.empty()) {
      const std::size_t i = most.back();
      most.pop_back();
      result.push_back(ops[i]);
      for (const std::size_t reader : readers[i]) {
        if (--waits_for[reader] == 0)
          ready[static_cast<int>(ops[reader].operation)].push_back(reader);
      }
    }
  }
  return result;
}

}  // namespace

void group_operations(LaneProgram& program) {
  for (Block& block : program.blocks) block.ops = grouped(block.ops);
}

SlotMap allocate_slots(const std::vector<const LaneProgram*>& in_order,
                       const std::vector<Value>& kept, Value values,
                       const ReservedSlots& reserved) {
  return SlotAllocation(in_order, kept, values, reserved).run();
}

}  // namespace zermelo::lanes
