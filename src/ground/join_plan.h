// The evaluation of one rule: its literals over numbered slots, and a plan, which is a sequence of
// steps that bind the slots.
//
// Arguments that are functions with variables become `structure` literals, V = f(X, Y). A plan uses
// them in either direction: to build V or to take it apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"
#include "ground/relation.h"

namespace zermelo::ground {

// A slot or a term.
struct Operand {
  bool is_slot = false;
  std::uint32_t value = 0;
};

struct FlatLiteral {
  enum class Kind : std::uint8_t {
    positive,
    negative,
    distinct,
    structure,
    computed,
    not_computed,
  };

  Kind kind = Kind::positive;
  PredicateId predicate = 0;      // the number of the function, if computed or not
  Symbol function{};              // of a structure
  std::vector<Operand> operands;  // of a structure: V, then the arguments
  std::uint32_t inputs = 0;       // of a computed function
};

struct FlatRule {
  PredicateId head = 0;
  std::vector<Operand> head_operands;
  std::vector<FlatLiteral> literals;
  std::uint32_t slots = 0;
  std::uint32_t clause = Rule::no_clause;
  bool emits = true;
};

FlatRule flatten(const Rule& rule, TermTable& terms);

struct Step {
  enum class Op : std::uint8_t {
    scan,
    lookup,
    member,
    absent,
    distinct,
    build,
    take_apart,
    compute,
    compute_not,
  };
  struct Column {
    std::uint32_t column;
    Operand operand;
  };

  Op op = Op::scan;
  std::uint32_t literal = 0;
  std::uint32_t index = 0;    // lookup: the index of the relation
  std::vector<Operand> key;   // known operands, not of scan
  std::vector<Column> bind;   // columns (arguments, for take_apart) that bind slots
  std::vector<Column> check;  // columns that must equal known operands
};

using Plan = std::vector<Step>;

inline constexpr std::uint32_t no_literal = ~std::uint32_t{0};

// Returns an order of the literals that starts with `first` (with any literal if it is no_literal).
// Tests come as early as possible, then the literal expected to match the fewest rows. Creates the
// indexes that the plan uses. `is_exact(p)` returns whether a negative literal of p can be tested.
template <class IsExact>
Plan make_plan(const FlatRule& rule, std::uint32_t first, std::vector<Relation>& relations,
               IsExact is_exact);

// The implementation of make_plan.
class JoinPlanner {
 public:
  JoinPlanner(const FlatRule& rule, std::vector<Relation>& relations)
      : rule_(rule), relations_(relations), bound_(rule.slots), done_(rule.literals.size()) {}

  // Excludes a literal from the plan.
  void skip(std::uint32_t literal) { done_[literal] = true; }
  void start_with(std::uint32_t literal) { add_match(literal, true); }
  Plan finish();

 private:
  bool known(const Operand& operand) const { return !operand.is_slot || bound_[operand.value]; }
  bool all_known(std::span<const Operand> operands) const;
  bool add_tests();
  bool add_test(std::uint32_t literal);
  bool add_computation(std::uint32_t literal);
  std::uint32_t cheapest_match() const;
  double expected_matches(const FlatLiteral& literal) const;
  void add_match(std::uint32_t literal, bool scan);
  void bind_columns(Step& step, const std::vector<Operand>& operands, std::size_t from);

  const FlatRule& rule_;
  std::vector<Relation>& relations_;
  std::vector<bool> bound_;
  std::vector<bool> done_;
  Plan plan_;
};

template <class IsExact>
Plan make_plan(const FlatRule& rule, std::uint32_t first, std::vector<Relation>& relations,
               IsExact is_exact) {
  JoinPlanner planner(rule, relations);
  for (std::uint32_t i = 0; i < rule.literals.size(); ++i) {
    const FlatLiteral& literal = rule.literals[i];
    if (literal.kind == FlatLiteral::Kind::negative && !is_exact(literal.predicate))
      planner.skip(i);
  }
  if (first != no_literal) planner.start_with(first);
  return planner.finish();
}

}  // namespace zermelo::ground
