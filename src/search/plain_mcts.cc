#include "search/plain_mcts.h"

#include <algorithm>
#include <cmath>

#include "base/reward.h"

namespace zermelo::search {

using machine::Move;

PlainMcts::PlainMcts(std::shared_ptr<const machine::Machine> machine, PlainMctsOptions options)
    : cursor_(std::move(machine)), options_(options), random_(options.seed) {}

void PlainMcts::set_root(const machine::State& state) {
  cursor_.reset(state);
  root_ = make_node();
  expansions_ = simulations_ = decided_ = 0;
}

void PlainMcts::search(const PlainMctsBudget& budget, const std::stop_token& stop) {
  while (!stop.stop_requested() && (!budget.expansions || expansions_ < *budget.expansions) &&
         (!budget.simulations || simulations_ < *budget.simulations)) {
    simulate();
  }
}

Move PlainMcts::best_move() const {
  const auto mean = [](const Child& child) {
    return child.visits == 0 ? -1 : child.total / child.visits;
  };
  return std::max_element(root_->children.begin(), root_->children.end(),
                          [&](const Child& a, const Child& b) { return mean(a) < mean(b); })
      ->move;
}

// Descends to the first state that is not in the tree, adds it, plays to the end at random, and
// goes back to the root.
void PlainMcts::simulate() {
  path_.clear();
  for (Node* node = root_.get(); node != nullptr;) {
    if (node->children.empty()) break;  // terminal
    const std::size_t chosen = select(*node);
    Child& child = node->children[chosen];
    path_.emplace_back(node, chosen);
    make(node->decider, child.move);
    const bool is_new = child.node == nullptr;
    if (is_new) child.node = make_node();
    node = is_new ? nullptr : child.node.get();
  }
  play_out();
  bool is_decided = false;
  for (std::size_t role = 0; role < cursor_.machine().roles().size(); ++role)
    is_decided = is_decided || reward(role) != 0.5;
  decided_ += is_decided;
  for (const auto& [node, chosen] : path_) {
    ++node->visits;
    ++node->children[chosen].visits;
    node->children[chosen].total += reward(node->decider);
  }
  while (cursor_.depth() > 0) cursor_.unmake();
  ++simulations_;
}

// The node of the current state; without children if it is terminal.
std::unique_ptr<PlainMcts::Node> PlainMcts::make_node() {
  auto node = std::make_unique<Node>();
  if (cursor_.terminal()) return node;
  const std::size_t roles = cursor_.machine().roles().size();
  for (std::size_t role = 0; role < roles; ++role) {
    if (cursor_.legal(role).size() > 1) node->decider = role;
  }
  for (const Move move : cursor_.legal(node->decider)) node->children.push_back({move});
  return node;
}

// UCB1; moves that were never tried come first, in random order.
std::size_t PlainMcts::select(const Node& node) {
  untried_.clear();
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (node.children[i].visits == 0) untried_.push_back(i);
  }
  if (!untried_.empty())
    return untried_[random_.below(static_cast<std::uint32_t>(untried_.size()))];
  const double logarithm = std::log(static_cast<double>(node.visits));
  const auto bound = [&](const Child& child) {
    return child.total / child.visits + options_.exploration * std::sqrt(logarithm / child.visits);
  };
  const auto best =
      std::max_element(node.children.begin(), node.children.end(),
                       [&](const Child& a, const Child& b) { return bound(a) < bound(b); });
  return static_cast<std::size_t>(best - node.children.begin());
}

// The other roles have one legal move each.
void PlainMcts::make(std::size_t decider, Move move) {
  joint_.clear();
  for (std::size_t role = 0; role < cursor_.machine().roles().size(); ++role)
    joint_.push_back(role == decider ? move : cursor_.legal(role)[0]);
  cursor_.make(joint_);
  ++expansions_;
}

void PlainMcts::play_out() {
  while (!cursor_.terminal()) {
    joint_.clear();
    for (std::size_t role = 0; role < cursor_.machine().roles().size(); ++role) {
      const auto legal = cursor_.legal(role);
      joint_.push_back(legal[random_.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    cursor_.make(joint_);
    ++expansions_;
  }
}

double PlainMcts::reward(std::size_t role) const {
  return base::reward_of(cursor_.goals(role)) / 100.0;
}

}  // namespace zermelo::search
