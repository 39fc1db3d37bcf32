// Concept decomposition search, from "Factoring General Games" by Günther, Schiffel and Thielscher.
//
// Iterative deepening (Figure 3): all parts get plans of one more move (local_plans.cc), then
// global search (Figure 5) tries the sets of one plan per part that contain a new plan. The final
// evaluations of a set and its number of moves determine whether the game is over and the reward,
// so most sets are dismissed before they are combined. COMBINEPLANS (Figure 6) then looks for an
// order of the moves in which the game does not end before the last one. It is a depth-first search
// over positions in the plans, none visited twice. Here positions are blocks of moves between
// changes of the terminal evaluation, so that a part without terminal concepts is one block.
//
// In a parallel game, the plans of a set have the same length and are made at once; nothing is to
// be ordered. The global move of a step is the one that leads to the next local states of all
// parts. There is one, because every combination of local moves is a move (analysis/subgames.cc).
//
// The result is optimal when a line has the highest reward of the rules, or when all plans of all
// parts are known: every line of the game is an interleaving of local plans, and each can be
// exchanged for the plan of its signature (local_plans.cc). A line is replayed by the machine
// before it is accepted.
#include "search/decomposition/concept_search.h"

#include <algorithm>
#include <set>

#include "base/reward.h"

namespace zermelo::search::decomposition {

// Enumerates the sets of plans with at least one new plan: the first new plan is of some part, the
// plans of parts before it are old, those of parts after it are any.
class ConceptSearch::Choice {
 public:
  Choice(std::vector<std::size_t> old, std::vector<std::size_t> all)
      : old_(std::move(old)), all_(std::move(all)) {
    start(0);
  }

  const std::vector<std::size_t>* current() const { return is_over_ ? nullptr : &chosen_; }

  void advance() {
    for (std::size_t i = chosen_.size(); i-- > 0;) {
      if (++chosen_[i] < end(i)) return;
      chosen_[i] = begin(i);
    }
    start(new_part_ + 1);
  }

 private:
  std::size_t begin(std::size_t i) const { return i == new_part_ ? old_[i] : 0; }
  std::size_t end(std::size_t i) const { return i < new_part_ ? old_[i] : all_[i]; }

  void start(std::size_t part) {
    for (new_part_ = part; new_part_ < all_.size(); ++new_part_) {
      bool is_empty = false;
      chosen_.clear();
      for (std::size_t i = 0; i < all_.size(); ++i) {
        chosen_.push_back(begin(i));
        is_empty |= begin(i) >= end(i);
      }
      if (!is_empty) return;
    }
    is_over_ = true;
  }

  const std::vector<std::size_t> old_, all_;
  std::size_t new_part_ = 0;
  std::vector<std::size_t> chosen_;
  bool is_over_ = false;
};

ConceptSearch::ConceptSearch(FactoredGame& game) : game_(game), tried_(game.parts()) {
  for (std::size_t i = 0; i < game.parts(); ++i) {
    parts_.push_back(std::make_unique<LocalPlans>(game, i));
  }
}

ConceptSearch::~ConceptSearch() = default;

bool ConceptSearch::run(const std::function<bool()>& is_due) {
  while (!is_optimal_) {
    if (!choice_ && !deepen(is_due)) return false;
    if (!choice_) {
      std::vector<std::size_t> all;
      for (const auto& part : parts_) all.push_back(part->plans().size());
      choice_ = std::make_unique<Choice>(tried_, all);
      tried_ = std::move(all);
    }
    if (!choose(is_due)) return false;
    choice_.reset();
    if (is_complete()) {
      is_optimal_ = is_optimal_ || is_exact_;
      return true;
    }
    if (is_deep_enough()) ++depth_;
  }
  return true;
}

bool ConceptSearch::is_complete() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const auto& part) { return part->is_complete(); });
}

bool ConceptSearch::is_deep_enough() const {
  return std::all_of(parts_.begin(), parts_.end(), [&](const auto& part) {
    return part->is_complete() || part->depth() >= depth_;
  });
}

// Searches until there are new plans, or all plans of this depth are known. This and `choose`
// return false if they were interrupted.
bool ConceptSearch::deepen(const std::function<bool()>& is_due) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    LocalPlans& part = *parts_[i];
    while (part.depth() < depth_ && !part.is_complete()) {
      if (!part.extend(is_due)) return false;
      if (part.plans().size() > tried_[i]) return true;
    }
  }
  return true;
}

bool ConceptSearch::choose(const std::function<bool()>& is_due) {
  std::size_t tries = 0;
  for (const auto* chosen = choice_->current(); chosen != nullptr; chosen = choice_->current()) {
    if (++tries % 1024 == 0 && is_due()) return false;
    try_plans(*chosen);
    choice_->advance();
    is_optimal_ = best_ && best_->reward >= game_.highest_reward();
    if (is_optimal_) return true;
  }
  return true;
}

void ConceptSearch::try_plans(const std::vector<std::size_t>& chosen) {
  const auto length = length_of(chosen);
  const auto time = length ? game_.evaluate_time(*length) : std::nullopt;
  if (!time) return;
  std::vector<Evaluation> evaluations;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    evaluations.push_back(parts_[i]->plans()[chosen[i]].signature.evaluation);
  }
  const auto reward = game_.reward(evaluations, time->all);
  if (!reward || (best_ && *reward <= best_->reward)) return;
  auto moves = combine(chosen);
  if (!moves) return;
  auto line = replay(std::move(*moves));
  is_exact_ = is_exact_ && line && line->reward == *reward;
  if (line && (!best_ || line->reward > best_->reward)) best_ = std::move(line);
}

