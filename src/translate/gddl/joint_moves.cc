// Two moves exclude each other if they need different values of the same mutex group, such as
// (control white) and (control black). The idle move of a role is the one that goes together with
// the most moves of the other role. Every pair of moves that do not exclude each other must then
// contain an idle move, and the role of the other move is the one that decides.
//
// If both are idle, the first role counts as the one that decides. The second one must then not
// have another move in the same state, or two roles would decide.
//
// In the joint game the does atoms are derived: each by the joint moves that contain it.
#include "translate/gddl/joint_moves.h"

#include <algorithm>
#include <numeric>

#include "analysis/mutex_groups.h"
#include "analysis/requirements.h"
#include "base/error_name.h"

namespace zermelo::translate::gddl {

namespace {

using ground::Atom;
using ground::Game;
using ground::Literal;

constexpr std::size_t max_pairs = 20'000'000;

struct JointMove {
  std::uint32_t first, second;  // moves of the two roles
  std::uint32_t actor;
};

bool exclude(const analysis::Requirement& a, const analysis::Requirement& b) {
  if (!a.possible || !b.possible) return true;
  auto other = b.allowed.begin();
  for (const analysis::Allowed& allowed : a.allowed) {
    while (other != b.allowed.end() && other->variable < allowed.variable) ++other;
    if (other == b.allowed.end()) return false;
    if (other->variable == allowed.variable && (other->values & allowed.values) == 0) return true;
  }
  return false;
}

class PairSearch {
 public:
  PairSearch(const Game& game, const base::Limits& limits)
      : game_(game),
        limits_(limits),
        requirements_(game, analysis::find_mutex_groups_by_rules(game, limits)) {}

  base::Result<std::vector<JointMove>> run() {
    const std::uint32_t middle = game_.first_move_of[1], end = game_.first_move_of[2];
    if (std::size_t{middle} * (end - middle) > max_pairs) return refuse("it has too many moves");
    std::vector<std::size_t> partners(end, 0);
    std::vector<JointMove> pairs;
    for (std::uint32_t a = 0; a < middle; ++a) {
      if (const auto limit = limits_.exceeded())
        return tl::unexpected(base::limit_error(*limit, "while pairing the moves of two roles"));
      for (std::uint32_t b = middle; b < end; ++b) {
        if (excluded(a, b)) continue;
        pairs.push_back({a, b, 0});
        ++partners[a];
        ++partners[b];
      }
    }
    const auto most = [&](std::uint32_t first, std::uint32_t last) {
      return static_cast<std::uint32_t>(
          std::max_element(partners.begin() + first, partners.begin() + last) - partners.begin());
    };
    if (middle == 0 || end == middle) return pairs;
    return with_actors(std::move(pairs), most(0, middle), most(middle, end));
  }

 private:
  bool excluded(std::uint32_t a, std::uint32_t b) const {
    return exclude(requirements_.of_moves()[a], requirements_.of_moves()[b]);
  }

  static tl::unexpected<base::Error> refuse(const std::string& reason) {
    return base::fail(base::ErrorKind::not_applicable,
                      "GDDL needs a game in which the roles take turns, and " + reason);
  }

  base::Result<std::vector<JointMove>> with_actors(std::vector<JointMove> pairs,
                                                   std::uint32_t first_idle,
                                                   std::uint32_t second_idle) const {
    bool both_idle = false;
    for (JointMove& pair : pairs) {
      const bool first_acts = pair.first != first_idle, second_acts = pair.second != second_idle;
      if (first_acts && second_acts) {
        return refuse("here both may decide at the same time: " + game_.move_name(pair.first) +
                      " and " + game_.move_name(pair.second));
      }
      pair.actor = second_acts ? 1 : 0;
      both_idle |= !first_acts && !second_acts;
    }
    if (both_idle && may_have_another(second_idle, first_idle))
      return refuse("it is not shown that only one of them has a choice at a time");
    return pairs;
  }

  // Whether the second role may have a choice while both may do nothing.
  bool may_have_another(std::uint32_t second_idle, std::uint32_t first_idle) const {
    for (std::uint32_t b = game_.first_move_of[1]; b < game_.first_move_of[2]; ++b) {
      if (b != second_idle && !excluded(b, second_idle) && !excluded(b, first_idle)) return true;
    }
    return false;
  }

