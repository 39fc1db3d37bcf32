// Plays random games on two engines at once and reports the first difference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/state_machine.h"

namespace zermelo::testing {

struct Comparison {
  std::uint64_t games = 0;                // played to the end, or to max_depth
  std::uint64_t states = 0;               // number of states compared
  std::uint64_t percepts = 0;             // number of percepts compared
  bool stopped = false;                   // `stop` returned true in the middle of a game
  std::optional<std::string> difference;  // the first one, with the moves that lead to it
};

struct ComparisonOptions {
  std::uint64_t games = 1;
  std::uint64_t seed = 1;
  std::size_t max_depth = 1000;
  std::function<bool()> stop = [] { return false; };  // called before every state
};

namespace detail {

template <base::StateMachine A, base::StateMachine B>
class EngineComparison {
 public:
  EngineComparison(A& a, B& b, const ComparisonOptions& options)
      : a_(a), b_(b), options_(options) {}

  Comparison run() {
    if (a_.roles() != b_.roles()) differ("roles", a_.roles(), b_.roles());
    for (std::uint64_t g = 0; g < options_.games && going(); ++g) play(g);
    return result_;
  }

 private:
  bool going() const { return !result_.difference && !result_.stopped; }

  void play(std::uint64_t game) {
    base::Random random(options_.seed + game);
    line_.clear();
    auto state_a = a_.initial_state();
    auto state_b = b_.initial_state();
    for (std::size_t depth = 0;; ++depth) {
      result_.stopped = options_.stop();
      if (result_.stopped || !same_state(state_a, state_b)) return;
      if (a_.terminal(state_a) || depth == options_.max_depth) break;
      std::vector<base::Move> joint_a, joint_b;
      if (!choose(random, state_a, state_b, joint_a, joint_b)) break;
      if (!same_percepts(state_a, state_b, joint_a, joint_b)) return;
      state_a = a_.next_state(state_a, joint_a);
      state_b = b_.next_state(state_b, joint_b);
    }
    if (going()) ++result_.games;
  }

  bool same_state(const typename A::State& state_a, const typename B::State& state_b) {
    ++result_.states;
    check("fluents", a_.fluent_names(state_a), b_.fluent_names(state_b));
    check("terminal", truth(a_.terminal(state_a)), truth(b_.terminal(state_b)));
    for (std::size_t r = 0; r < a_.roles().size(); ++r) {
      check("goals of " + a_.roles()[r], texts(a_.goals(state_a, r)), texts(b_.goals(state_b, r)));
      check("legal moves of " + a_.roles()[r], names(a_, a_.legal_moves(state_a, r)),
            names(b_, b_.legal_moves(state_b, r)));
    }
    return going();
  }

  bool same_percepts(const typename A::State& state_a, const typename B::State& state_b,
                     std::span<const base::Move> joint_a, std::span<const base::Move> joint_b) {
    if constexpr (base::PerceivingMachine<A> && base::PerceivingMachine<B>) {
      for (std::size_t r = 0; r < a_.roles().size(); ++r) {
        const auto seen_a = a_.percepts(state_a, joint_a, r);
        const auto seen_b = b_.percepts(state_b, joint_b, r);
        result_.percepts += seen_a.size();
        check("percepts of " + a_.roles()[r], percept_names(a_, seen_a), percept_names(b_, seen_b));
      }
    }
    return going();
  }

  bool choose(base::Random& random, const typename A::State& state_a,
              const typename B::State& state_b, std::vector<base::Move>& joint_a,
              std::vector<base::Move>& joint_b) {
    for (std::size_t r = 0; r < a_.roles().size(); ++r) {
      const auto legal_a = a_.legal_moves(state_a, r);
      const auto legal_b = b_.legal_moves(state_b, r);
      if (legal_a.empty()) return false;
      const std::uint32_t chosen = random.below(static_cast<std::uint32_t>(legal_a.size()));
      joint_a.push_back(legal_a[chosen]);
      joint_b.push_back(legal_b[chosen]);
      line_ += " " + std::string(a_.move_name(joint_a.back()));
    }
    line_ += ";";
    return true;
  }

  using Texts = std::vector<std::string>;

  static Texts truth(bool value) { return {value ? "yes" : "no"}; }
  static Texts texts(const std::vector<int>& values) {
    Texts result;
    for (const int value : values) result.push_back(std::to_string(value));
    return result;
  }
  template <class M>
  static Texts names(M& machine, const std::vector<base::Move>& moves) {
    Texts result;
    for (const base::Move move : moves) result.push_back(machine.move_name(move));
    return result;
  }

  template <class M>
  static Texts percept_names(M& machine, const std::vector<base::Percept>& percepts) {
    Texts result;
    for (const base::Percept percept : percepts) result.push_back(machine.percept_name(percept));
    return result;
  }

  void check(const std::string& what, const Texts& a, const Texts& b) {
    if (a != b && !result_.difference) differ(what, a, b);
  }

  void differ(const std::string& what, Texts a, Texts b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    result_.difference =
        what + " after" + line_ + " only first:" + missing(a, b) + " only second:" + missing(b, a);
  }
  static std::string missing(const Texts& from, const Texts& in) {
    Texts rest;
    std::set_difference(from.begin(), from.end(), in.begin(), in.end(), std::back_inserter(rest));
    std::string text;
    for (const std::string& entry : rest) text += " " + entry;
    return text;
  }

  A& a_;
  B& b_;
  const ComparisonOptions& options_;
  Comparison result_;
  std::string line_;
};

}  // namespace detail

// Compares fluents, terminal, goals and legal moves in every state of random games, and percepts if
// both engines have them.
template <base::StateMachine A, base::StateMachine B>
Comparison compare_engines(A& a, B& b, const ComparisonOptions& options) {
  return detail::EngineComparison<A, B>(a, b, options).run();
}

}  // namespace zermelo::testing
