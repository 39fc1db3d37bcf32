// Training by temporal differences (Sutton; Tesauro's TD-Gammon), with the exact rewards of
// terminal states at the ends.
//
// Games are played by the network itself. The player to move evaluates all successors and makes the
// best move, or a random one with the probability of exploration. Search meets positions outside
// good play all the time, so these are learned, too: the first game of a round is random, and the
// others begin with random moves, up to any point of the game before. Where several roles decide,
// their moves are random.
//
// The target of a position is a mixture of two estimates: the backup, which is the value of the
// best successor as the network sees it now, and, with the share lambda, the target of the next
// position. After a move that was not the best one, only the backup counts, as in Watkins'
// Q(lambda): what happened then says nothing about good play. At the end of a game the target is
// the reward. With exact values, they are the targets.
//
// A round plays its games with the weights as they are, then passes twice over their positions in
// random order and makes a step of Adam for every 64. Random numbers are derived from the seed and
// the number of the round; so a round is determined by what a network file stores.
#include "eval/network/trainer.h"

#include <algorithm>
#include <numeric>

namespace zermelo::eval::network {
namespace {

constexpr std::size_t batch = 64;
constexpr int passes = 2;
constexpr double exploration = 0.1;
// Targets are kept away from 0 and 1, which no finite weights reach: neurons would saturate.
constexpr float loss = 0.02f;

double chance(base::Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

}  // namespace

Trainer::Trainer(GameNetwork& network, const TrainingOptions& options)
    : network_(network),
      options_(options),
      roles_(network.machine->roles().size()),
      cursor_(network.machine),
      initial_(cursor_.state()),
      random_(0),
      joint_(roles_) {}

bool Trainer::train_round(const base::Limits& limits) {
  TrainingProgress& progress = network_.progress;
  random_ = base::Random(network_.options.seed * 0x9e3779b97f4a7c15u + progress.rounds);
  positions_ = {};
  std::size_t length = options_.max_depth;  // of the last game
  for (std::size_t game = 0; game < options_.games_per_round; ++game) {
    const std::size_t opening =
        game == 0 ? length : random_.below(static_cast<std::uint32_t>(length) + 1);
    const auto played = play_game(opening, limits);
    if (!played) return false;
    length = *played;
  }
  learn();
  ++progress.rounds;
  progress.games += options_.games_per_round;
  progress.positions += positions_.size();
  return true;
}

// Returns the number of moves, or nothing if a limit was reached.
std::optional<std::size_t> Trainer::play_game(std::size_t opening, const base::Limits& limits) {
  cursor_.reset(initial_);
  std::vector<Visit> visits;
  while (!cursor_.terminal() && visits.size() < options_.max_depth) {
    if (visits.size() % 16 == 0 && limits.exceeded()) return std::nullopt;
    bool has_moves = true;
    for (std::size_t role = 0; role < roles_; ++role) {
      has_moves = has_moves && !cursor_.legal(role).empty();
    }
    if (!has_moves) break;
    add_position();
    visits.push_back(visit(visits.size() < opening ? 1 : exploration));
    cursor_.make(joint_);
  }
  if (cursor_.terminal()) {  // its reward is learned like a target
    add_position();
    visits.push_back({value_here(), true, true});
  }
  set_targets(visits, value_here());
  return visits.size();
}

void Trainer::add_position() {
  network_.inputs.read(cursor_.state(), active_);
  positions_.active.insert(positions_.active.end(), active_.begin(), active_.end());
  positions_.first.push_back(positions_.active.size());
}

// The rewards of a terminal state, the network's estimate of others; 0 to 1.
std::vector<float> Trainer::value_here() {
  std::vector<float> values(roles_);
  if (!cursor_.terminal()) {
    network_.inputs.read(cursor_.state(), active_);
    network_.network.evaluate(active_, values);
    return values;
  }
  for (std::size_t role = 0; role < roles_; ++role) {
    const std::vector<int> goals = cursor_.goals(role);
    values[role] = goals.empty() ? 0 : static_cast<float>(goals.back()) / 100;
  }
  return values;
}

// Sets the moves to make, and returns what is known of the position.
Trainer::Visit Trainer::visit(double random_share) {
  std::size_t deciders = 0, decider = 0;
  for (std::size_t role = 0; role < roles_; ++role) {
    const auto legal = cursor_.legal(role);
    joint_[role] = legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
    if (legal.size() < 2) continue;
    ++deciders;
    decider = role;
  }
  Visit result{{}, true};
  if (options_.exact) {
    if (const auto value = options_.exact->value(cursor_.state())) {
      for (const int reward : *value) result.backup.push_back(static_cast<float>(reward) / 100);
      result.is_exact = true;
    }
  }
  const bool explores = chance(random_) < random_share;
  if (deciders == 1 && !(explores && result.is_exact)) {
    choose_successor(decider, explores, result);
  } else if (!result.is_exact) {
    cursor_.make(joint_);
    result.backup = value_here();
    cursor_.unmake();
  }
  return result;
}

// Evaluates the successors. Keeps the random move if `explores`, otherwise chooses the best one.
void Trainer::choose_successor(std::size_t role, bool explores, Visit& visit) {
  const auto legal = cursor_.legal(role);
  candidates_.assign(legal.begin(), legal.end());
  const base::Move random_move = joint_[role];
  if (candidates_.size() > options_.max_successors) {
    for (std::size_t i = 0; i < options_.max_successors; ++i) {
      const auto rest = static_cast<std::uint32_t>(candidates_.size() - i);
      std::swap(candidates_[i], candidates_[i + random_.below(rest)]);
    }
    candidates_.resize(options_.max_successors);
  }
  base::Move best_move = random_move;
  std::vector<float> best;
  for (const base::Move move : candidates_) {
    joint_[role] = move;
    cursor_.make(joint_);
    std::vector<float> values = value_here();
    cursor_.unmake();
    if (!best.empty() && values[role] <= best[role]) continue;
    best = std::move(values);
    best_move = move;
  }
  joint_[role] = explores ? random_move : best_move;
  visit.is_greedy = joint_[role] == best_move;
  if (!visit.is_exact) visit.backup = std::move(best);
}

// Backwards; `end` is the value after the last move.
void Trainer::set_targets(std::span<const Visit> visits, std::vector<float> end) {
  const std::size_t first = positions_.targets.size();
  positions_.targets.resize(first + visits.size() * roles_);
  std::vector<float> later = std::move(end);
  for (std::size_t i = visits.size(); i-- > 0;) {
    const Visit& visit = visits[i];
    const float share = visit.is_greedy && !visit.is_exact ? options_.lambda : 0;
    for (std::size_t role = 0; role < roles_; ++role) {
      later[role] = (1 - share) * visit.backup[role] + share * later[role];
      positions_.targets[first + i * roles_ + role] = std::clamp(later[role], loss, 1 - loss);
    }
  }
}

std::span<const std::uint32_t> Trainer::inputs_of(std::size_t position) const {
  return {positions_.active.data() + positions_.first[position],
          positions_.active.data() + positions_.first[position + 1]};
}

void Trainer::learn() {
  std::vector<std::uint32_t> order(positions_.size());
  std::iota(order.begin(), order.end(), 0u);
  double squares = 0;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random_.below(static_cast<std::uint32_t>(i))]);
    }
    for (std::size_t from = 0; from < order.size(); from += batch) {
      const std::size_t end = std::min(from + batch, order.size());
      gradient_.assign(network_.network.parameters().size(), 0);
      for (std::size_t i = from; i < end; ++i) {
        const std::span<const float> targets(positions_.targets.data() + order[i] * roles_, roles_);
        const float error = network_.network.add_gradient(inputs_of(order[i]), targets, gradient_);
        if (pass == 0) squares += static_cast<double>(error);
      }
      for (float& derivative : gradient_) derivative /= static_cast<float>(end - from);
      network_.optimiser.step(network_.network.parameters(), gradient_);
    }
  }
  const auto positions = static_cast<double>(std::max<std::size_t>(positions_.size(), 1));
  network_.progress.curve.add(positions_.size(), squares / positions);
}

}  // namespace zermelo::eval::network
