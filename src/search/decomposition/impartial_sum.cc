// A game of two players who move in turn is a sum if it has subgames, of which the mover chooses
// one and makes a move in it. It is in normal play if it ends exactly when the mover has no move,
// and the mover then loses. It is impartial if both players have the same moves.
//
// The Grundy number of a position is the least number that none of its successors has. The theorem
// of Sprague (1935) and Grundy (1939): the number of a sum is the exclusive or of the numbers of
// its parts, and the mover wins exactly if it is not 0. Proof: let the exclusive or be x. If x is
// 0, a move changes the number of one part, because no position has a successor with its own
// number, so the exclusive or becomes different from 0. If x is not 0, some part has a number n
// with the highest bit of x set, so n xor x < n, and by the definition of n there is a move to that
// number, after which the exclusive or is 0. The end has x = 0. By induction over the length of
// play, the mover loses positions with x = 0 and wins the others.
//
// The conditions are proved, not sampled:
//
// - The goals depend on action-independent fluents only, which alternate between two states of the
//   time, one for each mover. Each player prefers that the other one cannot move.
// - The subgames (analysis/subgames.cc, grain of ground fluents) are kept by moves elsewhere. All
//   states of a part are enumerated, with both players to move; the successors must be the same,
//   nothing may repeat, and the other player must have a single, waiting move.
// - If a part has a move, `terminal` is false whatever the other parts are (in Kleene's logic). If
//   no part has one, `terminal` is true for all combinations.
//
// The number of reachable states is found without enumerating them: moves in different parts can be
// made in any order by whoever is to move, so a combination of positions is reachable with a player
// to move exactly if numbers of moves that lead to the positions have a sum of the right parity.
#include "search/decomposition/impartial_sum.h"

#include <gmpxx.h>

#include <algorithm>
#include <set>

#include "analysis/rule_evaluator.h"
#include "base/reward.h"
#include "machine/perft.h"
#include "search/decomposition/local_state.h"
#include "search/decomposition/normal_play.h"

namespace zermelo::search::decomposition {

using analysis::AtomBounds;
using analysis::RuleEvaluator;
using ground::Atom;
using machine::Move;

namespace {

constexpr std::size_t max_part_states = 200'000;
constexpr std::size_t max_part_edges = 2'000'000;
constexpr std::size_t max_ends = 4'096;  // combinations of positions without moves

}  // namespace

ImpartialSum::ImpartialSum(std::shared_ptr<const machine::Machine> machine)
    : machine_(std::move(machine)),
      cursor_(std::make_shared<machine::Cursor>(machine_)),
      root_(machine::Stepper(machine_).initial_state()),
      time_mask_(machine_->game().fluents.size()) {}

std::optional<ImpartialSum> ImpartialSum::find(std::shared_ptr<const machine::Machine> machine,
                                               const base::Limits& limits) {
  const ground::Game& game = machine->game();
  if (game.roles.size() != 2 || game.terminal == ground::no_atom) return std::nullopt;
  ImpartialSum sum(std::move(machine));
  const bool is_found = has_goals_of_time(*sum.machine_) && sum.find_parts(limits) &&
                        sum.find_turns() &&
                        std::all_of(sum.parts_.begin(), sum.parts_.end(),
                                    [&](Part& part) { return sum.explore(part, limits); }) &&
                        sum.ends_if_no_move_is_left() && sum.find_rewards();
  return is_found ? std::optional(std::move(sum)) : std::nullopt;
}

bool ImpartialSum::find_parts(const base::Limits& limits) {
  auto found = analysis::find_subgames(*machine_->compiled(), {analysis::Grain::ground, limits});
  if (!found || !found->is_decomposed() || found->is_parallel) return false;
  found_ = std::move(*found);
  for (const analysis::Subgame& subgame : found_.subgames) {
    State mask(machine_->game().fluents.size());
    for (const Atom f : subgame.fluents) mask.set(f);
    if (subgame.action_independent) {
      time_mask_ |= mask;
      continue;
    }
    if (!subgame.is_kept) return false;
    Part part;
    part.mask = std::move(mask);
    part.is_move.resize(machine_->game().moves.size());
    for (const std::uint32_t m : subgame.moves) {
      if (is_of_part(m)) return false;
      part.is_move[m] = true;
    }
    parts_.push_back(std::move(part));
  }
  return true;
}

// The time must have two states, one per mover.
bool ImpartialSum::find_turns() {
  machine::Stepper stepper(machine_);
  State time = root_;
  for (Turn& turn : turns_) {
    turn.time = time;
    if (!set_mover(turn)) return false;
    const State state = with_local(root_, time, time_mask_);
    const Move move = stepper.legal_moves(state, turn.mover).front();
    time = with_local(root_, stepper.next_state(state, joint_move(state, move)), time_mask_);
  }
  return time == root_ && turns_[0].mover != turns_[1].mover;
}

bool ImpartialSum::set_mover(Turn& turn) {
  machine::Stepper stepper(machine_);
  std::vector<std::uint32_t> movers;
  for (std::uint32_t role = 0; role < 2; ++role) {
    const auto legal = stepper.legal_moves(turn.time, role);
    if (legal.empty()) return false;
    const bool is_mover =
        std::any_of(legal.begin(), legal.end(), [&](Move m) { return is_of_part(m); });
    if (is_mover) movers.push_back(role);
  }
  if (movers.size() != 1) return false;
  turn.mover = movers[0];
  return true;
}

bool ImpartialSum::is_of_part(Move move) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const Part& part) { return part.is_move[move]; });
}

