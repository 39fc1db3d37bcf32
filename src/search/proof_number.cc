// Depth-first proof-number search (df-pn: Nagai, 2002; a depth-first form of proof-number search,
// Allis, van der Meulen and van den Herik, 1994). One role, the attacker, tries to reach a win, all
// others try to prevent it. Every state has two numbers: how many leaves must at least be won to
// prove the win, and how many must be lost to refute it. A state in which the attacker decides
// needs one won move, so its proof number is the smallest of its moves; a state in which another
// role decides needs all. The search always continues at the leaf that matters most for both
// numbers, so it follows narrow lines, in which the opponents have few moves, to any depth. A sum
// over the moves counts states that are reached on several lines several times; the maximum plus
// the number of other open moves does not (weak proof-number search: Ueda, Hashimoto, Hashimoto and
// Iida, 2008).
//
// The search goes depth first: it stays below a state until a number reaches a threshold at which
// another line is better. Thresholds leave a margin of a quarter, so that lines of similar promise
// do not take turns at every expansion (Pawlewicz and Lew, 2007). A table keeps the numbers. New
// states start with the number of moves, which is what the next expansion would give at least.
//
// Only proofs are trusted. A proof rests on terminal states alone: a win of the attacker is stored
// for a state only if a move leads to a state with a stored or terminal win, or all moves do. So
// evictions from the table, the depth limit and repeated states can only lose proofs. A state that
// repeats one on the current line counts as refuted, but only there (the graph history interaction
// problem): refutations that depend on it are not stored.
//
// The distance of a proof is 0 at the end, one more than the nearest proved move of the attacker,
// and one more than the farthest move of another role. A player who follows decreasing distances
// reaches the end, even if states can recur.
#include "search/proof_number.h"

#include <algorithm>
#include <cassert>
#include <new>

namespace zermelo::search {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t word, std::uint64_t factor) {
  h = (h ^ word) * factor;
  return h ^ (h >> 31);
}

}  // namespace

ProofNumberSearch::ProofNumberSearch(std::shared_ptr<const Simulator> simulator,
                                     const ProofOptions& options)
    : simulator_(std::move(simulator)),
      walker_(simulator_->walker()),
      roles_(simulator_->roles().size()),
      buckets_(std::max<std::size_t>(options.table_bytes / (bucket_size * sizeof(Entry)), 1)),
      table_(static_cast<Entry*>(std::calloc(buckets_ * bucket_size, sizeof(Entry)))) {
  if (!table_) throw std::bad_alloc();
  for (std::size_t role = 0; role < roles_; ++role) {
    const std::vector<int> goals = simulator_->goal_values(role);
    wins_.emplace_back(roles_, 0)[role] = goals.empty() ? 100 : goals.back();
  }
}

ProofReport ProofNumberSearch::search(const State& state, std::size_t role,
                                      const ProofBudget& budget, const std::stop_token& stop) {
  attacker_ = role;
  expansions_ = 0;
  was_too_deep_ = false;
  budget_ = budget;
  stop_ = stop;
  walker_->go_to(state);
  level(0).key = key_of(state, 0);
  ProofReport report;
  if (wins_[role][role] == 0 || budget.within == 0u) return report.is_refuted = true, report;
  const Numbers numbers = visit(0, {});
  report.expansions = expansions_;
  report.is_refuted = numbers.is_refuted() && !was_too_deep_;
  if (!numbers.is_proved()) return report;
  report.win = {std::nullopt, numbers.distance};
  if (!level(0).attacks) return report;
  for (const Child& child : level(0).children) {
    if (child.numbers.is_proved() && child.numbers.distance + 1 == numbers.distance) {
      report.win->move = child.move;
    }
  }
  return report;
}

