// Tree-parallel UCT with batched leaves.
//
// A thread repeats these steps: descend from the root to some new leaves, level by level
// (selection, expansion), play random games from all these leaves together (playout), and update
// the statistics (backup). On the bit-sliced machine 256 games cost little more than one, so a
// batch has that many, fewer if descents end in proved nodes. They are divided among few leaves
// while the tree is small, and among up to `max_leaves` later. Within a batch and across threads,
// playouts in flight count as lost (virtual loss).
//
// Only the end of the search depends on time. So one thread with a limit on simulations always
// finds the same move.
#include "search/uct.h"

#include <algorithm>

#include "search/evaluated_playouts.h"
#include "search/threads.h"

namespace zermelo::search {

using Clock = std::chrono::steady_clock;

// The state of one thread: its position in the game, playouts and random numbers.
class Uct::Worker {
 public:
  Worker(Uct& search, std::uint64_t seed)
      : search_(search),
        roles_(search.simulator_->roles().size()),
        expansion_(*search.simulator_, search.tree_, search.values_.get()),
        playouts_(make_playouts(search, seed)),
        random_(seed) {
    const UctOptions& options = search.options_;
    const bool has_opponents = roles_ > 1 && search.simulator_->machine() != nullptr;
    if (!options.proofs || !options.forced_wins || !has_opponents) return;
    const std::size_t table_bytes = std::min(max_proof_bytes, options.memory_bytes / 16);
    forced_wins_.emplace(search.simulator_, search.tree_, expansion_, *options.forced_wins,
                         table_bytes / std::max(options.threads, 1u));
  }

  void begin(const Budget& budget) {
    if (forced_wins_) forced_wins_->begin(budget.seconds.has_value());
  }

  Expansion& expansion() { return expansion_; }

  // Returns the number of simulations.
  std::uint64_t run_batch(std::size_t leaves, const std::stop_token& stop) {
    now_ = ++search_.clock_;
    leaves = std::min(leaves, playouts_->lanes());
    if (paths_.size() < leaves) paths_.resize(leaves);
    first_.assign(1, 0);
    std::uint64_t proved = 0;
    for (int round = 0; round < 4 && pending() < leaves; ++round) {
      if (search_.root_->exact != nullptr) break;
      const std::span<Path> missing = std::span(paths_).first(leaves).subspan(pending());
      descend(missing);
      for (Path& path : missing) {
        if (path.nodes.back()->exact == nullptr) {
          first_.push_back(first_.back() + path.playouts);
          std::swap(path, paths_[pending() - 1]);
        } else {
          backup_exact(path);
          ++proved;
        }
      }
    }
    const std::uint64_t played = evaluate(stop);
    if (forced_wins_) {
      const std::span<const Path> paths = std::span(paths_).first(pending());
      search_.expansions_ += forced_wins_->ask(paths, now_, stop);
    }
    return proved + played;
  }

 private:
  static constexpr std::size_t max_proof_bytes = std::size_t{64} << 20;

  static std::unique_ptr<Playouts> make_playouts(Uct& search, std::uint64_t seed) {
    const UctOptions& options = search.options_;
    if (!options.evaluator) return make_random_playouts(search, seed);
    return evaluated_playouts(options.evaluator, static_cast<float>(options.evaluator_weight),
                              make_random_playouts(search, seed),
                              search.simulator_->roles().size());
  }

  static std::unique_ptr<Playouts> make_random_playouts(Uct& search, std::uint64_t seed) {
    if (!search.averages_) {
      return search.options_.selection.rave ? search.simulator_->recorded_playouts(seed)
                                            : search.simulator_->playouts(seed);
    }
    return single_playouts(*search.simulator_, seed, &*search.averages_);
  }

  // Descends from the root to leaves for playouts, or to nodes whose value is proved. All paths
  // take a step before one takes the next, so that the nodes near the root are used in one go, as
  // in backup.
  void descend(std::span<Path> paths) {
    const std::size_t left = playouts_->lanes() - first_.back();
    under_way_.clear();
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::size_t share = left * (i + 1) / paths.size() - left * i / paths.size();
      paths[i].start(search_.root_, static_cast<std::uint32_t>(share));
      under_way_.push_back(&paths[i]);
    }
    while (!under_way_.empty()) {
      choose_moves();
      make_moves();
    }
  }

