// In a serial composition, a second game starts when the first one is over: its legal moves and its
// next values read a condition on the first game. So the dependency graph is connected, and
// subgames.cc finds a single subgame. What makes such a game easier is weaker and more general:
// there is a condition after which some fluents never change again.
//
// A candidate is an atom c of the rules, or its negation, that depends on the state alone. It is a
// stage if the rules prove that every fluent c depends on keeps its value in every step from a
// state in which c holds. Then c holds forever, and so do the values of all fluents of which the
// same is proved. The proof uses Kleene's logic of three values (rule_evaluator.h): c holds,
// constant fluents have their values, nothing else is known. Moves that are then surely illegal are
// not made. A fluent is kept if its next value surely is true if the fluent is, and surely is false
// if it is not; where that is undecided, the moves of each role are tried one by one, because a
// frame rule may list them.
//
// What the rest of the game still reads of a finished stage is found in the same three-valued view:
// from legal moves, next values of other fluents, the end and the goals, all undecided atoms are
// followed down to those that depend on fluents of the stage alone. In ticTacToeSerial these are
// the three results of the first board. Two states in which c holds and which agree on these
// conditions and on all other fluents have the same future.
//
// Candidates are chosen by random play: c must hold in some states and fail in others, and no
// fluent it depends on may ever change while it holds. Those with the most different values of the
// fluents that are then kept come first. A stage is reported if these values are more than the
// values of its conditions, so that it merges states. The numbers of states, candidates and proof
// steps are limited, so that the result does not depend on the machine.
#include "analysis/serial_stages.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <type_traits>

#include "analysis/rule_evaluator.h"
#include "base/limited_steps.h"
#include "base/random.h"
#include "machine/perft.h"

namespace zermelo::analysis {

using ground::Atom;
using ground::Literal;

namespace {

constexpr std::size_t most_samples = 2'000;
constexpr std::size_t least_samples = 100;
constexpr std::size_t max_sampled_literals = 20'000'000;
constexpr std::size_t max_sampled_atoms = 5'000'000;    // in all samples
constexpr std::size_t max_compared_words = 20'000'000;  // of samples, for all candidates
constexpr std::size_t max_support_words = 4'000'000;
constexpr std::size_t max_proved_candidates = 24;
constexpr std::size_t max_proof_literals = 100'000'000;

using FluentSet = base::BitSet;

bool is_subset(const FluentSet& a, const FluentSet& b) {
  for (std::size_t w = 0; w < a.words().size(); ++w) {
    if ((a.words()[w] & ~b.words()[w]) != 0) return false;
  }
  return true;
}

bool meets(const FluentSet& a, const FluentSet& b) {
  for (std::size_t w = 0; w < a.words().size(); ++w) {
    if ((a.words()[w] & b.words()[w]) != 0) return true;
  }
  return false;
}

// By fluent or derived atom that depends on the state alone: the fluents it depends on that are not
// constant.
class Supports {
 public:
  Supports(const ground::Game& game, const std::vector<bool>& is_constant)
      : supports_(game.first_after_does, FluentSet(game.fluents.size())) {
    for (Atom f = 0; f < game.fluents.size(); ++f) {
      if (!is_constant[f]) supports_[f].set(f);
    }
    bool changed = true;
    while (changed) {  // more than once for recursive rules only
      changed = false;
      for (Atom atom = game.first_derived; atom < game.first_after_does; ++atom) {
        const FluentSet before = supports_[atom];
        for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
          for (const Literal literal : game.body(rule))
            supports_[atom] |= supports_[literal.atom()];
        }
        changed |= supports_[atom] != before;
      }
      changed = changed && !game.recursive.empty();
    }
  }

  const FluentSet& operator[](Atom atom) const { return supports_[atom]; }

