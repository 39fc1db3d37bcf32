// Candidates for mutex groups come from four heuristics.
//
// 1. Input and output arguments (Kissmann and Edelkamp, "Symbolic Exploration for General Game
//    Playing in PDDL"): in cell(X, Y, Content) the first two arguments are inputs and the last is
//    an output if every cell has one content. Every choice of output arguments of every functor is
//    a pattern; it has a group per combination of inputs. The paper decides per functor; here each
//    combination of inputs is a candidate of its own, so that one irregular cell does not spoil the
//    board.
// 2. Functors with common inputs: white(X, Y), black(X, Y) and empty(X, Y) are one group per
//    cell. Groups with the same inputs are joined as long as no sampled state has two of them.
// 3. Complements: two groups of which one holds exactly where the other does not.
// 4. Phases: fluents without arguments that follow each other, as "move" and "shoot" in turns.
//
// A candidate must hold in all sampled states of random games. Candidates of heuristics 2 to 4
// must hold exactly once, since groups that are disjoint in the samples by chance are rarely worth
// a proof.

#include "analysis/mutex_candidates.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace zermelo::analysis {

namespace {

using ground::Atom;
using TermNumber = std::uint32_t;

// Gives equal terms equal numbers.
class TermNumbers {
 public:
  TermNumber number(const gdl::Term& term) {
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(term.name)};
    for (const gdl::Term& argument : term.arguments) key.push_back(number(argument));
    return numbers_.emplace(std::move(key), static_cast<TermNumber>(numbers_.size())).first->second;
  }

 private:
  std::map<std::vector<std::uint32_t>, TermNumber> numbers_;
};

struct Functor {
  std::vector<Atom> fluents;
  std::vector<std::vector<TermNumber>> arguments;  // by position in `fluents`
  std::size_t arity() const { return arguments.front().size(); }
};

std::vector<Functor> functors_of(const ground::Game& game) {
  TermNumbers numbers;
  std::map<std::pair<gdl::Symbol, std::size_t>, Functor> functors;
  for (Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
    const gdl::Term& term = game.fluents[fluent];
    Functor& functor = functors[{term.name, term.arguments.size()}];
    functor.fluents.push_back(fluent);
    std::vector<TermNumber>& arguments = functor.arguments.emplace_back();
    for (const gdl::Term& argument : term.arguments) arguments.push_back(numbers.number(argument));
  }
  std::vector<Functor> result;
  for (auto& [name, functor] : functors) result.push_back(std::move(functor));
  return result;
}

// Which arguments are outputs.
using Outputs = std::vector<bool>;

// Replaces numbers by their ranks; returns how many different ones there are.
std::uint64_t replace_by_ranks(std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> ranks = numbers;
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  for (std::uint64_t& number : numbers) {
    const auto place = std::lower_bound(ranks.begin(), ranks.end(), number);
    number = static_cast<std::uint64_t>(place - ranks.begin());
  }
  return ranks.size();
}

// A number for every fluent of the functor: equal if the inputs are, and ordered like the inputs.
std::vector<std::uint64_t> input_keys(const Functor& functor, const Outputs& outputs) {
  std::vector<std::uint64_t> keys(functor.fluents.size(), 0);
  std::uint64_t bound = 1;  // all keys are smaller
  for (std::size_t argument = 0; argument < outputs.size(); ++argument) {
    if (outputs[argument]) continue;
    std::uint64_t values = 1;
    for (const auto& arguments : functor.arguments)
      values = std::max<std::uint64_t>(values, arguments[argument] + 1);
    if (bound > std::numeric_limits<std::uint64_t>::max() / values) bound = replace_by_ranks(keys);
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = keys[i] * values + functor.arguments[i][argument];
    bound *= values;
  }
  return keys;
}

std::vector<Outputs> all_choices(std::size_t arity) {
  std::vector<Outputs> choices;
  for (std::uint32_t bits = 0; bits < 1u << arity; ++bits) {
    Outputs& outputs = choices.emplace_back(arity);
    for (std::size_t i = 0; i < arity; ++i) outputs[i] = bits >> i & 1;
  }
  return choices;
}

// Beyond this arity, only no, all, one or all but one arguments are tried as outputs.
constexpr std::size_t max_arguments_to_combine = 5;

std::vector<Outputs> choices_of_outputs(std::size_t arity) {
  if (arity <= max_arguments_to_combine) return all_choices(arity);
  std::vector<Outputs> choices{Outputs(arity, false), Outputs(arity, true)};
  for (const bool single : {true, false}) {
    for (std::size_t i = 0; i < arity; ++i) {
      Outputs& outputs = choices.emplace_back(arity, !single);
      outputs[i] = single;
    }
  }
  return choices;
}

class Proposer {
 public:
  Proposer(const ground::Game& game, const MutexSamples& samples, ProofLimits limits)
      : game_(game), samples_(samples), limits_(std::move(limits)) {
    for (const Functor& functor : functors_of(game)) {
      for (const Outputs& outputs : choices_of_outputs(functor.arity())) {
        propose_pattern(functor, outputs);
      }
    }
    propose_joined();
    propose_complements();
    propose_phases();
  }

  MutexCandidates take() {
    result_.stopped = limits_.exceeded();
    return std::move(result_);
  }

 private:
  using Inputs = std::vector<TermNumber>;
  struct Part {
    std::vector<Atom> fluents;
    Occurrence occurrence;
  };

