// A game in normal play ends when the player to move cannot move, and that player loses. If its
// positions fall apart into components that do not influence each other, a position is the sum of
// its components, and combinatorial game theory applies: the value of the sum is the sum of the
// values (short_games.cc), and the value of a component is given by those of its options. This is
// decomposition search (Müller, 1999), on rules instead of a board.
//
// What is proved about the rules, in both turns:
// - The goals and the turn depend on action-independent fluents alone, which alternate between two
//   states. The player who is not to move has one possible move. Each player prefers that the other
//   one cannot move.
// - The game is over exactly if no move of the mover is legal (analysis/circuit_proof.h), whatever
//   the state is.
// - A fluent keeps its value unless a move that acts on it is made (analysis/step_dependencies.cc).
//
// Components of a state: a move is live if it may become legal later. The set of live moves is the
// smallest one that contains every move whose legality, in Kleene's logic of three values, is
// possible if the fluents that live moves act on are unknown and all others have their values. So
// it contains every move that is made in any continuation, by whoever is to move at any time. Live
// moves are connected if one acts on a fluent that the other reads or acts on; a move reads the
// fluents of its legality and of the next values of the fluents it acts on. Different components
// have no fluent in common that changes. Hence a move in one component changes neither the legality
// nor the effect of the moves of another, now or later: the position is their sum. In clobber, a
// component is a connected set of tokens with a token of the other colour beside one; which cells
// are connected is not known to the rules, but follows.
//
// The position of a component is given by the values of all fluents that its live moves read or act
// on: they determine its live moves, and so its options and the positions of them. Positions are
// remembered by these values. If a position is reached from itself, the game is not short, and
// there is no value.
//
// A component in which both players have the same options, as in nim, has a nimber as value, so
// this includes the theorem of Sprague and Grundy (impartial_sum.cc is faster, and counts states).
#include "search/decomposition/partisan_sum.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "analysis/circuit_proof.h"
#include "analysis/rule_evaluator.h"
#include "base/reward.h"
#include "search/decomposition/local_state.h"
#include "search/decomposition/normal_play.h"

