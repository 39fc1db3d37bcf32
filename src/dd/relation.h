// Relations between two assignments of the same variables, the current and the next one.
//
// A relation is an automaton that reads the current and the next value of each variable in turn:
// (node, current, next) -> node. It rejects if there is no such step. Node 0 is the identity: it
// accepts if all further variables are unchanged. A node that leaves a variable unchanged for every
// value skips that level. So the cost of a move depends only on the variables it touches, and moves
// share common parts.
//
// The automaton is deterministic if that does not make it much larger than its parts: it has a
// single step for each current and next value, so that moves in progress share one node. A
// condition on an unchanged variable, far above the effect, can make every combination of such
// conditions a node of its own. In that case there may be several steps for the same values: one
// for the moves that have not started, others for those that have.
//
// The steps of a level are stored twice, by current and by next value. Nodes are numbered per
// level, from 0 to the width of the relation there; 0 is always the identity.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "dd/conditions.h"
#include "dd/diagram.h"
#include "dd/options.h"

namespace zermelo::dd {

// One case of a move: conditions and effects on some variables; all others are unchanged.
struct Case {
  struct Touch {
    std::size_t variable;
    std::vector<Value> allowed;                // current values; empty: any
    std::optional<Value> next = std::nullopt;  // nullopt: unchanged
  };
  std::vector<Touch> touched;  // no variable twice
};

// How a variable gets its next value: value j if becomes[j] holds in the current assignment.
struct Update {
  std::size_t variable;
  std::vector<Conditions::Id> becomes;  // by value
};

class Relation {
 public:
  struct Step {
    Value value;    // in the other assignment
    NodeId target;  // a node of the next level
  };
  enum class Side { current, next };

  class Level {
   public:
    // Whether a node leaves the variable of this level unchanged, and the node it then leads to.
    bool is_identity(NodeId node) const { return (nodes_[node] & identity_mark) != 0; }
    NodeId after_identity(NodeId node) const { return nodes_[node] & ~identity_mark; }
    // Returns the steps of a non-identity node if the variable has that value on that side.
    std::span<const Step> steps(Side side, NodeId node, Value value) const {
      const Table& table = tables_[side == Side::current ? 0 : 1];
      const std::uint32_t* begin = &table.begins[std::size_t{nodes_[node]} * values_ + value];
      return {table.steps.data() + begin[0], begin[1] - begin[0]};
    }
    std::size_t width() const { return nodes_.size(); }
    // Returns the maximum number of steps of a node for one value on that side; 1 for an identity.
    std::size_t max_steps(Side side) const {
      return tables_[side == Side::current ? 0 : 1].max_steps;
    }

   private:
    friend class RelationLayout;
    static constexpr NodeId identity_mark = NodeId{1} << 31;
    struct Table {
      std::vector<std::uint32_t> begins;  // by row and value: start in steps
      std::vector<Step> steps;
      std::uint32_t max_steps = 1;  // of one row and value
    };
    std::vector<NodeId> nodes_;  // the marked target of an identity, or a row of the tables
    Value values_ = 0;
    Table tables_[2];
  };

  // Returns the empty relation.
  static Relation nothing(Domains domains);
  // Returns the union of the cases.
  static base::Result<Relation> of_cases(Domains domains, std::vector<Case> cases,
                                         const Options& options = {});
  // Returns the relation that applies the updates to every assignment in which the guard holds; all
  // other variables are unchanged. Fails with not_applicable if a level would have more than
  // `widest` nodes.
  static base::Result<Relation> of_updates(Conditions& conditions, Conditions::Id guard,
                                           const std::vector<Update>& updates, std::size_t widest,
                                           const Options& options = {});

  const Domains& domains() const { return body_->domains; }
  bool empty() const { return body_->empty; }
  // Returns the start node at level 0. Requires a non-empty relation.
  NodeId root() const { return body_->root; }
  const Level& level(std::size_t l) const { return body_->levels[l]; }
  std::size_t nodes() const { return body_->nodes; }
  std::size_t widest() const;

  // Returns two relations whose union is this one, or none if it was built from less than two
  // parts.
  base::Result<std::vector<Relation>> halves(const Options& options = {}) const;

 private:
  friend class RelationLayout;
  struct Body {
    Domains domains;
    bool empty = true;
    NodeId root = 0;
    std::vector<Level> levels;  // without nodes if the relation is empty
    std::size_t nodes = 0;
    std::vector<Case> cases;      // from which it was built,
    std::vector<Relation> parts;  // or relations
  };

  explicit Relation(Body body) : body_(std::make_shared<const Body>(std::move(body))) {}

  std::shared_ptr<const Body> body_;
};

// Requires at least one relation, all over the same variables.
base::Result<Relation> union_of(const std::vector<Relation>& relations,
                                const Options& options = {});

}  // namespace zermelo::dd
