#include "ground/join_plan.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>

namespace zermelo::ground {

namespace {

class Flattener {
 public:
  explicit Flattener(TermTable& terms) : terms_(terms) {}

  FlatRule run(const Rule& rule) {
    result_.head = rule.head;
    result_.clause = rule.clause;
    result_.emits = rule.emits;
    for (const BodyLiteral& literal : rule.body) add(literal);
    for (const Term& argument : rule.arguments) result_.head_operands.push_back(operand(argument));
    result_.slots = slots_;
    return std::move(result_);
  }

 private:
  void add(const BodyLiteral& literal) {
    FlatLiteral flat{.kind = kind_of(literal.kind),
                     .predicate = literal.predicate,
                     .operands = {},
                     .inputs = literal.inputs};
    for (const Term& argument : literal.arguments) flat.operands.push_back(operand(argument));
    result_.literals.push_back(std::move(flat));
  }

  static FlatLiteral::Kind kind_of(BodyLiteral::Kind kind) {
    switch (kind) {
      case BodyLiteral::Kind::positive:
        return FlatLiteral::Kind::positive;
      case BodyLiteral::Kind::negative:
        return FlatLiteral::Kind::negative;
      case BodyLiteral::Kind::computed:
        return FlatLiteral::Kind::computed;
      case BodyLiteral::Kind::not_computed:
        return FlatLiteral::Kind::not_computed;
      case BodyLiteral::Kind::distinct:
      case BodyLiteral::Kind::equal:
        break;
    }
    assert(kind == BodyLiteral::Kind::distinct);
    return FlatLiteral::Kind::distinct;
  }

  Operand operand(const Term& term) {
    if (is_ground(term)) return {false, ground(term)};
    if (term.kind == Term::Kind::variable) return {true, slot(variable_of(term))};
    FlatLiteral structure{.kind = FlatLiteral::Kind::structure,
                          .function = term.name,
                          .operands = {{true, slots_++}}};
    const Operand whole = structure.operands[0];
    for (const Term& part : term.arguments) structure.operands.push_back(operand(part));
    result_.literals.push_back(std::move(structure));
    return whole;
  }

  TermId ground(const Term& term) {
    if (term.kind == Term::Kind::constant) return terms_.constant(term.name);
    std::vector<TermId> arguments;
    for (const Term& argument : term.arguments) arguments.push_back(ground(argument));
    return terms_.function(term.name, arguments);
  }

  std::uint32_t slot(std::uint32_t variable) {
    const auto [place, added] = slot_of_.try_emplace(variable, slots_);
    slots_ += added;
    return place->second;
  }

