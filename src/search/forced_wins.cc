// A playout finds a forced win only if it plays the right moves by chance, so a winning move whose
// continuations are mostly bad looks poor to UCT and gets few visits. Proof-number search finds
// such wins quickly, as it needs only one winning move in every state of the winner.
//
// It suffices to ask in each node whether the role that decides there wins. A win in a child of the
// root means that the move to it loses. Most effort goes where UCT has most visits: to the root and
// to the moves that would be played. Losses follow from the wins in all children, by the backup of
// proved values.
#include "search/forced_wins.h"

namespace zermelo::search {
namespace {

// A question is asked once it has this many expansions, as each question starts at its node again.
constexpr std::uint64_t least_expansions = 8;
// More than this would delay the playouts.
constexpr std::uint64_t most_expansions = 64;
constexpr std::uint64_t answered = ~std::uint64_t{0} / 2;

}  // namespace

ForcedWins::ForcedWins(std::shared_ptr<const Simulator> simulator, Tree& tree, Expansion& expansion,
                       const ForcedWinRule& rule, std::size_t table_bytes)
    : tree_(tree),
      expansion_(expansion),
      rule_(rule),
      roles_(simulator->roles().size()),
      search_(std::move(simulator), {table_bytes}) {}

void ForcedWins::begin(bool is_timed) {
  is_timed_ = is_timed;
  start_ = Clock::now();
  used_[0] = used_[1] = {};
}

std::uint64_t ForcedWins::ask(std::span<const Path> paths, std::uint32_t now,
                              const std::stop_token& stop) {
  now_ = now;
  if (is_timed_) time_ = Clock::now();  // reading the clock at every node would be slow
  std::uint64_t expansions = 0;
  for (const Path& path : paths) {
    for (std::size_t i = 0; i + 1 < path.nodes.size(); ++i) {
      const bool is_root = i == 0;
      if (has_time(is_root)) expansions += ask(*path.nodes[i], is_root, stop);
    }
  }
  return expansions;
}

bool ForcedWins::has_time(bool is_root) const {
  if (!is_timed_) return true;
  return used_[is_root] <= rule_.share / 2 * (time_ - start_);
}

std::uint64_t ForcedWins::ask(Node& node, bool is_root, const std::stop_token& stop) {
  const std::uint64_t expansions = reserve(node, is_root);
  if (expansions == 0) return 0;
  const Clock::time_point start = is_timed_ ? Clock::now() : time_;
  const std::size_t role = node.choices->decider;
  const ProofReport report = search_.search(node.state, role, {expansions}, stop);
  if (report.win) set_won(node, role, *report.win);
  if (report.is_refuted) {
    const std::lock_guard lock(node.lock);
    node.choices->expansions = answered;
  }
  if (is_timed_) time_ = Clock::now();
  used_[is_root] += time_ - start;
  return report.expansions;
}

// Returns how many states to expand for the node, and counts them; 0 if it is not its turn.
std::uint64_t ForcedWins::reserve(Node& node, bool is_root) {
  const std::lock_guard lock(node.lock);
  if (node.exact != nullptr || node.choices->decider == nobody) return 0;
  Choices& choices = *node.choices;
  if (choices.of_role(choices.decider).size() < 2 || choices.expansions >= answered) return 0;
  std::uint64_t due = most_expansions;
  if (!is_timed_ || !is_root) {
    const double rate = is_root ? rule_.expansions_per_root_visit : rule_.expansions_per_visit;
    const auto earned = static_cast<std::uint64_t>(rate * static_cast<double>(choices.visits));
    due = std::min(earned - std::min(earned, choices.expansions), most_expansions);
  }
  if (due < least_expansions) return 0;
  choices.expansions += due;
  return due;
}

// The child gets its value, too, so that the winning move is known.
void ForcedWins::set_won(Node& node, std::size_t role, const ForcedWin& win) {
  const Rewards& rewards = search_.win_of(role);
  std::vector<Move> joint;
  for (std::size_t r = 0; r < roles_; ++r) joint.push_back(node.choices->of_role(r)[0].move);
  joint[role] = *win.move;
  Node& child = *expansion_.child(node, joint, now_).node;
  const auto set = [&](Node& won, std::uint32_t distance) {
    const std::lock_guard lock(won.lock);
    if (won.exact == nullptr) won.exact = tree_.intern({rewards, distance});
  };
  set(child, win.distance - 1);
  set(node, win.distance);
}

}  // namespace zermelo::search
