// A node is created for the state after a joint move, or found if another line led to that state.
// Its moves are listed only on the second visit, since most leaves are never visited again.
#include "search/expansion.h"

namespace zermelo::search {

Expansion::Expansion(const Simulator& simulator, Tree& tree, const eval::StateValues* values)
    : walker_(simulator.walker()),
      tree_(tree),
      values_(values),
      roles_(simulator.roles().size()),
      legal_(roles_) {}

void Expansion::open(Node& node) {
  walker_->go_to(node.state);
  std::size_t count = 0;
  for (std::size_t role = 0; role < roles_; ++role) {
    legal_[role] = walker_->legal(role);
    count += legal_[role].size();
    if (legal_[role].empty()) {
      node.exact = tree_.intern({Rewards(roles_, 0), 0});
      return;
    }
  }
  auto choices = std::make_unique<Choices>();
  choices->first.reserve(roles_ + 1);
  choices->first.push_back(0);
  choices->moves.reserve(count);
  std::size_t deciders = 0;
  for (std::size_t role = 0; role < roles_; ++role) {
    if (legal_[role].size() > 1 && deciders++ == 0) choices->decider = role;
    for (const Move move : legal_[role]) choices->moves.emplace_back().move = move;
    choices->first.push_back(static_cast<std::uint32_t>(choices->moves.size()));
  }
  if (deciders == 0) choices->decider = 0;
  if (deciders > 1) choices->decider = nobody;
  if (deciders <= 1) choices->edges.resize(choices->of_role(choices->decider).size());
  tree_.count_choices(*choices);
  node.choices = std::move(choices);
}

Tree::Added Expansion::child(const Node& parent, std::span<const Move> joint, std::uint32_t now) {
  walker_->go_to(parent.state);
  walker_->make(joint);
  const State state = walker_->state();
  if (Node* node = tree_.find(state)) return {node, false};
  return tree_.add(state, known_value(state), now);
}

Tree::Added Expansion::enter(const State& state, std::uint32_t now) {
  walker_->go_to(state);
  return tree_.add(state, known_value(state), now);
}

// Requires the walker to be at the state.
const Worth* Expansion::known_value(const State& state) {
  if (walker_->terminal()) {
    Worth end{Rewards(roles_), 0};
    for (std::size_t role = 0; role < roles_; ++role) end.rewards[role] = walker_->goal(role);
    return tree_.intern(end);
  }
  const auto worth = values_ ? values_->worth(state) : std::nullopt;
  return worth ? tree_.intern(*worth) : nullptr;
}

}  // namespace zermelo::search
