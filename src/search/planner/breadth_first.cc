// Layer by layer, 256 states at a time (solve/explicit/packed_steps.h). States are whole, with
// their clock, and each is kept once, with the state and the move that led to it first. So a line
// that this finds is a shortest one for its reward. When no state is left, the best line is proved.
#include "search/planner/breadth_first.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/mutex_groups.h"
#include "solve/explicit/packed_steps.h"

namespace zermelo::search::planner {
namespace {

using solve::PackedStepper;
using solve::PackedSteps;
using solve::StatePacking;

constexpr std::size_t most_moves_at_once = 4'096;

class BreadthFirst : public PlanSearch {
 public:
  BreadthFirst(const PlanSpace& space, PlanRecord& record, StatePacking packing, PackedSteps steps,
               std::size_t phase)
      : space_(space),
        record_(record),
        packing_(std::move(packing)),
        steps_(std::move(steps)),
        stepper_(steps_),
        cursor_(space.machine()),
        nodes_(packing_.words()),
        phase_(phase),
        legal_(lanes::lane_count) {
    std::vector<ground::Atom> fluents;
    space.root().for_each([&](std::size_t f) { fluents.push_back(static_cast<ground::Atom>(f)); });
    std::vector<std::uint64_t> packed(packing_.words());
    packing_.pack(fluents, packed);
    nodes_.insert(packed, {});
    layer_end_ = 1;
  }

  SearchEnd run(const Pause& pause) override {
    while (!record_.is_optimal()) {
      if (next_ == nodes_.size()) {
        record_.prove();
        return SearchEnd::exhausted;
      }
      if (nodes_.is_full()) return SearchEnd::exhausted;
      if (pause.is_due()) return SearchEnd::paused;
      if (next_ == layer_end_) {
        layer_end_ = static_cast<NodeIndex>(nodes_.size());
        ++depth_;
      }
      expand_some();
    }
    return SearchEnd::optimal;
  }

 private:
  // The next states of the layer, up to 256.
  void expand_some() {
    const NodeIndex begin = next_;
    next_ = std::min<NodeIndex>(layer_end_, begin + batch_);
    states_.clear();
    for (NodeIndex node = begin; node < next_; ++node) states_.push_back(nodes_.state(node));
    stepper_.look(phase_ + depth_, states_);
    const lanes::Lanes all = PackedStepper::first_lanes(states_.size());
    const lanes::Lanes terminal = all & stepper_.terminal();
    for (std::size_t lane = 0; lane < states_.size(); ++lane) {
      legal_[lane].clear();
      if (terminal[lane / 64] >> lane % 64 & 1) end_at(begin + static_cast<NodeIndex>(lane));
    }
    for (const Move move : space_.machine()->moves(0)) {
      stepper_.for_each_legal(move, all & ~terminal,
                              [&](std::size_t lane) { legal_[lane].push_back(move); });
    }
    std::size_t moves = 0;
    for (std::size_t lane = 0; lane < states_.size(); ++lane) {
      moves += legal_[lane].size();
      for (const Move move : legal_[lane]) add(begin + static_cast<NodeIndex>(lane), move);
    }
    step();
    adapt_batch(moves);
  }

  // So that a pause is noticed soon, also where states have many moves.
  void adapt_batch(std::size_t moves) {
    if (moves > most_moves_at_once && batch_ > 1) batch_ /= 2;
    if (moves < most_moves_at_once / 4 && batch_ < lanes::lane_count) batch_ *= 2;
  }

  void add(NodeIndex node, Move move) {
    if (stepper_.is_full()) step();
    stepper_.add(nodes_.state(node), std::span(&move, 1));
    pairs_.push_back({node, move, depth_ + 1});
  }

  void step() {
    std::size_t pair = 0;
    stepper_.run([&](Words successor) {
      if (!nodes_.is_full()) nodes_.insert(successor, pairs_[pair++]);
    });
    pairs_.clear();
  }

  void end_at(NodeIndex node) {
    State state(space_.machine()->game().fluents.size());
    unpack(nodes_.state(node), state);
    cursor_.reset(state);
    if (PlanSpace::reward(cursor_) <= record_.reward()) return;
    record_.offer(space_.replay(nodes_.path(node)));
  }

  void unpack(Words packed, State& state) const {
    for (const StatePacking::Field& field : packing_.fields()) {
      const std::uint64_t value = packed[field.first_bit / 64] >> field.first_bit % 64 &
                                  ((std::uint64_t{1} << field.width) - 1);
      const ground::Atom fluent =
          value < field.fluents.size() ? field.fluents[value] : ground::no_atom;
      if (fluent != ground::no_atom) state.set(fluent);
    }
  }

  const PlanSpace& space_;
  PlanRecord& record_;
  StatePacking packing_;
  PackedSteps steps_;
  PackedStepper stepper_;
  machine::Cursor cursor_;
  NodeTable nodes_;
  NodeIndex next_ = 0;
  NodeIndex layer_end_ = 0;
  std::uint32_t depth_ = 0;
  NodeIndex batch_ = lanes::lane_count;  // states expanded together
  std::size_t phase_;                    // of the root
  std::vector<Words> states_;
  std::vector<std::vector<Move>> legal_;  // by lane
  std::vector<NodeTable::Node> pairs_;    // that were added to the stepper
};

// The phase in which a state is; nothing for a state of none.
std::optional<std::size_t> phase_of(const std::vector<circuit::FixedFluents>& phases,
                                    const State& state) {
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    bool fits = true;
    for (std::size_t f = 0; f < phases[phase].size(); ++f) {
      fits = fits && phases[phase][f].value_or(state.test(f)) == state.test(f);
    }
    if (fits) return phase;
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::unique_ptr<PlanSearch>> make_breadth_first(const PlanSpace& space,
                                                             PlanRecord& record,
                                                             const base::Limits& limits) {
  const ground::Game& game = space.machine()->game();
  StatePacking packing(game.fluents.size(), analysis::find_mutex_groups_by_rules(game, limits));
  auto steps = PackedSteps::make(*space.machine()->compiled(), packing, limits);
  if (!steps) return tl::unexpected(steps.error());
  const auto facts = space.machine()->compiled()->facts(limits);
  if (!facts) return tl::unexpected(facts.error());
  const auto phase = phase_of((*facts)->phases, space.root());
  if (!phase) return base::fail(base::ErrorKind::not_applicable, "the state is in no phase");
  return std::make_unique<BreadthFirst>(space, record, std::move(packing), std::move(*steps),
                                        *phase);
}

}  // namespace zermelo::search::planner
