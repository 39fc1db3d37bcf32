// The independent checker. It shares the reading of files and the machine with the solvers, and
// nothing else: not the enumeration of states, not the order of outcomes, not the evaluation.
//
// First the files: every checksum of the manifest, every block of every diagram, and the numbers of
// states. Then states, all of them or a sample drawn uniformly from each layer: a terminal state
// must have its goals; any other the value of the successor that the role to move likes best, and
// its distance; and every successor must be in the solution. The initial state is in it too, so a
// complete check proves that every reachable state is there, and for a game without cycles, by
// induction from the terminal states, that all values are right. With cycles the values are shown
// to be consistent, and the distances, if there, that what is promised is also reached.

#include "solve/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/random.h"
#include "dd/count.h"
#include "dd/file.h"
#include "ground/ground.h"
#include "machine/perft.h"
#include "solve/solution_folder.h"
#include "solve/state_code.h"
#include "solve/stored_solution.h"

namespace zermelo::solve {
namespace {

using Part = SolutionFolder::Part;
constexpr std::uint64_t for_ever = ~std::uint64_t{0};

// A layer in memory.
struct Layer {
  dd::Diagram states, values;
  std::optional<dd::Diagram> distances;
};

// What the folder says of a state.
struct Claim {
  dd::NodeId state = 0, value = 0;
  std::uint64_t distance = 0;
};

// The order of outcomes, from its definition in docs/manual.md.
class Preference {
 public:
  explicit Preference(const Description& description) : description_(description) {
    const auto& outcomes = description.outcomes;
    endless_is_even_ = description.roles.size() == 2;
    for (const Rewards& a : outcomes) {
      for (const Rewards& b : outcomes) {
        if (a.empty() || b.empty() || a == b || !endless_is_even_) continue;
        endless_is_even_ = better(0, a, b) == better(1, b, a);
      }
    }
  }

  // Whether the role likes the first better.
  bool better(std::size_t role, const Rewards& a, const Rewards& b) const {
    if (a == b) return false;
    if (a.empty()) return !better_than_endless(role, b);
    if (b.empty()) return better_than_endless(role, a);
    const auto [first_a, second_a] = wishes(role, a);
    const auto [first_b, second_b] = wishes(role, b);
    if (first_a != first_b) return first_a > first_b;
    if (second_a != second_b) return second_a > second_b;
    return a > b;
  }

 private:
  bool better_than_endless(std::size_t role, const Rewards& rewards) const {
    return !endless_is_even_ || rewards[role] >= rewards[1 - role];
  }

  std::pair<int, int> wishes(std::size_t role, const Rewards& rewards) const {
    const int own = rewards[role];
    int sum = -own;
    std::optional<int> best;
    for (std::size_t r = 0; r < rewards.size(); ++r) {
      sum += rewards[r];
      if (r != role) best = std::max(best.value_or(rewards[r]), rewards[r]);
    }
    if (description_.model == OpponentModel::own) return {own, -sum};
    return {own - best.value_or(0), own};
  }

  const Description& description_;
  bool endless_is_even_;
};

// A member of a set by its place in lexicographic order.
std::vector<dd::Value> member(const dd::Diagram& set, const dd::MemberCounts& counts,
                              std::uint64_t place) {
  std::vector<dd::Value> assignment;
  dd::NodeId id = set.root();
  for (std::size_t l = 0; l < set.variables(); ++l) {
    dd::Value value = 0;
    for (;; ++value) {
      const std::uint64_t below = counts.below(l + 1, set.child(l, id, value));
      if (place < below) break;
      place -= below;
    }
    assignment.push_back(value);
    id = set.child(l, id, value);
  }
  return assignment;
}

class Verifier {
 public:
  Verifier(SolutionFolder folder, const VerifyOptions& options)
      : folder_(std::move(folder)), options_(options), random_(options.seed) {}

  base::Result<Verification> run() {
    if (!folder_.finished()) {
      return base::fail(base::ErrorKind::unreadable_input,
                        fmt::format("'{}' holds no finished solution", folder_.path().string()));
    }
    if (read_texts() && read_files()) check_states();
    if (limit_) {
      return base::fail(*limit_,
                        fmt::format("stopped after checking {} states", result_.states_checked));
    }
    return std::move(result_);
  }