  const Game& game_;
  const base::Limits& limits_;
  analysis::Requirements requirements_;
};

class Joining {
 public:
  Joining(const Game& game, const std::vector<JointMove>& pairs) : game_(game), pairs_(pairs) {
    const auto fluents = static_cast<Atom>(game.fluents.size());
    const auto joint = static_cast<Atom>(pairs.size());
    first_derived_ = fluents + joint;
    first_legal_ = first_derived_ + (game.first_after_does - game.first_derived);
    first_does_ = first_legal_ + joint;
    first_after_ = first_does_ + static_cast<Atom>(game.moves.size());
  }

  JointGame run() {
    set_atoms();
    add_rules(game_.first_derived, game_.first_after_does);
    add_legal_rules();
    add_does_rules();
    add_rules(game_.first_after_does, game_.atoms);
    made_.first_rule_of.push_back(static_cast<ground::RuleIndex>(made_.first_literal_of.size()));
    made_.first_literal_of.push_back(made_.literals.size());
    return {std::move(made_), std::move(moves_)};
  }

 private:
  Atom mapped(Atom atom) const {
    if (atom == ground::no_atom || atom < game_.fluents.size()) return atom;
    if (atom < game_.first_derived)
      return first_does_ + (atom - static_cast<Atom>(game_.fluents.size()));
    if (atom < game_.first_after_does) return first_derived_ + (atom - game_.first_derived);
    return first_after_ + (atom - game_.first_after_does);
  }

  void set_atoms() {
    made_.rulesheet = game_.rulesheet;
    made_.roles = {game_.roles[0]};
    made_.fluents = game_.fluents;
    for (const JointMove& pair : pairs_) {
      made_.legal.push_back(first_legal_ + static_cast<Atom>(moves_.size()));
      moves_.push_back(pair.actor == 0 ? pair.first : pair.second);
      made_.moves.push_back({0, game_.moves[moves_.back()].term});
    }
    made_.first_move_of = {0, static_cast<std::uint32_t>(pairs_.size())};
    made_.first_derived = first_derived_;
    made_.first_after_does = first_does_;
    made_.atoms = first_after_ + (game_.atoms - game_.first_after_does);
    for (const Game::Component& component : game_.recursive)
      made_.recursive.push_back({mapped(component.first), mapped(component.last - 1) + 1});
    made_.initial = game_.initial;
    for (const Atom next : game_.next) made_.next.push_back(mapped(next));
    made_.goals.resize(1);
  }

  void begin_atom() {
    made_.first_rule_of.push_back(static_cast<ground::RuleIndex>(made_.first_literal_of.size()));
  }

  void add_rule(std::initializer_list<Atom> body) {
    made_.first_literal_of.push_back(made_.literals.size());
    for (const Atom atom : body) made_.literals.emplace_back(atom, false);
  }

  void add_rules(Atom begin, Atom end) {
    for (Atom atom = begin; atom < end; ++atom) {
      begin_atom();
      for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
        made_.first_literal_of.push_back(made_.literals.size());
        for (const Literal literal : game_.body(rule))
          made_.literals.emplace_back(mapped(literal.atom()), literal.negated());
      }
    }
  }

  void add_legal_rules() {
    for (const JointMove& pair : pairs_) {
      begin_atom();
      const Atom first = game_.legal[pair.first], second = game_.legal[pair.second];
      if (first != ground::no_atom && second != ground::no_atom)
        add_rule({mapped(first), mapped(second)});
    }
  }

  void add_does_rules() {
    std::vector<std::vector<Atom>> joint_moves(game_.moves.size());
    for (std::uint32_t j = 0; j < pairs_.size(); ++j) {
      joint_moves[pairs_[j].first].push_back(made_.does(j));
      joint_moves[pairs_[j].second].push_back(made_.does(j));
    }
    for (const std::vector<Atom>& joint : joint_moves) {
      begin_atom();
      for (const Atom does : joint) add_rule({does});
    }
  }

  const Game& game_;
  const std::vector<JointMove>& pairs_;
  Atom first_derived_, first_legal_, first_does_, first_after_;
  Game made_;
  std::vector<std::uint32_t> moves_;
};

}  // namespace

base::Result<JointGame> join_moves(const Game& game, const base::Limits& limits) {
  if (game.roles.size() == 1) {
    JointGame same{game, std::vector<std::uint32_t>(game.moves.size())};
    std::iota(same.moves.begin(), same.moves.end(), 0u);
    same.game.terminal = ground::no_atom;
    return same;
  }
  if (game.roles.size() != 2) {
    return base::fail(
        base::ErrorKind::not_applicable,
        "GDDL is for one or two roles; this game has " + std::to_string(game.roles.size()));
  }
  const auto pairs = PairSearch(game, limits).run();
  if (!pairs) return tl::unexpected(pairs.error());
  return Joining(game, *pairs).run();
}

}  // namespace zermelo::translate::gddl
