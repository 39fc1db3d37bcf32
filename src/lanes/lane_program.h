// Straight-line programs of bitwise operations over lanes: one operation advances as many games as
// a machine word or vector has bits.
//
// Values are numbered in static single assignment form. LaneBuilder folds constants and shares
// equal operations. A program is a list of blocks that run in order; a looping block is repeated
// until its `changed` value is zero in all lanes. allocate_slots assigns every value to a slot of a
// frame, the memory of one running program, and reuses the slots of values that are not needed any
// more.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zermelo::lanes {

using Value = std::uint32_t;
using Slot = std::uint32_t;
inline constexpr Value no_value = ~Value{0};
// Constants have the first numbers.
inline constexpr Value zero_value = 0;
inline constexpr Value ones_value = 1;

// and_not: ~a & b. table: any function of three operands.
enum class Operation : std::uint8_t { and_, and_not, or_, xor_, table };

struct LaneOp {
  Operation operation;
  std::uint8_t table;  // of three operands: bit 4a + 2b + c is the result for these bits
  Value target;
  Value a, b;
  Value c;  // equal to b if there are two operands

  std::array<Value, 3> operands() const { return {a, b, c}; }
};

struct Block {
  std::vector<LaneOp> ops;
  Value changed = no_value;  // of a looping block
  // Of a looping block. They start with zero; after each pass, variable i takes value i.
  std::vector<Value> variables;
  std::vector<Value> values;

  bool loops() const { return changed != no_value; }
};

struct LaneProgram {
  std::vector<Block> blocks;
  std::size_t operations() const;
};

class LaneBuilder {
 public:
  LaneBuilder();

  Value zero() const { return zero_value; }
  Value ones() const { return ones_value; }
  // A value that is written from outside and never overwritten.
  Value add_input() { return values_++; }

  Value and_(Value a, Value b);
  Value and_not(Value a, Value b);
  Value or_(Value a, Value b);
  Value xor_(Value a, Value b);
  Value not_(Value a) { return and_not(a, ones()); }
  // selector ? a : b
  Value choose(Value selector, Value a, Value b);

  // Returns the program so far and starts the next one, which may still use its values.
  LaneProgram take_program();
  // The operations emitted between these calls form one looping block.
  void begin_loop();
  void end_loop(std::vector<Value> variables, std::vector<Value> values);

  Value values() const { return values_; }

 private:
  Value emit(Operation operation, Value a, Value b);

  LaneProgram program_;
  bool in_loop_ = false;
  Value values_ = 2;
  std::unordered_map<std::uint64_t, Value> known_[4];
};

// Reorders each block so that operations of one kind are adjacent where dependencies permit it.
void group_operations(LaneProgram& program);
// Fuses two operations into one with three operands if only the second reads the result of the
// first. Programs run one after the other; `kept` values are read afterwards.
void fuse_operations(const std::vector<LaneProgram*>& in_order, const std::vector<Value>& kept,
                     Value values);

// The slot of each value. Slots of inputs and `kept` values are never reused.
struct SlotMap {
  std::vector<Slot> slot_of;
  std::vector<bool> is_kept;  // by value
  Slot slots = 0;
};
// Slots that are assigned in advance: their values, and the number of first slots that no other
// value may use.
struct ReservedSlots {
  std::vector<std::pair<Value, Slot>> kept;
  Slot count = 0;
};
SlotMap allocate_slots(const std::vector<const LaneProgram*>& in_order,
                       const std::vector<Value>& kept, Value values,
                       const ReservedSlots& reserved = {});

}  // namespace zermelo::lanes
