// Top-down evaluation with tabling, in its linear variants (Shen, Yuan, You, Zhou:
// Linear tabulated resolution based on Prolog control strategy, 2001; Zhou, Sato: Efficient
// fixpoint computation in linear tabling, 2003).
//
// A query is a predicate with some of its arguments given. Its table collects the answers: every
// rule of the predicate is run with the given arguments. A literal of a body is a query in turn,
// which is fully evaluated before its answers are used. So every query is evaluated once, and only
// relevant queries are made: a seven-argument predicate with millions of instances is derived only
// for the instances that a rule uses.
//
// A query that is made again while it is in progress is recursive. It returns the answers found so
// far, and every table between the two calls depends on it. Such tables have a `low` mark below
// their own depth, as in Tarjan's algorithm for components, and end as `evaluated`, not as
// `complete`. The lowest table of the component is its leader. It is run again in rounds, with
// every table of the component run once per round, until a round adds no answer. Then the answers
// are the least fixpoint, and all tables of the component become complete. Answers are never
// removed, so a table that a round does not reach keeps its answers but must be evaluated again at
// the next query.
//
// A query with all arguments given ends at its first answer. Tables that were evaluated for it and
// still wait for it are then reopened. Negation makes such a query. The rules are stratified, so it
// never depends on a table in progress, and its table is always complete.
//
// The frames are stored in vectors, not on the call stack, so only memory limits the recursion
// depth.

#include "reference/query_evaluator.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace zermelo::reference {

namespace {

constexpr std::uint32_t no_depth = ~std::uint32_t{0};
constexpr std::uint32_t scanned_without_index = 8;

ArgumentMask given_arguments(std::span<const TermId> key) {
  ArgumentMask mask = 0;
  for (std::size_t a = 0; a < key.size() && a < 64; ++a) {
    if (key[a] != no_term) mask |= ArgumentMask{1} << a;
  }
  return mask;
}

bool agrees(std::span<const TermId> tuple, std::span<const TermId> key) {
  for (std::size_t a = 0; a < key.size(); ++a) {
    if (key[a] != no_term && key[a] != tuple[a]) return false;
  }
  return true;
}

}  // namespace

QueryEvaluator::QueryEvaluator(RuleProgram program, base::Limits limits)
    : program_(std::make_unique<RuleProgram>(std::move(program))),
      planner_(*program_),
      computed_(*program_),
      steps_(std::move(limits)) {}

void QueryEvaluator::set_state(std::span<const TermId> fluents) {
  forget(Predicate::Depends::state);
  forget(Predicate::Depends::moves);
  program_->relations[program_->any_fluent].reset(1);
  for (const auto& [name, p] : program_->fluents) program_->relations[p].reset(name.second);
  for (const TermId fluent : fluents) fill_relation(fluent);
}

void QueryEvaluator::fill_relation(TermId fluent) {
  program_->relations[program_->any_fluent].insert({&fluent, 1});
  const std::span<const TermId> arguments = program_->terms.arguments(fluent);
  const auto found = program_->fluents.find({program_->terms.name(fluent), arguments.size()});
  if (found != program_->fluents.end()) program_->relations[found->second].insert(arguments);
}

void QueryEvaluator::set_moves(std::span<const TermId> roles, std::span<const TermId> moves) {
  forget(Predicate::Depends::moves);
  TupleSet& does = program_->relations[program_->does];
  does.reset(2);
  for (std::size_t r = 0; r < roles.size(); ++r) does.insert(std::array{roles[r], moves[r]});
}

void QueryEvaluator::forget(Predicate::Depends depends) {
  maps_[static_cast<std::size_t>(depends)].clear(
      [&](Table* table) { free_tables_.push_back(table); });
}

const TupleSet& QueryEvaluator::ask(PredicateId predicate, std::span<const TermId> key) {
  if (program_->predicates[predicate].kind == Predicate::Kind::derived) {
    Table& table = find_table(predicate, key, given_arguments(key));
    complete(table);
    return table.answers;
  }
  const TupleSet& stored = program_->relations[predicate];
  selection_.reset(key.size());
  for (std::uint32_t i = 0; i < stored.size(); ++i) {
    if (agrees(stored[i], key)) selection_.insert(stored[i]);
  }
  return selection_;
}

