// Local plans: the moves of one part of a factored game, one plan per signature.
//
//   LocalPlans plans(game, part);
//   while (!plans.is_complete() && plans.extend(is_due)) ...  // what is new in plans.plans()
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "search/decomposition/local_graph.h"

namespace zermelo::search::decomposition {

// A terminal concept evaluation sequence (Definition 7), by number.
using Sequence = std::uint32_t;

// A plan signature (Definition 8), with what else decides how a plan combines with others.
struct PlanSignature {
  Evaluation evaluation = 0;  // of the last state
  Sequence sequence = 0;
  std::uint32_t length = 0;       // 0 if the number of moves does not matter
  bool ends_with_change = false;  // the last move changed the terminal evaluation
  auto operator<=>(const PlanSignature&) const = default;
};

struct LocalPlan {
  PlanSignature signature;
  std::uint32_t node;
  std::uint32_t length;
};

// Moves of a plan up to a change of the terminal evaluation, or to the end of the plan.
struct PlanBlock {
  std::vector<Move> moves;
  Evaluation after = 0;  // the terminal evaluation after the last of them
};

class LocalPlans {
 public:
  // The game must outlive this. Starts with the empty plan.
  LocalPlans(FactoredGame& game, std::size_t part);

  // Searches for plans of one more move until some are found or all of this length are known. The
  // next call continues. Returns false if `is_due` returned true before.
  bool extend(const std::function<bool()>& is_due);
  // The number of moves up to which all plans are known.
  std::uint32_t depth() const { return depth_; }
  // Whether all plans are known.
  bool is_complete() const;

  const std::vector<LocalPlan>& plans() const { return plans_; }
  // With exact times, a block has one move.
  std::vector<PlanBlock> blocks(const LocalPlan& plan) const;
  Evaluation first_evaluation() const { return graph_.evaluations(0).terminal; }
  // The local states that a plan goes through, the first one included.
  std::vector<State> states(const LocalPlan& plan) const;
  const LocalGraph& graph() const { return graph_; }

 private:
  struct Node {
    LocalState state;
    Sequence sequence;
    bool ends_with_change;
    Move move;
    std::uint32_t parent;
    std::uint32_t length;
  };
  using Key = std::tuple<LocalState, Sequence, bool>;

  void extend(std::uint32_t node);
  void add(const Node& node);
  Sequence extended(Sequence sequence, Evaluation evaluation);
  std::vector<std::uint32_t> path(std::uint32_t node) const;

  FactoredGame& game_;
  const std::size_t part_;
  const bool has_exact_times_;
  LocalGraph graph_;
  std::uint32_t depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> layer_;  // the nodes of length depth_
  std::vector<std::uint32_t> next_layer_;
  std::size_t extended_ = 0;  // the number of nodes of the layer that were extended
  std::set<Key> known_;       // of the next layer, or of all if lengths do not matter
  std::map<std::pair<Sequence, Evaluation>, Sequence> sequences_;
  std::set<PlanSignature> signatures_;
  std::vector<LocalPlan> plans_;
};

}  // namespace zermelo::search::decomposition