  // Chooses a joint move in the last node of every path under way. A path without one has arrived.
  void choose_moves() {
    std::unique_lock<SpinLock> lock;
    std::size_t kept = 0;
    for (Path* const path : under_way_) {
      Node& node = *path->nodes.back();
      if (lock.mutex() != &node.lock) {
        if (lock) lock.unlock();
        lock = std::unique_lock(node.lock);
      }
      node.last_visit = now_;
      if (node.exact == nullptr && !node.choices) expansion_.open(node);
      if (node.exact != nullptr) continue;
      choose(*node.choices, *path);
      const Edge edge = node.choices->edge(last_indices(*path));
      path->nodes.push_back(Tree::leads_to_node(edge) ? edge.node : nullptr);
      under_way_[kept++] = path;
    }
    under_way_.resize(kept);
  }

  // Follows the chosen moves. A path has arrived if its node is new or occurs on the path before.
  void make_moves() {
    std::size_t kept = 0;
    for (Path* const path : under_way_) {
      const bool is_new = path->nodes.back() == nullptr && make_child(*path);
      if (!is_new && !is_repeated(*path)) under_way_[kept++] = path;
    }
    under_way_.resize(kept);
  }

  static bool is_repeated(const Path& path) {
    return std::find(path.nodes.begin(), path.nodes.end() - 1, path.nodes.back()) !=
           path.nodes.end() - 1;
  }

  // Returns whether the last node of the path is new.
  bool make_child(Path& path) {
    Node& node = *path.nodes.end()[-2];
    const std::span<const std::uint32_t> indices = last_indices(path);
    joint_.clear();
    for (std::size_t role = 0; role < roles_; ++role) {
      joint_.push_back(node.choices->of_role(role)[indices[role]].move);
    }
    const Tree::Added added = expansion_.child(node, joint_, now_);
    path.nodes.back() = added.node;
    const std::lock_guard lock(node.lock);
    search_.tree_.connect(*node.choices, indices, *added.node);
    return added.is_new;
  }

  std::span<const std::uint32_t> last_indices(const Path& path) const {
    return std::span(path.indices).last(roles_);
  }

  const std::optional<RegretMatching>& regret_rule() const {
    return search_.options_.regret_matching;
  }
  bool uses_regrets(const Choices& choices) const {
    return regret_rule() && choices.decider == nobody;
  }
  // Created at the first visit.
  RegretTable& regrets(Choices& choices) {
    if (!choices.regrets) {
      std::vector<std::uint32_t> moves;
      for (std::size_t role = 0; role < roles_; ++role) {
        moves.push_back(choices.first[role + 1] - choices.first[role]);
      }
      choices.regrets = std::make_unique<RegretTable>(std::move(moves));
      search_.tree_.count_regrets(*choices.regrets);
    }
    return *choices.regrets;
  }

  void choose(Choices& choices, Path& path) {
    const SelectionRule& rule = search_.options_.selection;
    const double samples = static_cast<double>(choices.visits + choices.in_flight);
    path.known.push_back(nullptr);
    for (std::size_t role = 0; role < roles_; ++role) {
      const std::span<MoveStatistics> moves = choices.of_role(role);
      const Selected selected =
          uses_regrets(choices) ? Selected{regrets(choices).select(role, *regret_rule(), random_)}
          : choices.decider == nobody ? select_at_once(moves, samples, role, rule, random_)
                                      : select(moves, samples, role, rule, random_);
      if (selected.known != nullptr) path.known.back() = selected.known;
      moves[selected.index].in_flight += path.playouts;
      path.indices.push_back(static_cast<std::uint32_t>(selected.index));
    }
    choices.in_flight += path.playouts;
  }

