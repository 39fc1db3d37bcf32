#include "search/simulator.h"

#include <algorithm>
#include <mutex>

#include "analysis/exclusive_moves.h"
#include "base/reward.h"
#include "gdl/functions.h"
#include "gdl/validity.h"
#include "ground/ground.h"
#include "lanes/sliced_leaf_playouts.h"
#include "reference/reference.h"

namespace zermelo::search {
namespace {

// Limit on the size of games that get bit-sliced playouts by default. With 190,000 to 200,000
// rules, preparing them took 2 s (checkers) to 5 s (shogi).
constexpr std::size_t max_rules_sliced = 250'000;

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
  int goal(std::size_t role) override { return base::reward_of(cursor_.goals(role)); }
  void make(std::span<const Move> joint) override { cursor_.make(joint); }
  void unmake() override { cursor_.unmake(); }

 private:
  machine::Cursor cursor_;
};

class LanePlayouts : public Playouts {
 public:
  // The code must outlive the playouts.
  LanePlayouts(const lanes::SlicedCode& code, std::uint64_t seed)
      : roles_(code.machine().game().roles.size()), playouts_(code, seed, longest_playout) {}

  std::size_t lanes() const override { return lanes::lane_count; }
  void play(std::span<const State> states, PlayoutBatch& batch,
            const std::stop_token& stop) override {
    const std::vector<lanes::LeafPlayout>& played = playouts_.play(states, stop);
    batch.made = playouts_.made();
    batch.rewards.assign(states.size() * roles_, 0);
    for (std::size_t i = 0; i < played.size(); ++i) {
      for (std::size_t role = 0; role < played[i].goals.size(); ++role) {
        batch.rewards[i * roles_ + role] = static_cast<float>(played[i].goals[role]) / 100;
      }
    }
  }

 private:
  std::size_t roles_;
  lanes::SlicedLeafPlayouts playouts_;
};

lanes::SlicedOptions slicing_of(const machine::Machine& machine, const base::Limits& limits,
                                bool records_moves) {
  lanes::SlicedOptions slicing;
  slicing.limits = limits;
  slicing.exclusive_moves = analysis::exclusive_moves(machine.game(), limits);
  slicing.observe_chosen_moves = records_moves;
  return slicing;
}

class GroundSimulator : public Simulator {
 public:
  GroundSimulator(std::shared_ptr<const machine::Machine> machine,
                  std::shared_ptr<const lanes::SlicedCode> sliced)
      : sliced_(std::move(sliced)), machine_(std::move(machine)) {}

  const std::vector<std::string>& roles() const override { return machine_->roles(); }
  State initial() const override { return machine::Stepper(machine_).initial_state(); }
  std::unique_ptr<Walker> walker() const override {
    return std::make_unique<CursorWalker>(machine_);
  }
  std::unique_ptr<Playouts> playouts(std::uint64_t seed) const override {
    if (!sliced_) return single_playouts(*this, seed, nullptr);
    return std::make_unique<LanePlayouts>(*sliced_, seed);
  }
  std::unique_ptr<Playouts> recorded_playouts(std::uint64_t seed) const override {
    if (sliced_) std::call_once(recording_is_made_, [this] { make_recording(); });
    if (!recording_) return single_playouts(*this, seed, nullptr);
    return std::make_unique<LanePlayouts>(*recording_, seed);
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
  const lanes::SlicedCode* sliced() const override { return sliced_.get(); }
  std::shared_ptr<const machine::Machine> machine() const override { return machine_; }

 private:
  void make_recording() const {
    auto code = lanes::make_sliced_code(machine_->compiled(), slicing_of(*machine_, {}, true));
    if (code) recording_ = std::move(*code);
  }

  std::shared_ptr<const lanes::SlicedCode> sliced_;
  std::shared_ptr<const machine::Machine> machine_;
  mutable std::once_flag recording_is_made_;
  mutable std::shared_ptr<const lanes::SlicedCode> recording_;  // records the chosen moves
};

// The reference engine numbers terms as it meets them, so all users share one instance.
struct SharedReference {
  explicit SharedReference(reference::Reference simulator) : reference(std::move(simulator)) {}

