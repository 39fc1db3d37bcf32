// Bounds by evaluating the ground rules with three values, for one move after the other.
//
// For each move, the rules of its legality are assumed to hold, one rule after the other: an
// assumption that an atom holds is one about the literals that all its rules have, and a fluent
// that holds excludes the others of its mutex group. The other roles make any move that can be
// legal.
//
// A fluent can be added unless `next` cannot hold where it is false, and can be removed unless
// `next` must hold where it is true. For these two questions the rules of `next` are evaluated a
// few levels deep with the fluent's value put in. That recognises frame clauses, also such as ask a
// derived atom whether anything happened to the fluent. A mutex group gains and loses at most one
// fluent; a group of which exactly one holds loses as many as it gains.
//
// A step is turn-taking if for each of its moves either all other roles have one move that can be
// legal, or the role itself has no other.
#include "translate/toss/change_bounds.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/limited_steps.h"
#include "translate/toss/three_valued.h"

namespace zermelo::translate::toss {
namespace {

using ground::Atom;

constexpr const char* bounding = "bounding what moves change";
constexpr std::size_t max_cases = 16;           // rules of the legality of a move
constexpr std::size_t max_joint_moves = 3'000;  // of a game that is not turn-taking

// How often something happens, at least and at most.
struct Range {
  std::size_t least = 0, most = 0;
  void add(bool can, bool must) {
    least += must ? 1 : 0;
    most += can ? 1 : 0;
  }
};

class BoundFinder {
 public:
  BoundFinder(const ground::Game& game, const analysis::MutexGroups& groups,
              const base::Limits& limits, Reevaluation how)
      : game_(game),
        groups_(groups),
        steps_(limits, bounding),
        values_(game, groups, how),
        at_start_(game.fluents.size()) {
    for (Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
      at_start_[fluent] = change_of(fluent);
      const Atom next = game.next[fluent];
      if (next != ground::no_atom) fluent_of_[next].push_back(fluent);
    }
    now_ = at_start_;
  }

  ChangeBounds run() {
    result_.by_owner.resize(game_.roles.size());
    for (std::uint32_t role = 0; role < game_.roles.size() && result_.turn_taking; ++role) {
      for (auto move = game_.first_move_of[role];
           move < game_.first_move_of[role + 1] && result_.turn_taking; ++move) {
        add_move(role, move);
      }
    }
    if (result_.turn_taking) return std::move(result_);
    result_.by_owner.assign(1, {});
    add_joint_moves();
    return std::move(result_);
  }

 private:
  // What a step can do to a fluent.
  struct Change {
    bool can_add = false, can_remove = false, must_add = false, must_remove = false;
  };

  // By role: the moves that can be legal.
  std::vector<std::vector<std::uint32_t>> possible_moves() const {
    std::vector<std::vector<std::uint32_t>> result(game_.roles.size());
    for (std::uint32_t move = 0; move < game_.moves.size(); ++move) {
      if (values_.of(game_.legal[move]).can) result[game_.moves[move].role].push_back(move);
    }
    return result;
  }

  void set_moves(const std::vector<std::vector<std::uint32_t>>& possible) {
    for (const auto& moves : possible) {
      for (const std::uint32_t move : moves) values_.set_move(move, {true, moves.size() == 1});
    }
  }

  void add_move(std::uint32_t role, std::uint32_t move) {
    const Atom legal = game_.legal[move];
    if (legal == ground::no_atom) return;
    if (legal < game_.first_derived) return add_case(role, move, std::nullopt);
    const auto first = game_.rules_begin(legal), last = game_.rules_end(legal);
    if (last - first > max_cases) return add_case(role, move, std::nullopt);
    for (auto rule = first; rule < last && result_.turn_taking; ++rule) add_case(role, move, rule);
  }

  void add_case(std::uint32_t role, std::uint32_t move, std::optional<ground::RuleIndex> rule) {
    values_.begin();
    if (!values_.assume(game_.legal[move], true)) return;
    if (rule && !values_.assume_body(*rule)) return;
    values_.evaluate_state();
    auto possible = possible_moves();
    const bool is_only_move = possible[role].size() == 1;
    bool others_forced = true;
    for (std::size_t other = 0; other < possible.size(); ++other) {
      if (other == role) continue;
      if (possible[other].empty()) return;
      others_forced = others_forced && possible[other].size() == 1;
    }
    if (!others_forced && !is_only_move) {
      result_.turn_taking = false;
      return;
    }
    // Otherwise another role chooses, or the first for lack of choice.
    if (is_only_move && role > 0) return;
    possible[role] = {move};
    if (others_forced) return add_counts(possible, result_.by_owner[role]);
    std::vector<std::uint32_t> moves = {move};
    add_forced(moves);
  }

  // The steps with these moves, of which all roles have only one.
  void add_forced(std::vector<std::uint32_t>& moves) {
    values_.begin();
    for (const std::uint32_t move : moves) {
      if (!values_.assume(game_.legal[move], true)) return;
    }
    values_.evaluate_state();
    auto possible = possible_moves();
    for (const std::uint32_t move : moves) possible[game_.moves[move].role] = {move};
    const auto open = std::find_if(possible.begin(), possible.end(),
                                   [](const auto& of_role) { return of_role.size() != 1; });
    if (open == possible.end()) return add_counts(possible, result_.by_owner[0]);
    for (const std::uint32_t move : *open) {
      moves.push_back(move);
      add_forced(moves);
      moves.pop_back();
    }
  }

