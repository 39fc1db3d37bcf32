// Builds the rounds layer by layer.
//
// The number of developments grows exponentially with the rounds, but most of them need not be told
// apart. Two developments of the same length are merged into one world if they lead to the same
// state and no agent distinguishes them, that is, every agent has the same information in both.
// This changes no answer:
//
//   Let d and e be merged developments of round k, and let f map each development of a round to its
//   world. (1) f(d) = f(e) implies that d and e satisfy the same atoms, which depend only on the
//   last state, and that they lie in the same information set of every agent. So for every agent i,
//   the developments that i cannot tell from d are those that i cannot tell from e, and the worlds
//   in the information set of f(d) are exactly the images of those developments. f is therefore a
//   bisimulation between the model of all developments and the model of worlds, and formulas with
//   K, C, E, D and Kw have the same value in a development and in its world. (For D: the
//   intersection of the partitions is preserved, because f preserves every partition.)
//   (2) The same joint moves are legal after d and e. If both continue with the same joint move,
//   the next states are equal, and so are the percepts of every agent, since both depend only on
//   the state and the joint move. Hence the continuations have equal information and are merged
//   again: by induction the worlds of every later round are the images of all its developments.
//
// What is counted (developments per world) is added up along the way. The merge may be switched
// off; tests compare both.
//
// The steps of a state (joint moves, next states, percepts) are computed once per state and round
// and then applied to every world with this state.
#include "know/developments.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "machine/perft.h"

namespace zermelo::know {

namespace {

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}

std::vector<std::uint32_t> agents_of(const ground::Game& game) {
  std::vector<std::uint32_t> agents;
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
    if (!game.is_random(role)) agents.push_back(role);
  }
  return agents;
}

machine::State initial_state(const ground::Game& game) {
  machine::State state(game.fluents.size());
  for (const ground::Atom fluent : game.initial) state.set(fluent);
  return state;
}

// The worlds of a round, grouped by state.
struct WorldsByState {
  std::vector<std::uint32_t> first;   // by state, one more at the end
  std::vector<std::uint32_t> worlds;  // numbers

  explicit WorldsByState(const Round& round) : first(round.states.size() + 1) {
    for (const World& world : round.worlds) ++first[world.state + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    worlds.resize(round.worlds.size());
    std::vector<std::uint32_t> place(first.begin(), first.end() - 1);
    for (std::uint32_t w = 0; w < round.worlds.size(); ++w)
      worlds[place[round.worlds[w].state]++] = w;
  }
};

}  // namespace

std::uint64_t Round::developments() const {
  std::uint64_t sum = 0;
  for (const World& world : worlds) sum = saturating_sum(sum, world.developments);
  return sum;
}

std::size_t Round::information_set_count(std::size_t agent) const {
  return std::max<std::size_t>(information_sets[agent].size(), worlds.empty() ? 0 : 1);
}

// One joint move in a state.
struct Developments::Step {
  std::uint32_t joint;
  std::uint32_t state;                  // of the next round
  std::vector<std::uint32_t> percepts;  // by agent
};

// A round under construction.
class Developments::Expansion {
 public:
  Expansion(std::size_t agents, bool merge)
      : merge_(merge), world_table_(1 + agents), key_(1 + agents) {
    round_.information.resize(agents);
    round_.information_sets.resize(agents);
    information_tables_.assign(agents, TupleTable(3));
  }

  std::uint32_t add_state(machine::State state) {
    const auto [entry, is_new] =
        state_numbers_.try_emplace(state, static_cast<std::uint32_t>(round_.states.size()));
    if (is_new) round_.states.push_back(std::move(state));
    return entry->second;
  }

  // Adds the continuation of a world by a step; `before` are the agents' information sets, and
  // `moves` their moves. Returns the world it leads to.
  std::uint32_t add(const World& world, std::uint32_t number, const Step& step,
                    std::span<const std::uint32_t> before, std::span<const Move> moves) {
    key_[0] = step.state;
    for (std::size_t agent = 0; agent < before.size(); ++agent) {
      const InformationSet set{before[agent], moves[agent], step.percepts[agent]};
      const auto [index, is_new] =
          information_tables_[agent].add(std::array{set.before, set.move, set.percepts});
      if (is_new) round_.information_sets[agent].push_back(set);
      key_[1 + agent] = index;
    }
    if (merge_) {
      const auto [index, is_new] = world_table_.add(key_);
      if (!is_new) {
        std::uint64_t& developments = round_.worlds[index].developments;
        developments = saturating_sum(developments, world.developments);
        return index;
      }
    }
    round_.worlds.push_back({step.state, number, step.joint, world.developments});
    for (std::size_t agent = 0; agent < before.size(); ++agent)
      round_.information[agent].push_back(key_[1 + agent]);
    return static_cast<std::uint32_t>(round_.worlds.size() - 1);
  }

