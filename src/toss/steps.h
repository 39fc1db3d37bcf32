// The operations of relational algebra that queries consist of. A step takes a table of
// assignments, sorted tuples over the variables known so far, and returns the table of all
// extensions for which its part of the formula holds. Which variable stands in which column is
// fixed when the query is planned.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "toss/logic.h"

namespace zermelo::toss {

using Columns = std::vector<std::size_t>;

// One evaluation on one structure.
class Run {
 public:
  Run(const Structure& on, const EvaluationLimits& limits, std::size_t slot_count,
      const Evaluated* known = nullptr)
      : structure(on),
        slots(slot_count),
        evaluated(known ? *known->tables_ : own_),
        limits_(limits) {}

  // Counts cells of tables. Throws LimitReached where a table has more than it may, or time or
  // memory are used up.
  void take(std::size_t table_cells, std::size_t new_cells) {
    if (table_cells > limits_.max_cells) too_large();
    taken_ += new_cells;
    if (taken_ >= between_looks) look();
  }

  const Structure& structure;
  std::vector<TupleSet> slots;
  // Reordered relations and evaluated recursions, as long as the structure is the same.
  std::map<std::pair<std::size_t, Columns>, TupleSet> reordered;
  std::map<const Recursion*, TupleSet>& evaluated;

 private:
  static constexpr std::size_t between_looks = std::size_t{1} << 20;
  [[noreturn]] static void too_large();
  void look();

  std::map<const Recursion*, TupleSet> own_;
  const EvaluationLimits& limits_;
  std::size_t taken_ = 0;
};

struct Step {
  virtual ~Step() = default;
  virtual TupleSet run(Run& run, const TupleSet& in) const = 0;
};
using StepPtr = std::shared_ptr<const Step>;

struct TermStep {
  virtual ~TermStep() = default;
  // A value for each tuple.
  virtual std::vector<double> run(Run& run, const TupleSet& in) const = 0;
};
using TermStepPtr = std::shared_ptr<const TermStep>;

// Steps one after another; width is that of the result.
StepPtr sequence_step(std::vector<StepPtr> steps, std::size_t width);
StepPtr project_step(Columns columns);
// Appends every element of the universe.
StepPtr universe_step(std::size_t width);
// Nothing if there is no element, else the same.
StepPtr nonempty_step();
StepPtr union_step(std::vector<StepPtr> branches, std::size_t width);

// An atom. `order` lists the columns of the relation, the bound ones first; `key` the columns of
// the input that they equal. Of the others, each is appended, or equals the one appended at the
// given place.
struct AtomPlan {
  Source source;
  std::shared_ptr<const Step> recursion_body;  // for a recursion: from no columns to all of them
  Columns order, key;
  std::vector<std::optional<std::size_t>> repeats;  // by column that is not bound
  std::shared_ptr<const TupleSet> prepared;         // the relation in that order, if it is stable
  bool negated = false;                             // then all columns are bound
};
StepPtr atom_step(AtomPlan plan);

// Two columns that are equal, or not; a copy of a column; all elements twice.
StepPtr equal_step(std::size_t left, std::size_t right, bool negated);
StepPtr copy_step(std::size_t column);
StepPtr diagonal_step();

// Evaluates the inner step on the distinct values of the key columns, and joins the result, which
// begins with them, or removes the tuples that have one.
StepPtr on_key_step(Columns key, StepPtr inner, std::size_t width, bool negated);
StepPtr compare_step(TermStepPtr term, Comparison comparison);

TermStepPtr number_term(double value);
TermStepPtr arithmetic_term(Term::Kind kind, std::vector<TermStepPtr> parts);
TermStepPtr value_term(std::size_t function, std::size_t column);
TermStepPtr table_term(std::shared_ptr<const std::vector<double>> values,
                       std::optional<std::size_t> column);
// Of an atom all of whose columns are bound.
TermStepPtr atom_indicator_term(AtomPlan plan);
// The inner step filters the key columns.
TermStepPtr indicator_term(Columns key, StepPtr inner);
// The inner step extends the key columns by the variables of the sum; the term is over both.
TermStepPtr sum_term(Columns key, StepPtr inner, TermStepPtr term);

bool holds(Comparison comparison, double value);
// One number from those of the parts.
double combine(Term::Kind kind, const std::vector<double>& parts);

}  // namespace zermelo::toss