void QueryEvaluator::complete(Table& table) {
  abandon_frames();
  if (table.status == Table::Status::complete) return;
  push_frame(table);
  while (!frames_.empty()) run_frame();
  assert(table.status == Table::Status::complete && pending_.empty());
}

// Removes the frames of a query that ended at a limit.
void QueryEvaluator::abandon_frames() {
  for (Table* table : pending_) table->status = Table::Status::open;
  pending_.clear();
  frames_.clear();
  variables_.clear();
  cursors_.clear();
}

QueryEvaluator::Table& QueryEvaluator::find_table(PredicateId predicate,
                                                  std::span<const TermId> key, ArgumentMask given) {
  const std::uint64_t hash = hash_terms(mix_hash(0, predicate), key);
  TableMap& map = maps_[static_cast<std::size_t>(program_->predicates[predicate].depends)];
  Table*& slot = map.slot(predicate, key, hash);
  if (slot != nullptr) return *slot;
  if (free_tables_.empty()) free_tables_.push_back(&tables_.emplace_back());
  Table& table = *(slot = free_tables_.back());
  free_tables_.pop_back();
  table.predicate = predicate;
  table.given = given;
  table.status = Table::Status::open;
  table.grew = false;
  table.key.assign(key.begin(), key.end());
  table.hash = hash;
  table.answers.reset(key.size());
  map.added();
  return table;
}

QueryEvaluator::Table*& QueryEvaluator::TableMap::slot(PredicateId predicate,
                                                       std::span<const TermId> key,
                                                       std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Table*& table = slots_[i];
    if (table == nullptr) return table;
    if (table->hash == hash && table->predicate == predicate &&
        std::equal(key.begin(), key.end(), table->key.begin(), table->key.end())) {
      return table;
    }
  }
}

void QueryEvaluator::TableMap::added() {
  if (++used_ * 2 <= slots_.size()) return;
  std::vector<Table*> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (Table* table : old) {
    if (table == nullptr) continue;
    std::size_t i = table->hash & mask;
    while (slots_[i] != nullptr) i = (i + 1) & mask;
    slots_[i] = table;
  }
}

template <class Visit>
void QueryEvaluator::TableMap::clear(Visit visit) {
  if (used_ == 0) return;
  for (Table*& table : slots_) {
    if (table != nullptr) visit(table);
    table = nullptr;
  }
  used_ = 0;
}

void QueryEvaluator::push_frame(Table& table) {
  table.status = Table::Status::in_progress;
  table.depth = static_cast<std::uint32_t>(frames_.size());
  table.low = no_depth;
  table.position = pending_.size();
  pending_.push_back(&table);
  const PlanSet& plans = planner_.plans(table.predicate, table.given, steps_);
  frames_.push_back({&table, &plans, variables_.size(), cursors_.size()});
  variables_.resize(variables_.size() + plans.variables);
  cursors_.resize(cursors_.size() + plans.steps);
}

void QueryEvaluator::pop_frame() {
  variables_.resize(frames_.back().first_variable);
  cursors_.resize(frames_.back().first_cursor);
  frames_.pop_back();
}

// Runs the top frame until it ends or must wait for another table.
void QueryEvaluator::run_frame() {
  Frame& frame = frames_.back();
  binding_ = variables_.data() + frame.first_variable;
  for (;;) {
    steps_.take();
    if (frame.plan == frame.plans->plans.size()) return finish(frame);
    const Plan& plan = frame.plans->plans[frame.plan];
    if (!frame.inside_rule) {
      enter_rule(frame);
      continue;
    }
    if (frame.step == plan.steps.size()) {
      if (emit(frame)) return finish_with_only_answer(frame);
      backtrack(frame);
      continue;
    }
    const Step& step = plan.steps[frame.step];
    const Outcome outcome = frame.backtracking ? retry_step(frame, step) : enter_step(frame, step);
    if (outcome == Outcome::suspended) return;
    if (outcome == Outcome::success) {
      ++frame.step;
      frame.backtracking = false;
    } else {
      backtrack(frame);
    }
  }
}

void QueryEvaluator::enter_rule(Frame& frame) {
  const Rule& rule = *frame.plans->plans[frame.plan].rule;
  std::fill_n(binding_, rule.variables, no_term);
  for (std::size_t a = 0; a < rule.arguments.size(); ++a) {
    const TermId given = frame.table->key[a];
    if (given != no_term && !match(rule.arguments[a], given)) {
      ++frame.plan;
      return;
    }
  }
  frame.inside_rule = true;
  frame.backtracking = false;
  frame.step = 0;
}

