#include "search/engine.h"

#include <algorithm>
#include <mutex>

#include "analysis/exclusive_moves.h"
#include "ground/ground.h"
#include "machine/reference.h"
#include "machine/sliced_rollouts.h"

namespace zermelo::search {
namespace {

int least_goal(const std::vector<int>& goals) { return goals.empty() ? 0 : goals.front(); }

class CursorWalker : public Walker {
 public:
  explicit CursorWalker(std::shared_ptr<const machine::Machine> machine)
      : cursor_(std::move(machine)) {}

  void go_to(const State& state) override {
    if (!cursor_.is_at(state)) cursor_.reset(state);
  }
  State state() override { return cursor_.state(); }
  bool terminal() override { return cursor_.terminal(); }
  std::span<const Move> legal(std::size_t role) override { return cursor_.legal(role); }
  int goal(std::size_t role) override { return least_goal(cursor_.goals(role)); }
  void make(std::span<const Move> joint) override { cursor_.make(joint); }

 private:
  machine::Cursor cursor_;
};

class SlicedPlayouts : public Playouts {
 public:
  SlicedPlayouts(const machine::SlicedCode& code, std::uint64_t seed)
      : roles_(code.machine().game().roles.size()), rollouts_(code, seed, longest_playout) {}

  std::size_t lanes() const override { return machine::lane_count; }
  void play(std::span<const State> states, PlayoutBatch& batch) override {
    const std::vector<machine::Rollout>& played = rollouts_.play(states);
    batch.rewards.assign(states.size() * roles_, 0);
    for (std::size_t i = 0; i < played.size(); ++i) {
      for (std::size_t role = 0; role < played[i].goals.size(); ++role) {
        batch.rewards[i * roles_ + role] = static_cast<float>(played[i].goals[role]) / 100;
      }
    }
  }

 private:
  std::size_t roles_;
  machine::SlicedRollouts rollouts_;
};

base::Limits with_stop(base::Limits limits, const std::stop_token& stop) {
  if (stop.stop_possible()) limits.end_when([stop] { return stop.stop_requested(); });
  return limits;
}

std::shared_ptr<const machine::SlicedCode> make_sliced(const ground::Game& game,
                                                       const EngineOptions& options) {
  if (!options.sliced) return nullptr;
  machine::SlicedOptions slicing;
  slicing.limits = with_stop({options.slicing_seconds, std::nullopt}, options.stop);
  slicing.exclusive_moves = analysis::exclusive_moves(game);
  const auto shared = std::make_shared<const ground::Game>(game);
  return machine::make_sliced_code(shared, slicing).value_or(nullptr);
}

class GroundEngine : public Engine {
 public:
  GroundEngine(std::shared_ptr<const machine::Machine> machine,
               std::shared_ptr<const machine::SlicedCode> sliced)
      : sliced_(std::move(sliced)), machine_(std::move(machine)) {}

  const std::vector<std::string>& roles() const override { return machine_->roles(); }
  State initial() const override { return machine::Stepper(machine_).initial_state(); }
  std::unique_ptr<Walker> walker() const override {
    return std::make_unique<CursorWalker>(machine_);
  }
  std::unique_ptr<Playouts> playouts(std::uint64_t seed) const override {
    if (!sliced_) return single_playouts(*this, seed, nullptr);
    return std::make_unique<SlicedPlayouts>(*sliced_, seed);
  }
  std::string move_name(Move move) const override { return machine_->move_name(move); }
  std::vector<std::string> fluent_names(const State& state) const override {
    return machine::Stepper(machine_).fluent_names(state);
  }
  bool parallel() const override { return true; }
  std::vector<int> goal_values(std::size_t role) const override {
    std::vector<int> values;
    for (const ground::Game::Goal& goal : machine_->game().goals[role]) {
      values.push_back(goal.value);
    }
    return values;
  }
  std::shared_ptr<const machine::Machine> machine() const override { return machine_; }

 private:
  std::shared_ptr<const machine::SlicedCode> sliced_;
  std::shared_ptr<const machine::Machine> machine_;
};

// The reference engine numbers terms as it meets them, so there is one of it, which all share.
struct SharedReference {
  explicit SharedReference(machine::Reference engine) : reference(std::move(engine)) {}

