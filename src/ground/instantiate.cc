#include "ground/instantiate.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/components.h"

namespace zermelo::ground {

namespace {

constexpr std::uint32_t ticks_between_checks = 1u << 14;

}  // namespace

void InstanceLog::add(std::span<const std::uint32_t> instance) {
  if (chunks_.empty() || chunks_.back().size() + instance.size() > chunks_.back().capacity()) {
    chunks_.emplace_back().reserve(std::max(chunk_words, instance.size()));
  }
  chunks_.back().insert(chunks_.back().end(), instance.begin(), instance.end());
  ++size_;
}

base::Result<void> Instantiation::run(const Program& program, std::span<const Rule> rules,
                                      bool keep_instances) {
  keep_instances_ = keep_instances;
  program_ = &program;
  prepare(program, rules);
  rank_predicates(program, rules);
  if (!rules_.empty() && (exceeded_ = limits_.exceeded()))
    return tl::unexpected(limit_error(program));
  for (std::uint32_t r = 0; r < rules_.size(); ++r) {
    const bool waits = std::any_of(
        rules_[r].literals.begin(), rules_[r].literals.end(), [&](const FlatLiteral& l) {
          return l.kind == FlatLiteral::Kind::positive && running_[l.predicate];
        });
    if (!waits && !evaluate(r, no_literal, 0, 0)) return tl::unexpected(limit_error(program));
  }
  while (const auto predicate = next_predicate()) {
    if (!process(*predicate)) return tl::unexpected(limit_error(program));
  }
  return {};
}

void Instantiation::add_relations(const Program& program) {
  for (std::size_t p = relations.size(); p < program.predicates.size(); ++p) {
    relations.emplace_back(program.predicates[p].arity);
    mentioned.emplace_back(program.predicates[p].arity);
  }
  atoms.resize(program.predicates.size());
  mentioned_atoms.resize(program.predicates.size());
}

void Instantiation::prepare(const Program& program, std::span<const Rule> rules) {
  const std::size_t predicates = program.predicates.size();
  add_relations(program);
  running_.assign(predicates, false);
  is_guard_.clear();
  for (const Predicate& predicate : program.predicates)
    is_guard_.push_back(predicate.kind == Kind::guard);
  processed_.assign(predicates, 0);
  uses_.assign(predicates, {});
  rules_.clear();
  for (const Rule& rule : rules) {
    running_[rule.head] = true;
    rules_.push_back(flatten(rule, terms));
  }
  plans_.assign(rules_.size(), {});
  instances_of_.assign(rules_.size(), 0);
  for (std::uint32_t r = 0; r < rules_.size(); ++r) {
    plans_[r].resize(rules_[r].literals.size() + 1);
    for (std::uint32_t l = 0; l < rules_[r].literals.size(); ++l) {
      const FlatLiteral& literal = rules_[r].literals[l];
      if (literal.kind == FlatLiteral::Kind::positive && running_[literal.predicate]) {
        uses_[literal.predicate].push_back({r, l});
      }
    }
  }
}

// Batches are largest if a predicate is processed after its dependencies. The rules from next to
// true and from legal to does would close a cycle and are ignored in this order.
void Instantiation::rank_predicates(const Program& program, std::span<const Rule> rules) {
  const auto count = static_cast<std::uint32_t>(program.predicates.size());
  std::vector<std::vector<PredicateId>> depends_on(count);
  for (const Rule& rule : rules) {
    const Kind kind = program.predicates[rule.head].kind;
    if (kind == Kind::fluent || kind == Kind::does) continue;
    for (const BodyLiteral& literal : rule.body) {
      if (literal.kind == BodyLiteral::Kind::positive)
        depends_on[rule.head].push_back(literal.predicate);
    }
  }
  const base::Components components =
      base::strongly_connected_components(count, [&](std::uint32_t p, std::uint64_t i) {
        return i < depends_on[p].size() ? depends_on[p][i] : base::no_node;
      });
  order_.clear();
  for (PredicateId p = 0; p < count; ++p) {
    if (running_[p]) order_.push_back(p);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](PredicateId a, PredicateId b) {
    return components.component_of[a] < components.component_of[b];
  });
}