 private:
  void fail(std::string problem) {
    ++result_.failures_found;
    if (result_.failures.size() < options_.most_failures) {
      result_.failures.push_back(std::move(problem));
    }
  }

  // The value of a result, or nothing and a failure.
  template <class T>
  std::optional<T> take(base::Result<T> result) {
    if (result) return std::move(*result);
    fail(result.error().message);
    return std::nullopt;
  }

  // The value of a result that only a limit can prevent, or nothing and that limit.
  template <class T>
  std::optional<T> within_limits(base::Result<T> result) {
    if (result) return std::move(*result);
    limit_ = result.error().kind;
    return std::nullopt;
  }

  bool read_texts() {
    auto manifest = take(folder_.manifest());
    auto description = manifest ? take(folder_.description()) : std::nullopt;
    auto rules = description ? take(folder_.rules()) : std::nullopt;
    auto game = rules ? take(ground::ground(*rules)) : std::nullopt;
    auto code = game ? take(StateCode::make(*game, description->variables)) : std::nullopt;
    auto fixed = code ? take(fixed_fluents(*manifest, *game)) : std::nullopt;
    if (!fixed) return false;
    manifest_ = std::move(*manifest);
    description_ = std::move(*description);
    code_ = std::move(*code);
    fixed_ = std::move(*fixed);
    machine_ = std::make_shared<const machine::Machine>(std::move(*game));
    stepper_.emplace(machine_);
    preference_.emplace(description_);
    if (machine_->roles() != description_.roles) fail("the roles are not those of the rules");
    return result_.failures_found == 0;
  }

  // Every byte of every file. Layers stay in memory as long as they are needed.
  bool read_files() {
    mpz_class states = 0;
    for (std::size_t l = 0; l < manifest_.layers.size(); ++l) {
      const StoredLayer& stored = manifest_.layers[l];
      check_file(Part::states, l, stored.states_checksum);
      check_file(Part::values, l, stored.values_checksum);
      if (description_.distances) {
        check_file(Part::distances, l, stored.distances_checksum.value_or(0));
      }
      const Layer* layer = result_.failures_found == 0 ? load(l) : nullptr;
      if (!layer || stopped()) return false;
      states += check_counts(l, *layer);
      if (description_.layers == LayerKind::plies) layers_.clear();
    }
    result_.states = states.get_str();
    result_.exhaustive = states <= mpz_class(std::to_string(options_.exhaustive_up_to));
    all_states_ = states.get_d();
    return result_.failures_found == 0;
  }

  void check_file(Part part, std::size_t l, std::uint64_t expected) {
    const auto sum = take(dd::file_checksum(folder_.file(part, l)));
    if (sum && *sum != expected) {
      fail(fmt::format("'{}' is damaged: its checksum is not that of the manifest",
                       folder_.file(part, l).string()));
    }
  }

  const Layer* load(std::size_t l) {
    if (const auto known = layers_.find(l); known != layers_.end()) return &known->second;
    auto states = take(dd::load(folder_.file(Part::states, l)));
    auto values = states ? take(dd::load(folder_.file(Part::values, l))) : std::nullopt;
    if (!values) return nullptr;
    Layer layer{std::move(*states), std::move(*values), std::nullopt};
    if (description_.distances) {
      layer.distances = take(dd::load(folder_.file(Part::distances, l)));
      if (!layer.distances) return nullptr;
    }
    const bool fits = layer.states.domains() == code_->domains() &&
                      layer.values.domains() == code_->domains() &&
                      (!layer.distances || layer.distances->domains() == code_->domains());
    if (!fits) {
      fail(fmt::format("layer {}: the variables are not those of the description", l));
      return nullptr;
    }
    return &layers_.emplace(l, std::move(layer)).first->second;
  }

  mpz_class check_counts(std::size_t l, const Layer& layer) {
    mpz_class states = 0, terminal = 0;
    const auto counts = within_limits(layer.states.counts({.limits = options_.limits}));
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
    for (std::size_t l = 0; l < manifest_.layers.size() && !stopped(); ++l) {
      if (description_.layers == LayerKind::plies) layers_.erase(layers_.begin(), layers_.find(l));
      const Layer* layer = load(l);
      if (!layer) return;
      check_layer(l, *layer);
    }
  }

