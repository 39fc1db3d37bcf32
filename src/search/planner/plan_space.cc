#include "search/planner/plan_space.h"

#include <algorithm>

#include "base/reward.h"

namespace zermelo::search::planner {
namespace {

using ground::Atom;
using ground::Game;

// All atoms that some atoms depend on, themselves included, by atom.
std::vector<bool> support(const Game& game, std::vector<Atom> open) {
  std::vector<bool> seen(game.atoms, false);
  std::erase(open, ground::no_atom);
  for (const Atom atom : open) seen[atom] = true;
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    if (atom < game.first_derived) continue;
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      for (const ground::Literal literal : game.body(rule)) {
        if (!seen[literal.atom()]) open.push_back(literal.atom());
        seen[literal.atom()] = true;
      }
    }
  }
  return seen;
}

// By fluent: it runs by itself, and neither legal moves nor fluents that do not run by themselves
// depend on it.
std::vector<bool> clock_fluents(const Game& game, const circuit::AutonomousFluents& autonomous) {
  std::vector<bool> is_clock(game.fluents.size(), false);
  for (const Atom fluent : autonomous.fluents()) is_clock[fluent] = true;
  std::vector<Atom> outside = game.legal;
  for (Atom f = 0; f < game.fluents.size(); ++f) {
    if (!is_clock[f]) outside.push_back(game.next[f]);
  }
  const std::vector<bool> needed = support(game, std::move(outside));
  for (Atom f = 0; f < game.fluents.size(); ++f) is_clock[f] = is_clock[f] && !needed[f];
  return is_clock;
}

}  // namespace

PlanSpace::PlanSpace(std::shared_ptr<const machine::Machine> machine, State root)
    : machine_(std::move(machine)),
      root_(std::move(root)),
      clock_mask_(machine_->game().fluents.size()) {
  find_clock();
}

void PlanSpace::find_clock() {
  const Game& game = machine_->game();
  const circuit::AutonomousFluents& autonomous = machine_->compiled()->autonomous();
  const std::vector<bool> is_clock = clock_fluents(game, autonomous);
  for (const Atom fluent : autonomous.fluents()) {
    if (root_.test(fluent)) running_.push_back(fluent);
    if (!is_clock[fluent]) continue;
    clock_mask_.set(fluent);
    drops_clock_ = true;
  }
  clocks_.push_back(root_);
  clocks_[0] &= clock_mask_;
}

void PlanSpace::drop_clock(State& state) const {
  if (!drops_clock_) return;
  for (std::size_t w = 0; w < words(); ++w) state.words()[w] &= ~clock_mask_.words()[w];
}

State PlanSpace::at(Words node, std::uint32_t depth) {
  State state = clock_mask_;
  std::copy(node.begin(), node.end(), state.words().begin());
  if (!drops_clock_) return state;
  while (clocks_.size() <= depth) {
    running_ = machine_->compiled()->autonomous().after(running_);
    State clock(machine_->game().fluents.size());
    for (const Atom fluent : running_) clock.set(fluent);
    clocks_.push_back(clock &= clock_mask_);
  }
  return state |= clocks_[depth];
}

int PlanSpace::highest_reward() const {
  const auto& goals = machine_->game().goals[0];
  return goals.empty() ? 0 : goals.back().value;
}

int PlanSpace::reward(const machine::Cursor& cursor) { return base::reward_of(cursor.goals(0)); }

std::optional<Line> PlanSpace::replay(std::span<const Move> moves) const {
  machine::Cursor cursor(machine_);
  cursor.reset(root_);
  for (const Move move : moves) {
    if (cursor.terminal()) return std::nullopt;
    const std::span<const Move> legal = cursor.legal(0);
    if (std::find(legal.begin(), legal.end(), move) == legal.end()) return std::nullopt;
    cursor.make(std::span(&move, 1));
  }
  if (!cursor.terminal()) return std::nullopt;
  return Line{reward(cursor), {moves.begin(), moves.end()}};
}

NodeTable::Inserted NodeTable::insert(Words state, const Node& from) {
  const NodeIndex node = states_.insert(state);
  const bool is_new = node == nodes_.size();
  if (is_new) nodes_.push_back(from);
  return {node, is_new};
}

std::vector<Move> NodeTable::path(NodeIndex node) const {
  std::vector<Move> moves;
  for (; nodes_[node].parent != no_parent; node = nodes_[node].parent) {
    moves.push_back(nodes_[node].move);
  }
  std::reverse(moves.begin(), moves.end());
  return moves;
}

}  // namespace zermelo::search::planner