// A move of the mover, with the first legal move of the other player.
std::vector<Move> ImpartialSum::joint_move(const State& state, Move move) const {
  std::vector<Move> joint(2, move);
  const std::size_t other = 1 - machine_->game().moves[move].role;
  joint[other] = machine::Stepper(machine_).legal_moves(state, other).front();
  return joint;
}

std::uint32_t ImpartialSum::insert(Part& part, const State& state) {
  State local = state;
  local &= part.mask;
  const auto [entry, is_new] =
      part.numbers.emplace(local, static_cast<std::uint32_t>(part.states.size()));
  if (is_new) {
    part.states.push_back(std::move(local));
    part.positions.emplace_back();
  }
  return entry->second;
}

bool ImpartialSum::explore(Part& part, const base::Limits& limits) {
  insert(part, root_);
  std::size_t edges = 0;
  for (std::uint32_t i = 0; i < part.states.size(); ++i) {
    const bool is_too_much = part.states.size() > max_part_states || edges > max_part_edges;
    if (is_too_much || (i % 256 == 0 && limits.exceeded()) || !expand(part, i)) return false;
    edges += part.positions[i].successors.size();
  }
  find_distances(part);
  return compute_numbers(part);
}

bool ImpartialSum::expand(Part& part, std::uint32_t position) {
  auto first = successors(part, position, turns_[0]);
  const auto second = successors(part, position, turns_[1]);
  if (!first || first != second) return false;
  part.positions[position].successors = std::move(*first);
  return true;
}

// Ascending. Nothing if the other player has a choice, or the mover has a move outside the parts.
std::optional<std::vector<std::uint32_t>> ImpartialSum::successors(Part& part,
                                                                   std::uint32_t position,
                                                                   const Turn& turn) {
  machine::Cursor& cursor = *cursor_;
  cursor.reset(
      with_local(with_local(root_, turn.time, time_mask_), part.states[position], part.mask));
  const auto waiting = cursor.legal(1 - turn.mover);
  if (waiting.size() != 1) return std::nullopt;
  std::vector<Move> joint(2, waiting[0]);
  std::vector<Move> moves;
  for (const Move m : cursor.legal(turn.mover)) {
    if (!is_of_part(m)) return std::nullopt;
    if (part.is_move[m]) moves.push_back(m);
  }
  std::set<std::uint32_t> result;
  for (const Move m : moves) {
    joint[turn.mover] = m;
    cursor.make(joint);
    result.insert(insert(part, cursor.state()));
    cursor.unmake();
  }
  return std::vector<std::uint32_t>(result.begin(), result.end());
}

// False if a position can repeat.
bool ImpartialSum::compute_numbers(Part& part) {
  enum class Mark : std::uint8_t { unvisited, open, done };
  std::vector<Mark> marks(part.positions.size(), Mark::unvisited);
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const std::uint32_t i = stack.back();
    LocalPosition& position = part.positions[i];
    if (marks[i] == Mark::unvisited) {
      marks[i] = Mark::open;
      for (const std::uint32_t next : position.successors) {
        if (marks[next] == Mark::open) return false;
        if (marks[next] == Mark::unvisited) stack.push_back(next);
      }
      continue;
    }
    stack.pop_back();
    if (marks[i] == Mark::done) continue;
    marks[i] = Mark::done;
    std::set<std::uint32_t> reached;
    for (const std::uint32_t next : position.successors) {
      reached.insert(part.positions[next].grundy_number);
    }
    while (reached.contains(position.grundy_number)) ++position.grundy_number;
  }
  return true;
}

