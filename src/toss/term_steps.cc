#include <cmath>

#include "toss/steps.h"

namespace zermelo::toss {

bool holds(Comparison comparison, double value) {
  switch (comparison) {
    case Comparison::equal:
      return value == 0;
    case Comparison::unequal:
      return value != 0;
    case Comparison::less:
      return value < 0;
    case Comparison::less_equal:
      return value <= 0;
    case Comparison::greater:
      return value > 0;
    case Comparison::greater_equal:
      return value >= 0;
  }
  return false;
}

double combine(Term::Kind kind, const std::vector<double>& parts) {
  if (kind == Term::Kind::negate) return -parts[0];
  if (kind == Term::Kind::power) return std::pow(parts[0], parts[1]);
  double result = kind == Term::Kind::multiply ? 1 : 0;
  for (const double part : parts) {
    result = kind == Term::Kind::multiply ? result * part : result + part;
  }
  return result;
}

namespace {

class NumberTerm : public TermStep {
 public:
  explicit NumberTerm(double value) : value_(value) {}
  std::vector<double> run(Run&, const TupleSet& in) const override {
    return std::vector<double>(in.size(), value_);
  }

 private:
  double value_;
};

class ArithmeticTerm : public TermStep {
 public:
  ArithmeticTerm(Term::Kind kind, std::vector<TermStepPtr> parts)
      : kind_(kind), parts_(std::move(parts)) {}
  std::vector<double> run(Run& run, const TupleSet& in) const override {
    std::vector<std::vector<double>> columns;
    for (const TermStepPtr& part : parts_) columns.push_back(part->run(run, in));
    std::vector<double> result(in.size()), row(parts_.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t p = 0; p < row.size(); ++p) row[p] = columns[p][i];
      result[i] = combine(kind_, row);
    }
    return result;
  }

 private:
  Term::Kind kind_;
  std::vector<TermStepPtr> parts_;
};

class ValueTerm : public TermStep {
 public:
  ValueTerm(std::size_t function, std::size_t column) : function_(function), column_(column) {}
  std::vector<double> run(Run& run, const TupleSet& in) const override {
    std::vector<double> result;
    for (std::size_t i = 0; i < in.size(); ++i) {
      result.push_back(run.structure.value(function_, in[i][column_]));
    }
    return result;
  }

 private:
  std::size_t function_, column_;
};

class TableTerm : public TermStep {
 public:
  TableTerm(std::shared_ptr<const std::vector<double>> values, std::optional<std::size_t> column)
      : values_(std::move(values)), column_(column) {}
  std::vector<double> run(Run&, const TupleSet& in) const override {
    std::vector<double> result(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      result[i] = (*values_)[column_ ? in[i][*column_] : 0];
    }
    return result;
  }

 private:
  std::shared_ptr<const std::vector<double>> values_;
  std::optional<std::size_t> column_;
};

// The tuples' places among the distinct values of their key columns.
std::vector<std::size_t> places(const TupleSet& in, const Columns& key, const TupleSet& keys) {
  std::vector<std::size_t> result(in.size());
  std::vector<Element> values;
  for (std::size_t i = 0; i < in.size(); ++i) {
    values.clear();
    for (const std::size_t column : key) values.push_back(in[i][column]);
    result[i] = keys.range(values).first;
  }
  return result;
}

// Evaluates per distinct key and spreads the values to the tuples.
class KeyedTerm : public TermStep {
 public:
  explicit KeyedTerm(Columns key) : key_(std::move(key)) {}
  std::vector<double> run(Run& run, const TupleSet& in) const override {
    const TupleSet keys = in.project(key_);
    const std::vector<double> values = of_keys(run, keys);
    const std::vector<std::size_t> place = places(in, key_, keys);
    std::vector<double> result(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) result[i] = values[place[i]];
    return result;
  }

 private:
  virtual std::vector<double> of_keys(Run& run, const TupleSet& keys) const = 0;

  Columns key_;
};

class IndicatorTerm : public KeyedTerm {
 public:
  IndicatorTerm(Columns key, StepPtr inner) : KeyedTerm(std::move(key)), inner_(std::move(inner)) {}

 private:
  std::vector<double> of_keys(Run& run, const TupleSet& keys) const override {
    const TupleSet found = inner_->run(run, keys);
    std::vector<double> result(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) result[i] = found.contains(keys[i]) ? 1 : 0;
    return result;
  }

  StepPtr inner_;
};

class SumTerm : public KeyedTerm {
 public:
  SumTerm(Columns key, StepPtr inner, TermStepPtr term)
      : KeyedTerm(std::move(key)), inner_(std::move(inner)), term_(std::move(term)) {}

 private:
  std::vector<double> of_keys(Run& run, const TupleSet& keys) const override {
    const TupleSet extended = inner_->run(run, keys);
    const std::vector<double> values = term_->run(run, extended);
    std::vector<double> result(keys.size());
    for (std::size_t i = 0; i < extended.size(); ++i) {
      result[keys.range(extended[i].first(keys.width())).first] += values[i];
    }
    return result;
  }

  StepPtr inner_;
  TermStepPtr term_;
};

}  // namespace

TermStepPtr number_term(double value) { return std::make_shared<NumberTerm>(value); }
TermStepPtr arithmetic_term(Term::Kind kind, std::vector<TermStepPtr> parts) {
  return std::make_shared<ArithmeticTerm>(kind, std::move(parts));
}
TermStepPtr value_term(std::size_t function, std::size_t column) {
  return std::make_shared<ValueTerm>(function, column);
}
TermStepPtr table_term(std::shared_ptr<const std::vector<double>> values,
                       std::optional<std::size_t> column) {
  return std::make_shared<TableTerm>(std::move(values), column);
}
TermStepPtr indicator_term(Columns key, StepPtr inner) {
  return std::make_shared<IndicatorTerm>(std::move(key), std::move(inner));
}
TermStepPtr sum_term(Columns key, StepPtr inner, TermStepPtr term) {
  return std::make_shared<SumTerm>(std::move(key), std::move(inner), std::move(term));
}

}  // namespace zermelo::toss