  std::mutex mutex;
  reference::Reference reference;
};

// The numbers of the fluents, two in a word. A game whose numbers are always new gets ever larger
// numbers of fluents, so a bit for each of them would make the states ever longer.
State as_bits(const reference::Reference::State& state) {
  State bits(64 * ((state.fluents.size() + 1) / 2));
  const std::span<std::uint64_t> words = bits.words();
  for (std::size_t i = 0; i < 2 * words.size(); ++i) {
    const reference::TermId fluent =
        i < state.fluents.size() ? state.fluents[i] : reference::no_term;
    words[i / 2] |= std::uint64_t{fluent} << (32 * (i % 2));
  }
  return bits;
}

reference::Reference::State as_terms(const State& bits) {
  reference::Reference::State state;
  for (const std::uint64_t word : bits.words()) {
    state.fluents.push_back(static_cast<reference::TermId>(word));
    state.fluents.push_back(static_cast<reference::TermId>(word >> 32));
  }
  if (!state.fluents.empty() && state.fluents.back() == reference::no_term) {
    state.fluents.pop_back();
  }
  return state;
}

class ReferenceWalker : public Walker {
 public:
  ReferenceWalker(std::shared_ptr<SharedReference> shared, const State& state)
      : shared_(std::move(shared)),
        state_(as_terms(state)),
        legal_(shared_->reference.roles().size()) {}

  void go_to(const State& state) override {
    state_ = as_terms(state);
    earlier_.clear();
  }
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
    return base::reward_of(shared_->reference.goals(state_, role));
  }
  void make(std::span<const Move> joint) override {
    const std::lock_guard lock(shared_->mutex);
    earlier_.push_back(std::exchange(state_, shared_->reference.next_state(state_, joint)));
  }
  void unmake() override {
    state_ = std::move(earlier_.back());
    earlier_.pop_back();
  }

 private:
  std::shared_ptr<SharedReference> shared_;
  reference::Reference::State state_;
  std::vector<reference::Reference::State> earlier_;  // before each move since go_to
  std::vector<std::vector<Move>> legal_;
};

class ReferenceSimulator : public Simulator {
 public:
  explicit ReferenceSimulator(reference::Reference reference)
      : roles_(reference.roles()),
        shared_(std::make_shared<SharedReference>(std::move(reference))),
        initial_(as_bits(shared_->reference.initial_state())) {}

  const std::vector<std::string>& roles() const override { return roles_; }
  State initial() const override { return initial_; }
  std::unique_ptr<Walker> walker() const override {
    return std::make_unique<ReferenceWalker>(shared_, initial_);
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

}  // namespace

std::unique_ptr<Playouts> Simulator::recorded_playouts(std::uint64_t seed) const {
  return single_playouts(*this, seed, nullptr);
}

base::Result<std::shared_ptr<const Simulator>> make_ground_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const base::Limits& limits) {
  if (const auto perfect = gdl::require_perfect_information(*rulesheet, "this command"); !perfect) {
    return tl::unexpected(perfect.error());
  }
  auto game = ground::ground(std::move(rulesheet), {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  return std::make_shared<const GroundSimulator>(std::move(*machine), nullptr);
}

std::shared_ptr<const Simulator> simulator_of(std::shared_ptr<const machine::Machine> machine) {
  return std::make_shared<const GroundSimulator>(std::move(machine), nullptr);
}

base::Result<std::shared_ptr<const Simulator>> make_sliced_simulator(
    std::shared_ptr<const machine::Machine> machine, const base::Limits& limits) {
  auto code = lanes::make_sliced_code(machine->compiled(), slicing_of(*machine, limits, false));
  if (!code) return tl::unexpected(code.error());
  return std::make_shared<const GroundSimulator>(std::move(machine), std::move(*code));
}

// The machine is created first, since bit-sliced playouts require it.
base::Result<std::shared_ptr<const Simulator>> make_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const SimulatorOptions& options) {
  auto simulator = make_ground_simulator(rulesheet, options.limits);
  if (!simulator) {
    const bool has_functions = !gdl::FunctionTable(*rulesheet).empty();
    if (!has_functions && !base::is_limit(simulator.error().kind)) return simulator;
    return make_reference_simulator(std::move(rulesheet), options.reference_limits);
  }
  const auto machine = (*simulator)->machine();
  if (!options.sliced || machine->game().rules() > max_rules_sliced) return simulator;
  auto sliced = make_sliced_simulator(machine, options.limits);
  return sliced ? sliced : simulator;
}

base::Result<std::shared_ptr<const Simulator>> make_reference_simulator(
    std::shared_ptr<const gdl::Rulesheet> rulesheet, const base::Limits& limits) {
  if (const auto perfect = gdl::require_perfect_information(*rulesheet, "this command"); !perfect) {
    return tl::unexpected(perfect.error());
  }
  auto reference = reference::Reference::make(std::move(rulesheet), limits);
  if (!reference) return tl::unexpected(reference.error());
  try {
    return std::make_shared<const ReferenceSimulator>(std::move(*reference));
  } catch (const base::LimitReached& reached) {
    return base::fail(reached.kind(), reached.what());
  }
}

std::optional<Move> find_move(const Simulator& simulator, Walker& walker, std::size_t role,
                              const std::string& name) {
  for (const Move move : walker.legal(role)) {
    if (simulator.move_name(move) == name) return move;
  }
  return std::nullopt;
}

}  // namespace zermelo::search
