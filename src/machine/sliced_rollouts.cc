#include "machine/sliced_rollouts.h"

#include <algorithm>
#include <cassert>

namespace zermelo::machine {

namespace {

bool bit(const Lanes& lanes, std::size_t lane) { return lanes[lane / 64] >> (lane % 64) & 1; }

}  // namespace

SlicedRollouts::SlicedRollouts(const SlicedCode& code, std::uint64_t seed, std::uint32_t max_depth)
    : code_(code),
      games_(code, seed),
      max_depth_(max_depth),
      waiting_(games_.phases()),
      state_of_(lane_count, idle),
      pending_(lane_count, idle),
      depth_(lane_count, 0) {
  if (games_.machine().goals()) goal_frame_.emplace(games_.machine().goals()->slots);
}

std::vector<Rollout> SlicedRollouts::play(std::span<const base::BitSet> states) {
  rollouts_.assign(states.size(), {});
  open_ = states.size();
  queue(states);
  for (std::size_t phase = 0; open_ > 0; phase = games_.following(phase)) {
    fill(phase, states);
    step(phase);
  }
  if (goal_frame_) evaluate_pending();
  return std::move(rollouts_);
}

void SlicedRollouts::queue(std::span<const base::BitSet> states) {
  for (std::size_t i = states.size(); i-- > 0;) {
    const std::optional<std::size_t> phase = games_.machine().phase_of(states[i]);
    assert(phase.has_value());
    waiting_[*phase].push_back(static_cast<std::uint32_t>(i));
  }
}

// Idle lanes take up states that begin in this phase.
void SlicedRollouts::fill(std::size_t phase, std::span<const base::BitSet> states) {
  std::vector<std::uint32_t>& waiting = waiting_[phase];
  for (std::size_t lane = 0; lane < lane_count && !waiting.empty(); ++lane) {
    if (state_of_[lane] != idle) continue;
    state_of_[lane] = waiting.back();
    depth_[lane] = 0;
    games_.set_state(phase, lane, states[waiting.back()]);
    waiting.pop_back();
  }
}

void SlicedRollouts::step(std::size_t phase) {
  Lanes can_move;
  games_.begin_step(phase, can_move);
  const Lanes terminal = games_.frame()[games_.phase(phase).terminal];
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (state_of_[lane] == idle) continue;
    if (bit(terminal, lane)) {
      end(phase, lane);
    } else if (!bit(can_move, lane)) {
      leave(lane, Rollout::Outcome::stuck);
    } else if (++depth_[lane] > max_depth_) {
      leave(lane, Rollout::Outcome::abandoned);
    }
  }
  if (games_.phase(phase).restart) games_.frame()[*games_.phase(phase).restart] = Lanes{};
  games_.end_step(phase);
}

void SlicedRollouts::leave(std::size_t lane, Rollout::Outcome outcome) {
  Rollout& rollout = rollouts_[state_of_[lane]];
  rollout.outcome = outcome;
  rollout.depth = std::min(depth_[lane], max_depth_);
  state_of_[lane] = idle;
  --open_;
}

void SlicedRollouts::end(std::size_t phase, std::size_t lane) {
  const std::uint32_t state = state_of_[lane];
  leave(lane, Rollout::Outcome::ended);
  const SlicedPhase& here = games_.phase(phase);
  const Frame& frame = games_.frame();
  if (!goal_frame_) {
    score(frame, here.goals, lane, rollouts_[state]);
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

void SlicedRollouts::evaluate_pending() {
  code_.goals()->run(goal_frame_->data());
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (pending_[lane] == idle) continue;
    score(*goal_frame_, games_.machine().goals()->goals, lane, rollouts_[pending_[lane]]);
    pending_[lane] = idle;
  }
}

void SlicedRollouts::score(const Frame& frame, const std::vector<Slot>& goals, std::size_t lane,
                           Rollout& rollout) const {
  std::vector<bool> known(games_.machine().game().roles.size());
  rollout.goals.assign(known.size(), 0);
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const GameCircuit::Goal& goal = games_.machine().goal_values()[i];
    if (known[goal.role] || !bit(frame[goals[i]], lane)) continue;
    known[goal.role] = true;
    rollout.goals[goal.role] = goal.value;
  }
}

}  // namespace zermelo::machine