  void check_initial() {
    const machine::State initial = stepper_->initial_state();
    if (manifest_.layers.empty() || !claim(initial, 0)) fail("the initial state is missing");
  }

  void check_layer(std::size_t l, const Layer& layer) {
    const dd::Diagram states = layer.states;
    const auto members = within_limits(dd::count_members(states, {.limits = options_.limits}));
    if (!members) return;
    const std::optional<dd::MemberCounts>& counts = *members;
    if (!counts) return fail(fmt::format("layer {} has too many states to be checked", l));
    const std::uint64_t size = counts->below(0, states.root());
    const bool all = result_.exhaustive || size <= sample_of(size);
    by_value_.assign(description_.outcomes.size() + 1, 0);
    for (std::uint64_t i = 0; i < (all ? size : sample_of(size)) && !stopped(); ++i) {
      const std::uint64_t place = all ? i : random_.next() % size;
      check_state(l, member(states, *counts, place));
    }
    if (all && !limit_) check_values_counted(l);
  }

  // In proportion to the layer, but enough of small ones.
  std::uint64_t sample_of(std::uint64_t size) const {
    const double share = static_cast<double>(size) / all_states_;
    return 100 + static_cast<std::uint64_t>(share * static_cast<double>(options_.sample));
  }

  void check_values_counted(std::size_t l) {
    const std::vector<std::string>& stored = manifest_.layers[l].by_value;
    for (std::size_t o = 0; o < description_.outcomes.size(); ++o) {
      const std::string found = std::to_string(by_value_[o + 1]);
      if (o < stored.size() && stored[o] == found) continue;
      fail(fmt::format("layer {} has {} states with the value {}, not what the manifest says", l,
                       found, text_of(description_.outcomes[o])));
    }
  }

  // A state as the diagrams know it.
  struct Coded {
    machine::State outside;
    std::vector<dd::Value> assignment;
  };

  // Nothing for a state that no diagram can hold.
  std::optional<Coded> coded(const machine::State& state) const {
    Coded result{code_->outside(state), std::vector<dd::Value>(code_->domains().size())};
    if (!code_->encode(state, result.assignment)) return std::nullopt;
    return result;
  }

  // What a layer says of a state; nothing if it is not in it.
  std::optional<Claim> claim_in(std::size_t l, const Coded& state) {
    if (state.outside != fixed_[l]) return std::nullopt;
    const Layer* layer = load(l);
    if (!layer) return std::nullopt;
    Claim claim{layer->states.evaluate(state.assignment), 0, 0};
    if (claim.state == 0) return std::nullopt;
    claim.value = layer->values.evaluate(state.assignment);
    if (layer->distances) {
      const dd::NodeId distance = layer->distances->evaluate(state.assignment);
      claim.distance = distance < 2 ? for_ever : distance - 2;
    }
    return claim;
  }

  // In plies the state must be in that very layer; else it is most likely near it.
  std::optional<Claim> claim(const machine::State& state, std::size_t l) {
    const std::size_t layers = manifest_.layers.size();
    const auto code = coded(state);
    if (!code) return std::nullopt;
    if (description_.layers == LayerKind::plies) {
      return l < layers ? claim_in(l, *code) : std::nullopt;
    }
    for (std::size_t away = 0; away < layers + l; ++away) {
      const std::size_t before = l - away, behind = l + away;
      if (away <= l && before < layers) {
        if (const auto found = claim_in(before, *code)) return found;
      }
      if (away > 0 && behind < layers) {
        if (const auto found = claim_in(behind, *code)) return found;
      }
    }
    return std::nullopt;
  }