void ImpartialSum::find_distances(Part& part) {
  std::vector<std::uint32_t> layer{0}, next_layer;
  part.positions[0].distances[0] = 0;
  for (std::uint32_t distance = 1; !layer.empty(); ++distance) {
    for (const std::uint32_t i : layer) {
      for (const std::uint32_t next : part.positions[i].successors) {
        std::uint32_t& known = part.positions[next].distances[distance % 2];
        if (known != never) continue;
        known = distance;
        next_layer.push_back(next);
      }
    }
    layer = std::move(next_layer);
    next_layer.clear();
  }
}

// The number of moves to the farthest state: a state is a combination of positions and a player to
// move, and the smallest numbers of moves to it add up, for each parity.
std::uint32_t ImpartialSum::longest_distance() const {
  using Distances = std::array<std::uint32_t, 2>;
  const auto sum = [](std::uint32_t a, std::uint32_t b) {
    return a == never || b == never ? never : a + b;
  };
  std::set<Distances> all{{0, never}};
  for (const Part& part : parts_) {
    std::set<Distances> of_part, longer;
    for (const LocalPosition& position : part.positions) of_part.insert(position.distances);
    for (const Distances& a : all) {
      for (const Distances& b : of_part) {
        longer.insert({std::min(sum(a[0], b[0]), sum(a[1], b[1])),
                       std::min(sum(a[0], b[1]), sum(a[1], b[0]))});
      }
    }
    all = std::move(longer);
  }
  std::uint32_t longest = 0;
  for (const Distances& distances : all) {
    for (const std::uint32_t distance : distances) {
      if (distance != never) longest = std::max(longest, distance);
    }
  }
  return longest;
}

bool ImpartialSum::ends_if_no_move_is_left() const {
  const ground::Game& game = machine_->game();
  const RuleEvaluator evaluator(game, {game.terminal}, [](Atom) { return false; });
  AtomBounds bounds(game.atoms);
  for (const Atom f : found_.constants) bounds.set(f, root_.test(f));
  const auto forget = [&](const State& mask) {
    mask.for_each([&](std::size_t f) { bounds.forget(static_cast<Atom>(f)); });
  };
  const auto assume = [&](const Part& part, std::size_t i) {
    part.mask.for_each(
        [&](std::size_t f) { bounds.set(static_cast<Atom>(f), part.states[i].test(f)); });
  };
  forget(time_mask_);
  for (const Part& part : parts_) forget(part.mask);
  std::vector<std::vector<std::size_t>> ends{{}};  // combinations of positions without moves
  for (const Part& part : parts_) {
    std::vector<std::vector<std::size_t>> longer;
    for (std::size_t i = 0; i < part.states.size(); ++i) {
      if (part.positions[i].successors.empty()) {
        for (auto end : ends) {
          end.push_back(i);
          longer.push_back(std::move(end));
        }
        continue;
      }
      assume(part, i);
      evaluator.derive(bounds);
      if (bounds.possibly[game.terminal]) return false;
    }
    forget(part.mask);
    if (longer.size() > max_ends) return false;
    ends = std::move(longer);
  }
  return std::all_of(ends.begin(), ends.end(), [&](const std::vector<std::size_t>& end) {
    for (std::size_t p = 0; p < parts_.size(); ++p) assume(parts_[p], end[p]);
    evaluator.derive(bounds);
    return bounds.surely[game.terminal];
  });
}

bool ImpartialSum::find_rewards() {
  machine::Stepper stepper(machine_);
  for (Turn& turn : turns_) {
    for (std::size_t role = 0; role < 2; ++role) {
      turn.rewards.push_back(base::reward_of(stepper.goals(turn.time, role)));
    }
  }
  return turns_[1].rewards[turns_[0].mover] > turns_[0].rewards[turns_[0].mover] &&
         turns_[0].rewards[turns_[1].mover] > turns_[1].rewards[turns_[1].mover];
}

std::size_t ImpartialSum::part_states() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += part.states.size();
  return sum;
}

std::size_t ImpartialSum::turn_of(const State& state) const {
  return with_local(root_, state, time_mask_) == turns_[0].time ? 0 : 1;
}

std::uint32_t ImpartialSum::grundy_number(const State& state) const {
  std::uint32_t number = 0;
  for (const Part& part : parts_) {
    State local = state;
    number ^= part.positions[part.numbers.at(local &= part.mask)].grundy_number;
  }
  return number;
}

