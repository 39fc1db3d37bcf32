#include "toss/steps.h"

#include <algorithm>
#include <cmath>

namespace zermelo::toss {

void Run::too_large() {
  throw LimitReached(base::ErrorKind::memory_limit,
                     "a formula describes too many tuples to be evaluated");
}

void Run::look() {
  taken_ = 0;
  if (const auto exceeded = limits_.limits.exceeded()) {
    const bool is_time = *exceeded == base::ErrorKind::time_limit;
    throw LimitReached(*exceeded, is_time ? "time limit reached while evaluating a formula"
                                          : "memory limit reached while evaluating a formula");
  }
}

namespace {

// Tuples of a table being made.
class Rows {
 public:
  Rows(Run& run, std::size_t width) : run_(run), width_(width) {}

  void add(Tuple head) { add(head, {}); }
  void add(Tuple head, Tuple tail) {
    ++count_;
    elements_.insert(elements_.end(), head.begin(), head.end());
    elements_.insert(elements_.end(), tail.begin(), tail.end());
    run_.take(elements_.size(), width_ + 1);
  }
  TupleSet take() {
    if (width_ == 0) return count_ > 0 ? TupleSet::unit() : TupleSet(0);
    return TupleSet(width_, std::move(elements_));
  }

 private:
  Run& run_;
  std::size_t width_;
  std::size_t count_ = 0;
  std::vector<Element> elements_;
};

void gather(Tuple row, const Columns& columns, std::vector<Element>& values) {
  values.clear();
  for (const std::size_t column : columns) values.push_back(row[column]);
}

bool is_identity(const Columns& columns, std::size_t width) {
  if (columns.size() != width) return false;
  for (std::size_t i = 0; i < width; ++i) {
    if (columns[i] != i) return false;
  }
  return true;
}

class SequenceStep : public Step {
 public:
  SequenceStep(std::vector<StepPtr> steps, std::size_t width)
      : steps_(std::move(steps)), width_(width) {}
  TupleSet run(Run& run, const TupleSet& in) const override {
    if (steps_.empty()) return in;
    TupleSet table = steps_[0]->run(run, in);
    for (std::size_t i = 1; i < steps_.size(); ++i) {
      if (table.empty()) return TupleSet(width_);
      table = steps_[i]->run(run, table);
    }
    return table;
  }

 private:
  std::vector<StepPtr> steps_;
  std::size_t width_;
};

class ProjectStep : public Step {
 public:
  explicit ProjectStep(Columns columns) : columns_(std::move(columns)) {}
  TupleSet run(Run&, const TupleSet& in) const override { return in.project(columns_); }

 private:
  Columns columns_;
};

class UniverseStep : public Step {
 public:
  explicit UniverseStep(std::size_t width) : width_(width) {}
  TupleSet run(Run& run, const TupleSet& in) const override {
    Rows rows(run, width_ + 1);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (const Element& element : run.structure.universe()) rows.add(in[i], Tuple(&element, 1));
    }
    return rows.take();
  }

 private:
  std::size_t width_;
};

class NonemptyStep : public Step {
 public:
  TupleSet run(Run& run, const TupleSet& in) const override {
    return run.structure.universe().empty() ? TupleSet(in.width()) : in;
  }
};

class UnionStep : public Step {
 public:
  UnionStep(std::vector<StepPtr> branches, std::size_t width)
      : branches_(std::move(branches)), width_(width) {}
  TupleSet run(Run& run, const TupleSet& in) const override {
    TupleSet result(width_);
    for (const StepPtr& branch : branches_) result = result.united(branch->run(run, in));
    return result;
  }

