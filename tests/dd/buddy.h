// BuDDy, a classical BDD package, as the oracle for our diagrams: multi-valued variables are
// encoded in bits by its finite domain blocks. One of our variables is two blocks, the current and
// the next value. BuDDy has global state, so there is one oracle at a time.
#pragma once

#include <bdd.h>
#include <fdd.h>

#include <vector>

#include "dd/diagram.h"
#include "dd/relation.h"

namespace zermelo::dd {

class Buddy {
 public:
  explicit Buddy(const Domains& domains) : domains_(domains) {
    bdd_init(1 << 16, 1 << 14);
    bdd_setmaxincrease(1 << 20);
    bdd_gbc_hook(nullptr);
    for (const Value domain : domains) {
      int sizes[] = {static_cast<int>(domain), static_cast<int>(domain)};
      fdd_extdomain(sizes, 2);
    }
  }
  Buddy(const Buddy&) = delete;
  Buddy& operator=(const Buddy&) = delete;
  ~Buddy() {
    fdd_clearall();
    bdd_done();
  }

  bdd literal(std::size_t variable, Value value, bool next = false) const {
    return fdd_ithvar(block(variable, next), static_cast<int>(value));
  }

  // Returns all assignments of the current values.
  bdd everything() const {
    bdd all = bddtrue;
    for (std::size_t v = 0; v < domains_.size(); ++v) all &= fdd_domain(block(v, false));
    return all;
  }

  // Returns the assignments whose constant is not 0, computed node by node from the bottom up.
  bdd members(const Diagram& diagram) const {
    std::vector<bdd> sets(diagram.ids(), bddfalse);
    for (NodeId c = 1; c < diagram.constants(); ++c) sets[c] = bddtrue;
    for (std::size_t l = diagram.variables(); l-- > 0;) {
      for (std::size_t row = 0; row < diagram.nodes_at(l); ++row) {
        const NodeId id = diagram.level(l).base + static_cast<NodeId>(row);
        for (Value value = 0; value < domains_[l]; ++value) {
          sets[id] |= literal(l, value) & sets[diagram.child(l, id, value)];
        }
      }
    }
    return sets[diagram.root()] & everything();
  }

  bdd relation(const std::vector<Case>& cases) const {
    bdd all = bddfalse;
    for (const Case& c : cases) all |= relation(c);
    return all;
  }

  bdd image(bdd set, bdd relation) const {
    return Renaming(domains_.size(), true)(bdd_relprod(set, relation, blocks(false)));
  }
  bdd preimage(bdd set, bdd relation) const {
    return bdd_relprod(Renaming(domains_.size(), false)(set), relation, blocks(true));
  }

 private:
  // Exchanges current and next values.
  class Renaming {
   public:
    Renaming(std::size_t variables, bool from_next) : pair_(bdd_newpair()) {
      for (int v = 0; v < static_cast<int>(variables); ++v) {
        fdd_setpair(pair_, 2 * v + (from_next ? 1 : 0), 2 * v + (from_next ? 0 : 1));
      }
    }
    Renaming(const Renaming&) = delete;
    Renaming& operator=(const Renaming&) = delete;
    ~Renaming() { bdd_freepair(pair_); }
    bdd operator()(const bdd& set) const { return bdd_replace(set, pair_); }

   private:
    bddPair* pair_;
  };

  int block(std::size_t variable, bool next) const {
    return static_cast<int>(2 * variable) + (next ? 1 : 0);
  }

  bdd blocks(bool next) const {
    bdd all = bddtrue;
    for (std::size_t v = 0; v < domains_.size(); ++v) all &= fdd_ithset(block(v, next));
    return all;
  }

  bdd relation(const Case& c) const {
    std::vector<const Case::Touch*> touch(domains_.size(), nullptr);
    for (const Case::Touch& t : c.touched) touch[t.variable] = &t;
    bdd all = bddtrue;
    for (std::size_t v = domains_.size(); v-- > 0;) {
      const bdd unchanged = fdd_equals(block(v, false), block(v, true)) &
                            fdd_domain(block(v, false)) & fdd_domain(block(v, true));
      if (touch[v] == nullptr) {
        all &= unchanged;
        continue;
      }
      bdd allowed = touch[v]->allowed.empty() ? fdd_domain(block(v, false)) : bddfalse;
      for (const Value value : touch[v]->allowed) allowed |= literal(v, value);
      all &= allowed & (touch[v]->next ? literal(v, *touch[v]->next, true) : unchanged);
    }
    return all;
  }

  Domains domains_;
};

}  // namespace zermelo::dd
