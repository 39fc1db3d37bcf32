// Information-set MCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
// 2012), in the variant with several observers: every role has its own tree.
//
// A player does not know the state. Determinisation samples a state that fits what it saw, searches
// as if everybody knew this state, and averages over samples. This has two faults (Frank and Basin
// 1998). Strategy fusion: the search plays different moves in states that the player cannot tell
// apart. And non-locality: it assumes that opponents see the player's cards, so there is nothing to
// conceal and nothing to gain by asking.
//
// Here statistics belong to information sets. Every simulation starts in a world that is sampled
// from the belief: a state, and the information of every role in it. In each step every role
// selects a move by the statistics of its own information set, `random` moves uniformly, and the
// information of every role is extended by what it sees. So nobody uses what it does not know, and
// all worlds of an information set share one strategy. Where a role is first in a new information
// set, the set is added, and the rest of the game is random. At the end, the reward of a role is
// added to the moves that it selected.
//
// Information sets are identified by a hash of all that the role has seen and done since the
// beginning of the game (know/belief.h), also for opponents. So the opponents use their own cards.
// The table is kept from move to move.
//
// The selection is UCB1 with the number of simulations in which the move was legal instead of the
// number of visits to the set, as in the paper: in a badly designed game the legal moves may differ
// among the worlds of a set.

#include "search/information_set_mcts.h"

#include <algorithm>
#include <cmath>

#include "base/reward.h"
#include "search/simulator.h"

namespace zermelo::search {

InformationSetMcts::InformationSetMcts(std::shared_ptr<const machine::Machine> machine,
                                       const InformationSetOptions& options)
    : machine_(std::move(machine)),
      options_(options),
      random_(options.seed),
      cursor_(machine_),
      reader_(machine_),
      information_(machine_->roles().size()),
      joint_(machine_->roles().size()) {}

void InformationSetMcts::simulate(const know::PossibleWorld& world) {
  cursor_.reset(world.state);
  information_ = world.information;
  path_.clear();
  is_in_tree_ = true;
  for (std::uint32_t step = 0; step < longest_playout && !cursor_.terminal(); ++step) {
    if (!choose_joint_move()) break;
    advance();
  }
  learn();
}

know::InformationKey InformationSetMcts::table_key(std::size_t role,
                                                   know::InformationKey information) const {
  return information ^ (role + 1) * 0x9e3779b97f4a7c15u;
}

// To joint_. Returns false if a role has no legal move.
bool InformationSetMcts::choose_joint_move() {
  if (options_.sees_state && is_in_tree_)
    std::fill(information_.begin(), information_.end(), key_of(cursor_.state()));
  bool stays_in_tree = is_in_tree_;
  for (std::uint32_t role = 0; role < joint_.size(); ++role) {
    const auto legal = cursor_.legal(role);
    if (legal.empty()) return false;
    const bool is_free = legal.size() == 1 || machine_->game().is_random(role) || !is_in_tree_;
    if (is_free) {
      joint_[role] = legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
      continue;
    }
    const std::size_t known = sets_.size();
    joint_[role] = choose(role, legal);
    stays_in_tree = stays_in_tree && sets_.size() == known && path_.back().role == role;
  }
  is_in_tree_ = stays_in_tree;
  return true;
}

machine::Move InformationSetMcts::choose(std::size_t role, std::span<const machine::Move> legal) {
  const know::InformationKey key = table_key(role, information_[role]);
  auto found = sets_.find(key);
  if (found == sets_.end()) {
    if (sets_.size() >= options_.max_sets) {
      path_.push_back({nullptr, 0, joint_.size()});  // leaves the tree
      return legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
    }
    found = sets_.emplace(key, Set()).first;
  }
  const std::size_t index = select(found->second, legal);
  path_.push_back({&found->second, index, role});
  return found->second[index].move;
}

std::size_t InformationSetMcts::select(Set& set, std::span<const machine::Move> legal) {
  std::size_t best = 0, untried = 0;
  double most = -1;
  for (const machine::Move move : legal) {
    const auto found = std::ranges::find(set, move, &MoveStatistics::move);
    const auto index = static_cast<std::size_t>(found - set.begin());
    if (found == set.end()) set.push_back({move, 0, 0, 0});
    MoveStatistics& statistics = set[index];
    ++statistics.available;
    if (statistics.visits == 0) {
      if (random_.below(static_cast<std::uint32_t>(++untried)) == 0) best = index;
      continue;
    }
    if (untried > 0) continue;
    const double visits = statistics.visits;
    const double bound =
        statistics.rewards / visits +
        options_.exploration *
            std::sqrt(std::log(static_cast<double>(statistics.available)) / visits);
    if (bound > most) most = bound, best = index;
  }
  return best;
}

void InformationSetMcts::advance() {
  if (is_in_tree_ && !options_.sees_state) {
    reader_.reset(cursor_.state());
    const base::BitSet seen = reader_.read(joint_);
    for (std::uint32_t role = 0; role < joint_.size(); ++role) {
      information_[role] =
          know::information_after(information_[role], joint_[role], seen, machine_->game(), role);
    }
  }
  cursor_.make(joint_);
}

void InformationSetMcts::learn() {
  std::vector<double> rewards(joint_.size(), 0.0);
  if (cursor_.terminal()) {
    for (std::size_t role = 0; role < rewards.size(); ++role)
      rewards[role] = base::reward_of(cursor_.goals(role)) / 100.0;
  }
  for (const Choice& choice : path_) {
    if (choice.set == nullptr) continue;
    MoveStatistics& statistics = (*choice.set)[choice.index];
    ++statistics.visits;
    statistics.rewards += rewards[choice.role];
  }
}

std::span<const InformationSetMcts::MoveStatistics> InformationSetMcts::statistics(
    std::size_t role, know::InformationKey information) const {
  const auto found = sets_.find(table_key(role, information));
  if (found == sets_.end()) return {};
  return found->second;
}

double InformationSetMcts::share(std::size_t role, know::InformationKey information,
                                 machine::Move move, std::size_t legal) const {
  double visits = 0, all = 0;
  for (const MoveStatistics& statistics : this->statistics(role, information)) {
    all += statistics.visits;
    if (statistics.move == move) visits = statistics.visits;
  }
  return (visits + 1) / (all + static_cast<double>(legal));
}

}  // namespace zermelo::search
