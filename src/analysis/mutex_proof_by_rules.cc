// Two fluents never hold together after a step if no rule for the one is compatible with a rule for
// the other. Two bodies exclude each other if they require different moves of one role, a condition
// or move and its negation, or two fluents of a group. A body that requires a move also requires
// what makes the move legal. For the content of a cell this is usually the whole proof: the piece
// that arrives is the one that stood at the origin, and a piece that stays was there before.
//
// Groups are assumed before the step and proved after it, as in mutex_proof_by_induction.cc: a
// group that fails is dropped, and proofs that used it are repeated. There is no search, so this is
// faster than a SAT solver by orders of magnitude; large games are skipped because of their size,
// not because of the time. It proves less: an exclusion that needs three conditions, or a case
// distinction, is not found.

#include "analysis/mutex_proof_by_rules.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace zermelo::analysis {

namespace {

using ground::Atom;
using ground::Literal;
using ground::RuleIndex;
using GroupIndex = std::uint32_t;

// Maximum number of comparisons per group; beyond, the group is not proved.
constexpr std::size_t max_comparisons = 1'000'000;
// Maximum number of expanded rules per fluent, and of implied literals added to a rule.
constexpr std::size_t max_parts = 1'000;
constexpr std::size_t max_implied = 16;
// Maximum number of literals and moves in the expanded rules of all fluents; beyond, no further
// fluent is considered.
constexpr std::size_t max_written = 32'000'000;
// Number of literals compared between two checks of the limits.
constexpr std::size_t check_interval = 65'536;

class RuleProof {
 public:
  RuleProof(const StepRules& rules, const std::vector<std::vector<Atom>>& groups, std::size_t known,
            const ProofLimits& limits)
      : limits_(limits),
        rules_(rules),
        game_(rules.game),
        groups_(groups),
        status_(groups.size(), Status::open),
        used_(groups.size()),
        groups_of_(game_.fluents.size()) {
    for (GroupIndex g = 0; g < groups.size(); ++g) {
      if (!holds_at_start(g)) status_[g] = Status::dropped;
      if (g < known) status_[g] = Status::proved;
      for (const Atom fluent : groups[g]) groups_of_[fluent].push_back(g);
    }
  }