// The number of moves of the combined plan; nothing if the plans do not fit together.
std::optional<std::uint32_t> ConceptSearch::length_of(
    const std::vector<std::size_t>& chosen) const {
  std::uint32_t sum = 0, longest = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::uint32_t length = parts_[i]->plans()[chosen[i]].length;
    sum += length;
    longest = std::max(longest, length);
  }
  if (!game_.is_parallel()) return sum;
  return sum == longest * chosen.size() ? std::optional(longest) : std::nullopt;
}

std::optional<std::vector<Move>> ConceptSearch::combine(const std::vector<std::size_t>& chosen) {
  return game_.is_parallel() ? make_at_once(chosen) : interleave(chosen);
}

// Nothing unless the moves are legal and end the game.
std::optional<FactoredLine> ConceptSearch::replay(std::vector<Move> moves) const {
  machine::Cursor cursor(game_.machine());
  cursor.reset(game_.root());
  for (const Move move : moves) {
    const auto legal = cursor.legal(0);
    const bool is_legal = std::find(legal.begin(), legal.end(), move) != legal.end();
    if (cursor.terminal() || !is_legal) return std::nullopt;
    cursor.make(std::span(&move, 1));
  }
  if (!cursor.terminal()) return std::nullopt;
  return FactoredLine{base::reward_of(cursor.goals(0)), std::move(moves)};
}

namespace {

// COMBINEPLANS: an order of the blocks of some plans in which no combination before the last one is
// terminal.
class Interleaving {
 public:
  Interleaving(FactoredGame& game, std::vector<std::vector<PlanBlock>> plans,
               std::vector<Evaluation> first)
      : game_(game), plans_(std::move(plans)), position_(plans_.size()), now_(std::move(first)) {
    for (const Evaluation evaluation : now_) before_.push_back({evaluation});
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      for (const PlanBlock& block : plans_[i]) before_[i].push_back(block.after);
    }
  }

  std::optional<std::vector<Move>> find() {
    if (!search()) return std::nullopt;
    std::vector<Move> moves;
    std::vector<std::size_t> next(plans_.size());
    for (const std::size_t plan : order_) {
      const PlanBlock& block = plans_[plan][next[plan]++];
      moves.insert(moves.end(), block.moves.begin(), block.moves.end());
    }
    return moves;
  }

 private:
  bool search() {
    const bool is_end =
        std::equal(position_.begin(), position_.end(), plans_.begin(),
                   [](std::size_t p, const auto& plan) { return p == plan.size(); });
    if (is_end) return true;
    const auto time = game_.evaluate_time(steps_);
    if (!time || game_.is_terminal(now_, time->terminal) || !visited_.insert(position_).second) {
      return false;
    }
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (position_[i] < plans_[i].size() && advance(i)) return true;
    }
    return false;
  }

  bool advance(std::size_t i) {
    const auto length = static_cast<std::uint32_t>(plans_[i][position_[i]].moves.size());
    order_.push_back(i);
    now_[i] = before_[i][++position_[i]];
    steps_ += length;
    if (search()) return true;
    steps_ -= length;
    now_[i] = before_[i][--position_[i]];
    order_.pop_back();
    return false;
  }

  FactoredGame& game_;
  const std::vector<std::vector<PlanBlock>> plans_;
  std::vector<std::vector<Evaluation>> before_;  // by plan and position: the evaluation there
  std::vector<std::size_t> position_, order_;
  std::vector<Evaluation> now_;
  std::uint32_t steps_ = 0;
  std::set<std::vector<std::size_t>> visited_;
};

}  // namespace

std::optional<std::vector<Move>> ConceptSearch::interleave(const std::vector<std::size_t>& chosen) {
  std::vector<std::vector<PlanBlock>> plans;
  std::vector<Evaluation> first;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    plans.push_back(parts_[i]->blocks(parts_[i]->plans()[chosen[i]]));
    first.push_back(parts_[i]->first_evaluation());
  }
  return Interleaving(game_, std::move(plans), std::move(first)).find();
}

std::optional<std::vector<Move>> ConceptSearch::make_at_once(
    const std::vector<std::size_t>& chosen) {
  std::vector<std::vector<State>> states;
  State mask(game_.machine()->game().fluents.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    states.push_back(parts_[i]->states(parts_[i]->plans()[chosen[i]]));
    mask |= game_.mask(i);
  }
  machine::Cursor cursor(game_.machine());
  cursor.reset(game_.root());
  std::vector<Move> moves;
  for (std::size_t step = 1; step < states[0].size(); ++step) {
    if (cursor.terminal()) return std::nullopt;
    State next = states[0][step];
    for (std::size_t i = 1; i < states.size(); ++i) next |= states[i][step];
    const auto move = move_to(cursor, next, mask);
    if (!move) return std::nullopt;
    moves.push_back(*move);
    cursor.make(std::span(&*move, 1));
  }
  return moves;
}

std::optional<Move> ConceptSearch::move_to(machine::Cursor& cursor, const State& next,
                                           const State& mask) const {
  const auto span = cursor.legal(0);
  const std::vector<Move> legal(span.begin(), span.end());
  for (const Move move : legal) {
    cursor.make(std::span(&move, 1));
    State after = cursor.state();
    cursor.unmake();
    if ((after &= mask) == next) return move;
  }
  return std::nullopt;
}

std::size_t ConceptSearch::computed_states() const {
  std::size_t sum = 0;
  for (const auto& part : parts_) sum += part->graph().computed();
  return sum;
}

std::size_t ConceptSearch::distinct_states() const {
  std::size_t sum = 0;
  for (const auto& part : parts_) sum += part->graph().size();
  return sum;
}

}  // namespace zermelo::search::decomposition