 private:
  std::vector<FluentSet> supports_;
};

struct StageCandidate {
  Literal over;
  std::size_t different = 0;  // values of the fluents that were kept
};

// A state of random play.
struct StageSample {
  FluentSet state;
  std::vector<std::uint8_t> values;  // by atom that depends on the state alone
  FluentSet changed;                 // by the next step
};

class StageSearch {
 public:
  // Throws base::LimitReached at a limit, like run().
  StageSearch(const std::shared_ptr<const machine::Machine>& machine,
              const circuit::CircuitFacts& facts, const base::Limits& limits)
      : machine_(machine),
        game_(machine->game()),
        steps_(limits, "looking for serial stages"),
        constant_(game_.fluents.size()),
        initial_(machine::Stepper(machine).initial_state()) {
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      constant_[f] = facts.lasting.constant[f].has_value();
    }
  }

  std::vector<SerialStage> run() {
    const std::size_t samples =
        std::min({most_samples, max_sampled_literals / (game_.literals.size() + 1),
                  max_sampled_atoms / (game_.first_after_does + 1)});
    const std::size_t words = (game_.fluents.size() + 63) / 64;
    if (samples < least_samples || game_.first_after_does * words > max_support_words) return {};
    supports_.emplace(game_, constant_);
    std::vector<SerialStage> stages;
    std::vector<FluentSet> covered;
    std::size_t proofs = 0;
    play(samples);
    for (const StageCandidate& candidate : candidates()) {
      const FluentSet& support = (*supports_)[candidate.over.atom()];
      const auto is_covered = [&](const FluentSet& set) { return is_subset(support, set); };
      if (std::any_of(covered.begin(), covered.end(), is_covered)) continue;
      if (++proofs > max_proved_candidates || proof_literals_ > max_proof_literals) break;
      auto stage = prove(candidate.over);
      if (!stage) continue;
      covered.emplace_back(game_.fluents.size());
      for (const Atom f : stage->fluents) covered.back().set(f);
      stages.push_back(std::move(*stage));
    }
    return stages;
  }

 private:
  // What random play suggests, the most promising first.
  std::vector<StageCandidate> candidates() {
    std::vector<StageCandidate> found;
    for (Atom atom = 0; atom < game_.first_after_does; ++atom) {
      const bool is_move = atom >= game_.fluents.size() && atom < game_.first_derived;
      if (is_move || (*supports_)[atom].count() == 0) continue;
      if (compared_words_ > max_compared_words) break;
      for (const bool negated : {false, true}) {
        const std::size_t different = different_values(Literal(atom, negated));
        if (different > 1) found.push_back({Literal(atom, negated), different});
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.different > b.different; });
    return found;
  }

  // How many different values the fluents have that were kept while the candidate held; 0 if random
  // play refutes it.
  std::size_t different_values(Literal over) {
    const FluentSet& support = (*supports_)[over.atom()];
    FluentSet changed(game_.fluents.size());
    std::size_t holds = 0;
    for (const StageSample& sample : samples_) {
      if (sample.values[over.atom()] == over.negated()) continue;
      if (meets(support, sample.changed)) return 0;
      changed |= sample.changed;
      ++holds;
    }
    if (holds == samples_.size()) return 0;
    return different_values(over, [&](const StageSample& sample) {
      FluentSet kept = sample.state;
      for (std::size_t w = 0; w < kept.words().size(); ++w) kept.words()[w] &= ~changed.words()[w];
      return kept;
    });
  }

  // How many different values a function of the samples in which the candidate holds has.
  template <class Function>
  std::size_t different_values(Literal over, const Function& value) {
    steps_.take(samples_.size());
    compared_words_ += samples_.size() * ((game_.fluents.size() + 63) / 64);
    std::set<std::invoke_result_t<Function, const StageSample&>> values;
    for (const StageSample& sample : samples_) {
      if (sample.values[over.atom()] != over.negated()) values.insert(value(sample));
    }
    return values.size();
  }

