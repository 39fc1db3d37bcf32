// Facts and rules that derive them, and what it costs to derive a fact when facts never become
// false again (the delete relaxation).
//
//   RelaxedGraph graph;
//   const Fact a = graph.add_fact(), b = graph.add_fact();
//   graph.add_rule({{a}, {b}, 1, operator_number});
//   graph.finish();
//   RelaxedCosts costs(graph);
//   costs.begin();
//   costs.set(a, 0);
//   costs.run();
//   costs.of(b);  // 1
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::search::planner {

using Fact = std::uint32_t;
using RuleNumber = std::uint32_t;

// A rule of no operator.
inline constexpr std::uint32_t no_operator = ~std::uint32_t{0};
// The cost of a fact that cannot be derived.
inline constexpr int unreachable = 1 << 30;

struct RelaxedRule {
  std::vector<Fact> body;
  std::vector<Fact> heads;
  int cost = 0;
  std::uint32_t operator_number = no_operator;
};

class RelaxedGraph {
 public:
  Fact add_fact() { return facts_++; }
  void add_rule(const RelaxedRule& rule);
  // Call once, after the last rule and before any costs are computed.
  void finish();

  std::uint32_t facts() const { return facts_; }
  std::uint32_t rules() const { return static_cast<std::uint32_t>(cost_.size()); }
  std::span<const Fact> body(RuleNumber rule) const { return part(bodies_, first_body_, rule); }
  std::span<const Fact> heads(RuleNumber rule) const { return part(heads_, first_head_, rule); }
  std::span<const RuleNumber> readers(Fact fact) const {
    return part(readers_, first_reader_, fact);
  }
  std::span<const RuleNumber> makers(Fact fact) const { return part(makers_, first_maker_, fact); }
  int cost(RuleNumber rule) const { return cost_[rule]; }
  std::uint32_t operator_of(RuleNumber rule) const { return operator_[rule]; }
  std::span<const RuleNumber> rules_without_body() const { return without_body_; }

 private:
  using Numbers = std::vector<std::uint32_t>;

  static std::span<const std::uint32_t> part(const Numbers& all, const Numbers& first,
                                             std::uint32_t i) {
    return {all.data() + first[i], all.data() + first[i + 1]};
  }
  // For each fact the rules in which it occurs, as a list and the start of each part of it.
  void invert(const Numbers& facts, const Numbers& first_of_rule, Numbers& list,
              Numbers& first) const;

  std::uint32_t facts_ = 0;
  Numbers bodies_, first_body_ = {0}, heads_, first_head_ = {0};
  Numbers readers_, first_reader_, makers_, first_maker_;
  Numbers without_body_, operator_;
  std::vector<int> cost_;
};

// The costs of all facts by h-add: a rule costs what its body's facts cost together.
class RelaxedCosts {
 public:
  // The graph must be finished and must outlive this.
  explicit RelaxedCosts(const RelaxedGraph& graph);

  // Forgets the last run.
  void begin();
  // A fact is known at a cost. Requires a call of begin.
  void set(Fact fact, int cost) {
    if (cost < cost_[fact]) lower(fact, cost, no_rule);
  }
  // Computes the costs of all other facts.
  void run() { run_until({}); }
  // The same, but stops as soon as one of some facts has its final cost. Other costs may then be
  // missing or too high.
  void run_until(std::span<const Fact> wanted);

  int of(Fact fact) const { return cost_[fact]; }
  // Whether all of the rule's body can be derived, and what it costs. After a complete run.
  bool is_reached(RuleNumber rule) const { return missing_[rule] == 0; }
  int body_cost(RuleNumber rule) const { return sum_[rule]; }
  // Operators that reach a fact when nothing is ever deleted.
  struct RelaxedPlan {
    std::vector<std::uint32_t> operators;  // each once
    std::vector<std::uint32_t> first;      // those of them whose bodies cost nothing
    std::vector<Fact> facts;               // that cost something
  };
  // A relaxed plan for a fact that is reachable.
  RelaxedPlan extract(Fact goal);

 private:
  static constexpr RuleNumber no_rule = ~RuleNumber{0};

  void lower(Fact fact, int cost, RuleNumber by);
  bool settle(Fact fact, int cost);
  void fire(RuleNumber rule);
  // Whether this is the first call for the fact and the current plan.
  bool mark(Fact fact);

  const RelaxedGraph& graph_;
  std::vector<std::uint32_t> body_sizes_;   // by rule
  std::vector<std::uint32_t> missing_;      // by rule: facts of its body that have no final cost
  std::vector<int> sum_;                    // by rule: its cost and that of the final facts
  std::vector<int> cost_;                   // by fact
  std::vector<RuleNumber> by_;              // by fact: the rule that makes it cheapest
  std::vector<std::vector<Fact>> buckets_;  // by cost
  std::size_t queued_ = 0;
  std::vector<std::uint32_t> marked_at_;  // by fact: the last plan that needed it
  std::vector<std::uint32_t> used_at_;    // by operator
  std::uint32_t plans_ = 0;
};

}  // namespace zermelo::search::planner
