// The conditions of goals often are disjunctions of many conjunctions of fluents: the lines of
// Connect Four. A weight for each fluent cannot tell two discs of one line from two discs of
// different lines. So the conjunctions that can still become true are counted by the number of
// their fluents that hold. Those below one disjunction form a family and share their weights, so
// that little has to be learned, and what is learned about one line holds for all.
//
// Whether a conjunction can still become true is read from fluent graphs: a fluent that does not
// hold must have a path from one that does. What a pattern is worth depends on who moves next, so
// every number is counted apart by the player to move, where the rules have such a clock.
#include "eval/goal_patterns.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "analysis/fluent_graph.h"
#include "base/error_name.h"
#include "circuit/autonomous.h"
#include "eval/goal_formula.h"

namespace zermelo::eval {
namespace {

using Kind = GoalFormula::Kind;
using Node = GoalFormula::Node;

constexpr std::size_t max_members = 255;  // of a family, so that counts fit into bytes
constexpr std::size_t max_families = 64, max_turns = 4, max_conjunctions = 20'000;

// By node: the first disjunction that it is part of; itself if there is none. Not one further up,
// which may contain the lines of several players.
std::vector<Node> disjunctions_above(const GoalFormula& formula) {
  const auto& parts = formula.parts();
  std::vector<Node> above(parts.size());
  for (Node node = 0; node < parts.size(); ++node) above[node] = node;
  for (Node node = 0; node < parts.size(); ++node) {
    if (parts[node].kind != Kind::any) continue;
    for (const Node child : formula.children(parts[node])) {
      if (above[child] == child) above[child] = node;
    }
  }
  return above;
}

// The fluents of a conjunction; empty if it has other parts.
std::vector<ground::Atom> fluents_of(const GoalFormula& formula, const GoalFormula::Part& part) {
  std::vector<ground::Atom> fluents;
  if (part.kind != Kind::all) return fluents;
  for (const Node child : formula.children(part)) {
    if (formula.parts()[child].kind != Kind::fluent) return {};
    fluents.push_back(formula.parts()[child].atom);
  }
  return fluents;
}

// The fluents of the smallest clock: the player to move.
std::vector<Plane> turn_fluents(const ground::Game& game, const base::Limits& limits) {
  const circuit::AutonomousFluents autonomous(game, limits);
  for (const std::vector<ground::Atom>& part : autonomous.parts()) {
    if (part.size() >= 2 && part.size() <= max_turns) return part;
  }
  return {};
}

}  // namespace

base::Result<GoalPatterns> GoalPatterns::make(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits) {
  const ground::Game& game = machine->game();
  const GoalFormula formula(game);
  const std::vector<Node> above = disjunctions_above(formula);
  GoalPatterns result;
  struct Members {
    std::uint32_t family = 0;
    std::size_t members = 0;
  };
  std::map<std::pair<Node, std::size_t>, Members> family_of;  // by disjunction and length
  std::map<ground::Atom, std::uint32_t> number_of;
  std::map<std::vector<ground::Atom>, Node> known;
  for (Node node = 0; node < formula.parts().size(); ++node) {
    const std::vector<ground::Atom> fluents = fluents_of(formula, formula.parts()[node]);
    if (fluents.size() < 2 || fluents.size() > max_fluents || above[node] == node) continue;
    if (result.conjunctions_.size() >= max_conjunctions) break;
    if (!known.emplace(fluents, node).second) continue;
    auto& [family, members] = family_of[{above[node], fluents.size()}];
    if (members % max_members == 0) {
      if (result.families_.size() >= max_families) continue;
      family = static_cast<std::uint32_t>(result.families_.size());
      result.families_.push_back({game.fluent_name(fluents.front()) + " ...", fluents.size()});
    }
    ++members;
    Conjunction conjunction{family, {}};
    for (const ground::Atom fluent : fluents) {
      const auto number = static_cast<std::uint32_t>(result.fluents_.size());
      const auto [entry, is_first] = number_of.try_emplace(fluent, number);
      if (is_first) result.fluents_.push_back({fluent, {}});
      conjunction.fluents.push_back(entry->second);
    }
    result.conjunctions_.push_back(std::move(conjunction));
  }
  if (result.conjunctions_.empty()) return result;
  result.levels_ = 0;
  for (const Family& family : result.families_) {
    result.levels_ = std::max(result.levels_, family.length);
  }
  const auto graphs = analysis::make_fluent_graphs(machine, limits);
  if (!graphs) return tl::unexpected(graphs.error());
  for (Fluent& fluent : result.fluents_) {
    if (const auto limit = limits.exceeded()) {
      return tl::unexpected(base::limit_error(*limit, "while patterns were prepared"));
    }
    const analysis::FluentDistances distances({graphs->data(), 1}, fluent.plane);
    const bool is_always = distances.from_nothing() != analysis::FluentDistances::unreachable;
    for (Plane f = 0; f < game.fluents.size() && !is_always; ++f) {
      if (distances.from(f) != analysis::FluentDistances::unreachable) fluent.sources.push_back(f);
    }
  }
  auto turn = base::within_limits([&] { return turn_fluents(game, limits); });
  if (!turn) return tl::unexpected(turn.error());
  result.turn_ = std::move(*turn);
  result.turns_ = std::max<std::size_t>(1, result.turn_.size());
  return result;
}

std::string GoalPatterns::name(std::size_t input) const {
  const std::size_t turn = input % turns_, level = input / turns_ % levels_;
  const Family& family = families_[input / turns_ / levels_];
  std::string name =
      std::to_string(level) + " of " + std::to_string(family.length) + " of (" + family.name + ")";
  if (turns_ > 1) name += ", turn " + std::to_string(turn + 1);
  return name;
}

void GoalPatterns::count(const BitPlanes& planes, std::vector<std::uint8_t>& counts) const {
  counts.assign(inputs() * states_per_block, 0);
  thread_local std::vector<std::uint64_t> possible;
  possible.resize(fluents_.size());
  for (std::size_t f = 0; f < fluents_.size(); ++f) {
    std::uint64_t any = fluents_[f].sources.empty() ? planes.all() : planes[fluents_[f].plane];
    for (const Plane source : fluents_[f].sources) any |= planes[source];
    possible[f] = any;
  }
  for (const Conjunction& conjunction : conjunctions_) {
    // The number of fluents that hold, as three bits per state.
    std::uint64_t ones = 0, twos = 0, fours = 0, open = planes.all();
    for (const std::uint32_t f : conjunction.fluents) {
      const std::uint64_t plane = planes[fluents_[f].plane];
      const std::uint64_t carry = ones & plane;
      ones ^= plane;
      fours ^= twos & carry;
      twos ^= carry;
      open &= possible[f];
    }
    for (std::size_t level = 0; level < conjunction.fluents.size(); ++level) {
      const std::uint64_t at_level = open & (level & 1 ? ones : ~ones) &
                                     (level & 2 ? twos : ~twos) & (level & 4 ? fours : ~fours);
      if (at_level == 0) continue;
      for (std::size_t turn = 0; turn < turns_; ++turn) {
        const std::uint64_t states = turn_.empty() ? at_level : at_level & planes[turn_[turn]];
        const std::size_t input = (conjunction.family * levels_ + level) * turns_ + turn;
        std::uint8_t* const out = counts.data() + input * states_per_block;
        for (std::size_t s = 0; s < planes.states(); s += 8) {
          std::uint64_t eight;
          std::memcpy(&eight, out + s, 8);
          eight += spread_byte(static_cast<std::uint8_t>(states >> s));
          std::memcpy(out + s, &eight, 8);
        }
      }
    }
  }
}

}  // namespace zermelo::eval
