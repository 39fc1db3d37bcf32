// Costs are computed in ascending order with a queue of buckets, as in Dijkstra's algorithm: a fact
// is final when it is taken from the queue, and a rule fires when the last fact of its body is
// final. The sum of the costs of a body (h-add, Bonet and Geffner 2001) overestimates where facts
// share what they need. So it only chooses which rule makes each fact; the estimate is the number
// of operators that these choices need for the goal, each counted once (h-FF with h-add, Keyder and
// Geffner 2008).
#include "search/planner/relaxed_graph.h"

#include <algorithm>

namespace zermelo::search::planner {
namespace {

// Costs above this are equal. It bounds the number of buckets.
constexpr int highest_cost = 10'000;

}  // namespace

void RelaxedGraph::add_rule(const RelaxedRule& rule) {
  if (rule.body.empty()) without_body_.push_back(rules());
  bodies_.insert(bodies_.end(), rule.body.begin(), rule.body.end());
  heads_.insert(heads_.end(), rule.heads.begin(), rule.heads.end());
  first_body_.push_back(static_cast<std::uint32_t>(bodies_.size()));
  first_head_.push_back(static_cast<std::uint32_t>(heads_.size()));
  cost_.push_back(rule.cost);
  operator_.push_back(rule.operator_number);
}

void RelaxedGraph::finish() {
  invert(bodies_, first_body_, readers_, first_reader_);
  invert(heads_, first_head_, makers_, first_maker_);
}

void RelaxedGraph::invert(const Numbers& facts, const Numbers& first_of_rule, Numbers& list,
                          Numbers& first) const {
  first.assign(facts_ + 1, 0);
  for (const Fact fact : facts) ++first[fact + 1];
  for (Fact fact = 0; fact < facts_; ++fact) first[fact + 1] += first[fact];
  list.resize(facts.size());
  Numbers next(first.begin(), first.end() - 1);
  for (RuleNumber rule = 0; rule < rules(); ++rule) {
    for (std::uint32_t i = first_of_rule[rule]; i < first_of_rule[rule + 1]; ++i) {
      list[next[facts[i]]++] = rule;
    }
  }
}

RelaxedCosts::RelaxedCosts(const RelaxedGraph& graph)
    : graph_(graph),
      body_sizes_(graph.rules()),
      by_(graph.facts(), no_rule),
      marked_at_(graph.facts(), 0) {
  std::uint32_t operators = 0;
  for (RuleNumber rule = 0; rule < graph.rules(); ++rule) {
    body_sizes_[rule] = static_cast<std::uint32_t>(graph.body(rule).size());
    const std::uint32_t number = graph.operator_of(rule);
    if (number != no_operator) operators = std::max(operators, number + 1);
  }
  used_at_.assign(operators, 0);
}

void RelaxedCosts::begin() {
  missing_ = body_sizes_;
  sum_.assign(graph_.rules(), 0);
  cost_.assign(graph_.facts(), unreachable);
  for (std::vector<Fact>& bucket : buckets_) bucket.clear();
  queued_ = 0;
}

// Requires a lower cost than before.
void RelaxedCosts::lower(Fact fact, int cost, RuleNumber by) {
  cost_[fact] = cost;
  by_[fact] = by;
  if (buckets_.size() <= static_cast<std::size_t>(cost)) {
    buckets_.resize(static_cast<std::size_t>(cost) + 1);
  }
  buckets_[static_cast<std::size_t>(cost)].push_back(fact);
  ++queued_;
}

void RelaxedCosts::run_until(std::span<const Fact> wanted) {
  const auto is_wanted = [&](Fact fact) {
    return std::find(wanted.begin(), wanted.end(), fact) != wanted.end();
  };
  for (const RuleNumber rule : graph_.rules_without_body()) fire(rule);
  for (std::size_t cost = 0; queued_ > 0; ++cost) {
    for (std::size_t i = 0; i < buckets_[cost].size(); ++i) {
      --queued_;
      const Fact fact = buckets_[cost][i];
      if (settle(fact, static_cast<int>(cost)) && is_wanted(fact)) return;
    }
  }
}

// Whether the cost is final; entries whose cost was lowered later are out of date.
bool RelaxedCosts::settle(Fact fact, int cost) {
  if (cost_[fact] != cost) return false;
  for (const RuleNumber rule : graph_.readers(fact)) {
    sum_[rule] += cost;
    if (--missing_[rule] == 0) fire(rule);
  }
  return true;
}

void RelaxedCosts::fire(RuleNumber rule) {
  const int cost = std::min(sum_[rule] + graph_.cost(rule), highest_cost);
  for (const Fact head : graph_.heads(rule)) {
    if (cost < cost_[head]) lower(head, cost, rule);
  }
}

bool RelaxedCosts::mark(Fact fact) {
  if (marked_at_[fact] == plans_) return false;
  marked_at_[fact] = plans_;
  return true;
}

RelaxedCosts::RelaxedPlan RelaxedCosts::extract(Fact goal) {
  ++plans_;
  RelaxedPlan plan;
  std::vector<Fact> open{goal};
  mark(goal);
  while (!open.empty()) {
    const Fact fact = open.back();
    open.pop_back();
    if (cost_[fact] > 0) plan.facts.push_back(fact);
    const RuleNumber rule = by_[fact];
    if (rule == no_rule) continue;
    if (const std::uint32_t used = graph_.operator_of(rule);
        used != no_operator && used_at_[used] != plans_) {
      used_at_[used] = plans_;
      plan.operators.push_back(used);
      if (sum_[rule] == 0) plan.first.push_back(used);
    }
    for (const Fact needed : graph_.body(rule)) {
      if (mark(needed)) open.push_back(needed);
    }
  }
  return plan;
}

}  // namespace zermelo::search::planner