  std::mutex mutex;
  machine::Reference reference;
};

State as_bits(const machine::Reference::State& state) {
  State bits(state.fluents.empty() ? 0 : state.fluents.back() + 1);
  for (const machine::TermId fluent : state.fluents) bits.set(fluent);
  return bits;
}

machine::Reference::State as_terms(const State& bits) {
  machine::Reference::State state;
  bits.for_each(
      [&](std::size_t term) { state.fluents.push_back(static_cast<machine::TermId>(term)); });
  return state;
}

class ReferenceWalker : public Walker {
 public:
  explicit ReferenceWalker(std::shared_ptr<SharedReference> shared)
      : shared_(std::move(shared)), legal_(shared_->reference.roles().size()) {
    const std::lock_guard lock(shared_->mutex);
    state_ = shared_->reference.initial_state();
  }

  void go_to(const State& state) override { state_ = as_terms(state); }
  State state() override { return as_bits(state_); }
  bool terminal() override {
    const std::lock_guard lock(shared_->mutex);
    return shared_->reference.terminal(state_);
  }
  std::span<const Move> legal(std::size_t role) override {
    const std::lock_guard lock(shared_->mutex);
    return legal_[role] = shared_->reference.legal_moves(state_, role);
  }
  int goal(std::size_t role) override {
    const std::lock_guard lock(shared_->mutex);
    return least_goal(shared_->reference.goals(state_, role));
  }
  void make(std::span<const Move> joint) override {
    const std::lock_guard lock(shared_->mutex);
    state_ = shared_->reference.next_state(state_, joint);
  }

 private:
  std::shared_ptr<SharedReference> shared_;
  machine::Reference::State state_;
  std::vector<std::vector<Move>> legal_;
};

class ReferenceEngine : public Engine {
 public:
  explicit ReferenceEngine(machine::Reference reference)
      : roles_(reference.roles()),
        shared_(std::make_shared<SharedReference>(std::move(reference))),
        initial_(as_bits(shared_->reference.initial_state())) {}

  const std::vector<std::string>& roles() const override { return roles_; }
  State initial() const override { return initial_; }
  std::unique_ptr<Walker> walker() const override {
    return std::make_unique<ReferenceWalker>(shared_);
  }
  std::unique_ptr<Playouts> playouts(std::uint64_t seed) const override {
    return single_playouts(*this, seed, nullptr);
  }
  std::string move_name(Move move) const override {
    const std::lock_guard lock(shared_->mutex);
    return shared_->reference.move_name(move);
  }
  std::vector<std::string> fluent_names(const State& state) const override {
    const std::lock_guard lock(shared_->mutex);
    return shared_->reference.fluent_names(as_terms(state));
  }
  bool parallel() const override { return false; }
  std::vector<int> goal_values(std::size_t) const override { return {}; }
  std::shared_ptr<const machine::Machine> machine() const override { return nullptr; }

 private:
  std::vector<std::string> roles_;
  std::shared_ptr<SharedReference> shared_;
  State initial_;
};

// The machine comes first, since playouts in lanes are no use without it.
base::Result<std::shared_ptr<const Engine>> make_ground_engine(
    const std::shared_ptr<const gdl::Rulesheet>& rulesheet, const EngineOptions& options) {
  const base::Limits limits = with_stop(options.limits, options.stop);
  auto game = ground::ground(rulesheet, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  auto sliced = make_sliced((*machine)->game(), options);
  return std::make_shared<const GroundEngine>(std::move(*machine), std::move(sliced));
}

}  // namespace

base::Result<std::shared_ptr<const Engine>> make_engine(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const EngineOptions& options) {
  auto engine = make_ground_engine(rulesheet, options);
  if (options.stop.stop_requested()) {
    return base::fail(base::ErrorKind::time_limit, "told to stop");
  }
  if (engine || !base::is_limit(engine.error().kind)) return engine;
  return make_reference_engine(std::move(rulesheet));
}

base::Result<std::shared_ptr<const Engine>> make_reference_engine(
    std::shared_ptr<const gdl::Rulesheet> rulesheet) {
  auto reference = machine::Reference::make(std::move(rulesheet));
  if (!reference) return tl::unexpected(reference.error());
  return std::make_shared<const ReferenceEngine>(std::move(*reference));
}

}  // namespace zermelo::search