void QueryEvaluator::backtrack(Frame& frame) {
  if (frame.step == 0) {
    frame.inside_rule = false;
    ++frame.plan;
  } else {
    --frame.step;
    frame.backtracking = true;
  }
}

// Adds the head as an answer. Returns true if there can be no other answer.
bool QueryEvaluator::emit(Frame& frame) {
  Table& table = *frame.table;
  const Rule& rule = *frame.plans->plans[frame.plan].rule;
  key_.clear();
  for (const ExpressionId argument : rule.arguments) key_.push_back(build(argument));
  if (table.answers.insert(key_)) table.grew = true;
  return static_cast<std::size_t>(std::popcount(table.given)) == table.key.size();
}

void QueryEvaluator::finish(Frame& frame) {
  Table& table = *frame.table;
  if (table.low < table.depth) {
    for (std::size_t i = table.position; i < pending_.size(); ++i) {
      pending_[i]->low = std::min(pending_[i]->low, table.low);
    }
    table.status = Table::Status::evaluated;
    return pop_frame();
  }
  if (table.low == table.depth && grew_since(table.position)) return start_round(frame);
  for (std::size_t i = table.position; i < pending_.size(); ++i) {
    pending_[i]->status = Table::Status::complete;
  }
  pending_.resize(table.position);
  pop_frame();
}

void QueryEvaluator::finish_with_only_answer(Frame& frame) {
  Table& table = *frame.table;
  for (std::size_t i = table.position; i < pending_.size(); ++i) {
    pending_[i]->status = Table::Status::open;
  }
  table.status = Table::Status::complete;
  pending_.resize(table.position);
  pop_frame();
}

bool QueryEvaluator::grew_since(std::size_t position) const {
  return std::any_of(pending_.begin() + static_cast<std::ptrdiff_t>(position), pending_.end(),
                     [](const Table* table) { return table->grew; });
}

void QueryEvaluator::start_round(Frame& frame) {
  Table& leader = *frame.table;
  for (std::size_t i = leader.position; i < pending_.size(); ++i) {
    pending_[i]->grew = false;
    pending_[i]->status = Table::Status::open;
  }
  pending_.resize(leader.position + 1);
  leader.status = Table::Status::in_progress;
  leader.low = no_depth;
  frame.plan = 0;
}

QueryEvaluator::Outcome QueryEvaluator::enter_step(Frame& frame, const Step& step) {
  const BodyLiteral& literal = *step.literal;
  const auto outcome = [](bool success) { return success ? Outcome::success : Outcome::failure; };
  if (literal.kind == BodyLiteral::Kind::differ || literal.kind == BodyLiteral::Kind::same) {
    const bool same = build(literal.arguments[0]) == build(literal.arguments[1]);
    return outcome(same == (literal.kind == BodyLiteral::Kind::same));
  }
  if (program_->predicates[literal.predicate].kind == Predicate::Kind::computed) {
    return outcome(compute(step) == (literal.kind == BodyLiteral::Kind::holds));
  }
  if (open_cursor(frame, step) == Outcome::suspended) return Outcome::suspended;
  const bool found = next_match(step, cursors_[frame.first_cursor + frame.step]);
  return outcome(found == (literal.kind == BodyLiteral::Kind::holds));
}

// Computes a function and matches its result. Tests have none.
bool QueryEvaluator::compute(const Step& step) {
  for (const VariableId v : step.binds) binding_[v] = no_term;
  const BodyLiteral& literal = *step.literal;
  const gdl::UsedFunction& function = program_->predicates[literal.predicate].function;
  key_.clear();
  for (std::uint32_t i = 0; i < function.inputs; ++i) key_.push_back(build(literal.arguments[i]));
  const std::optional<TermId> result = computed_.result(literal.predicate, key_);
  if (!result) return false;
  return function.inputs == function.arity || match(literal.arguments.back(), *result);
}

QueryEvaluator::Outcome QueryEvaluator::retry_step(Frame& frame, const Step& step) {
  if (step.literal->kind != BodyLiteral::Kind::holds || step.binds.empty()) return Outcome::failure;
  if (program_->predicates[step.literal->predicate].kind == Predicate::Kind::computed) {
    return Outcome::failure;
  }
  return next_match(step, cursors_[frame.first_cursor + frame.step]) ? Outcome::success
                                                                     : Outcome::failure;
}

