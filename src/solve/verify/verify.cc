// The independent checker. It shares with the solvers the reading of files, including the encoding
// of states, the counting of diagrams and the machine, but not the enumeration of states, the order
// of outcomes and the evaluation.
//
// First it checks the files: every checksum of the manifest, every block of every diagram, and the
// numbers of states. Then it checks states, all of them or a uniform sample of each layer: a
// terminal state must have its goals as value; any other the value of the successor that the role
// to move prefers, and its distance; and every successor must be in the solution. The initial state
// must be in it too, so a complete check proves that every reachable state is there and, for a game
// without cycles, by induction from the terminal states, that all values are correct. If states can
// repeat, this also needs a check of the whole graph, see cycles.cc; a sample only shows that
// values agree. Distances need no such check: by induction over distances, the finite ones of
// correct values can only be those of their definition. Last, the states that are in no earlier
// layer are counted again. In a large folder without states in several layers, a few states of each
// layer are looked up in the earlier ones instead.

#include "solve/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/reward.h"
#include "dd/count.h"
#include "dd/operations.h"
#include "machine/perft.h"
#include "solve/verify/cycles.h"
#include "solve/verify/folder_check.h"
#include "solve/verify/members.h"
#include "solve/verify/outcome_order.h"
#include "solve/verify/overlap.h"
#include "solve/verify/verify_equilibria.h"
#include "solve/verify/verify_strategies.h"

namespace zermelo::solve {
namespace {

constexpr std::uint64_t for_ever = ~std::uint64_t{0};

// A layer in memory.
struct LoadedLayer {
  dd::Diagram states, values;
  std::optional<dd::Diagram> distances;
};

// What the folder claims about a state.
struct Claim {
  std::size_t layer = 0;  // in which it is
  dd::NodeId state = 0, value = 0;
  std::uint64_t distance = 0;
};

// All states of a solution, numbered layer by layer in lexicographic order.
struct WholeGraph {
  std::vector<dd::MemberCounts> counts;    // by layer
  std::vector<std::uint32_t> first_state;  // by layer
  ClaimedGraph graph;
};

class Verifier : FolderCheck {
 public:
  Verifier(const SolutionFolder& folder, const VerifyOptions& options)
      : FolderCheck(folder, options) {}

  base::Result<Verification> run() {
    if (!folder_.finished()) {
      return base::fail(base::ErrorKind::unreadable_input,
                        fmt::format("'{}' has no finished solution", folder_.path().string()));
    }
    if (read_texts() && read_files()) check_states();
    return finish();
  }

 private:
  // Reads every byte of every file. Layers stay in memory as long as they are needed.
  bool read_files() {
    decides_.assign(description_.roles.size(), false);
    mpz_class states = 0, distinct = 0;
    for (std::size_t l = 0; l < manifest_.layers.size(); ++l) {
      const StoredLayer& stored = manifest_.layers[l];
      check_file(Part::states, l, stored.states_checksum);
      check_file(Part::values, l, stored.values_checksum);
      if (description_.distances) {
        check_file(Part::distances, l, stored.distances_checksum.value_or(0));
      }
      const LoadedLayer* layer = result_.failures_found == 0 ? load(l) : nullptr;
      if (!layer || stopped()) return false;
      states += check_counts(l, *layer);
      distinct += mpz_class(stored.new_states ? stored.new_states->states : stored.states);
      if (description_.layers == LayerKind::plies) layers_.clear();
    }
    result_.states = distinct.get_str();
    result_.layer_states = states.get_str();
    result_.exhaustive = states <= mpz_class(std::to_string(options_.exhaustive_up_to));
    result_.cyclic = manifest_.cyclic;
    all_states_ = states;
    return result_.failures_found == 0;
  }

  const LoadedLayer* load(std::size_t l) {
    if (const auto known = layers_.find(l); known != layers_.end()) return &known->second;
    auto states = take(read(Part::states, l));
    auto values = states ? take(read(Part::values, l)) : std::nullopt;
    if (!values) return nullptr;
    LoadedLayer layer{std::move(*states), std::move(*values), std::nullopt};
    if (description_.distances) {
      layer.distances = take(read(Part::distances, l));
      if (!layer.distances) return nullptr;
    }
    return &layers_.emplace(l, std::move(layer)).first->second;
  }

