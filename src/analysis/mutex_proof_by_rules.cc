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
//
// Most bodies for the fluents of a group require a fluent of the group itself: the piece moves from
// place to place. Two of them that require different ones exclude each other by the assumption. So
// only bodies that require the same one are compared with each other, and those that require none
// with all. A group that fails usually fails for its first fluents, so these are tried first.

#include "analysis/mutex_proof_by_rules.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace zermelo::analysis {

namespace {

using ground::Atom;
using ground::Literal;
using GroupIndex = std::uint32_t;

// Maximum number of comparisons per group; beyond, the group is not proved.
constexpr std::size_t max_comparisons = 2'000'000;
// Number of literals compared between two checks of the limits.
constexpr std::size_t check_interval = 65'536;
// The number of fluents of a group that are tried first, and how much this number grows.
constexpr std::size_t first_tried = 2;
constexpr std::size_t growth = 8;

class RuleProof {
 public:
  RuleProof(ExpandedRules& rules, const std::vector<std::vector<Atom>>& groups, std::size_t known,
            const ProofLimits& limits)
      : limits_(limits),
        rules_(rules),
        game_(rules.game()),
        groups_(groups),
        status_(groups.size(), Status::open),
        used_(groups.size()),
        groups_of_(game_.fluents.size()),
        used_in_(groups.size(), 0) {
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
  using Literals = ExpandedRules::Literals;
  using Moves = ExpandedRules::Moves;
  using Rules = ExpandedRules::Rules;
  using Kind = ExpandedRules::Kind;

  // Rules for a fluent of the group that is being decided.
  struct Contender {
    Atom required;  // a fluent of the group that they require, or no_atom
    Atom head;
    const Rules* rules;
  };

  bool holds_at_start(GroupIndex group) const {
    return std::count_if(groups_[group].begin(), groups_[group].end(), [&](Atom fluent) {
             return std::binary_search(game_.initial.begin(), game_.initial.end(), fluent);
           }) <= 1;
  }

  void decide(GroupIndex group) {
    used_now_.clear();
    ++decision_;
    comparisons_ = 0;
    if (is_kept(group)) {
      used_[group] = used_now_;
      status_[group] = Status::proved;
      return;
    }
    status_[group] = Status::dropped;
    for (GroupIndex g = 0; g < groups_.size(); ++g) {
      const auto& used = used_[g];
      if (status_[g] == Status::proved && std::find(used.begin(), used.end(), group) != used.end())
        status_[g] = Status::open;
    }
  }

  bool is_kept(GroupIndex group) {
    const std::span<const Atom> fluents = groups_[group];
    for (std::size_t count = first_tried; count < fluents.size(); count *= growth) {
      if (!are_exclusive(group, fluents.first(count))) return false;
    }
    return are_exclusive(group, fluents);
  }

  bool are_exclusive(GroupIndex group, std::span<const Atom> fluents) {
    const auto contenders = contenders_for(group, fluents);
    if (!contenders) return false;
    const auto end = contenders->end();
    for (auto a = contenders->begin(); a != end; ++a) {
      for (auto b = a + 1; b != end; ++b) {
        if (a->required != ground::no_atom && a->required != b->required) break;
        if (a->head != b->head && !exclude(*a->rules, *b->rules)) return false;
      }
    }
    return true;
  }

  // All rules for some fluents of a group: first those that require none of its fluents, then those
  // that require the same one together. Nullopt if there are too many.
  std::optional<std::vector<Contender>> contenders_for(GroupIndex group,
                                                       std::span<const Atom> fluents) {
    std::vector<Contender> result;
    for (const Atom fluent : fluents) {
      const auto& rules = rules_.of(fluent);
      if (!rules) return std::nullopt;
      for (const Rules& r : *rules) result.push_back({required_of(group, r.rest), fluent, &r});
    }
    std::stable_sort(result.begin(), result.end(), [](const Contender& a, const Contender& b) {
      return a.required + 1 < b.required + 1;  // no_atom comes first
    });
    return result;
  }

  Atom required_of(GroupIndex group, const Literals& literals) const {
    for (const Literal literal : literals) {
      if (literal.atom() >= game_.fluents.size()) break;
      const std::vector<GroupIndex>& groups = groups_of_[literal.atom()];
      if (!literal.negated() && std::binary_search(groups.begin(), groups.end(), group))
        return literal.atom();
    }
    return ground::no_atom;
  }

  bool exclude(const Rules& a, const Rules& b) {
    if (++comparisons_ > max_comparisons) return false;
    if (require_different_moves(a, b) || exclude(a.rest, b.rest)) return true;
    if (a.moves.empty() && b.moves.empty()) return false;
    if (a.moves.empty()) return all_excluded(without(b.moves, a.forbidden), a, b);
    if (b.moves.empty()) return all_excluded(without(a.moves, b.forbidden), a, b);
    Moves common;
    std::set_intersection(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end(),
                          std::back_inserter(common));
    return all_excluded(common, a, b) && (kinds_exclude(a, b) || roles_exclude(a, b));
  }

  // The most frequent case: each requires one move.
  bool require_different_moves(const Rules& a, const Rules& b) const {
    return a.moves.size() == 1 && b.moves.size() == 1 && a.moves[0] != b.moves[0] &&
           game_.moves[a.moves[0]].role == game_.moves[b.moves[0]].role;
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
    const Literals& required = rules_.required(move);
    return exclude(required, a.rest) || exclude(required, b.rest);
  }

  // Returns whether moves of different roles, one of each, are never made together: by the common
  // requirements of their kinds, or else pair by pair.
  bool kinds_exclude(const Rules& a, const Rules& b) {
    return std::all_of(a.kinds.begin(), a.kinds.end(), [&](const Kind& x) {
      return std::all_of(b.kinds.begin(), b.kinds.end(), [&](const Kind& y) {
        return x.role == y.role || exclude(rules_.required(x), rules_.required(y));
      });
    });
  }

  bool roles_exclude(const Rules& a, const Rules& b) {
    return std::all_of(a.moves.begin(), a.moves.end(), [&](std::uint32_t x) {
      return std::all_of(b.moves.begin(), b.moves.end(), [&](std::uint32_t y) {
        return game_.moves[x].role == game_.moves[y].role ||
               exclude(rules_.required(x), rules_.required(y)) ||
               exclude(a.rest, rules_.required(y)) || exclude(rules_.required(x), b.rest);
      });
    });
  }

  bool exclude(const Literals& a, const Literals& b) {
    if (++comparisons_ > max_comparisons || is_over(1 + a.size() + b.size())) return false;
    return contradict(a, b) || have_fluents_of_one_group(a, b);
  }

  // Whether one has the negation of a literal of the other.
  static bool contradict(const Literals& a, const Literals& b) {
    auto x = a.begin(), y = b.begin();
    while (x != a.end() && y != b.end()) {
      if (x->atom() != y->atom()) {
        x->atom() < y->atom() ? ++x : ++y;
      } else if (x->negated() != y->negated()) {
        return true;
      } else {
        ++x;
      }
    }
    return false;
  }

  bool have_fluents_of_one_group(const Literals& a, const Literals& b) {
    for (const Literal x : a) {
      if (x.atom() >= game_.fluents.size()) return false;
      if (x.negated() || groups_of_[x.atom()].empty()) continue;
      for (const Literal y : b) {
        if (y.atom() >= game_.fluents.size()) break;
        if (!y.negated() && x.atom() != y.atom() && are_in_one_group(x.atom(), y.atom()))
          return true;
      }
    }
    return false;
  }

  bool are_in_one_group(Atom a, Atom b) {
    const std::vector<GroupIndex>& others = groups_of_[b];
    for (const GroupIndex group : groups_of_[a]) {
      if (status_[group] == Status::dropped ||
          !std::binary_search(others.begin(), others.end(), group)) {
        continue;
      }
      use(group);
      return true;
    }
    return false;
  }

  void use(GroupIndex group) {
    if (used_in_[group] == decision_) return;
    used_in_[group] = decision_;
    used_now_.push_back(group);
  }

  // Returns whether a limit was reached. If so, nothing counts as exclusive.
  bool is_over(std::size_t literals) {
    compared_ += literals;
    if (compared_ < check_interval) return false;
    if (limits_.exceeded()) return true;
    compared_ = 0;
    return false;
  }

  ProofLimits limits_;
  ExpandedRules& rules_;
  const ground::Game& game_;
  const std::vector<std::vector<Atom>>& groups_;
  std::vector<Status> status_;                      // by group
  std::vector<std::vector<GroupIndex>> used_;       // by proved group: those that its proof assumes
  std::vector<std::vector<GroupIndex>> groups_of_;  // by fluent
  std::size_t decision_ = 0;                        // the number of the current proof
  std::vector<GroupIndex> used_now_;                // by the current proof
  std::vector<std::size_t> used_in_;                // by group: the last proof that used it
  std::size_t comparisons_ = 0;                     // for the current proof
  std::size_t compared_ = 0;                        // literals since the last check of the limits
};

}  // namespace

std::vector<bool> prove_by_rules(ExpandedRules& rules, const std::vector<std::vector<Atom>>& groups,
                                 std::size_t known, const ProofLimits& limits) {
  return RuleProof(rules, groups, known, limits).run();
}

}  // namespace zermelo::analysis