  void play(std::size_t count) {
    std::vector<Atom> roots;
    for (Atom atom = game_.first_derived; atom < game_.first_after_does; ++atom) {
      roots.push_back(atom);
    }
    const RuleEvaluator evaluator(game_, roots, [](Atom) { return false; });
    AtomBounds bounds(game_.atoms);
    base::Random random(1);
    machine::Cursor cursor(machine_);
    while (samples_.size() < count && !cursor.terminal()) {
      const FluentSet before = cursor.state();
      if (!make_random_move(cursor, random)) return;
      const FluentSet after = cursor.state();
      for (Atom f = 0; f < game_.fluents.size(); ++f) bounds.set(f, before.test(f));
      evaluator.derive(bounds);
      steps_.take(game_.literals.size());
      samples_.push_back({before, bounds.surely, before});
      samples_.back().values.resize(game_.first_after_does);
      for (std::size_t w = 0; w < after.words().size(); ++w) {
        samples_.back().changed.words()[w] ^= after.words()[w];
      }
      if (cursor.terminal()) cursor.reset(initial_);
    }
  }

  // False if a role has no legal move.
  bool make_random_move(machine::Cursor& cursor, base::Random& random) const {
    std::vector<machine::Move> joint;
    for (std::size_t role = 0; role < game_.roles.size(); ++role) {
      const auto legal = cursor.legal(role);
      if (legal.empty()) return false;
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    cursor.make(joint);
    return true;
  }

  std::optional<SerialStage> prove(Literal over) {
    AtomBounds bounds(game_.atoms);
    forget_all(bounds, over);
    find_possible_moves(bounds, over);
    SerialStage stage{over, {}, {}};
    const FluentSet& support = (*supports_)[over.atom()];
    FluentSet kept(game_.fluents.size());
    for (const bool is_needed : {true, false}) {
      for (Atom f = 0; f < game_.fluents.size(); ++f) {
        if (constant_[f] || support.test(f) != is_needed) continue;
        if (proof_literals_ > max_proof_literals) return std::nullopt;
        const bool is_kept = keeps(bounds, over, f);
        if (is_needed && !is_kept) return std::nullopt;
        if (is_kept) kept.set(f);
      }
    }
    kept.for_each([&](std::size_t f) { stage.fluents.push_back(static_cast<Atom>(f)); });
    stage.conditions = conditions(bounds, over, kept);
    return merges_states(stage, kept) ? std::optional(std::move(stage)) : std::nullopt;
  }

  // Whether random play met states that differ in the fluents of the stage, but not in the
  // conditions that matter.
  bool merges_states(const SerialStage& stage, const FluentSet& kept) {
    const std::size_t states = different_values(stage.over, [&](const StageSample& sample) {
      FluentSet local = sample.state;
      return local &= kept;
    });
    const std::size_t merged = different_values(stage.over, [&](const StageSample& sample) {
      std::vector<bool> values;
      for (const Atom atom : stage.conditions) values.push_back(sample.values[atom]);
      return values;
    });
    return merged < states;
  }

  // Nothing is known but the constants and the condition.
  void forget_all(AtomBounds& bounds, Literal over) const {
    for (Atom atom = 0; atom < game_.atoms; ++atom) bounds.forget(atom);
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (constant_[f]) bounds.set(f, initial_.test(f));
    }
    bounds.set(over.atom(), !over.negated());
  }