namespace zermelo::search::decomposition {

using circuit::Node;
using circuit::node_of;
using circuit::Wire;
using ground::Atom;
using machine::Move;

namespace {

constexpr std::size_t max_positions = 30'000;
constexpr std::size_t max_dependencies = 2'000'000;  // fluents read or written by all moves
enum Truth : std::uint8_t { surely_false, surely_true, undecided };

void add_sorted(std::vector<Atom>& to, const std::vector<Atom>& more) {
  to.insert(to.end(), more.begin(), more.end());
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

// The gates that a condition depends on, ascending, so that inputs come before what reads them.
std::vector<Node> gates_below(const circuit::Circuit& circuit, Wire wire) {
  std::vector<Node> found, open{node_of(wire)};
  std::unordered_set<Node> reached;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (!circuit.is_gate(node) || !reached.insert(node).second) continue;
    found.push_back(node);
    for (const Wire input : circuit.wires(node)) open.push_back(node_of(input));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

PartisanSum::PartisanSum(std::shared_ptr<const machine::Machine> machine,
                         const base::Limits& limits)
    : machine_(std::move(machine)),
      limits_(limits),
      paced_(limits_),
      cursor_(machine_),
      root_(machine::Stepper(machine_).initial_state()),
      time_mask_(machine_->game().fluents.size()) {}

std::unique_ptr<PartisanSum> PartisanSum::find(std::shared_ptr<const machine::Machine> machine,
                                               const base::Limits& limits) {
  const ground::Game& game = machine->game();
  if (game.roles.size() != 2 || game.terminal == ground::no_atom) return nullptr;
  std::unique_ptr<PartisanSum> sum(new PartisanSum(std::move(machine), limits));
  if (!has_goals_of_time(*sum->machine_)) return nullptr;
  const auto facts = sum->machine_->compiled()->facts(limits);
  if (!facts || (*facts)->phases.size() != 2) return nullptr;
  const auto is_found = base::within_limits([&] {
    return sum->find_turns(**facts) && sum->find_rewards() && sum->is_normal_play() &&
           sum->add_reach();
  });
  return is_found && *is_found ? std::move(sum) : nullptr;
}

machine::State PartisanSum::at_turn(const State& state, std::size_t turn) const {
  return with_local(state, turns_[turn].time, time_mask_);
}

// The time must have two states, in one of which the first role moves, and in the other the second.
bool PartisanSum::find_turns(const circuit::CircuitFacts& facts) {
  const circuit::AutonomousFluents& autonomous = machine_->compiled()->autonomous();
  for (const Atom f : autonomous.fluents()) time_mask_.set(f);
  std::vector<Atom> holding = autonomous.initial();
  for (const circuit::FixedFluents& phase : facts.phases) {
    Turn turn;
    turn.time = State(machine_->game().fluents.size());
    for (const Atom f : holding) turn.time.set(f);
    circuit::FixedFluents fixed = phase;
    for (Atom f = 0; f < fixed.size(); ++f) {
      if (time_mask_.test(f)) fixed[f] = turn.time.test(f);
    }
    turn.rules = std::make_unique<analysis::StepDependencies>(machine_->game(), fixed, limits_);
    if (turn.rules->choosers().size() != 1 || !set_waiting(turn)) return false;
    Turn& of_mover = turns_[turn.rules->choosers().front()];
    if (of_mover.rules) return false;
    of_mover = std::move(turn);
    holding = autonomous.after(holding);
  }
  return holding == autonomous.initial();
}

// The player who waits must have a single possible move, which is always legal.
bool PartisanSum::set_waiting(Turn& turn) const {
  const ground::Game& game = machine_->game();
  const std::size_t other = 1 - turn.rules->choosers().front();
  std::size_t possible = 0;
  for (std::uint32_t m = game.first_move_of[other]; m < game.first_move_of[other + 1]; ++m) {
    if (!turn.rules->is_possible(m)) continue;
    turn.waiting = m;
    ++possible;
  }
  return possible == 1 && turn.rules->circuit().legal[turn.waiting] == circuit::always_true;
}

bool PartisanSum::find_rewards() {
  machine::Stepper stepper(machine_);
  for (std::size_t mover = 0; mover < 2; ++mover) {
    const State state = at_turn(root_, mover);
    for (std::size_t role = 0; role < 2; ++role) {
      turns_[mover].rewards.push_back(base::reward_of(stepper.goals(state, role)));
    }
  }
  return turns_[1].rewards[0] > turns_[0].rewards[0] && turns_[0].rewards[1] > turns_[1].rewards[1];
}

bool PartisanSum::is_normal_play() {
  analysis::ProofLimits limits(limits_);
  for (std::uint32_t mover = 0; mover < 2; ++mover) {
    circuit::GameCircuit rules = turns_[mover].rules->circuit();
    std::vector<Wire> stuck;
    const ground::Game& game = machine_->game();
    for (std::uint32_t m = game.first_move_of[mover]; m < game.first_move_of[mover + 1]; ++m) {
      if (turns_[mover].rules->is_possible(m)) stuck.push_back(rules.legal[m] ^ 1);
    }
    const Wire is_stuck = rules.circuit.all_of(std::move(stuck));
    if (!analysis::are_proved_equal(rules, rules.terminal, is_stuck, limits)) return false;
  }
  return true;
}

// What every move reads and acts on. False if a fluent is not kept, if conditions are recursive, or
// if there is too much.
bool PartisanSum::add_reach() {
  const ground::Game& game = machine_->game();
  reach_.resize(game.moves.size());
  cones_.resize(game.moves.size());
  std::size_t dependencies = 0;
  for (std::uint32_t mover = 0; mover < 2; ++mover) {
    analysis::StepDependencies& rules = *turns_[mover].rules;
    if (!rules.circuit().loops.empty()) return false;
    for (Atom f = 0; f < game.fluents.size(); ++f) {
      if (rules.is_fixed(f)) continue;
      const analysis::MoveEffect effect = rules.effect(f);
      if (!effect.is_kept) return false;
      const analysis::ConditionSupport next = rules.of_next(f);
      for (const std::uint32_t m : effect.moves) {
        reach_[m].written.push_back(f);
        add_sorted(reach_[m].read, next.fluents);
        dependencies += next.fluents.size();
      }
      if (dependencies > max_dependencies) return false;
    }
    for (std::uint32_t m = game.first_move_of[mover]; m < game.first_move_of[mover + 1]; ++m) {
      if (!rules.is_possible(m)) continue;
      moves_.push_back(m);
      const Wire legal = rules.circuit().legal[m];
      const analysis::ConditionSupport support = rules.support(legal);
      add_sorted(reach_[m].read, support.fluents);
      cones_[m] = gates_below(rules.circuit().circuit, legal);
      dependencies += support.fluents.size() + cones_[m].size();
      if (dependencies > max_dependencies) return false;
    }
    known_[mover].assign(rules.circuit().circuit.size(), undecided);
    known_[mover][0] = surely_true;
  }
  return true;
}

// Whether the move may be legal if nothing is known of the changing fluents.
bool PartisanSum::may_be_legal(std::uint32_t move, const State& state, const State& changing) {
  const std::uint32_t mover = machine_->game().moves[move].role;
  const circuit::GameCircuit& rules = turns_[mover].rules->circuit();
  std::vector<std::uint8_t>& known = known_[mover];
  for (const Atom f : reach_[move].read) {
    const Node node = node_of(rules.fluents[f]);
    if (node == 0) continue;
    known[node] = changing.test(f) ? undecided : state.test(f) ? surely_true : surely_false;
  }
  const auto value = [&](Wire wire) -> std::uint8_t {
    const std::uint8_t of_node = known[node_of(wire)];
    if (of_node == undecided || !circuit::is_negated(wire)) return of_node;
    return of_node == surely_true ? surely_false : surely_true;
  };
  for (const Node gate : cones_[move]) {
    std::uint8_t all = surely_true;
    for (const Wire input : rules.circuit.wires(gate)) {
      const std::uint8_t of_input = value(input);
      if (of_input == surely_false) {
        all = surely_false;
        break;
      }
      if (of_input == undecided) all = undecided;
    }
    known[gate] = all;
  }
  return value(rules.legal[move]) != surely_false;
}

// The live moves among some, ascending, and the fluents that they act on.
PartisanSum::Moves PartisanSum::live_moves(const State& state, const Moves& among,
                                           State& changing) {
  Moves live, rest = among, dead;
  changing = State(machine_->game().fluents.size());
  for (bool changed = true; changed;) {
    changed = false;
    dead.clear();
    for (const std::uint32_t m : rest) {
      if (!may_be_legal(m, state, changing)) {
        dead.push_back(m);
        continue;
      }
      live.push_back(m);
      for (const Atom f : reach_[m].written) changing.set(f);
      changed = true;
    }
    std::swap(rest, dead);
  }
  std::sort(live.begin(), live.end());
  return live;
}

std::vector<PartisanSum::Component> PartisanSum::split(const State& state, const Moves& among) {
  State changing;
  const Moves live = live_moves(state, among, changing);
  std::vector<std::uint32_t> leader(live.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](std::uint32_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  std::unordered_map<Atom, std::uint32_t> first;  // by changing fluent: a move that depends on it
  for (std::uint32_t i = 0; i < live.size(); ++i) {
    const auto connect = [&](Atom f) {
      if (!changing.test(f)) return;
      const std::uint32_t a = find(i), b = find(first.emplace(f, i).first->second);
      leader[std::max(a, b)] = std::min(a, b);
    };
    for (const Atom f : reach_[live[i]].read) connect(f);
    for (const Atom f : reach_[live[i]].written) connect(f);
  }
  std::vector<Component> components;
  std::vector<std::size_t> number(live.size());
  for (std::uint32_t i = 0; i < live.size(); ++i) {
    const std::uint32_t of = find(i);
    if (of == i) {
      number[i] = components.size();
      components.push_back({{}, State(machine_->game().fluents.size())});
    }
    Component& component = components[number[of]];
    component.moves.push_back(live[i]);
    for (const Atom f : reach_[live[i]].read) component.read.set(f);
    for (const Atom f : reach_[live[i]].written) component.read.set(f);
  }
  return components;
}

GameValue PartisanSum::value_of(const State& state, const Moves& among) {
  GameValue sum = ShortGames::zero();
  for (const Component& component : split(state, among)) {
    sum = games_.add(sum, value_of(state, component));
    has_failed_ |= games_.is_exhausted();
    if (has_failed_) return sum;
  }
  return sum;
}

// By the values of what the component reads; which fluents these are is part of the key.
GameValue PartisanSum::value_of(const State& state, const Component& component) {
  State key(2 * 64 * component.read.words().size());
  for (std::size_t w = 0; w < component.read.words().size(); ++w) {
    key.words()[2 * w] = component.read.words()[w];
    key.words()[2 * w + 1] = component.read.words()[w] & state.words()[w];
  }
  const auto [entry, is_new] = values_.emplace(key, Position{});
  if (!is_new) {
    has_failed_ |= entry->second.mark == Mark::open;
    return entry->second.value;
  }
  has_failed_ |= values_.size() > max_positions || paced_.exceeded().has_value();
  if (has_failed_) return ShortGames::zero();
  std::vector<GameValue> left = options(state, component, 0);
  if (has_failed_) return ShortGames::zero();
  std::vector<GameValue> right = options(state, component, 1);
  if (has_failed_) return ShortGames::zero();
  const GameValue value = games_.make(std::move(left), std::move(right));
  values_[key] = {Mark::done, value};
  return value;
}

// The values after the moves that the player can make in the component now.
std::vector<GameValue> PartisanSum::options(const State& state, const Component& component,
                                            std::size_t turn) {
  const State here = at_turn(state, turn);
  const ground::Game& game = machine_->game();
  const State nothing(game.fluents.size());
  std::vector<GameValue> result;
  for (const std::uint32_t m : component.moves) {
    if (game.moves[m].role != turn || !may_be_legal(m, here, nothing)) continue;
    cursor_.reset(here);
    std::array<Move, 2> joint{turns_[turn].waiting, turns_[turn].waiting};
    joint[turn] = m;
    cursor_.make(joint);
    result.push_back(value_of(cursor_.state(), component.moves));
    if (has_failed_) break;
  }
  return result;
}

std::size_t PartisanSum::mover_of(const State& state) const {
  State time = state;
  return (time &= time_mask_) == turns_[0].time ? 0 : 1;
}

std::optional<solve::Rewards> PartisanSum::value(const State& state) {
  const std::size_t mover = mover_of(state);
  const GameValue sum = has_failed_ ? ShortGames::zero() : value_of(state, moves_);
  const bool wins = mover == 0 ? games_.left_wins_first(sum) : games_.right_wins_first(sum);
  if (has_failed_ || games_.is_exhausted()) return std::nullopt;
  return turns_[wins ? 1 - mover : mover].rewards;
}

// The state after a move of the mover.
machine::State PartisanSum::after(const State& state, Move move) {
  const std::size_t mover = mover_of(state);
  std::array<Move, 2> joint{turns_[mover].waiting, turns_[mover].waiting};
  joint[mover] = move;
  cursor_.reset(state);
  cursor_.make(joint);
  return cursor_.state();
}

std::optional<std::vector<solve::MoveValue>> PartisanSum::first_moves(solve::OpponentModel model) {
  const auto of_root = value(root_);
  const std::size_t mover = mover_of(root_);
  std::vector<solve::MoveValue> moves;
  for (const Move m : machine::Stepper(machine_).legal_moves(root_, mover)) {
    const auto rewards = value(after(root_, m));
    if (!rewards || !of_root) return std::nullopt;
    moves.push_back({mover, m, *rewards, std::nullopt, *rewards == *of_root, false});
  }
  solve::rank_moves(model, moves);
  return moves;
}

// Best moves to the end; the loser makes the first legal move.
std::vector<Move> PartisanSum::line() {
  machine::Stepper stepper(machine_);
  std::vector<Move> result;
  State state = root_;
  while (!stepper.terminal(state)) {
    const auto worth = value(state);
    const auto legal = stepper.legal_moves(state, mover_of(state));
    const auto keeps = std::find_if(legal.begin(), legal.end(),
                                    [&](Move m) { return value(after(state, m)) == worth; });
    result.push_back(keeps != legal.end() ? *keeps : legal.front());
    state = after(state, result.back());
  }
  return result;
}

std::optional<solve::Summary> PartisanSum::summarize(solve::OpponentModel model) {
  const auto moves = first_moves(model);
  if (!moves) return std::nullopt;
  solve::Summary summary;
  summary.roles = machine_->roles();
  summary.model = model;
  summary.engine = solve::Engine::explicit_states;
  summary.algorithm = solve::Algorithm::retrograde;
  summary.value = *value(root_);
  summary.counts = solve::Summary::Counts::nothing;
  for (const solve::MoveValue& move : *moves) {
    summary.first_moves.push_back({machine_->move_name(move.move), move});
  }
  for (const Move m : line()) summary.line.push_back(machine_->move_name(m));
  return summary;
}

std::size_t PartisanSum::components(const State& state) { return split(state, moves_).size(); }

}  // namespace zermelo::search::decomposition
