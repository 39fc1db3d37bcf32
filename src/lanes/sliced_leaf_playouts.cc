#include "lanes/sliced_leaf_playouts.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace zermelo::lanes {

namespace {

bool bit(const Lanes& lanes, std::size_t lane) { return lanes[lane / 64] >> (lane % 64) & 1; }
void set_bit(Lanes& lanes, std::size_t lane) {
  lanes[lane / 64] |= std::uint64_t{1} << (lane % 64);
}

template <class Visit>
void for_each_lane(const Lanes& lanes, Visit visit) {
  for (std::size_t word = 0; word < lane_words; ++word) {
    for (std::uint64_t rest = lanes[word]; rest != 0; rest &= rest - 1) {
      visit(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

}  // namespace

SlicedLeafPlayouts::SlicedLeafPlayouts(const SlicedCode& code, std::uint64_t seed,
                                       std::uint32_t max_depth)
    : code_(code),
      games_(code, seed),
      max_depth_(max_depth),
      waiting_(games_.phases()),
      state_of_(lane_count, idle),
      pending_(lane_count, idle),
      begun_(lane_count, 0) {
  if (games_.machine().goals()) goal_frame_.emplace(games_.machine().goals()->slots);
  if (games_.phase(0).does.empty()) return;
  const std::size_t game_moves = games_.machine().game().moves.size();
  made_.emplace(game_moves);
  for (std::size_t phase = 0; phase < games_.phases(); ++phase) {
    const Slot zero = games_.phase(phase).slots.slot_of[zero_value];
    std::vector<std::uint32_t>& moves = possible_.emplace_back();
    for (std::uint32_t move = 0; move < game_moves; ++move) {
      if (games_.phase(phase).does[move] != zero) moves.push_back(move);
    }
  }
}

const std::vector<LeafPlayout>& SlicedLeafPlayouts::play(std::span<const base::BitSet> states,
                                                         const std::stop_token& stop) {
  playouts_.resize(states.size());
  open_ = states.size();
  steps_ = 0;
  assert(!records_moves() || states.size() <= lane_count);
  if (made_) std::fill_n(made_->data(), games_.machine().game().moves.size(), Lanes{});
  queue(states);
  for (std::size_t phase = 0; open_ > 0; phase = games_.following(phase)) {
    fill(phase, states);
    step(phase);
    if (stop.stop_requested()) abandon_all();
  }
  if (goal_frame_) evaluate_pending();
  return playouts_;
}

void SlicedLeafPlayouts::queue(std::span<const base::BitSet> states) {
  std::optional<std::size_t> phase;
  for (std::size_t i = states.size(); i-- > 0;) {
    if (i + 1 == states.size() || states[i] != states[i + 1]) {
      phase = games_.machine().phase_of(states[i]);
    }
    assert(phase.has_value());
    waiting_[*phase].push_back(static_cast<std::uint32_t>(i));
  }
}

// Assigns states that start in this phase to idle lanes.
void SlicedLeafPlayouts::fill(std::size_t phase, std::span<const base::BitSet> states) {
  std::vector<std::uint32_t>& waiting = waiting_[phase];
  if (waiting.empty()) return;
  if (records_moves()) return fill_by_number(phase, states);
  Lanes equal{};
  std::uint32_t last = waiting.back();
  for_each_lane(~playing_, [&](std::size_t lane) {
    if (waiting.empty()) return;
    const std::uint32_t state = waiting.back();
    waiting.pop_back();
    if (state != last && states[state] != states[last]) {
      games_.set_state(phase, equal, states[last]);
      equal = Lanes{};
    }
    last = state;
    set_bit(equal, lane);
    begin_in(lane, state);
  });
  games_.set_state(phase, equal, states[last]);
}

// The game from state i is played in lane i, so that the records of the moves belong to one game.
void SlicedLeafPlayouts::fill_by_number(std::size_t phase, std::span<const base::BitSet> states) {
  std::vector<std::uint32_t>& waiting = waiting_[phase];
  Lanes equal{};
  std::uint32_t last = waiting.back();
  for (; !waiting.empty(); waiting.pop_back()) {
    const std::uint32_t state = waiting.back();
    if (state != last && states[state] != states[last]) {
      games_.set_state(phase, equal, states[last]);
      equal = Lanes{};
    }
    last = state;
    set_bit(equal, state);
    begin_in(state, state);
  }
  games_.set_state(phase, equal, states[last]);
}

void SlicedLeafPlayouts::begin_in(std::size_t lane, std::uint32_t state) {
  state_of_[lane] = state;
  begun_[lane] = steps_;
  set_bit(playing_, lane);
}

void SlicedLeafPlayouts::step(std::size_t phase) {
  Lanes can_move;
  games_.begin_step(phase, can_move);
  const Lanes terminal = games_.frame()[games_.phase(phase).terminal];
  for_each_lane(playing_ & (terminal | ~can_move), [&](std::size_t lane) {
    if (bit(terminal, lane)) {
      end(phase, lane);
    } else {
      leave(lane, LeafPlayout::Outcome::stuck);
    }
  });
  abandon_longest();
  ++steps_;
  if (games_.phase(phase).restart) games_.frame()[*games_.phase(phase).restart] = Lanes{};
  games_.end_step(phase);
  if (records_moves()) record(phase);
}

void SlicedLeafPlayouts::record(std::size_t phase) {
  const std::vector<Slot>& does = games_.phase(phase).does;
  const Frame& frame = games_.frame();
  for (const std::uint32_t move : possible_[phase]) (*made_)[move] |= frame[does[move]] & playing_;
}

void SlicedLeafPlayouts::abandon_longest() {
  if (steps_ < max_depth_) return;
  for_each_lane(playing_, [&](std::size_t lane) {
    if (steps_ - begun_[lane] >= max_depth_) leave(lane, LeafPlayout::Outcome::abandoned);
  });
}

void SlicedLeafPlayouts::abandon_all() {
  for_each_lane(playing_, [&](std::size_t lane) { leave(lane, LeafPlayout::Outcome::abandoned); });
  for (std::vector<std::uint32_t>& waiting : waiting_) {
    for (const std::uint32_t state : waiting)
      playouts_[state] = {LeafPlayout::Outcome::abandoned, 0, {}};
    waiting.clear();
  }
  open_ = 0;
}

void SlicedLeafPlayouts::leave(std::size_t lane, LeafPlayout::Outcome outcome) {
  LeafPlayout& playout = playouts_[state_of_[lane]];
  playout.outcome = outcome;
  playout.depth = static_cast<std::uint32_t>(steps_ - begun_[lane]);
  if (outcome != LeafPlayout::Outcome::ended) playout.goals.clear();
  state_of_[lane] = idle;
  playing_[lane / 64] &= ~(std::uint64_t{1} << (lane % 64));
  --open_;
}

void SlicedLeafPlayouts::end(std::size_t phase, std::size_t lane) {
  const std::uint32_t state = state_of_[lane];
  leave(lane, LeafPlayout::Outcome::ended);
  const SlicedPhase& here = games_.phase(phase);
  const Frame& frame = games_.frame();
  if (!goal_frame_) {
    score(frame, here.goals, lane, playouts_[state]);
    return;
  }
  if (pending_[lane] != idle) evaluate_pending();
  pending_[lane] = state;
  const SlicedGoals& goals = *games_.machine().goals();
  const std::uint64_t mask = std::uint64_t{1} << (lane % 64);
  for (std::size_t i = 0; i < goals.fluents.size(); ++i) {
    Lanes& kept = (*goal_frame_)[goals.state[i]];
    const std::uint64_t holds = frame[here.fluents[goals.fluents[i]]][lane / 64] & mask;
    kept[lane / 64] = (kept[lane / 64] & ~mask) | holds;
  }
}

void SlicedLeafPlayouts::evaluate_pending() {
  code_.goals()->run(goal_frame_->data());
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (pending_[lane] == idle) continue;
    score(*goal_frame_, games_.machine().goals()->goals, lane, playouts_[pending_[lane]]);
    pending_[lane] = idle;
  }
}

void SlicedLeafPlayouts::score(const Frame& frame, const std::vector<Slot>& goals, std::size_t lane,
                               LeafPlayout& playout) const {
  playout.goals.assign(games_.machine().game().roles.size(), 0);
  for (std::size_t i = 0; i < goals.size(); ++i) {  // the largest goal of a role is the last
    const circuit::GameCircuit::Goal& goal = games_.machine().goal_values()[i];
    if (bit(frame[goals[i]], lane)) playout.goals[goal.role] = goal.value;
  }
}

}  // namespace zermelo::lanes
