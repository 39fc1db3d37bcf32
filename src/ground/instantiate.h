// Semi-naive bottom-up grounding: computes which atoms can become true and the rule instances.
//
// Relations hold the atoms found so far. An atom is "processed" once all rule instances over it and
// other processed atoms have been generated. The new rows of a predicate form a batch. For every
// body literal of that predicate, the batch is joined with the processed rows of the other
// literals. So each instance is generated exactly once, when the last of its atoms is processed.
// Negative literals of complete predicates are tested. Negative literals of predicates that depend
// on the state or the moves are kept in the instance, because an atom that can become true can also
// be false.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "ground/function_calls.h"
#include "ground/join_plan.h"

namespace zermelo::ground {

// Numbers of atoms during grounding. An atom that can become true and the same atom under a
// negation have different numbers; they are matched when grounding is done.
using AtomId = std::uint32_t;

// The rule instances. Each is stored as its head, the number of literals, and the literals: twice
// the atom, plus one if negated.
class InstanceLog {
 public:
  void add(std::span<const std::uint32_t> instance);
  // Calls visit(head, literals) for every instance.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const std::vector<std::uint32_t>& chunk : chunks_) {
      for (std::size_t i = 0; i < chunk.size(); i += 2 + chunk[i + 1]) {
        visit(chunk[i], std::span<const std::uint32_t>(chunk.data() + i + 2, chunk[i + 1]));
      }
    }
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t chunk_words = std::size_t{1} << 20;

  std::deque<std::vector<std::uint32_t>> chunks_;
  std::size_t size_ = 0;
};

class Instantiation {
 public:
  explicit Instantiation(base::Limits limits) : limits_(limits) {}

  const base::Limits& limits() const { return limits_; }
  // The number of instances after which a run fails with memory_limit.
  void limit_instances(std::size_t most) { most_instances_ = most; }
  std::size_t instances() const { return instance_count_; }

  // Adds relations for predicates that the program got since the last run.
  void add_relations(const Program& program);

  // Evaluates the relations of the heads of `rules` to their fixpoint. Predicates that are not
  // heads are taken as complete. Functions are computed when their inputs are known. With
  // `keep_instances` the instances are logged. Fails at a limit with an error that names a rule.
  base::Result<void> run(const Program& program, std::span<const Rule> rules, bool keep_instances);

  TermTable terms;
  std::vector<Relation> relations;         // by predicate
  std::vector<std::vector<AtomId>> atoms;  // by predicate and row, if instances are kept
  std::vector<Relation> mentioned;         // atoms found under negation
  std::vector<std::vector<AtomId>> mentioned_atoms;
  AtomId atom_count = 0;
  InstanceLog log;

 private:
  struct Use {
    std::uint32_t rule;
    std::uint32_t literal;
  };
  struct CachedPlan {
    Plan plan;
    std::size_t made_for_rows = 0;
  };

  void prepare(const Program& program, std::span<const Rule> rules);
  void rank_predicates(const Program& program, std::span<const Rule> rules);
  std::optional<PredicateId> next_predicate() const;
  bool process(PredicateId predicate);
  bool evaluate(std::uint32_t rule, std::uint32_t literal, RowId from, RowId to);
  const Plan& plan_for(std::uint32_t rule, std::uint32_t literal);
  bool step(std::size_t i);
  bool match(const Step& step, const TermId* row, std::size_t i);
  bool compute(const Step& step, std::size_t i);
  bool compute_not(const Step& step, std::size_t i);
  bool accept();
  void log_instance(const FlatRule& rule, AtomId head);
  AtomId mention(const FlatLiteral& literal);
  TermId value(const Operand& operand) const {
    return operand.is_slot ? slots_[operand.value] : operand.value;
  }
  const TermId* values(const std::vector<Operand>& operands, std::vector<TermId>& buffer) const;
  base::Error limit_error(const Program& program) const;

  base::Limits limits_;
  FunctionCalls calls_;
  const Program* program_ = nullptr;  // of the current run
  std::size_t most_instances_ = ~std::size_t{0};
  std::size_t instance_count_ = 0;
  bool keep_instances_ = false;
  std::vector<FlatRule> rules_;
  std::vector<std::vector<CachedPlan>>
      plans_;                              // by rule and literal; the last has no first literal
  std::vector<std::size_t> instances_of_;  // by rule
  std::vector<bool> running_;              // by predicate: head of a rule of this run
  std::vector<bool> is_guard_;             // by predicate
  std::vector<RowId> processed_;           // by predicate
  std::vector<std::vector<Use>> uses_;     // by predicate
  std::vector<PredicateId> order_;         // predicates of this run, dependencies first

  const FlatRule* rule_ = nullptr;  // the rule being evaluated
  std::uint32_t rule_number_ = 0;
  const Plan* plan_ = nullptr;
  std::vector<TermId> slots_;
  std::vector<RowId> begins_, ends_;       // by literal: the rows it may match
  std::vector<RowId> rows_;                // by literal: the row matched
  std::vector<std::vector<TermId>> keys_;  // by step
  std::vector<TermId> head_key_;
  std::vector<std::uint32_t> instance_;
  std::uint32_t ticks_ = 0;
  std::optional<base::ErrorKind> exceeded_;
};

}  // namespace zermelo::ground