  void propose_pattern(const Functor& functor, const Outputs& outputs) {
    if (limits_.exceeded()) return;
    const std::vector<std::uint64_t> keys = input_keys(functor, outputs);
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      std::vector<Atom> fluents;
      for (; end < order.size() && keys[order[end]] == keys[order[begin]]; ++end)
        fluents.push_back(functor.fluents[order[end]]);
      if (fluents.size() == 1 && is_empty(samples_.row(fluents[0]))) continue;
      propose_group(inputs_of(functor.arguments[order[begin]], outputs), std::move(fluents));
    }
    ++result_.patterns;
  }

  static Inputs inputs_of(const std::vector<TermNumber>& arguments, const Outputs& outputs) {
    Inputs inputs;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!outputs[i]) inputs.push_back(arguments[i]);
    }
    return inputs;
  }

  void propose_group(const Inputs& inputs, std::vector<Atom> fluents) {
    std::optional<Occurrence> occurrence = disjoint_occurrence(fluents);
    if (!occurrence) return;
    const bool exactly_one = samples_.everywhere(*occurrence);
    if (exactly_one || fluents.size() > 1) add(fluents, exactly_one);
    if (exactly_one || is_empty(*occurrence)) return;
    parts_[inputs].push_back({std::move(fluents), std::move(*occurrence)});
  }

  std::optional<Occurrence> disjoint_occurrence(const std::vector<Atom>& fluents) const {
    Occurrence occurrence = samples_.nowhere();
    for (const Atom fluent : fluents) {
      if (!MutexSamples::add_disjoint(occurrence, samples_.row(fluent))) return std::nullopt;
    }
    return occurrence;
  }

  static bool is_empty(std::span<const std::uint64_t> occurrence) {
    return std::all_of(occurrence.begin(), occurrence.end(), [](auto word) { return word == 0; });
  }

  void propose_joined() {
    for (auto& [inputs, parts] : parts_) {
      if (limits_.exceeded()) return;
      std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return a.fluents.size() > b.fluents.size();
      });
      propose_join_of(parts);
    }
    ++result_.patterns;
  }

  void propose_join_of(const std::vector<Part>& parts) {
    Part joined = parts.front();
    for (const Part& part : parts) {
      Occurrence both = joined.occurrence;
      if (!MutexSamples::add_disjoint(both, part.occurrence)) continue;
      joined.occurrence = std::move(both);
      joined.fluents.insert(joined.fluents.end(), part.fluents.begin(), part.fluents.end());
    }
    if (samples_.everywhere(joined.occurrence)) add(std::move(joined.fluents), true);
  }

  void propose_complements() {
    std::map<Occurrence, const Part*> by_occurrence;
    for (const auto& [inputs, parts] : parts_) {
      for (const Part& part : parts) by_occurrence.emplace(part.occurrence, &part);
    }
    for (const auto& [occurrence, part] : by_occurrence) {
      if (limits_.exceeded()) return;
      const auto other = by_occurrence.find(samples_.complement(occurrence));
      if (other == by_occurrence.end()) continue;
      std::vector<Atom> fluents = part->fluents;
      fluents.insert(fluents.end(), other->second->fluents.begin(), other->second->fluents.end());
      add(std::move(fluents), true);
    }
    ++result_.patterns;
  }

  void propose_phases() {
    std::vector<Atom> constants;
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (game_.fluents[fluent].arguments.empty()) constants.push_back(fluent);
    }
    for (const Atom fluent : constants) {
      if (!std::binary_search(game_.initial.begin(), game_.initial.end(), fluent)) continue;
      std::vector<Atom> phases = successors_of(fluent, constants);
      const auto occurrence = disjoint_occurrence(phases);
      if (phases.size() > 1 && occurrence && samples_.everywhere(*occurrence))
        add(std::move(phases), true);
    }
    ++result_.patterns;
  }

  // The first fluent and all constants that only follow it or each other.
  std::vector<Atom> successors_of(Atom first, const std::vector<Atom>& constants) const {
    std::vector<Atom> phases{first};
    for (bool changed = true; changed;) {
      changed = false;
      for (const Atom fluent : constants) {
        if (std::find(phases.begin(), phases.end(), fluent) != phases.end() ||
            !only_follows(fluent, phases)) {
          continue;
        }
        phases.push_back(fluent);
        changed = true;
      }
    }
    return phases;
  }

  // Whether every rule for the next value of the fluent requires one of some fluents.
  bool only_follows(Atom fluent, const std::vector<Atom>& fluents) const {
    const Atom next = game_.next[fluent];
    if (next == ground::no_atom || next < game_.first_derived) return false;
    for (ground::RuleIndex rule = game_.rules_begin(next); rule < game_.rules_end(next); ++rule) {
      const auto body = game_.body(rule);
      if (std::none_of(body.begin(), body.end(), [&](ground::Literal literal) {
            return !literal.negated() &&
                   std::find(fluents.begin(), fluents.end(), literal.atom()) != fluents.end();
          })) {
        return false;
      }
    }
    return true;
  }

  void add(std::vector<Atom> fluents, bool exactly_one) {
    std::sort(fluents.begin(), fluents.end());
    if (!known_.insert(fluents).second) return;
    result_.groups.push_back({std::move(fluents), exactly_one, result_.patterns});
  }

  const ground::Game& game_;
  const MutexSamples& samples_;
  ProofLimits limits_;
  MutexCandidates result_;
  std::map<Inputs, std::vector<Part>> parts_;  // from which joins and complements are built
  std::set<std::vector<Atom>> known_;
};

}  // namespace

MutexCandidates propose_mutex_groups(const ground::Game& game, const MutexSamples& samples,
                                     ProofLimits limits) {
  return Proposer(game, samples, std::move(limits)).take();
}

}  // namespace zermelo::analysis