  void add_joint_moves() {
    double joint = 1;
    for (std::uint32_t role = 0; role < game_.roles.size(); ++role) {
      joint *= game_.first_move_of[role + 1] - game_.first_move_of[role];
    }
    if (joint > max_joint_moves) {
      values_.begin();
      values_.evaluate_state();
      add_counts(possible_moves(), result_.by_owner[0]);
      return;
    }
    std::vector<std::vector<std::uint32_t>> chosen;
    extend_joint(chosen);
  }

  void extend_joint(std::vector<std::vector<std::uint32_t>>& chosen) {
    const std::size_t role = chosen.size();
    if (role == game_.roles.size()) {
      values_.begin();
      for (const auto& move : chosen) {
        const Atom legal = game_.legal[move[0]];
        if (legal == ground::no_atom || !values_.assume(legal, true)) return;
      }
      values_.evaluate_state();
      return add_counts(chosen, result_.by_owner[0]);
    }
    for (auto move = game_.first_move_of[role]; move < game_.first_move_of[role + 1]; ++move) {
      chosen.push_back({move});
      extend_joint(chosen);
      chosen.pop_back();
    }
  }

  void add_counts(const std::vector<std::vector<std::uint32_t>>& possible,
                  std::set<ChangeCount>& counts) {
    set_moves(possible);
    values_.evaluate_step();
    update_changes();
    Range exchanged, added, removed;
    for (const analysis::MutexGroup& group : groups_.groups) {
      Change any;
      for (const Atom fluent : group.fluents) {
        const Change& each = now_[fluent];
        any = {any.can_add || each.can_add, any.can_remove || each.can_remove,
               any.must_add || each.must_add, any.must_remove || each.must_remove};
      }
      if (group.exactly_one) {
        exchanged.add(any.can_add && any.can_remove, any.must_add || any.must_remove);
      } else {
        added.add(any.can_add, any.must_add);
        removed.add(any.can_remove, any.must_remove);
      }
    }
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (values_.group(fluent) != ThreeValued::no_group) continue;
      added.add(now_[fluent].can_add, now_[fluent].must_add);
      removed.add(now_[fluent].can_remove, now_[fluent].must_remove);
    }
    for (std::size_t e = exchanged.least; e <= exchanged.most; ++e) {
      for (std::size_t a = added.least; a <= added.most; ++a) {
        for (std::size_t r = removed.least; r <= removed.most; ++r) counts.insert({e + a, e + r});
      }
    }
  }

  // Only fluents about which something was evaluated differ from the start.
  void update_changes() {
    for (const Atom fluent : differing_) now_[fluent] = at_start_[fluent];
    differing_.clear();
    for (const Atom atom : values_.touched()) {
      if (atom < game_.fluents.size()) {
        update(atom);
        if (values_.group(atom) == ThreeValued::no_group) continue;
        for (const Atom mate : groups_.groups[values_.group(atom)].fluents) update(mate);
      }
      const auto readers = fluent_of_.find(atom);
      if (readers == fluent_of_.end()) continue;
      for (const Atom fluent : readers->second) update(fluent);
    }
    steps_.take(values_.take_steps() + 1);
  }

  void update(Atom fluent) {
    now_[fluent] = change_of(fluent);
    differing_.push_back(fluent);
  }

  Change change_of(Atom fluent) {
    const Bounds before = values_.of(fluent);
    const Bounds after = next(fluent);
    Change result;
    result.can_add = !before.must && after.can && next_where(fluent, false).can;
    result.can_remove = before.can && !after.must && !next_where(fluent, true).must;
    result.must_add = !before.can && after.must;
    result.must_remove = before.must && !after.can;
    return result;
  }

  Bounds next(Atom fluent) const {
    const Atom atom = game_.next[fluent];
    return atom == ground::no_atom ? Bounds{false, false} : values_.of(atom);
  }
  Bounds next_where(Atom fluent, bool value) {
    const Atom atom = game_.next[fluent];
    return atom == ground::no_atom ? Bounds{false, false} : values_.where(fluent, value, atom);
  }

  const ground::Game& game_;
  const analysis::MutexGroups& groups_;
  base::LimitedSteps steps_;
  ThreeValued values_;
  std::vector<Change> at_start_, now_;           // by fluent
  std::vector<Atom> differing_;                  // of which the second may differ
  std::map<Atom, std::vector<Atom>> fluent_of_;  // by atom: whose `next` it is
  ChangeBounds result_;
};

}  // namespace

ChangeBounds bound_changes(const ground::Game& game, const analysis::MutexGroups& groups,
                           const base::Limits& limits, Reevaluation how) {
  base::LimitedSteps(limits, bounding).check(ThreeValued::bytes_for(game));
  return BoundFinder(game, groups, limits, how).run();
}

}  // namespace zermelo::translate::toss
