// Candidates for mutex groups come from three heuristics.
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
//
// A candidate must hold in all sampled states of random games. Candidates of heuristics 2 and 3
// must hold exactly once, since groups that are disjoint in the samples by chance are rarely worth
// a proof.

#include "analysis/mutex_candidates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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
      : samples_(samples), limits_(std::move(limits)) {
    for (const Functor& functor : functors_of(game)) {
      for (const Outputs& outputs : choices_of_outputs(functor.arity())) {
        propose_pattern(functor, outputs);
      }
    }
    propose_joined();
    propose_complements();
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
    std::map<Inputs, std::vector<Atom>> groups;
    for (std::size_t i = 0; i < functor.fluents.size(); ++i) {
      groups[inputs_of(functor.arguments[i], outputs)].push_back(functor.fluents[i]);
    }
    for (auto& [inputs, fluents] : groups) propose_group(inputs, std::move(fluents));
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

  static bool is_empty(const Occurrence& occurrence) {
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

  void add(std::vector<Atom> fluents, bool exactly_one) {
    std::sort(fluents.begin(), fluents.end());
    if (!known_.insert(fluents).second) return;
    result_.groups.push_back({std::move(fluents), exactly_one, result_.patterns});
  }

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