// The walker is at the state of the level, whose key is set. Leaves the level's children as they
// were when the search left it.
ProofNumberSearch::Numbers ProofNumberSearch::visit(std::size_t depth, Thresholds thresholds) {
  // A state that was solved since its parent was expanded keeps its distance: expanding it again
  // could find another, longer proof first, and distances along a line would no longer decrease.
  const Entry* const solved = depth > 0 ? find(level(depth).key) : nullptr;
  if (solved && (solved->proof == 0 || solved->refutation == 0))
    return {solved->proof, solved->refutation, solved->distance, false};
  const std::uint64_t before = expansions_;
  if (!expand(depth)) return {infinite, 0, 0, false};
  Level& here = level(depth);
  Numbers numbers;
  while (true) {
    numbers = combine(here);
    const bool is_over = expansions_ >= budget_.expansions || stop_.stop_requested();
    if (is_over || numbers.proof >= thresholds.proof ||
        numbers.refutation >= thresholds.refutation || numbers.is_proved() ||
        numbers.is_refuted()) {
      break;
    }
    Number second = infinite;
    Child& child = most_proving(here, second);
    const Number margin = std::min(infinite, second + second / 4 + 1);
    Thresholds below;
    if (here.attacks) {
      below = {std::min(thresholds.proof, margin), thresholds.refutation - (here.open - 1)};
    } else {
      below = {thresholds.proof - (here.open - 1), std::min(thresholds.refutation, margin)};
    }
    here.joint[here.decider] = child.move;
    walker_->make(here.joint);
    level(depth + 1).key = child.key;
    child.numbers = visit(depth + 1, below);
    walker_->unmake();
  }
  if (!numbers.by_path) store(here.key, numbers, expansions_ - before);
  return numbers;
}

// Lists the moves of the state and their numbers. Returns false if the state counts as not won.
bool ProofNumberSearch::expand(std::size_t depth) {
  ++expansions_;
  Level& here = level(depth);
  here.joint.resize(roles_);
  here.children.clear();
  std::size_t deciders = 0;
  here.decider = attacker_;
  for (std::size_t role = 0; role < roles_; ++role) {
    const std::span<const Move> legal = walker_->legal(role);
    if (legal.empty()) return false;
    here.joint[role] = legal.front();
    if (legal.size() == 1) continue;
    here.decider = role;
    ++deciders;
  }
  if (deciders > 1) return false;
  here.attacks = here.decider == attacker_;
  for (const Move move : walker_->legal(here.decider)) here.children.emplace_back().move = move;
  for (Child& child : here.children) {
    here.joint[here.decider] = child.move;
    walker_->make(here.joint);
    child.key = key_of(walker_->state(), depth + 1);
    child.numbers = numbers_of_child(depth, child.key);
    walker_->unmake();
    const bool decides = here.attacks ? child.numbers.is_proved()
                                      : child.numbers.is_refuted() && !child.numbers.by_path;
    if (decides && depth > 0) break;  // at the root, the nearest win is needed
  }
  return true;
}

ProofNumberSearch::Numbers ProofNumberSearch::numbers_of_child(std::size_t depth, const Key& key) {
  if (walker_->terminal()) {
    return is_won() ? Numbers{0, infinite, 0, false} : Numbers{infinite, 0, 0, false};
  }
  if (budget_.within && depth + 1 >= *budget_.within) return {infinite, 0, 0, false};
  const Entry* const known = find(key);
  const bool is_solved = known && (known->proof == 0 || known->refutation == 0);
  if (!is_solved) {
    const bool is_too_deep = depth + 1 >= max_depth;
    was_too_deep_ = was_too_deep_ || is_too_deep;
    if (is_too_deep || is_on_line(depth, key)) return {infinite, 0, 0, true};
  }
  if (known) return {known->proof, known->refutation, known->distance, false};
  return first_numbers();
}

// The numbers of a new state: one move must be won where the attacker decides, else all.
ProofNumberSearch::Numbers ProofNumberSearch::first_numbers() {
  Number moves = 1;
  bool attacks = true;
  for (std::size_t role = 0; role < roles_; ++role) {
    const auto count = static_cast<Number>(walker_->legal(role).size());
    if (count <= 1) continue;
    moves = count;
    attacks = role == attacker_;
  }
  return attacks ? Numbers{1, moves} : Numbers{moves, 1};
}

bool ProofNumberSearch::is_on_line(std::size_t depth, const Key& key) const {
  for (std::size_t i = 0; i <= depth; ++i) {
    if (levels_[i]->key == key) return true;
  }
  return false;
}

bool ProofNumberSearch::is_won() {
  for (std::size_t role = 0; role < roles_; ++role) {
    if (walker_->goal(role) != wins_[attacker_][role]) return false;
  }
  return true;
}