 private:
  std::vector<StepPtr> branches_;
  std::size_t width_;
};

// The relation that a recursion describes, over all its columns.
TupleSet iterate(Run& run, const Recursion& recursion, const Step& body) {
  TupleSet& slot = run.slots[recursion.slot];
  slot = TupleSet(recursion.columns.size());
  if (recursion.kind == Recursion::Kind::greatest) {
    slot = TupleSet::unit();
    for (std::size_t i = 0; i < recursion.columns.size(); ++i) {
      slot = UniverseStep(i).run(run, slot);
    }
  }
  for (;;) {
    // Recursions inside may depend on this slot, and write to slots of their own only.
    TupleSet next = body.run(run, TupleSet::unit());
    if (!recursion.recurs || next == slot) return next;
    slot = std::move(next);
    run.take(0, slot.size() * slot.width() + 1);
  }
}

// The transitive closure of the first two columns; the others are parameters.
TupleSet close(Run& run, const TupleSet& edges) {
  const std::size_t width = edges.width();
  Columns from_first(width);  // second column, parameters, first column
  from_first[0] = 1;
  for (std::size_t i = 2; i < width; ++i) from_first[i - 1] = i;
  from_first[width - 1] = 0;
  Columns parameters_first(width);  // first column, parameters, second column
  parameters_first[0] = 0;
  for (std::size_t i = 2; i < width; ++i) parameters_first[i - 1] = i;
  parameters_first[width - 1] = 1;
  const TupleSet by_source = edges.project(parameters_first);
  TupleSet result = edges, latest = edges;
  while (!latest.empty()) {
    const TupleSet by_target = latest.project(from_first);
    Rows rows(run, width);
    std::vector<Element> tuple(width);
    for (std::size_t i = 0; i < by_target.size(); ++i) {
      const Tuple path = by_target[i];
      const auto [first, last] = by_source.range(path.first(width - 1));
      for (std::size_t j = first; j < last; ++j) {
        tuple[0] = path[width - 1];
        tuple[1] = by_source[j][width - 1];
        std::copy(path.begin() + 1, path.end() - 1, tuple.begin() + 2);
        rows.add(tuple);
      }
    }
    latest = rows.take().without(result);
    result = result.united(latest);
  }
  return result;
}

class AtomStep : public Step {
 public:
  explicit AtomStep(AtomPlan plan) : plan_(std::move(plan)) {}

  TupleSet run(Run& run, const TupleSet& in) const override {
    if (in.empty()) return TupleSet(out_width(in));
    if (plan_.prepared) return join(run, in, *plan_.prepared);
    TupleSet own;
    return join(run, in, relation(run, own));
  }

  // 1 for each tuple of the input for which the atom holds. Requires that all columns are bound.
  std::vector<double> indicate(Run& run, const TupleSet& in) const {
    TupleSet own;
    const TupleSet& tuples = plan_.prepared ? *plan_.prepared : relation(run, own);
    std::vector<double> result(in.size());
    std::vector<Element> key;
    for (std::size_t i = 0; i < in.size(); ++i) {
      gather(in[i], plan_.key, key);
      result[i] = tuples.contains(key) ? 1 : 0;
    }
    return result;
  }

 private:
  std::size_t out_width(const TupleSet& in) const {
    const auto appended = std::count(plan_.repeats.begin(), plan_.repeats.end(), std::nullopt);
    return in.width() + static_cast<std::size_t>(appended);
  }

  // In the order of the plan; in `own` where it exists nowhere else.
  const TupleSet& relation(Run& run, TupleSet& own) const {
    const TupleSet& original = unordered(run, own);
    if (is_identity(plan_.order, original.width())) return original;
    if (plan_.source.kind != Source::Kind::stored) {
      own = original.project(plan_.order);
      return own;
    }
    const auto key = std::make_pair(plan_.source.index, plan_.order);
    const auto found = run.reordered.find(key);
    if (found != run.reordered.end()) return found->second;
    return run.reordered.emplace(key, original.project(plan_.order)).first->second;
  }

  const TupleSet& unordered(Run& run, TupleSet& own) const {
    switch (plan_.source.kind) {
      case Source::Kind::stored:
        return run.structure.relation(plan_.source.index);
      case Source::Kind::slot:
        return run.slots[plan_.source.index];
      case Source::Kind::table:
        return *plan_.source.table;
      case Source::Kind::recursion:
        break;
    }
    const Recursion& recursion = *plan_.source.recursion;
    const auto found = run.evaluated.find(&recursion);
    if (found != run.evaluated.end()) return found->second;
    own = evaluate(run, recursion);
    if (!recursion.closed) return own;
    return run.evaluated.emplace(&recursion, std::move(own)).first->second;
  }

  TupleSet evaluate(Run& run, const Recursion& recursion) const {
    if (recursion.kind != Recursion::Kind::closure) {
      return iterate(run, recursion, *plan_.recursion_body);
    }
    return close(run, plan_.recursion_body->run(run, TupleSet::unit()));
  }

  TupleSet join(Run& run, const TupleSet& in, const TupleSet& relation) const {
    Rows rows(run, out_width(in));
    std::vector<Element> key, tail;
    for (std::size_t i = 0; i < in.size(); ++i) {
      gather(in[i], plan_.key, key);
      if (plan_.repeats.empty()) {
        if (relation.contains(key) != plan_.negated) rows.add(in[i]);
        continue;
      }
      const auto [first, last] = relation.range(key);
      for (std::size_t j = first; j < last; ++j) {
        if (append(relation[j].subspan(key.size()), tail)) rows.add(in[i], tail);
      }
    }
    return rows.take();
  }

  // The appended columns; false where repeated ones differ.
  bool append(Tuple rest, std::vector<Element>& tail) const {
    tail.clear();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (!plan_.repeats[i]) {
        tail.push_back(rest[i]);
      } else if (tail[*plan_.repeats[i]] != rest[i]) {
        return false;
      }
    }
    return true;
  }