  void find_possible_moves(AtomBounds& bounds, Literal over) {
    const RuleEvaluator evaluator(game_, game_.legal, given(over));
    derive(evaluator, bounds);
    for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
      if (!bounds.possibly[game_.legal[m]]) bounds.set(game_.does(m), false);
    }
  }

  static std::function<bool(Atom)> given(Literal over) {
    return [atom = over.atom()](Atom a) { return a == atom; };
  }

  void derive(const RuleEvaluator& evaluator, AtomBounds& bounds) {
    evaluator.derive(bounds);
    proof_literals_ += 1 + evaluator.size();
    steps_.take(1 + evaluator.size());
  }

  // Whether the fluent keeps its value in every step. Leaves the bounds as they were, except for
  // derived atoms.
  bool keeps(AtomBounds& bounds, Literal over, Atom f) {
    const bool is_known = over.atom() == f;
    bool is_kept = true;
    for (const bool value : {true, false}) {
      if (is_known && value == over.negated()) continue;
      bounds.set(f, value);
      is_kept = is_kept && keeps_value(bounds, over, f, value);
    }
    if (!is_known) bounds.forget(f);
    return is_kept;
  }

  bool keeps_value(AtomBounds& bounds, Literal over, Atom f, bool value) {
    if (game_.next[f] == ground::no_atom) return !value;
    const RuleEvaluator evaluator(game_, {game_.next[f]}, given(over));
    const auto is_kept = [&] {
      derive(evaluator, bounds);
      return value ? bounds.surely[game_.next[f]] : !bounds.possibly[game_.next[f]];
    };
    if (is_kept()) return true;
    for (std::uint32_t role = 0; role < game_.roles.size(); ++role) {
      if (for_each_move(bounds, role, is_kept)) return true;
    }
    return false;
  }

  // Whether it holds for each possible move of the role.
  template <class Holds>
  bool for_each_move(AtomBounds& bounds, std::uint32_t role, const Holds& holds) {
    std::vector<Atom> possible;
    for (std::uint32_t m = game_.first_move_of[role]; m < game_.first_move_of[role + 1]; ++m) {
      if (bounds.possibly[game_.does(m)]) possible.push_back(game_.does(m));
    }
    for (const Atom does : possible) bounds.set(does, false);
    bool all = true;
    for (std::size_t i = 0; i < possible.size() && all; ++i) {
      bounds.set(possible[i], true);
      all = proof_literals_ <= max_proof_literals && holds();
      bounds.set(possible[i], false);
    }
    for (const Atom does : possible) bounds.forget(does);
    return all;
  }

  // The undecided atoms that depend on the kept fluents alone, below everything that is observed.
  std::vector<Atom> conditions(AtomBounds& bounds, Literal over, const FluentSet& kept) {
    std::vector<Atom> open = observed(kept);
    derive(RuleEvaluator(game_, open, given(over)), bounds);
    std::vector<bool> reached(game_.atoms);
    std::vector<Atom> found;
    while (!open.empty()) {
      const Atom atom = open.back();
      open.pop_back();
      const bool is_decided = bounds.surely[atom] || !bounds.possibly[atom];
      if (reached[atom] || is_decided) continue;
      reached[atom] = true;
      if (atom < game_.first_after_does && is_of(atom, kept)) {
        found.push_back(atom);
        continue;
      }
      if (atom < game_.first_derived) continue;
      for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
        if (!is_possible(bounds, rule)) continue;
        for (const Literal literal : game_.body(rule)) open.push_back(literal.atom());
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  bool is_of(Atom atom, const FluentSet& kept) const {
    const bool is_move = atom >= game_.fluents.size() && atom < game_.first_derived;
    return !is_move && is_subset((*supports_)[atom], kept);
  }

  bool is_possible(const AtomBounds& bounds, ground::RuleIndex rule) const {
    const auto body = game_.body(rule);
    return std::all_of(body.begin(), body.end(), [&](Literal literal) {
      return literal.negated() ? !bounds.surely[literal.atom()] : bounds.possibly[literal.atom()];
    });
  }

  std::vector<Atom> observed(const FluentSet& kept) const {
    std::vector<Atom> atoms = game_.legal;
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (!kept.test(f) && game_.next[f] != ground::no_atom) atoms.push_back(game_.next[f]);
    }
    if (game_.terminal != ground::no_atom) atoms.push_back(game_.terminal);
    for (const auto& of_role : game_.goals) {
      for (const ground::Game::Goal& goal : of_role) atoms.push_back(goal.atom);
    }
    return atoms;
  }

  const std::shared_ptr<const machine::Machine>& machine_;
  const ground::Game& game_;
  base::LimitedSteps steps_;
  std::vector<bool> constant_;  // by fluent
  const machine::State initial_;
  std::optional<Supports> supports_;
  std::vector<StageSample> samples_;
  std::size_t proof_literals_ = 0;
  std::size_t compared_words_ = 0;
};

}  // namespace

base::Result<std::vector<SerialStage>> find_serial_stages(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits) {
  const auto facts = machine->compiled()->facts(limits);
  if (!facts) return tl::unexpected(facts.error());
  return base::within_limits([&] { return StageSearch(machine, **facts, limits).run(); });
}

}  // namespace zermelo::analysis