QueryEvaluator::Outcome QueryEvaluator::open_cursor(Frame& frame, const Step& step) {
  const PredicateId predicate = step.literal->predicate;
  if (program_->predicates[predicate].kind != Predicate::Kind::derived) {
    open_relation(step, cursors_[frame.first_cursor + frame.step]);
    return Outcome::success;
  }
  Table& table =
      frame.awaited ? *frame.awaited : find_table(predicate, build_key(step), step.given);
  if (table.status == Table::Status::open) {
    frame.awaited = &table;
    push_frame(table);
    return Outcome::suspended;
  }
  frame.awaited = nullptr;
  if (table.status == Table::Status::in_progress) {
    frame.table->low = std::min(frame.table->low, table.depth);
  } else if (table.status == Table::Status::evaluated) {
    frame.table->low = std::min(frame.table->low, table.low);
  }
  assert(step.literal->kind != BodyLiteral::Kind::fails || table.status == Table::Status::complete);
  cursors_[frame.first_cursor + frame.step] = {&table, &table.answers, nullptr, 0};
  return Outcome::success;
}

void QueryEvaluator::open_relation(const Step& step, Cursor& cursor) {
  TupleSet& tuples = program_->relations[step.literal->predicate];
  cursor = {nullptr, &tuples, nullptr, 0};
  if (step.given == 0 || tuples.size() <= scanned_without_index) return;
  cursor.index = &tuples.index(step.given);
  cursor.position = cursor.index->first(build_key(step));
}

bool QueryEvaluator::next_match(const Step& step, Cursor& cursor) {
  const ArgumentMask skipped = cursor.table ? step.given : 0;
  while (cursor.position < cursor.tuples->size()) {
    steps_.take();
    const std::uint32_t current = cursor.position;
    cursor.position = cursor.index ? cursor.index->next(current) : current + 1;
    if (match_tuple(step, (*cursor.tuples)[current], skipped)) return true;
  }
  return false;
}

bool QueryEvaluator::match_tuple(const Step& step, std::span<const TermId> tuple,
                                 ArgumentMask skipped) {
  for (const VariableId v : step.binds) binding_[v] = no_term;
  const std::vector<ExpressionId>& arguments = step.literal->arguments;
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    if (a < 64 && (skipped >> a & 1)) continue;
    if (!match(arguments[a], tuple[a])) return false;
  }
  return true;
}

bool QueryEvaluator::match(ExpressionId id, TermId term) {
  const Expression& expression = program_->expressions[id];
  if (expression.kind == Expression::Kind::constant) return expression.value == term;
  if (expression.kind == Expression::Kind::variable) {
    TermId& value = binding_[expression.value];
    if (value == no_term) value = term;
    return value == term;
  }
  const std::span<const TermId> arguments = program_->terms.arguments(term);
  if (arguments.size() != expression.arguments ||
      program_->terms.name(term) != static_cast<gdl::Symbol>(expression.value)) {
    return false;
  }
  for (std::uint32_t i = 0; i < expression.arguments; ++i) {
    if (!match(expression.first_argument + i, arguments[i])) return false;
  }
  return true;
}

TermId QueryEvaluator::build(ExpressionId id) {
  const Expression& expression = program_->expressions[id];
  if (expression.kind == Expression::Kind::constant) return expression.value;
  if (expression.kind == Expression::Kind::variable) {
    assert(binding_[expression.value] != no_term);
    return binding_[expression.value];
  }
  std::vector<TermId> arguments(expression.arguments);
  for (std::uint32_t i = 0; i < expression.arguments; ++i) {
    arguments[i] = build(expression.first_argument + i);
  }
  return program_->terms.intern(static_cast<gdl::Symbol>(expression.value), arguments);
}

std::span<const TermId> QueryEvaluator::build_key(const Step& step) {
  key_.clear();
  const std::vector<ExpressionId>& arguments = step.literal->arguments;
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    const bool given = a < 64 && (step.given >> a & 1);
    key_.push_back(given ? build(arguments[a]) : no_term);
  }
  return key_;
}

}  // namespace zermelo::reference