  void check_state(std::size_t l, const std::vector<dd::Value>& assignment) {
    ++result_.states_checked;
    const machine::State state = code_->decode(assignment, fixed_[l]);
    const auto code = coded(state);
    const auto here = code ? claim_in(l, *code) : std::nullopt;
    const auto report = [&](const std::string& problem) {
      fail(fmt::format("layer {}: {}: {}", l, problem,
                       fmt::join(stepper_->fluent_names(state), " ")));
    };
    if (!here || here->value == 0 || here->value > description_.outcomes.size() ||
        here->state >= description_.state_constants()) {
      return report("a state without a value");
    }
    ++by_value_[here->value];
    const bool is_terminal = description_.is_terminal(here->state);
    if (stepper_->terminal(state) != is_terminal) {
      return report(is_terminal ? "not a terminal state" : "a terminal state");
    }
    const std::string problem =
        is_terminal ? terminal_problem(state, *here) : inner_problem(l, state, *here);
    if (!problem.empty()) report(problem);
  }

  // What is wrong with a claim, or nothing.
  std::string terminal_problem(const machine::State& state, const Claim& here) {
    Rewards goals;
    for (std::size_t r = 0; r < machine_->roles().size(); ++r) {
      const std::vector<int> of_role = stepper_->goals(state, r);
      if (of_role.size() != 1) return "a terminal state without one goal for each role";
      goals.push_back(of_role.front());
    }
    if (here.state != description_.terminal_constant(here.value - 1) ||
        description_.outcomes[here.value - 1] != goals) {
      return fmt::format("the value is {}, the goals are {}",
                         text_of(description_.outcomes[here.value - 1]), text_of(goals));
    }
    if (here.distance != 0) return "a terminal state has a distance from the end";
    return "";
  }

  std::string inner_problem(std::size_t l, const machine::State& state, const Claim& here) {
    const std::size_t mover = here.state - description_.mover_constant(0);
    std::map<machine::Move, machine::State> successors;  // by the mover's move
    bool others_decide = false;
    const bool complete = machine::for_each_joint_move(
        machine::all_legal_moves(*stepper_, state), [&](std::span<const machine::Move> joint) {
          const machine::State next = stepper_->next_state(state, joint);
          others_decide = successors.try_emplace(joint[mover], next).first->second != next;
          return !others_decide;
        });
    if (!complete || others_decide) return "another role decides than the folder says";
    if (successors.empty()) return "a role has no legal move";
    return value_problem(l, mover, successors, here);
  }

  std::string value_problem(std::size_t l, std::size_t mover,
                            const std::map<machine::Move, machine::State>& successors,
                            const Claim& here) {
    std::optional<Claim> best;
    for (const auto& [move, next] : successors) {
      const auto there = claim(next, l + 1);
      if (!there || there->value == 0 || there->value > description_.outcomes.size()) {
        return fmt::format("the state after {} is missing", machine_->move_name(move));
      }
      if (!best || is_better(mover, *there, *best)) best = there;
    }
    if (here.value != best->value) {
      return fmt::format("the value is {}, that of the best successor is {}",
                         text_of(rewards(here)), text_of(rewards(*best)));
    }
    if (!description_.distances || rewards(here).empty()) return "";
    const std::uint64_t expected = best->distance == for_ever ? for_ever : best->distance + 1;
    return here.distance == expected ? ""
                                     : "the distance is not that of the best successor and one";
  }

  const Rewards& rewards(const Claim& claim) const {
    return description_.outcomes[claim.value - 1];
  }

  // Of equal values the nearer end, or the farther one for a role that gets less than another.
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

  bool stopped() {
    if (!limit_) limit_ = ++steps_ % 1024 == 1 ? options_.limits.exceeded() : std::nullopt;
    return limit_.has_value();
  }

  SolutionFolder folder_;
  const VerifyOptions& options_;
  base::Random random_;
  Manifest manifest_;
  Description description_;
  std::optional<StateCode> code_;
  std::vector<machine::State> fixed_;
  std::shared_ptr<const machine::Machine> machine_;
  std::optional<machine::Stepper> stepper_;
  std::optional<Preference> preference_;
  std::map<std::size_t, Layer> layers_;
  double all_states_ = 0;
  std::vector<std::uint64_t> by_value_;  // of a layer
  Verification result_;
  std::optional<base::ErrorKind> limit_;
  std::uint64_t steps_ = 0;
};

}  // namespace

base::Result<Verification> verify(const std::filesystem::path& folder,
                                  const VerifyOptions& options) {
  return Verifier(SolutionFolder(folder), options).run();
}

}  // namespace zermelo::solve