std::optional<PredicateId> Instantiation::next_predicate() const {
  for (const PredicateId p : order_) {
    if (processed_[p] < relations[p].size()) return p;
  }
  return std::nullopt;
}

bool Instantiation::process(PredicateId predicate) {
  const RowId from = processed_[predicate];
  const RowId to = relations[predicate].size();
  for (const Use& use : uses_[predicate]) {
    if (!evaluate(use.rule, use.literal, from, to)) return false;
  }
  processed_[predicate] = to;
  return true;
}

// Generates the instances in which `literal` matches a row in [from, to) and the others match
// processed rows. Literals of the same predicate before it may also match the batch, those after it
// may not.
bool Instantiation::evaluate(std::uint32_t rule, std::uint32_t literal, RowId from, RowId to) {
  rule_ = &rules_[rule];
  rule_number_ = rule;
  const std::size_t literals = rule_->literals.size();
  begins_.assign(literals, 0);
  ends_.assign(literals, 0);
  rows_.assign(literals, no_row);
  for (std::uint32_t l = 0; l < literals; ++l) {
    const FlatLiteral& other = rule_->literals[l];
    if (other.kind != FlatLiteral::Kind::positive) continue;
    ends_[l] =
        running_[other.predicate] ? processed_[other.predicate] : relations[other.predicate].size();
    if (literal != no_literal && other.predicate == rule_->literals[literal].predicate &&
        l <= literal)
      ends_[l] = to;
    if (l == literal) begins_[l] = from;
    if (ends_[l] == 0) return true;
  }
  plan_ = &plan_for(rule, literal);
  slots_.assign(rule_->slots, 0);
  keys_.resize(std::max(keys_.size(), plan_->size() + 1));
  return step(0);
}

const Plan& Instantiation::plan_for(std::uint32_t rule, std::uint32_t literal) {
  const FlatRule& flat = rules_[rule];
  std::size_t rows = 1;
  for (const FlatLiteral& other : flat.literals) {
    if (other.kind == FlatLiteral::Kind::positive) rows += relations[other.predicate].size();
  }
  CachedPlan& cached = plans_[rule][literal == no_literal ? flat.literals.size() : literal];
  if (cached.made_for_rows == 0 || rows > 2 * cached.made_for_rows) {
    cached.plan = make_plan(flat, literal, relations, [&](PredicateId p) { return !running_[p]; });
    cached.made_for_rows = rows;
  }
  return cached.plan;
}

const TermId* Instantiation::values(const std::vector<Operand>& operands,
                                    std::vector<TermId>& buffer) const {
  buffer.resize(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) buffer[i] = value(operands[i]);
  return buffer.data();
}

// Executes the plan from step i. Returns false if a limit was reached.
bool Instantiation::step(std::size_t i) {
  if (i == plan_->size()) return accept();
  const Step& step = (*plan_)[i];
  const FlatLiteral& literal = rule_->literals[step.literal];
  std::vector<TermId>& key = keys_[i];
  values(step.key, key);
  switch (step.op) {
    case Step::Op::scan: {
      const Relation& relation = relations[literal.predicate];
      for (RowId row = begins_[step.literal]; row < ends_[step.literal]; ++row) {
        rows_[step.literal] = row;
        if (!match(step, relation.row(row), i)) return false;
      }
      return true;
    }
    case Step::Op::lookup: {
      const Relation& relation = relations[literal.predicate];
      for (RowId row = relation.first(step.index, key.data()); row != no_row;
           row = relation.older(step.index, row)) {
        if (row >= ends_[step.literal]) continue;
        rows_[step.literal] = row;
        if (!match(step, relation.row(row), i)) return false;
      }
      return true;
    }
    case Step::Op::member: {
      const RowId row = relations[literal.predicate].find(key.data());
      rows_[step.literal] = row;
      return row == no_row || row >= ends_[step.literal] || this->step(i + 1);
    }
    case Step::Op::absent:
      return relations[literal.predicate].find(key.data()) != no_row || this->step(i + 1);
    case Step::Op::distinct:
      return key[0] == key[1] || this->step(i + 1);
    case Step::Op::build: {
      const TermId whole = terms.function(literal.function, key);
      return match(step, &whole, i);
    }
    case Step::Op::take_apart: {
      const std::span<const TermId> parts = terms.arguments(key[0]);
      const bool fits =
          terms.name(key[0]) == literal.function && parts.size() + 1 == literal.operands.size();
      return !fits || match(step, parts.data(), i);
    }
    case Step::Op::compute:
      return compute(step, i);
    case Step::Op::compute_not:
      return compute_not(step, i);
  }
  return true;
}

