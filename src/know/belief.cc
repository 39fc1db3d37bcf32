// The belief of a player is the set of worlds (state, and what every role knows) that fit to all it
// has seen and done, weighted by their probability. After a joint move every world is continued by
// all joint moves that contain the player's own move and give its percepts. Equal worlds are
// merged. As long as nothing has to be left out, this is exact.
//
// If there are too many worlds, a sample by weight is kept, and if there are too many joint moves,
// continuations are drawn at random: a particle filter. Then the sample may die out: none of its
// continuations gives the percepts that were seen. In that case the play is replayed from the
// initial state: a depth-first search with random joint moves, which must fit in every round, and
// backtracks where none does. It finds a world whenever there is one.
//
// The keys of what the other roles know belong to the world, because a search must not let them
// play as if they knew more (search/information_set_mcts.h).

#include "know/belief.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

#include "machine/perft.h"

namespace zermelo::know {
namespace {

// Worlds that a replay finds.
constexpr std::size_t replayed_worlds = 32;

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

double uniform_number(base::Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

}  // namespace

InformationKey information_after(InformationKey before, machine::Move move,
                                 const base::BitSet& seen, const ground::Game& game,
                                 std::uint32_t role) {
  InformationKey key = mixed(before + 0x9e3779b97f4a7c15u + move);
  for (base::Percept p = game.first_percept_of[role]; p < game.first_percept_of[role + 1]; ++p) {
    if (seen.test(p)) key = mixed(key ^ (0x632be59bd9b4e019u + p));
  }
  return key;
}

double Belief::uniform(std::size_t, InformationKey, machine::Move, std::size_t legal) {
  return 1.0 / static_cast<double>(legal);
}

Belief::Belief(std::shared_ptr<const machine::Machine> machine, std::size_t role,
               const BeliefOptions& options)
    : machine_(std::move(machine)),
      role_(role),
      options_(options),
      steps_(options.limits, "following what a player can know"),
      random_(options.seed),
      cursor_(machine_),
      reader_(machine_),
      legal_(machine_->roles().size()),
      joint_(legal_.size()) {
  keep({start()});
}

PossibleWorld Belief::start() const {
  PossibleWorld world{machine::State(machine_->game().fluents.size()),
                      std::vector<InformationKey>(legal_.size(), 0), 1};
  for (const ground::Atom fluent : machine_->game().initial) world.state.set(fluent);
  return world;
}

void Belief::observe(machine::Move move, std::span<const base::Percept> percepts,
                     const Expectation& expects) {
  past_.push_back({move, {percepts.begin(), percepts.end()}});
  bool is_complete = false;
  std::vector<PossibleWorld> next = all_continuations(past_.back(), expects, is_complete);
  if (!is_complete) {
    is_exact_ = false;
    next = some_continuations(past_.back(), expects);
  }
  if (next.empty()) return replay();
  reduce(next);
  keep(std::move(next));
}

// Enters a world. Returns false if play has ended there or the own move is not legal.
bool Belief::look(const PossibleWorld& world, machine::Move own) {
  steps_.take();
  cursor_.reset(world.state);
  if (cursor_.terminal()) return false;
  for (std::size_t role = 0; role < legal_.size(); ++role) {
    const auto moves = cursor_.legal(role);
    legal_[role].assign(moves.begin(), moves.end());
  }
  if (std::ranges::find(legal_[role_], own) == legal_[role_].end()) return false;
  legal_[role_] = {own};
  reader_.reset(world.state);
  return true;
}

std::size_t Belief::joint_moves() const {
  std::size_t product = 1;
  for (const auto& moves : legal_) product *= moves.size();
  return product;
}

bool Belief::fits(const base::BitSet& seen, const Observation& observation) const {
  const ground::Game& game = machine_->game();
  auto expected = observation.percepts.begin();
  for (base::Percept p = game.first_percept_of[role_]; p < game.first_percept_of[role_ + 1]; ++p) {
    if (!seen.test(p)) continue;
    if (expected == observation.percepts.end() || *expected != p) return false;
    ++expected;
  }
  return expected == observation.percepts.end();
}

PossibleWorld Belief::after(const PossibleWorld& world, std::span<const machine::Move> joint,
                            const base::BitSet& seen) {
  cursor_.make(joint);
  PossibleWorld next{cursor_.state(), world.information, world.weight};
  cursor_.unmake();
  for (std::uint32_t role = 0; role < next.information.size(); ++role) {
    if (machine_->game().is_random(role)) continue;  // nobody's information
    next.information[role] =
        information_after(world.information[role], joint[role], seen, machine_->game(), role);
  }
  return next;
}

double Belief::expectation(const PossibleWorld& world, std::span<const machine::Move> joint,
                           const Expectation& expects) const {
  double product = 1;
  for (std::uint32_t role = 0; role < legal_.size(); ++role) {
    const std::size_t legal = legal_[role].size();
    if (role == role_ || legal == 1) continue;
    product *= machine_->game().is_random(role)
                   ? 1.0 / static_cast<double>(legal)
                   : expects(role, world.information[role], joint[role], legal);
  }
  return product;
}

std::vector<PossibleWorld> Belief::all_continuations(const Observation& observation,
                                                     const Expectation& expects,
                                                     bool& is_complete) {
  std::map<std::pair<std::size_t, std::vector<InformationKey>>, std::vector<std::size_t>> found;
  std::vector<PossibleWorld> next;
  std::size_t steps = 0;
  for (const PossibleWorld& world : worlds_) {
    if (!look(world, observation.move)) continue;
    steps += joint_moves();
    if (steps > options_.max_steps) return {};
    machine::for_each_joint_move(legal_, [&](std::span<const machine::Move> joint) {
      steps_.take();
      const base::BitSet seen = reader_.read(joint);
      if (!fits(seen, observation)) return true;
      PossibleWorld longer = after(world, joint, seen);
      longer.weight *= expectation(world, joint, expects);
      auto& same = found[{longer.state.hash(), longer.information}];
      for (const std::size_t other : same) {
        if (next[other].state != longer.state) continue;
        next[other].weight += longer.weight;
        return true;
      }
      same.push_back(next.size());
      next.push_back(std::move(longer));
      return true;
    });
  }
  is_complete = true;
  return next;
}

// To joint_. The moves of a role are drawn one after the other, each with its share of the rest.
void Belief::draw_joint_move(const PossibleWorld& world, const Expectation& expects) {
  for (std::uint32_t role = 0; role < legal_.size(); ++role) {
    const auto& moves = legal_[role];
    joint_[role] = moves[random_.below(static_cast<std::uint32_t>(moves.size()))];
    if (moves.size() == 1 || machine_->game().is_random(role)) continue;
    double left = uniform_number(random_);
    for (const machine::Move move : moves) {
      left -= expects(role, world.information[role], move, moves.size());
      if (left >= 0) continue;
      joint_[role] = move;
      break;
    }
  }
}

std::vector<PossibleWorld> Belief::some_continuations(const Observation& observation,
                                                      const Expectation& expects) {
  std::vector<PossibleWorld> next;
  for (std::size_t step = 0; step < options_.max_steps && next.size() < options_.max_worlds;
       ++step) {
    const PossibleWorld& world = sample(random_);
    if (!look(world, observation.move)) continue;
    draw_joint_move(world, expects);
    const base::BitSet seen = reader_.read(joint_);
    if (!fits(seen, observation)) continue;
    next.push_back(after(world, joint_, seen));
    next.back().weight = 1;
  }
  return next;
}

void Belief::replay() {
  is_exact_ = false;
  worlds_.clear();
  for (std::size_t i = 0; i < replayed_worlds; ++i) {
    if (!replay_from(start(), 0))
      throw std::logic_error("no development of the game fits what a player saw");
  }
  keep(std::move(worlds_));
}

// Adds a world that continues this one and fits all later observations. Returns false if there is
// none.
bool Belief::replay_from(const PossibleWorld& world, std::size_t round) {
  if (round == past_.size()) {
    worlds_.push_back(world);
    return true;
  }
  if (!look(world, past_[round].move)) return false;
  std::vector<PossibleWorld> next;
  machine::for_each_joint_move(legal_, [&](std::span<const machine::Move> joint) {
    steps_.take();
    const base::BitSet seen = reader_.read(joint);
    if (fits(seen, past_[round])) next.push_back(after(world, joint, seen));
    return true;
  });
  for (; !next.empty(); next.pop_back()) {
    const std::size_t chosen = random_.below(static_cast<std::uint32_t>(next.size()));
    std::swap(next[chosen], next.back());
    if (replay_from(next.back(), round + 1)) return true;
  }
  return false;
}

// Replaces too many worlds by a systematic sample: at equal distances along the sum of weights.
void Belief::reduce(std::vector<PossibleWorld>& worlds) {
  if (worlds.size() <= options_.max_worlds) return;
  is_exact_ = false;
  double sum = 0;
  for (const PossibleWorld& world : worlds) sum += world.weight;
  const double distance = sum / static_cast<double>(options_.max_worlds);
  double mark = distance * uniform_number(random_), passed = 0;
  std::vector<PossibleWorld> kept;
  for (PossibleWorld& world : worlds) {
    passed += world.weight;
    double hits = 0;
    for (; mark < passed; mark += distance) ++hits;
    if (hits == 0) continue;
    world.weight = hits;
    kept.push_back(std::move(world));
  }
  worlds = std::move(kept);
}

void Belief::keep(std::vector<PossibleWorld> worlds) {
  worlds_ = std::move(worlds);
  double sum = 0;
  for (const PossibleWorld& world : worlds_) sum += world.weight;
  sums_.clear();
  double passed = 0;
  for (PossibleWorld& world : worlds_) {
    world.weight = sum > 0 ? world.weight / sum : 1.0 / static_cast<double>(worlds_.size());
    sums_.push_back(passed += world.weight);
  }
}

const PossibleWorld& Belief::sample(base::Random& random) const {
  const double mark = uniform_number(random) * sums_.back();
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), mark);
  const auto index = static_cast<std::size_t>(found - sums_.begin());
  return worlds_[std::min(index, worlds_.size() - 1)];
}

}  // namespace zermelo::know