  mpz_class check_counts(std::size_t l, const LoadedLayer& layer) {
    mpz_class states = 0, terminal = 0;
    const auto counts = take(layer.states.counts({.limits = options_.limits}));
    if (!counts) return 0;
    for (std::size_t constant = 1; constant < counts->size(); ++constant) {
      states += (*counts)[constant];
      if (description_.is_terminal(static_cast<dd::NodeId>(constant))) {
        terminal += (*counts)[constant];
      }
    }
    const StoredLayer& stored = manifest_.layers[l];
    if (states.get_str() != stored.states || terminal.get_str() != stored.terminal) {
      fail(fmt::format("layer {} has {} states, {} of them terminal; the manifest says {} and {}",
                       l, states.get_str(), terminal.get_str(), stored.states, stored.terminal));
    }
    return states;
  }

  void check_states() {
    check_initial();
    if (description_.layers == LayerKind::plies && manifest_.cyclic) {
      fail("states cannot repeat, but the manifest says they can");
    }
    find_who_decides();
    preference_.emplace(description_, decides_);
    if (result_.exhaustive && description_.layers == LayerKind::distances) number_states();
    for_each_layer([&](std::size_t l, const LoadedLayer& layer) {
      for_each_state(layer, [&](const auto& assignment) { check_state(l, assignment); });
      if (!limit_) check_values_counted(l, layer);
    });
    if (whole_ && result_.failures_found == 0 && !stopped()) check_cycles();
    if (result_.failures_found == 0 && !stopped()) check_new_states();
  }

  void check_new_states() {
    OverlapCheck overlap(folder_, description_, fixed_, {.limits = options_.limits});
    const auto& stored = manifest_.layers;
    const bool claims_overlap = std::any_of(stored.begin(), stored.end(), [](const auto& layer) {
      return layer.new_states.has_value();
    });
    for_each_layer([&](std::size_t l, const LoadedLayer& layer) {
      result_.exhaustive || claims_overlap ? recount_new_states(overlap, l, layer)
                                           : look_for_old_states(overlap, l, layer);
    });
  }

  void recount_new_states(OverlapCheck& overlap, std::size_t l, const LoadedLayer& layer) {
    const StoredLayer& stored = manifest_.layers[l];
    const auto found = take(overlap.count_new(l, layer.states, layer.values));
    const NewStates all{stored.states, stored.terminal, stored.by_value};
    if (!found || *found == stored.new_states.value_or(all)) return;
    fail(
        fmt::format("{} states of layer {} are in no earlier layer, {} of them terminal; the "
                    "manifest says otherwise",
                    found->states, l, found->terminal));
  }

  // The fewer layers there are, the more states of each are looked up.
  void look_for_old_states(OverlapCheck& overlap, std::size_t l, const LoadedLayer& layer) {
    const std::size_t layers = manifest_.layers.size();
    std::size_t left = 1 + 20'000 / (layers * layers);
    for_each_state(layer, [&](const auto& assignment) {
      if (left == 0) return;
      --left;
      const auto earlier = take(overlap.find_earlier(l, assignment));
      if (!earlier || !*earlier) return;
      report(
          l,
          fmt::format("a state that is also in layer {}; the manifest says otherwise", **earlier),
          code_->decode(assignment, fixed_[l]));
    });
  }

  // With three or more roles, the value of endless play depends on which roles ever decide; in a
  // sample, on those that were observed to.
  void find_who_decides() {
    const auto& outcomes = description_.outcomes;
    const bool has_endless =
        std::find(outcomes.begin(), outcomes.end(), Rewards()) != outcomes.end();
    if (description_.roles.size() < 3 || !has_endless) return;
    for_each_layer([&](std::size_t l, const LoadedLayer& layer) {
      for_each_state(layer, [&](const auto& assignment) {
        const dd::NodeId state = layer.states.evaluate(assignment);
        if (state >= description_.terminal_constant(0)) return;
        std::map<machine::Move, machine::State> ignored;
        follow(code_->decode(assignment, fixed_[l]), state - description_.mover_constant(0),
               ignored);
      });
    });
  }

  // Calls visit(l, layer) for every layer, with the same random numbers each time.
  template <class Visit>
  void for_each_layer(Visit visit) {
    random_ = base::Random(options_.seed);
    for (std::size_t l = 0; l < manifest_.layers.size() && !stopped(); ++l) {
      if (description_.layers == LayerKind::plies) layers_.erase(layers_.begin(), layers_.find(l));
      const LoadedLayer* layer = load(l);
      if (!layer) return;
      visit(l, *layer);
    }
  }