  AtomPlan plan_;
};

class AtomIndicator : public TermStep {
 public:
  explicit AtomIndicator(AtomPlan plan) : atom_(std::move(plan)) {}
  std::vector<double> run(Run& run, const TupleSet& in) const override {
    return atom_.indicate(run, in);
  }

 private:
  AtomStep atom_;
};

class EqualStep : public Step {
 public:
  EqualStep(std::size_t left, std::size_t right, bool negated)
      : left_(left), right_(right), negated_(negated) {}
  TupleSet run(Run& run, const TupleSet& in) const override {
    Rows rows(run, in.width());
    for (std::size_t i = 0; i < in.size(); ++i) {
      if ((in[i][left_] == in[i][right_]) != negated_) rows.add(in[i]);
    }
    return rows.take();
  }

 private:
  std::size_t left_, right_;
  bool negated_;
};

class CopyStep : public Step {
 public:
  explicit CopyStep(std::size_t column) : column_(column) {}
  TupleSet run(Run& run, const TupleSet& in) const override {
    Rows rows(run, in.width() + 1);
    for (std::size_t i = 0; i < in.size(); ++i) rows.add(in[i], in[i].subspan(column_, 1));
    return rows.take();
  }

 private:
  std::size_t column_;
};

class DiagonalStep : public Step {
 public:
  TupleSet run(Run& run, const TupleSet& in) const override {
    Rows rows(run, in.width() + 2);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (const Element element : run.structure.universe()) {
        const Element twice[] = {element, element};
        rows.add(in[i], twice);
      }
    }
    return rows.take();
  }
};

class OnKeyStep : public Step {
 public:
  OnKeyStep(Columns key, StepPtr inner, std::size_t width, bool negated)
      : key_(std::move(key)), inner_(std::move(inner)), width_(width), negated_(negated) {}
  TupleSet run(Run& run, const TupleSet& in) const override {
    const TupleSet found = inner_->run(run, in.project(key_));
    Rows rows(run, width_);
    std::vector<Element> key;
    for (std::size_t i = 0; i < in.size(); ++i) {
      gather(in[i], key_, key);
      if (negated_) {
        if (!found.contains(key)) rows.add(in[i]);
        continue;
      }
      const auto [first, last] = found.range(key);
      for (std::size_t j = first; j < last; ++j) rows.add(in[i], found[j].subspan(key.size()));
    }
    return rows.take();
  }

 private:
  Columns key_;
  StepPtr inner_;
  std::size_t width_;
  bool negated_;
};

class CompareStep : public Step {
 public:
  CompareStep(TermStepPtr term, Comparison comparison)
      : term_(std::move(term)), comparison_(comparison) {}
  TupleSet run(Run& run, const TupleSet& in) const override {
    const std::vector<double> values = term_->run(run, in);
    Rows rows(run, in.width());
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (holds(comparison_, values[i])) rows.add(in[i]);
    }
    return rows.take();
  }

 private:
  TermStepPtr term_;
  Comparison comparison_;
};

}  // namespace

StepPtr sequence_step(std::vector<StepPtr> steps, std::size_t width) {
  if (steps.size() == 1) return steps.front();
  return std::make_shared<SequenceStep>(std::move(steps), width);
}
StepPtr project_step(Columns columns) { return std::make_shared<ProjectStep>(std::move(columns)); }
StepPtr universe_step(std::size_t width) { return std::make_shared<UniverseStep>(width); }
StepPtr nonempty_step() { return std::make_shared<NonemptyStep>(); }
StepPtr union_step(std::vector<StepPtr> branches, std::size_t width) {
  return std::make_shared<UnionStep>(std::move(branches), width);
}
StepPtr atom_step(AtomPlan plan) { return std::make_shared<AtomStep>(std::move(plan)); }
TermStepPtr atom_indicator_term(AtomPlan plan) {
  return std::make_shared<AtomIndicator>(std::move(plan));
}
StepPtr equal_step(std::size_t left, std::size_t right, bool negated) {
  return std::make_shared<EqualStep>(left, right, negated);
}
StepPtr copy_step(std::size_t column) { return std::make_shared<CopyStep>(column); }
StepPtr diagonal_step() { return std::make_shared<DiagonalStep>(); }
StepPtr on_key_step(Columns key, StepPtr inner, std::size_t width, bool negated) {
  return std::make_shared<OnKeyStep>(std::move(key), std::move(inner), width, negated);
}
StepPtr compare_step(TermStepPtr term, Comparison comparison) {
  return std::make_shared<CompareStep>(std::move(term), comparison);
}

}  // namespace zermelo::toss
