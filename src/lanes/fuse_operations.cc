// Fuses pairs of operations into one with three operands, for processors with such an instruction.
//
// A value that only one other operation of its block reads need not be computed separately: its
// reader computes it as well. An operation takes part in at most one pair, so this is a matching of
// producers and readers. In the order of the block, each operation takes the first of its operands
// that is free. If the operations form trees, this is a maximum matching.
#include <algorithm>
#include <cassert>

#include "lanes/lane_program.h"

namespace zermelo::lanes {

namespace {

// The tables of the operands themselves.
constexpr std::uint8_t table_a = 0xf0, table_b = 0xcc, table_c = 0xaa;

std::uint8_t apply(Operation operation, std::uint8_t a, std::uint8_t b) {
  switch (operation) {
    case Operation::and_:
      return a & b;
    case Operation::and_not:
      return static_cast<std::uint8_t>(~a) & b;
    case Operation::or_:
      return a | b;
    case Operation::xor_:
      return a ^ b;
    case Operation::table:
      break;
  }
  assert(false);
  return 0;
}

class Fusion {
 public:
  Fusion(const std::vector<LaneProgram*>& in_order, const std::vector<Value>& kept, Value values)
      : readers_(values, 0), made_at_(values, elsewhere) {
    for (const Value value : kept) readers_[value] += 2;
    for (const LaneProgram* program : in_order) {
      for (const Block& block : program->blocks) count_readers(block);
    }
  }

  void run(Block& block) {
    for (std::size_t i = 0; i < block.ops.size(); ++i) {
      if (!take_operand(block.ops, i)) made_at_[block.ops[i].target] = i;
    }
    std::erase_if(block.ops, [](const LaneOp& op) { return op.target == no_value; });
    for (const LaneOp& op : block.ops) made_at_[op.target] = elsewhere;
  }

 private:
  static constexpr std::size_t elsewhere = ~std::size_t{0};

  void count_readers(const Block& block) {
    for (const LaneOp& op : block.ops) {
      ++readers_[op.a];
      ++readers_[op.b];
    }
    if (!block.loops()) return;
    for (const Value value : block.values) readers_[value] += 2;
    readers_[block.changed] += 2;
  }

  bool take_operand(std::vector<LaneOp>& ops, std::size_t reader) {
    const LaneOp op = ops[reader];
    return take(ops, reader, op.a, op.b, true) || take(ops, reader, op.b, op.a, false);
  }

  bool take(std::vector<LaneOp>& ops, std::size_t reader, Value taken, Value other, bool is_first) {
    if (readers_[taken] != 1 || made_at_[taken] == elsewhere) return false;
    LaneOp& maker = ops[made_at_[taken]];
    if (other == maker.a || other == maker.b) return false;
    const std::uint8_t inner = apply(maker.operation, table_a, table_b);
    LaneOp& op = ops[reader];
    op.table = is_first ? apply(op.operation, inner, table_c) : apply(op.operation, table_c, inner);
    op.operation = Operation::table;
    op.a = maker.a;
    op.b = maker.b;
    op.c = other;
    made_at_[taken] = elsewhere;
    maker.target = no_value;
    return true;
  }

  std::vector<std::uint32_t> readers_;  // by value
  std::vector<std::size_t> made_at_;    // by value, the operation of the block, if it is free
};

}  // namespace

void fuse_operations(const std::vector<LaneProgram*>& in_order, const std::vector<Value>& kept,
                     Value values) {
  Fusion fusion(in_order, kept, values);
  for (LaneProgram* program : in_order) {
    for (Block& block : program->blocks) fusion.run(block);
  }
}

}  // namespace zermelo::lanes