  void check_initial() {
    const auto code = coded(stepper_->initial_state());
    if (!code || manifest_.layers.empty() || !claim(*code, 0)) {
      fail("the initial state is missing");
    }
  }

  // Calls visit(assignment) for all states or for the sample.
  template <class Visit>
  void for_each_state(const LoadedLayer& layer, Visit visit) {
    const auto members = take(dd::count_members(layer.states, {.limits = options_.limits}));
    if (!members) return;
    if (!*members) return for_each_of_many(layer.states, visit);
    const std::uint64_t size = (*members)->below(0, layer.states.root());
    const std::uint64_t wanted =
        result_.exhaustive ? size : std::min(size, sample_of(dd::to_mpz(size)));
    for (std::uint64_t i = 0; i < wanted && !stopped(); ++i) {
      visit(member(layer.states, **members, wanted == size ? i : random_.next() % size));
    }
  }

  // Samples a layer with more states than a word can count.
  template <class Visit>
  void for_each_of_many(const dd::Diagram& states, Visit visit) {
    const auto members = take(dd::count_many_members(states, {.limits = options_.limits}));
    if (!members) return;
    const mpz_class size = members->below(0, states.root());
    for (std::uint64_t i = sample_of(size); i > 0 && !stopped(); --i) {
      visit(member(states, *members, random_below(size)));
    }
  }

  // In proportion to the size of the layer, with a minimum for small layers.
  std::uint64_t sample_of(const mpz_class& size) const {
    const mpz_class share = dd::to_mpz(options_.sample) * size / all_states_;
    return 100 + share.get_ui();
  }

  mpz_class random_below(const mpz_class& bound) {
    mpz_class number = 0;
    for (std::size_t bits = mpz_sizeinbase(bound.get_mpz_t(), 2) + 64; bits >= 64; bits -= 64) {
      number = (number << 64) + dd::to_mpz(random_.next());
    }
    return number % bound;
  }

  void check_values_counted(std::size_t l, const LoadedLayer& layer) {
    const dd::Combination valued{layer.values.constants(),
                                 [](std::span<const dd::NodeId> c) { return c[0] == 0 ? 0 : c[1]; },
                                 {{0, 0, 0}}};
    const dd::Options options{.limits = options_.limits};
    const auto values = take(dd::combine({layer.states, layer.values}, valued, options));
    const auto counts = values ? take(values->counts(options)) : std::nullopt;
    if (!counts) return;
    const std::vector<std::string>& stored = manifest_.layers[l].by_value;
    for (std::size_t o = 0; o < description_.outcomes.size(); ++o) {
      const std::string found = o + 1 < counts->size() ? (*counts)[o + 1].get_str() : "0";
      if (o < stored.size() && stored[o] == found) continue;
      fail(fmt::format("layer {} has {} states with the value {}; the manifest says otherwise", l,
                       found, text_of(description_.outcomes[o])));
    }
  }

  // After this call, checking states also collects the graph.
  void number_states() {
    WholeGraph whole;
    std::uint64_t states = 0;
    for_each_layer([&](std::size_t, const LoadedLayer& layer) {
      auto members = take(dd::count_members(layer.states, {.limits = options_.limits}));
      if (!members) return;
      whole.first_state.push_back(static_cast<std::uint32_t>(states));
      states += (*members)->below(0, layer.states.root());
      whole.counts.push_back(std::move(**members));
    });
    whole_ = std::move(whole);
  }

  std::uint32_t number_of(std::size_t l, const std::vector<dd::Value>& assignment) {
    const std::uint64_t place = place_of(assignment, layers_.at(l).states, whole_->counts[l]);
    return whole_->first_state[l] + static_cast<std::uint32_t>(place);
  }

  void check_cycles() {
    const ClaimedGraph& graph = whole_->graph;
    const CycleCheck check(graph);
    const bool cyclic = check.can_repeat();
    if (cyclic != manifest_.cyclic) {
      fail(fmt::format("states can{} repeat; the manifest says otherwise", cyclic ? "" : "not"));
    }
    preference_.emplace(description_, decides_);
    if (cyclic && !preference_->settles_cycles()) {
      return fail(
          "states can repeat, and the roles that decide are neither one nor two opposed ones: such "
          "a game has no values");
    }
    const Rewards endless;
    const auto states = check.without_end([&](std::uint32_t s) {
      return preference_->better(graph.movers[s], description_.outcomes[graph.values[s]], endless);
    });
    for (const std::uint32_t s : states) {
      const Rewards& value = description_.outcomes[graph.values[s]];
      if (!value.empty()) report_without_end(s, value);
    }
  }