  TermTable& terms_;
  FlatRule result_;
  std::uint32_t slots_ = 0;
  std::map<std::uint32_t, std::uint32_t> slot_of_;
};

}  // namespace

FlatRule flatten(const Rule& rule, TermTable& terms) { return Flattener(terms).run(rule); }

bool JoinPlanner::all_known(std::span<const Operand> operands) const {
  return std::all_of(operands.begin(), operands.end(),
                     [&](const Operand& operand) { return known(operand); });
}

Plan JoinPlanner::finish() {
  while (true) {
    while (add_tests()) {
    }
    const std::uint32_t literal = cheapest_match();
    if (literal == no_literal) break;
    add_match(literal, false);
  }
  assert(std::all_of(done_.begin(), done_.end(), [](bool done) { return done; }));
  return std::move(plan_);
}

bool JoinPlanner::add_tests() {
  bool any = false;
  for (std::uint32_t i = 0; i < rule_.literals.size(); ++i) any |= !done_[i] && add_test(i);
  return any;
}

// Adds a step that matches at most once, if the literal allows it now.
bool JoinPlanner::add_test(std::uint32_t i) {
  const FlatLiteral& literal = rule_.literals[i];
  if (literal.kind == FlatLiteral::Kind::computed) return add_computation(i);
  Step step{.literal = i, .key = literal.operands, .bind = {}, .check = {}};
  if (literal.kind == FlatLiteral::Kind::structure) {
    if (all_known(std::span(literal.operands).subspan(1))) {
      step.op = Step::Op::build;
      step.key.erase(step.key.begin());
      const Step::Column whole{0, literal.operands[0]};
      (known(whole.operand) ? step.check : step.bind).push_back(whole);
      bound_[whole.operand.value] = true;
    } else if (known(literal.operands[0])) {
      step.op = Step::Op::take_apart;
      step.key.resize(1);
      bind_columns(step, literal.operands, 1);
    } else {
      return false;
    }
  } else {
    if (!all_known(literal.operands)) return false;
    step.op = literal.kind == FlatLiteral::Kind::positive       ? Step::Op::member
              : literal.kind == FlatLiteral::Kind::negative     ? Step::Op::absent
              : literal.kind == FlatLiteral::Kind::not_computed ? Step::Op::compute_not
                                                                : Step::Op::distinct;
  }
  done_[i] = true;
  plan_.push_back(std::move(step));
  return true;
}

// Adds the computation of a function, if its inputs are known now.
bool JoinPlanner::add_computation(std::uint32_t i) {
  const FlatLiteral& literal = rule_.literals[i];
  const auto inputs = std::span(literal.operands).first(literal.inputs);
  if (!all_known(inputs)) return false;
  Step step{.op = Step::Op::compute,
            .literal = i,
            .key = {inputs.begin(), inputs.end()},
            .bind = {},
            .check = {}};
  bind_columns(step, literal.operands, literal.inputs);
  done_[i] = true;
  plan_.push_back(std::move(step));
  return true;
}

// Known columns are checked; the first column of an unknown slot binds it.
void JoinPlanner::bind_columns(Step& step, const std::vector<Operand>& operands, std::size_t from) {
  for (std::size_t c = from; c < operands.size(); ++c) {
    const Step::Column column{static_cast<std::uint32_t>(c - from), operands[c]};
    if (known(operands[c])) {
      step.check.push_back(column);
    } else {
      step.bind.push_back(column);
      bound_[operands[c].value] = true;
    }
  }
}

std::uint32_t JoinPlanner::cheapest_match() const {
  std::uint32_t best = no_literal;
  double fewest = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < rule_.literals.size(); ++i) {
    if (done_[i] || rule_.literals[i].kind != FlatLiteral::Kind::positive) continue;
    const double expected = expected_matches(rule_.literals[i]);
    if (best == no_literal || expected < fewest) {
      best = i;
      fewest = expected;
    }
  }
  return best;
}

double JoinPlanner::expected_matches(const FlatLiteral& literal) const {
  const Relation& relation = relations_[literal.predicate];
  double matches = relation.size();
  for (std::uint32_t c = 0; c < literal.operands.size(); ++c) {
    if (known(literal.operands[c])) matches /= std::max(1u, relation.distinct(c));
  }
  return matches;
}

void JoinPlanner::add_match(std::uint32_t i, bool scan) {
  const FlatLiteral& literal = rule_.literals[i];
  Step step{.op = Step::Op::scan, .literal = i, .key = {}, .bind = {}, .check = {}};
  ColumnSet columns = 0;
  for (std::uint32_t c = 0;
       c < std::min<std::size_t>(literal.operands.size(), max_columns) && !scan; ++c) {
    if (!known(literal.operands[c])) continue;
    columns |= ColumnSet{1} << c;
    step.key.push_back(literal.operands[c]);
  }
  bind_columns(step, literal.operands, 0);
  if (columns != 0) {
    step.op = Step::Op::lookup;
    step.index = relations_[literal.predicate].index_over(columns);
    std::erase_if(step.check, [&](const Step::Column& column) {
      return column.column < max_columns && (columns >> column.column & 1);
    });
  }
  done_[i] = true;
  plan_.push_back(std::move(step));
}

}  // namespace zermelo::ground
