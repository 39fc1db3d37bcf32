// Answers questions about predicates in a state, goal-directed: only what a question needs is
// derived.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "reference/body_order.h"
#include "reference/rule_program.h"

namespace zermelo::reference {

class QueryEvaluator {
 public:
  // Requires a stratified and safe program.
  QueryEvaluator(RuleProgram program, base::Limits limits);

  // What holds, and what is done, until the next call. Results that depend on it are forgotten.
  void set_state(std::span<const TermId> fluents);
  void set_moves(std::span<const TermId> roles, std::span<const TermId> moves);

  // The tuples of the predicate that agree with the key (no_term: any), valid until the next call
  // of a member function that is not const. Throws LimitReached, after which it can be asked again.
  const TupleSet& ask(PredicateId predicate, std::span<const TermId> key);

  RuleProgram& program() { return *program_; }
  const RuleProgram& program() const { return *program_; }

 private:
  // A question and its answers so far. `evaluated` is the state of a table that waits for a table
  // it depends on; `open` that of one that must be evaluated (again) before it can be used.
  struct Table {
    enum class Status : std::uint8_t { open, in_progress, evaluated, complete };
    PredicateId predicate = 0;
    ArgumentMask given = 0;
    Status status = Status::open;
    bool grew = false;
    std::uint32_t depth = 0;   // its place among the frames, while in progress
    std::uint32_t low = 0;     // the lowest place that its answers depend on
    std::size_t position = 0;  // among pending_
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

  // Where a step stands among its tuples.
  struct Cursor {
    const Table* table;  // null for a stored relation
    const TupleSet* tuples;
    const TupleSet::Index* index;  // null: every tuple in turn
    std::uint32_t position;
  };

  // The evaluation of one table: which rule, and how far its body has come.
  struct Frame {
    Table* table;
    const PlanSet* plans;
    std::size_t first_variable;
    std::size_t first_cursor;
    std::size_t plan = 0;
    std::size_t step = 0;
    bool inside_rule = false;
    bool backtracking = false;
    Table* awaited = nullptr;  // evaluated on behalf of the current step
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
  LimitedSteps steps_;
  std::deque<Table> tables_;
  std::vector<Table*> free_tables_;
  std::array<TableMap, 3> maps_;  // by what the predicate depends on
  std::vector<Table*> pending_;   // tables in progress or evaluated, in order of their start
  std::vector<Frame> frames_;
  std::vector<TermId> variables_;  // of all frames
  std::vector<Cursor> cursors_;    // of all frames
  TermId* binding_ = nullptr;      // the variables of the running frame
  std::vector<TermId> key_;
  TupleSet selection_;
};

}  // namespace zermelo::reference