  void report_without_end(std::uint32_t number, const Rewards& value) {
    const auto& first = whole_->first_state;
    const auto l = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), number) -
                                            first.begin() - 1);
    const auto assignment =
        member(layers_.at(l).states, whole_->counts[l], std::uint64_t{number} - first[l]);
    report(l, fmt::format("the value is {}, but play can continue forever", text_of(value)),
           code_->decode(assignment, fixed_[l]));
  }

  // A state as the diagrams encode it.
  struct Coded {
    machine::State outside;
    std::vector<dd::Value> assignment;
  };

  // Returns nullopt for a state that no diagram can hold.
  std::optional<Coded> coded(const machine::State& state) const {
    Coded result{code_->outside(state), std::vector<dd::Value>(code_->domains().size())};
    if (!code_->encode(state, result.assignment)) return std::nullopt;
    return result;
  }

  // What a layer claims about a state; nullopt if the state is not in it.
  std::optional<Claim> claim_in(std::size_t l, const Coded& state) {
    if (state.outside != fixed_[l]) return std::nullopt;
    const LoadedLayer* layer = load(l);
    if (!layer) return std::nullopt;
    Claim claim{l, layer->states.evaluate(state.assignment), 0, 0};
    if (claim.state == 0) return std::nullopt;
    claim.value = layer->values.evaluate(state.assignment);
    if (layer->distances) {
      const dd::NodeId distance = layer->distances->evaluate(state.assignment);
      claim.distance = distance < 2 ? for_ever : distance - 2;
      if (distance == 0) claim.value = 0;  // a missing distance invalidates the claim
    }
    return claim;
  }

  // With plies, the state must be in layer l; with distances, it is most likely near it.
  std::optional<Claim> claim(const Coded& state, std::size_t l) {
    const std::size_t layers = manifest_.layers.size();
    if (description_.layers == LayerKind::plies) {
      return l < layers ? claim_in(l, state) : std::nullopt;
    }
    for (std::size_t away = 0; away < layers + l; ++away) {
      const std::size_t before = l - away, behind = l + away;
      if (away <= l && before < layers) {
        if (const auto found = claim_in(before, state)) return found;
      }
      if (away > 0 && behind < layers) {
        if (const auto found = claim_in(behind, state)) return found;
      }
    }
    return std::nullopt;
  }

  void report(std::size_t l, const std::string& problem, const machine::State& state) {
    fail(
        fmt::format("layer {}: {}: {}", l, problem, fmt::join(stepper_->fluent_names(state), " ")));
  }

  void check_state(std::size_t l, const std::vector<dd::Value>& assignment) {
    ++result_.states_checked;
    const machine::State state = code_->decode(assignment, fixed_[l]);
    const auto code = coded(state);
    const auto here = code ? claim_in(l, *code) : std::nullopt;
    if (!here || here->value == 0 || here->value > description_.outcomes.size() ||
        here->state >= description_.state_constants()) {
      return report(l, "a state without a value", state);
    }
    const bool is_terminal = description_.is_terminal(here->state);
    if (stepper_->terminal(state) != is_terminal) {
      return report(l, is_terminal ? "not a terminal state" : "a terminal state", state);
    }
    const std::string problem =
        is_terminal ? terminal_problem(state, *here) : inner_problem(state, *here);
    if (!problem.empty()) return report(l, problem, state);
    if (whole_) add_to_graph(*here, is_terminal);
  }

  // The edges were added before.
  void add_to_graph(const Claim& here, bool is_terminal) {
    ClaimedGraph& graph = whole_->graph;
    graph.first_edge.push_back(graph.edges.size());
    graph.values.push_back(here.value - 1);
    graph.movers.push_back(is_terminal ? 0 : here.state - description_.mover_constant(0));
  }

  // Describes what is wrong with a claim; empty if nothing is.
  std::string terminal_problem(const machine::State& state, const Claim& here) {
    Rewards goals;
    for (std::size_t r = 0; r < machine_->roles().size(); ++r) {
      goals.push_back(base::reward_of(stepper_->goals(state, r)));
    }
    if (here.state != description_.terminal_constant(here.value - 1) ||
        description_.outcomes[here.value - 1] != goals) {
      return fmt::format("the value is {}, the goals are {}",
                         text_of(description_.outcomes[here.value - 1]), text_of(goals));
    }
    if (here.distance != 0) return "a terminal state has a distance from the end";
    return "";
  }

  std::string inner_problem(const machine::State& state, const Claim& here) {
    const std::size_t mover = here.state - description_.mover_constant(0);
    std::map<machine::Move, machine::State> successors;
    const std::string problem = follow(state, mover, successors);
    return problem.empty() ? value_problem(mover, successors, here) : problem;
  }

  // Finds the successors by the mover's move, and whether it decides. Describes what is wrong;
  // empty if nothing is.
  std::string follow(const machine::State& state, std::size_t mover,
                     std::map<machine::Move, machine::State>& successors) {
    bool others_decide = false;
    const bool complete = machine::for_each_joint_move(
        machine::all_legal_moves(*stepper_, state), [&](std::span<const machine::Move> joint) {
          const machine::State next = stepper_->next_state(state, joint);
          others_decide = successors.try_emplace(joint[mover], next).first->second != next;
          return !others_decide;
        });
    if (!complete || others_decide) return "the role that decides differs from the folder";
    if (successors.empty()) return "a role has no legal move";
    for (const auto& [move, next] : successors) {
      if (next != successors.begin()->second) decides_[mover] = true;
    }
    return "";
  }

  std::string value_problem(std::size_t mover,
                            const std::map<machine::Move, machine::State>& successors,
                            const Claim& here) {
    std::optional<Claim> best;
    for (const auto& [move, next] : successors) {
      const auto code = coded(next);
      const auto there = code ? claim(*code, here.layer + 1) : std::nullopt;
      if (!there || there->value == 0 || there->value > description_.outcomes.size()) {
        return fmt::format("the state after {} is missing", machine_->move_name(move));
      }
      if (whole_) whole_->graph.edges.push_back(number_of(there->layer, code->assignment));
      if (!best || is_better(mover, *there, *best)) best = there;
    }
    if (here.value != best->value) {
      return fmt::format("the value is {}, but that of the best successor is {}",
                         text_of(rewards(here)), text_of(rewards(*best)));
    }
    if (!description_.distances) return "";
    if (rewards(here).empty()) {
      return here.distance == for_ever ? "" : "endless play has a distance from the end";
    }
    const std::uint64_t expected = best->distance == for_ever ? for_ever : best->distance + 1;
    return here.distance == expected ? ""
                                     : "the distance is not that of the best successor plus one";
  }

  const Rewards& rewards(const Claim& claim) const {
    return description_.outcomes[claim.value - 1];
  }

  // With equal values, the shorter distance is better; for a role that gets less than another, the
  // longer one.
  bool is_better(std::size_t role, const Claim& a, const Claim& b) const {
    if (a.value != b.value) return preference_->better(role, rewards(a), rewards(b));
    const Rewards& both = rewards(a);
    if (both.empty()) return false;
    const bool wants_the_end = *std::max_element(both.begin(), both.end()) == both[role];
    return wants_the_end ? a.distance < b.distance : a.distance > b.distance;
  }

  static std::string text_of(const Rewards& rewards) {
    return rewards.empty() ? "endless play" : fmt::format("{}", fmt::join(rewards, " "));
  }

  std::optional<Preference> preference_;
  std::map<std::size_t, LoadedLayer> layers_;
  mpz_class all_states_;
  std::vector<bool> decides_;        // by role, whether it decides in some checked state
  std::optional<WholeGraph> whole_;  // if all states are checked and states may repeat
};

}  // namespace

base::Result<Verification> verify(const std::filesystem::path& folder,
                                  const VerifyOptions& options) {
  if (const StrategyFolder strategies(folder); strategies.finished())
    return verify_strategies(strategies, options);
  const SolutionFolder solution(folder);
  const auto description = solution.description();
  if (solution.finished() && description && description->solution_concept) {
    return verify_equilibria(solution, options);
  }
  return Verifier(solution, options).run();
}

}  // namespace zermelo::solve