  Round finish() { return std::move(round_); }
  bool empty() const { return round_.worlds.empty(); }

 private:
  bool merge_;
  Round round_;
  std::unordered_map<machine::State, std::uint32_t> state_numbers_;
  std::vector<TupleTable> information_tables_;  // by agent: (before, move, percepts)
  TupleTable world_table_;                      // (state, information by agent)
  std::vector<std::uint32_t> key_;
};

Developments::Developments(std::shared_ptr<const machine::Machine> machine,
                           const DevelopmentsOptions& options)
    : machine_(std::move(machine)),
      options_(options),
      steps_(options.limits, "following developments"),
      agents_(agents_of(machine_->game())),
      cursor_(machine_),
      reader_(machine_),
      joints_(machine_->roles().size()) {
  Round start;
  start.states.push_back(initial_state(machine_->game()));
  start.worlds.push_back({0, 0, 0, 1});
  start.information.assign(agents_.size(), {0});
  start.information_sets.resize(agents_.size());
  rounds_.push_back(std::move(start));
}

base::Result<bool> Developments::advance() {
  Expansion next(agents_.size(), options_.merge);
  std::vector<Edge> edges;
  const auto expanded = base::within_limits([&] {
    const Round& round = rounds_.back();
    const WorldsByState groups(round);
    std::vector<std::uint32_t> before(agents_.size());
    std::vector<Move> moves(agents_.size());
    for (std::uint32_t s = 0; s < round.states.size(); ++s) {
      const std::vector<Step> steps = steps_of(round.states[s], next);
      for (std::uint32_t i = groups.first[s]; i < groups.first[s + 1]; ++i) {
        const std::uint32_t w = groups.worlds[i];
        for (std::size_t agent = 0; agent < agents_.size(); ++agent)
          before[agent] = round.information[agent][w];
        for (const Step& step : steps) {
          steps_.take();
          for (std::size_t agent = 0; agent < agents_.size(); ++agent)
            moves[agent] = joints_[step.joint][agents_[agent]];
          edges.push_back({w, step.joint, next.add(round.worlds[w], w, step, before, moves)});
        }
      }
    }
  });
  if (!expanded) return tl::unexpected(expanded.error());
  if (next.empty()) return false;
  std::sort(edges.begin(), edges.end());
  edges_ = std::move(edges);
  rounds_.back().states = {};
  rounds_.push_back(next.finish());
  return true;
}

// Nothing for terminal states, and where a role has no legal move.
std::vector<Developments::Step> Developments::steps_of(const machine::State& state,
                                                       Expansion& next) {
  cursor_.reset(state);
  if (cursor_.terminal()) return {};
  reader_.reset(state);
  std::vector<std::vector<Move>> legal;
  for (std::size_t role = 0; role < machine_->roles().size(); ++role) {
    const auto moves = cursor_.legal(role);
    legal.emplace_back(moves.begin(), moves.end());
  }
  std::vector<Step> steps;
  machine::for_each_joint_move(legal, [&](std::span<const Move> joint) {
    steps_.take();
    const base::BitSet seen = reader_.read(joint);
    Step step{joints_.add(joint).first, 0, {}};
    for (const std::uint32_t role : agents_) step.percepts.push_back(percept_number(seen, role));
    cursor_.make(joint);
    step.state = next.add_state(cursor_.state());
    cursor_.unmake();
    steps.push_back(std::move(step));
    return true;
  });
  return steps;
}

std::uint32_t Developments::percept_number(const base::BitSet& seen, std::uint32_t role) {
  const ground::Game& game = machine_->game();
  std::vector<base::Percept> percepts;
  for (base::Percept p = game.first_percept_of[role]; p < game.first_percept_of[role + 1]; ++p) {
    if (seen.test(p)) percepts.push_back(p);
  }
  const auto [entry, is_new] = percept_numbers_.try_emplace(
      std::move(percepts), static_cast<std::uint32_t>(percepts_.size()));
  if (is_new) percepts_.push_back(&entry->first);
  return entry->second;
}

Line Developments::line_to(std::size_t round, std::uint32_t world) const {
  Line line;
  for (; round > 0; --round) {
    std::vector<std::string>& names = line.emplace_back();
    for (const Move move : joint(rounds_[round].worlds[world].joint))
      names.push_back(machine_->move_name(move));
    world = rounds_[round].worlds[world].parent;
  }
  std::reverse(line.begin(), line.end());
  return line;
}

std::optional<std::uint32_t> Developments::successor(std::uint32_t world,
                                                     std::span<const Move> joint) const {
  const auto first = std::lower_bound(edges_.begin(), edges_.end(), Edge{world, 0, 0});
  for (auto edge = first; edge != edges_.end() && edge->from == world; ++edge) {
    if (std::ranges::equal(this->joint(edge->joint), joint)) return edge->to;
  }
  return std::nullopt;
}

}  // namespace zermelo::know