  // A proved leaf counts as much as one with playouts.
  void backup_exact(const Path& path) {
    const Worth& exact = *path.nodes.back()->exact.load();
    rewards_.clear();
    for (std::uint32_t i = 0; i < path.playouts; ++i) {
      for (const int reward : exact.rewards) rewards_.push_back(static_cast<float>(reward) / 100);
    }
    const Sample sample{rewards_, {}};
    backup(search_.tree_, {&path, 1}, {&sample, 1}, search_.backup_rule_);
  }

  // Returns the number of paths whose leaf waits for playouts.
  std::size_t pending() const { return first_.size() - 1; }

  // Returns the number of playouts backed up: 0 if they were cancelled.
  std::uint64_t evaluate(const std::stop_token& stop) {
    if (pending() == 0) return 0;
    states_.resize(first_.back());
    for (std::size_t i = 0; i < pending(); ++i) {
      const State& leaf = paths_[i].nodes.back()->state;
      std::fill(states_.begin() + first_[i], states_.begin() + first_[i + 1], leaf);
    }
    playouts_->play(states_, batch_, stop);
    const std::span<const Path> paths = std::span(paths_).first(pending());
    if (stop.stop_requested()) return cancel(paths, roles_), 0;
    if (search_.averages_) learn();
    samples_.clear();
    for (std::size_t i = 0; i < pending(); ++i) samples_.push_back(sample(i));
    backup(search_.tree_, paths, samples_, search_.backup_rule_);
    return first_.back();
  }

  Sample sample(std::size_t leaf) const {
    const std::size_t first = first_[leaf], count = first_[leaf + 1] - first;
    Sample sample{std::span(batch_.rewards).subspan(first * roles_, count * roles_), {}};
    if (!batch_.lines.empty()) sample.lines = std::span(batch_.lines).subspan(first, count);
    sample.made = batch_.made;
    sample.first = first;
    return sample;
  }

  void learn() {
    for (std::size_t p = 0; p < batch_.lines.size(); ++p) {
      for (std::size_t i = 0; i < batch_.lines[p].size(); ++i) {
        const std::size_t role = i % roles_;
        search_.averages_->add(role, batch_.lines[p][i], batch_.rewards[p * roles_ + role]);
      }
    }
  }

  Uct& search_;
  std::size_t roles_;
  Expansion expansion_;
  std::optional<ForcedWins> forced_wins_;
  std::unique_ptr<Playouts> playouts_;
  base::Random random_;
  std::uint32_t now_ = 0;
  // The first playout of each pending path; one more at the end.
  std::vector<std::uint32_t> first_ = {0};
  std::vector<Path> paths_;
  std::vector<Path*> under_way_;
  std::vector<Move> joint_;
  std::vector<State> states_;
  PlayoutBatch batch_;
  std::vector<Sample> samples_;
  std::vector<float> rewards_;
};

Uct::Uct(std::shared_ptr<const Simulator> simulator, UctOptions options,
         std::shared_ptr<const eval::StateValues> values)
    : simulator_(std::move(simulator)),
      options_(std::move(options)),
      values_(std::move(values)),
      final_random_(options_.seed ^ 0x9e3779b97f4a7c15u) {
  if (!simulator_->parallel()) options_.threads = 1;
  if (options_.mast) averages_.emplace(*options_.mast);
  if (values_) options_.selection.model = values_->model();
  backup_rule_.model = options_.selection.model;
  backup_rule_.moving_average = options_.moving_average;
  backup_rule_.proofs = options_.proofs;
  backup_rule_.rave = options_.selection.rave.has_value();
  for (std::size_t role = 0; role < simulator_->roles().size(); ++role) {
    const std::vector<int> goals = simulator_->goal_values(role);
    backup_rule_.best_goals.push_back(goals.empty() ? 100 : goals.back());
  }
  for (unsigned i = 0; i < std::max(options_.threads, 1u); ++i) {
    // The multiplier is unrelated to the steps of the random number generator.
    const std::uint64_t seed = options_.seed + i * 0xd1342543de82ef95u;
    workers_.push_back(std::make_unique<Worker>(*this, seed));
  }
}