bool Instantiation::compute(const Step& step, std::size_t i) {
  const auto result =
      calls_.result(*program_, terms, rule_->literals[step.literal].predicate, keys_[i]);
  return !result || match(step, &*result, i);
}

bool Instantiation::compute_not(const Step& step, std::size_t i) {
  const FlatLiteral& literal = rule_->literals[step.literal];
  const auto result =
      calls_.result(*program_, terms, literal.predicate, std::span(keys_[i]).first(literal.inputs));
  const bool has_result = literal.inputs < keys_[i].size();
  const bool holds = result && (!has_result || *result == keys_[i].back());
  return holds || this->step(i + 1);
}

bool Instantiation::match(const Step& step, const TermId* row, std::size_t i) {
  if (++ticks_ % ticks_between_checks == 0 && (exceeded_ = limits_.exceeded())) return false;
  for (const Step::Column& column : step.bind) slots_[column.operand.value] = row[column.column];
  for (const Step::Column& column : step.check) {
    if (value(column.operand) != row[column.column]) return true;
  }
  return this->step(i + 1);
}

bool Instantiation::accept() {
  values(rule_->head_operands, head_key_);
  const Relation::Added added = relations[rule_->head].add(head_key_.data());
  ++instances_of_[rule_number_];
  if (++instance_count_ > most_instances_) {
    exceeded_ = base::ErrorKind::memory_limit;
    return false;
  }
  if (!keep_instances_) return true;
  std::vector<AtomId>& ids = atoms[rule_->head];
  if (added.is_new) ids.push_back(atom_count++);
  if (rule_->emits) log_instance(*rule_, ids[added.row]);
  return true;
}

void Instantiation::log_instance(const FlatRule& rule, AtomId head) {
  instance_.assign({head, 0});
  for (std::uint32_t l = 0; l < rule.literals.size(); ++l) {
    const FlatLiteral& literal = rule.literals[l];
    const bool has_atom =
        literal.kind == FlatLiteral::Kind::positive || literal.kind == FlatLiteral::Kind::negative;
    if (!has_atom) continue;
    if (!running_[literal.predicate]) continue;
    if (literal.kind == FlatLiteral::Kind::negative) {
      instance_.push_back(mention(literal) * 2 + 1);
    } else if (!is_guard_[literal.predicate]) {
      instance_.push_back(atoms[literal.predicate][rows_[l]] * 2);
    }
  }
  instance_[1] = static_cast<std::uint32_t>(instance_.size() - 2);
  log.add(instance_);
}

AtomId Instantiation::mention(const FlatLiteral& literal) {
  values(literal.operands, head_key_);
  const Relation::Added added = mentioned[literal.predicate].add(head_key_.data());
  if (added.is_new) mentioned_atoms[literal.predicate].push_back(atom_count++);
  return mentioned_atoms[literal.predicate][added.row];
}

// Names the rule with the most instances.
base::Error Instantiation::limit_error(const Program& program) const {
  const auto most = std::max_element(instances_of_.begin(), instances_of_.end());
  const std::uint32_t clause =
      rules_[static_cast<std::size_t>(most - instances_of_.begin())].clause;
  return ground::limit_error(program, *exceeded_, clause, *most);
}

}  // namespace zermelo::ground