const solve::Rewards& ImpartialSum::value(const State& state) const {
  const std::size_t turn = turn_of(state);
  return turns_[grundy_number(state) == 0 ? turn : 1 - turn].rewards;
}

// How many states there are, by exclusive or and number of moves modulo 2.
struct ImpartialSum::Totals {
  // By the set of parities with which a combination of positions is reachable, as bits.
  using Counts = std::map<std::uint32_t, std::array<mpz_class, 4>>;

  Counts counts{{0, {0, 1, 0, 0}}};

  static std::uint32_t combined(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t flipped = (a & 1) << 1 | a >> 1;
    return (b & 1 ? a : 0) | (b & 2 ? flipped : 0);
  }

  // `ends_only`: only positions without moves.
  void add(const Part& part, bool ends_only) {
    Counts sum;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> positions;
    for (const LocalPosition& position : part.positions) {
      const std::uint32_t parities =
          (position.distances[0] != never) + 2 * (position.distances[1] != never);
      if (ends_only && !position.successors.empty()) continue;
      ++positions[{position.grundy_number, parities}];
    }
    for (const auto& [number, by_parities] : counts) {
      for (const auto& [position, count] : positions) {
        auto& entry = sum[number ^ position.first];
        for (std::uint32_t parities = 1; parities < 4; ++parities) {
          entry[combined(parities, position.second)] += by_parities[parities] * count;
        }
      }
    }
    counts = std::move(sum);
  }

  mpz_class states(bool is_zero, std::size_t parity) const {
    mpz_class sum = 0;
    for (const auto& [number, by_parities] : counts) {
      if ((number == 0) == is_zero) sum += by_parities[parity + 1] + by_parities[3];
    }
    return sum;
  }
};

void ImpartialSum::add_counts(solve::Summary& summary) const {
  Totals all, ends;
  for (const Part& part : parts_) {
    all.add(part, false);
    ends.add(part, true);
  }
  mpz_class states = 0, terminal = 0;
  mpz_class stuck[2];  // by turn whose mover loses
  for (std::size_t turn = 0; turn < 2; ++turn) {
    stuck[turn] = all.states(true, turn) + all.states(false, 1 - turn);
    states += stuck[turn];
    terminal += ends.states(true, turn);
  }
  const std::size_t better =
      solve::prefers(summary.model, 0, turns_[0].rewards, turns_[1].rewards) ? 0 : 1;
  for (const std::size_t turn : {better, 1 - better}) {
    if (stuck[turn] > 0) {
      summary.by_value.push_back({turns_[turn].rewards, stuck[turn].get_str()});
    }
  }
  summary.states = summary.layer_states = states.get_str();
  summary.terminal_states = terminal.get_str();
  summary.layers = longest_distance() + 1;
}

// Best moves to the end; the loser makes the first legal move.
std::vector<Move> ImpartialSum::line() const {
  machine::Stepper stepper(machine_);
  std::vector<Move> result;
  State state = root_;
  while (!stepper.terminal(state)) {
    const std::uint32_t mover = turns_[turn_of(state)].mover;
    const auto legal = stepper.legal_moves(state, mover);
    const auto next = [&](Move m) { return stepper.next_state(state, joint_move(state, m)); };
    const auto winning = std::find_if(legal.begin(), legal.end(),
                                      [&](Move m) { return grundy_number(next(m)) == 0; });
    result.push_back(winning != legal.end() ? *winning : legal.front());
    state = next(result.back());
  }
  return result;
}

solve::Summary ImpartialSum::summarize(solve::OpponentModel model) const {
  machine::Stepper stepper(machine_);
  solve::Summary summary;
  summary.roles = machine_->roles();
  summary.model = model;
  summary.engine = solve::Engine::explicit_states;
  summary.algorithm = solve::Algorithm::retrograde;
  summary.value = value(root_);
  add_counts(summary);
  std::vector<solve::MoveValue> moves;
  const std::uint32_t mover = turns_[0].mover;
  for (const Move m : stepper.legal_moves(root_, mover)) {
    const solve::Rewards& rewards = value(stepper.next_state(root_, joint_move(root_, m)));
    moves.push_back({mover, m, rewards, std::nullopt, rewards == summary.value, false});
  }
  solve::rank_moves(model, moves);
  for (const solve::MoveValue& move : moves) {
    summary.first_moves.push_back({machine_->move_name(move.move), move});
  }
  for (const Move m : line()) summary.line.push_back(machine_->move_name(m));
  return summary;
}

}  // namespace zermelo::search::decomposition