Uct::~Uct() = default;

void Uct::set_root(const State& state) {
  root_ = workers_[0]->expansion().enter(state, ++clock_).node;
}

// A root whose value is known, perhaps from `values`, can have moves whose values are not known
// yet.
void Uct::open_root() {
  if (!root_->choices) workers_[0]->expansion().open(*root_);
  if (root_->exact == nullptr) return learn_exact_moves();
  const Choices& choices = *root_->choices;
  for (std::size_t role = 0; role < simulator_->roles().size(); ++role) {
    if (role == choices.decider || choices.of_role(role).size() > 1) find_exact_moves(role);
  }
}

// A move learns the proved value of the next state only when it is selected again.
void Uct::learn_exact_moves() {
  Choices& choices = *root_->choices;
  if (!options_.proofs || choices.decider == nobody) return;
  const std::span<MoveStatistics> moves = choices.of_role(choices.decider);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Edge& edge = choices.edges[i];
    if (Tree::leads_to_node(edge) && edge.node->exact) moves[i].exact = edge.node->exact;
  }
}

// If several roles have several moves, the value is known only if the choice of one role alone
// matters. So any moves of the others will do.
void Uct::find_exact_moves(std::size_t role) {
  Choices& choices = *root_->choices;
  std::vector<Move> joint;
  for (std::size_t r = 0; r < simulator_->roles().size(); ++r) {
    joint.push_back(choices.of_role(r)[0].move);
  }
  for (MoveStatistics& move : choices.of_role(role)) {
    joint[role] = move.move;
    if (move.exact) continue;
    move.exact = workers_[0]->expansion().child(*root_, joint, clock_).node->exact;
  }
}

SearchReport Uct::search(const Budget& budget, std::stop_token stop) {
  start_ = Clock::now();
  simulations_ = 0;
  expansions_ = 0;
  for (const auto& worker : workers_) worker->begin(budget);
  std::stop_source end;  // stop requested by the caller, or a thread failed
  const std::stop_callback forward_stop(stop, [&] { end.request_stop(); });
  on_threads(workers_.size(), [&](std::size_t i) {
    try {
      work(*workers_[i], budget, end.get_token());
    } catch (...) {
      end.request_stop();
      throw;
    }
  });
  SearchReport report{simulations_,  std::chrono::duration<double>(Clock::now() - start_).count(),
                      tree_.nodes(), tree_.bytes(),
                      expansions_,   {}};
  if (const Worth* const exact = root_->exact) report.exact = exact->rewards;
  return report;
}

void Uct::work(Worker& worker, const Budget& budget, const std::stop_token& stop) {
  while (!is_over(budget, stop)) {
    evict_if_full(budget, stop);
    const std::shared_lock lock(mutex_);
    simulations_ += worker.run_batch(leaves_now(), stop);
  }
}

bool Uct::is_over(const Budget& budget, const std::stop_token& stop) const {
  return stop.stop_requested() || root_->exact != nullptr ||
         (budget.simulations && simulations_ >= *budget.simulations) ||
         (budget.seconds && Clock::now() - start_ >= *budget.seconds);
}

// Evicts part by part, so that the end of the search is noticed in time and other threads do not
// wait long.
void Uct::evict_if_full(const Budget& budget, const std::stop_token& stop) {
  const auto is_full = [&] { return tree_.bytes() > options_.memory_bytes; };
  if (!is_full()) return;
  for (std::size_t left = tree_.parts(); left > 0 && is_full(); --left) {
    if (is_over(budget, stop)) return;
    const std::unique_lock lock(mutex_);
    if (is_full()) tree_.evict_oldest(root_);
  }
}

// An eighth of the leaves at first, more as the root gathers samples.
std::size_t Uct::leaves_now() {
  constexpr std::uint64_t samples_per_leaf = 512;
  const std::lock_guard lock(root_->lock);
  const std::uint64_t samples = root_->choices ? root_->choices->visits : 0;
  const std::size_t least = std::max<std::size_t>(options_.max_leaves / 8, 1);
  return std::clamp<std::size_t>(samples / samples_per_leaf, least, options_.max_leaves);
}