  std::vector<bool> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (GroupIndex g = 0; g < groups_.size(); ++g) {
        if (status_[g] != Status::open) continue;
        changed = true;
        decide(g);
      }
    }
    std::vector<bool> proved;
    for (const Status status : status_) proved.push_back(status == Status::proved);
    return proved;
  }

 private:
  enum class Status : std::uint8_t { open, proved, dropped };
  using Literals = std::vector<Literal>;

  struct Kind {
    std::uint32_t role, number;
    auto operator<=>(const Kind&) const = default;
  };

  using Moves = std::vector<std::uint32_t>;  // ascending

  // Rules for the next value of a fluent that differ only in the move.
  struct Rules {
    Literals rest;
    Moves moves;      // one of these is made; empty: any
    Moves forbidden;  // none of these is made
    std::set<Kind> kinds;
  };

  bool holds_at_start(GroupIndex group) const {
    return std::count_if(groups_[group].begin(), groups_[group].end(), [&](Atom fluent) {
             return std::binary_search(game_.initial.begin(), game_.initial.end(), fluent);
           }) <= 1;
  }

  void decide(GroupIndex group) {
    used_now_.clear();
    comparisons_ = 0;
    if (is_kept(groups_[group])) {
      used_[group] = used_now_;
      status_[group] = Status::proved;
      return;
    }
    status_[group] = Status::dropped;
    for (GroupIndex g = 0; g < groups_.size(); ++g) {
      if (status_[g] == Status::proved && used_[g].contains(group)) status_[g] = Status::open;
    }
  }

  bool is_kept(const std::vector<Atom>& group) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!exclude_next(group[i], group[j])) return false;
      }
    }
    return true;
  }

  bool exclude_next(Atom a, Atom b) {
    const auto &of_a = rules_of(a), &of_b = rules_of(b);
    if (!of_a || !of_b) return false;
    return std::all_of(of_a->begin(), of_a->end(), [&](const Rules& x) {
      return std::all_of(of_b->begin(), of_b->end(), [&](const Rules& y) { return exclude(x, y); });
    });
  }

  // Returns nullopt if the rules would be too large when expanded.
  const std::optional<std::vector<Rules>>& rules_of(Atom fluent) {
    const auto [place, added] = rules_of_.try_emplace(fluent);
    if (!added) return place->second;
    std::vector<Rules> rules;
    const Atom next = game_.next[fluent];
    if (next != ground::no_atom) add_rules(next, {}, rules);
    if (written_ <= max_written) place->second = std::move(rules);
    return place->second;
  }

  // Adds the rules of an atom, with conditions on moves expanded.
  void add_rules(Atom atom, const Literals& context, std::vector<Rules>& out) {
    if (written_ > max_written) return;
    for (FactoredRules& part : factor_rules(game_, rules_.sets, atom)) {
      part.rest.insert(part.rest.end(), context.begin(), context.end());
      const auto on_moves = std::find_if(part.rest.begin(), part.rest.end(), [&](Literal l) {
        return !l.negated() && l.atom() >= game_.first_after_does && l.atom() < atom;
      });
      if (part.moves.empty() && on_moves != part.rest.end() && out.size() < max_parts) {
        const Atom condition = on_moves->atom();
        part.rest.erase(on_moves);
        add_rules(condition, part.rest, out);
        continue;
      }
      Rules rules{with_implied(part.rest), std::move(part.moves), forbidden_by(part.rest), {}};
      for (const std::uint32_t move : rules.moves) {
        rules.kinds.insert({game_.moves[move].role, rules_.kind_of[move]});
      }
      const std::size_t size = 1 + rules.rest.size() + rules.moves.size() + rules.forbidden.size();
      written_ += is_over(size) ? max_written + 1 : size;
      out.push_back(std::move(rules));
    }
  }

  Moves forbidden_by(const Literals& literals) const {
    Moves moves;
    for (const Literal literal : literals) {
      const auto set = rules_.sets.moves(literal.atom());
      if (literal.negated() && set) moves.insert(moves.end(), set->begin(), set->end());
    }
    std::sort(moves.begin(), moves.end());
    return moves;
  }

  // Adds what is implied by the literals: what the bodies of their rules have in common.
  Literals with_implied(Literals literals) const {
    for (std::size_t i = 0; i < literals.size() && literals.size() < max_implied; ++i) {
      if (literals[i].negated() || literals[i].atom() < game_.first_derived) continue;
      const Literals common = common_literals(literals[i].atom());
      literals.insert(literals.end(), common.begin(), common.end());
    }
    return literals;
  }

  Literals common_literals(Atom atom) const {
    const auto first = game_.body(game_.rules_begin(atom));
    Literals common(first.begin(), first.end());
    for (RuleIndex rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      const auto body = game_.body(rule);
      std::erase_if(common, [&](Literal literal) {
        return std::find(body.begin(), body.end(), literal) == body.end();
      });
      if (common.empty()) break;
    }
    return common;
  }

  bool exclude(const Rules& a, const Rules& b) {
    if (exclude(a.rest, b.rest)) return true;
    if (a.moves.empty() && b.moves.empty()) return false;
    if (a.moves.empty()) return all_excluded(without(b.moves, a.forbidden), a, b);
    if (b.moves.empty()) return all_excluded(without(a.moves, b.forbidden), a, b);
    Moves common;
    std::set_intersection(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end(),
                          std::back_inserter(common));
    return all_excluded(common, a, b) && (kinds_exclude(a, b) || roles_exclude(a, b));
  }

  static Moves without(const Moves& moves, const Moves& forbidden) {
    Moves left;
    std::set_difference(moves.begin(), moves.end(), forbidden.begin(), forbidden.end(),
                        std::back_inserter(left));
    return left;
  }

  bool all_excluded(const Moves& moves, const Rules& a, const Rules& b) {
    return std::all_of(moves.begin(), moves.end(),
                       [&](std::uint32_t move) { return excluded(move, a, b); });
  }

  bool excluded(std::uint32_t move, const Rules& a, const Rules& b) {
    const Literals& required = rules_.required[move];
    return exclude(required, a.rest) || exclude(required, b.rest);
  }

  // Returns whether moves of different roles, one of each, are never made together: by the common
  // requirements of their kinds, or else pair by pair.
  bool kinds_exclude(const Rules& a, const Rules& b) {
    return std::all_of(a.kinds.begin(), a.kinds.end(), [&](const Kind& x) {
      return std::all_of(b.kinds.begin(), b.kinds.end(), [&](const Kind& y) {
        return x.role == y.role ||
               exclude(rules_.required_by_kind[x.number], rules_.required_by_kind[y.number]);
      });
    });
  }

  bool roles_exclude(const Rules& a, const Rules& b) {
    return std::all_of(a.moves.begin(), a.moves.end(), [&](std::uint32_t x) {
      return std::all_of(b.moves.begin(), b.moves.end(), [&](std::uint32_t y) {
        return game_.moves[x].role == game_.moves[y].role ||
               exclude(rules_.required[x], rules_.required[y]) ||
               exclude(a.rest, rules_.required[y]) || exclude(rules_.required[x], b.rest);
      });
    });
  }

  bool exclude(const Literals& a, const Literals& b) {
    if (++comparisons_ > max_comparisons) return false;
    for (const Literal x : a) {
      if (is_over(1 + b.size())) return false;
      for (const Literal y : b) {
        if (x.atom() == y.atom() ? x.negated() != y.negated() : in_one_group(x, y)) return true;
      }
    }
    return false;
  }

  // Returns whether a limit was reached. If so, nothing counts as exclusive.
  bool is_over(std::size_t literals) {
    compared_ += literals;
    if (compared_ < check_interval) return false;
    if (limits_.exceeded()) return true;
    compared_ = 0;
    return false;
  }

  bool in_one_group(Literal a, Literal b) {
    const auto fluents = static_cast<Atom>(game_.fluents.size());
    if (a.negated() || b.negated() || a.atom() >= fluents || b.atom() >= fluents) return false;
    for (const GroupIndex group : groups_of_[a.atom()]) {
      const std::vector<GroupIndex>& others = groups_of_[b.atom()];
      if (status_[group] == Status::dropped ||
          !std::binary_search(others.begin(), others.end(), group)) {
        continue;
      }
      used_now_.insert(group);
      return true;
    }
    return false;
  }

  ProofLimits limits_;
  const StepRules& rules_;
  const ground::Game& game_;
  const std::vector<std::vector<Atom>>& groups_;
  std::vector<Status> status_;                      // by group
  std::vector<std::set<GroupIndex>> used_;          // by proved group: the groups its proof assumes
  std::vector<std::vector<GroupIndex>> groups_of_;  // by fluent
  std::map<Atom, std::optional<std::vector<Rules>>> rules_of_;  // by fluent considered so far
  std::size_t written_ = 0;                                     // literals and moves in rules_of_
  std::set<GroupIndex> used_now_;                               // by the current proof
  std::size_t comparisons_ = 0;                                 // for the current proof
  std::size_t compared_ = 0;  // literals since the last check of the limits
};

}  // namespace

std::vector<bool> prove_by_rules(const StepRules& rules,
                                 const std::vector<std::vector<Atom>>& groups, std::size_t known,
                                 const ProofLimits& limits) {
  return RuleProof(rules, groups, known, limits).run();
}

}  // namespace zermelo::analysis
