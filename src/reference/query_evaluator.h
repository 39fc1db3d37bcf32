// Answers queries about predicates in a state. Evaluation is goal-directed: only what a query needs
// is derived.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "reference/body_order.h"
#include "reference/computed_tables.h"
#include "reference/rule_program.h"

namespace zermelo::reference {

class QueryEvaluator {
 public:
  // Requires a stratified and safe program.
  QueryEvaluator(RuleProgram program, base::Limits limits);

  // Sets the current state, or the moves. Stored results that depend on it are discarded.
  void set_state(std::span<const TermId> fluents);
  void set_moves(std::span<const TermId> roles, std::span<const TermId> moves);

  // Returns the tuples of the predicate that match the key (no_term matches any term). They are
  // valid until the next call of a non-const member function. Throws LimitReached; the evaluator
  // stays usable after that.
  const TupleSet& ask(PredicateId predicate, std::span<const TermId> key);

  RuleProgram& program() { return *program_; }
  const RuleProgram& program() const { return *program_; }

 private:
  // A query and its answers so far. An `evaluated` table waits for a table it depends on. An `open`
  // table must be evaluated (again) before it can be used.
  struct Table {
    enum class Status : std::uint8_t { open, in_progress, evaluated, complete };
    PredicateId predicate = 0;
    ArgumentMask given = 0;
    Status status = Status::open;
    bool grew = false;
    std::uint32_t depth = 0;   // its index among the frames, while in progress
    std::uint32_t low = 0;     // the lowest index that its answers depend on
    std::size_t position = 0;  // its index in pending_
    std::vector<TermId> key;
    std::uint64_t hash = 0;
    TupleSet answers;
  };

  class TableMap {
   public:
    Table*& slot(PredicateId predicate, std::span<const TermId> key, std::uint64_t hash);
    void added();
    template <class Visit>
    void clear(Visit visit);

   private:
    std::vector<Table*> slots_ = std::vector<Table*>(64);
    std::size_t used_ = 0;
  };

  // The position of a step among its tuples.
  struct Cursor {
    const Table* table;  // null for a stored relation
    const TupleSet* tuples;
    const TupleSet::Index* index;  // null: scan all tuples
    std::uint32_t position;
  };

  // The evaluation of one table: the current rule and the current step of its body.
  struct Frame {
    Table* table;
    const PlanSet* plans;
    std::size_t first_variable;
    std::size_t first_cursor;
    std::size_t plan = 0;
    std::size_t step = 0;
    bool inside_rule = false;
    bool backtracking = false;
    Table* awaited = nullptr;  // the table that the current step waits for
  };

  enum class Outcome : std::uint8_t { success, failure, suspended };

  void forget(Predicate::Depends depends);
  void fill_relation(TermId fluent);
  Table& find_table(PredicateId predicate, std::span<const TermId> key, ArgumentMask given);

  void complete(Table& table);
  void abandon_frames();
  void push_frame(Table& table);
  void pop_frame();
  void run_frame();
  void enter_rule(Frame& frame);
  void backtrack(Frame& frame);
  bool emit(Frame& frame);
  void finish(Frame& frame);
  void finish_with_only_answer(Frame& frame);
  bool grew_since(std::size_t position) const;
  void start_round(Frame& frame);

  Outcome enter_step(Frame& frame, const Step& step);
  bool compute(const Step& step);
  Outcome retry_step(Frame& frame, const Step& step);
  Outcome open_cursor(Frame& frame, const Step& step);
  void open_relation(const Step& step, Cursor& cursor);
  bool next_match(const Step& step, Cursor& cursor);
  bool match_tuple(const Step& step, std::span<const TermId> tuple, ArgumentMask skipped);
  bool match(ExpressionId expression, TermId term);
  TermId build(ExpressionId expression);
  std::span<const TermId> build_key(const Step& step);

  std::unique_ptr<RuleProgram> program_;
  BodyOrderer planner_;
  ComputedTables computed_;
  base::LimitedSteps steps_;
  std::deque<Table> tables_;
  std::vector<Table*> free_tables_;
  std::array<TableMap, 3> maps_;  // by Predicate::Depends
  std::vector<Table*> pending_;   // tables in progress or evaluated, in start order
  std::vector<Frame> frames_;
  std::vector<TermId> variables_;  // of all frames
  std::vector<Cursor> cursors_;    // of all frames
  TermId* binding_ = nullptr;      // the variables of the running frame
  std::vector<TermId> key_;
  TupleSet selection_;
};

}  // namespace zermelo::reference