// With the maximum plus the number of other open moves where the definition has a sum.
ProofNumberSearch::Numbers ProofNumberSearch::combine(Level& level) {
  Number least = infinite, most = 0;
  level.open = 0;
  std::uint32_t nearest = ~std::uint32_t{0}, farthest = 0;
  bool by_path = false, refuted_for_good = false;
  for (const Child& child : level.children) {
    const Numbers& numbers = child.numbers;
    least = std::min(least, level.attacks ? numbers.proof : numbers.refutation);
    const Number summand = level.attacks ? numbers.refutation : numbers.proof;
    if (summand > 0) {
      most = std::max(most, summand);
      ++level.open;
    }
    if (numbers.is_proved()) {
      nearest = std::min(nearest, numbers.distance);
      farthest = std::max(farthest, numbers.distance);
    }
    by_path = by_path || numbers.by_path;
    refuted_for_good = refuted_for_good || (numbers.is_refuted() && !numbers.by_path);
  }
  const Number sum = level.open == 0 ? 0 : std::min(infinite, most + level.open - 1);
  Numbers result = level.attacks ? Numbers{least, sum} : Numbers{sum, least};
  if (result.is_proved()) {
    result.refutation = infinite;
    result.distance = (level.attacks ? nearest : farthest) + 1;
  } else if (result.is_refuted()) {
    result.proof = infinite;
    result.by_path = by_path && (level.attacks || !refuted_for_good);
  }
  return result;
}

// Returns the move to search next, and sets the smallest number of the others.
ProofNumberSearch::Child& ProofNumberSearch::most_proving(Level& level, Number& second) {
  Child* best = nullptr;
  Number least = infinite, other = infinite;
  for (Child& child : level.children) {
    const Number own = level.attacks ? child.numbers.proof : child.numbers.refutation;
    const Number rest = level.attacks ? child.numbers.refutation : child.numbers.proof;
    if (best == nullptr || own < least || (own == least && rest < other)) {
      if (best != nullptr) second = std::min(second, least);
      best = &child;
      least = own;
      other = rest;
    } else {
      second = std::min(second, own);
    }
  }
  return *best;
}

// Identifies the state, the attacker and the number of moves left, if it is limited.
ProofNumberSearch::Key ProofNumberSearch::key_of(const State& state, std::size_t depth) const {
  const std::uint64_t left = budget_.within ? *budget_.within - depth + 1 : 0;
  // Mixed before the state, so that no set of fluents can have the same effect.
  const std::uint64_t question = left << 32 | (attacker_ + 1);
  std::uint64_t high = mix(0x243f6a8885a308d3u, question, 0xbf58476d1ce4e5b9u);
  std::uint64_t low = mix(0x13198a2e03707344u, question, 0x94d049bb133111ebu);
  for (const std::uint64_t word : state.words()) {
    high = mix(high, word, 0x9e3779b97f4a7c15u);
    low = mix(low, word, 0xd1342543de82ef95u);
  }
  high = mix(high, 0, 0xbf58476d1ce4e5b9u);
  return {high, static_cast<std::uint32_t>(low >> 32)};
}

ProofNumberSearch::Level& ProofNumberSearch::level(std::size_t depth) {
  while (levels_.size() <= depth) levels_.push_back(std::make_unique<Level>());
  return *levels_[depth];
}

const ProofNumberSearch::Entry* ProofNumberSearch::find(const Key& key) {
  Entry* const first = bucket(key);
  for (Entry* entry = first; entry != first + bucket_size; ++entry) {
    if (entry->work > 0 && entry->key == key) return entry;
  }
  return nullptr;
}

// Replaces the entry of the state, else the one that took the least work. A proof counts as more
// work than it took, as a player needs it until the end of the game.
void ProofNumberSearch::store(const Key& key, const Numbers& numbers, std::uint64_t work) {
  Entry* const first = bucket(key);
  Entry* slot = first;
  for (Entry* entry = first; entry != first + bucket_size; ++entry) {
    if (entry->work > 0 && entry->key == key) {
      slot = entry;
      work += entry->work;
      break;
    }
    if (entry->work < slot->work) slot = entry;
  }
  constexpr std::uint64_t most = 1'000'000'000, weight_of_proof = 16;
  if (numbers.is_proved()) work *= weight_of_proof;
  *slot = {key, numbers.proof, numbers.refutation, numbers.distance,
           static_cast<std::uint32_t>(std::clamp<std::uint64_t>(work, 1, most))};
}

}  // namespace zermelo::search