Move Uct::best_move(std::size_t role, const Budget& resistance) {
  open_root();
  if (root_->choices->regrets && root_->exact == nullptr) {
    const std::size_t drawn = draw(root_->choices->regrets->average_strategy(role), final_random_);
    return root_->choices->of_role(role)[drawn].move;
  }
  const std::span<const MoveStatistics> moves = root_->choices->of_role(role);
  const auto samples = static_cast<double>(root_->choices->visits);
  const MoveStatistics& best = moves[select_final(moves, samples, role, options_.selection)];
  const bool is_lost = best.exact != nullptr && !eval::hurries(role, best.exact->rewards);
  return is_lost ? most_resistant(role, best, resistance) : best.move;
}

// A proved loss assumes best play, which the opponents may not find. The distances of proofs do not
// show how hard that is: there may be a shorter, unexplored line. But a loss in few moves is easy
// to find, so moves with less than half of the longest distance are not considered.
Move Uct::most_resistant(std::size_t role, const MoveStatistics& lost, const Budget& budget) {
  if (!proofless_search_) {
    UctOptions options = options_;
    options.proofs = false;
    options.memory_bytes /= 8;
    proofless_search_ = std::make_unique<Uct>(simulator_, options);
  }
  proofless_search_->set_root(root_->state);
  proofless_search_->search(budget);
  proofless_search_->open_root();
  const bool has_more_samples = proofless_search_->root_->choices->visits > root_->choices->visits;
  Choices& known = has_more_samples ? *proofless_search_->root_->choices : *root_->choices;
  std::vector<MoveStatistics> as_good;
  const std::span<const MoveStatistics> moves = root_->choices->of_role(role);
  const auto is_equally_lost = [&](const MoveStatistics& move) {
    return move.exact && move.exact->rewards == lost.exact->rewards;
  };
  eval::Distance longest = 0;
  for (const MoveStatistics& move : moves) {
    if (is_equally_lost(move)) longest = std::max(longest, move.exact->distance);
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!is_equally_lost(moves[i]) || moves[i].exact->distance < longest / 2) continue;
    as_good.push_back(known.of_role(role)[i]);
    as_good.back().exact = nullptr;
  }
  const auto samples = static_cast<double>(known.visits);
  return as_good[select_final(as_good, samples, role, options_.selection)].move;
}

std::vector<double> Uct::strategy(std::size_t role) {
  open_root();
  if (root_->choices->regrets) return root_->choices->regrets->average_strategy(role);
  const std::span<const MoveStatistics> moves = root_->choices->of_role(role);
  std::vector<double> shares;
  for (const MoveStatistics& move : moves) {
    const auto visits = static_cast<double>(root_->choices->visits);
    shares.push_back(visits == 0 ? 1.0 / static_cast<double>(moves.size()) : move.visits / visits);
  }
  return shares;
}

std::vector<MoveReport> Uct::moves(std::size_t role) {
  open_root();
  std::vector<MoveReport> reports;
  for (const MoveStatistics& move : root_->choices->of_role(role)) {
    reports.push_back({move.move, move.visits, move.value, {}});
    if (move.exact != nullptr) reports.back().exact = move.exact->rewards;
  }
  return reports;
}

void Uct::add_samples(std::size_t role, std::span<const std::uint64_t> visits,
                      std::span<const double> sums) {
  open_root();
  const std::span<MoveStatistics> moves = root_->choices->of_role(role);
  for (std::size_t i = 0; i < std::min(moves.size(), visits.size()); ++i) {
    if (visits[i] == 0) continue;
    const std::uint64_t all = moves[i].visits + visits[i];
    const double sum = moves[i].value * moves[i].visits + sums[i];
    moves[i].value = sum / static_cast<double>(all);
    moves[i].visits = static_cast<std::uint32_t>(std::min<std::uint64_t>(all, ~std::uint32_t{0}));
    root_->choices->visits += visits[i];
  }
}

}  // namespace zermelo::search
