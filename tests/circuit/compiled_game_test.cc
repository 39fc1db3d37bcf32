// What is derived from a game is derived once, whoever asks for it and when, and is the same as
// derived by itself.
#include "circuit/compiled_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "base/random.h"
#include "circuit/phases.h"
#include "ground/ground.h"
#include "lanes/sliced_machine.h"
#include "machine/machine.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::circuit {
namespace {

using ground::Atom;
using machine::State;

std::shared_ptr<const CompiledGame> compiled(const std::string& rules) {
  return std::make_shared<const CompiledGame>(ground::ground(testing::rulesheet(rules)).value());
}

// Control alternates, the light is on every third step, the steps are counted to 2, and a mark
// stays where a move puts it.
constexpr const char* turns =
    "(role a) (role b) (init (control a)) (init (light 0)) (init (step 0))\n"
    "(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))\n"
    "(<= (next (light 1)) (true (light 0))) (<= (next (light 2)) (true (light 1)))\n"
    "(<= (next (light 0)) (true (light 2)))\n"
    "(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))\n"
    "(legal a set) (legal a noop) (legal b noop)\n"
    "(<= (next marked) (does a set)) (<= (next marked) (true marked))\n"
    "(<= (next echo) (true marked))\n"
    "(<= terminal (true (step 2)) (true (light 0)) (true echo)) (<= (goal a 100) (true marked))\n"
    "(<= (goal b 100) (true (control b)))";

std::set<std::string> names(const ground::Game& game, const std::vector<Atom>& fluents) {
  std::set<std::string> result;
  for (const Atom fluent : fluents) result.insert(game.fluent_name(fluent));
  return result;
}

using Names = std::set<std::string>;

bool same(const GameCircuit& a, const GameCircuit& b) {
  if (a.circuit.size() != b.circuit.size()) return false;
  for (Node node = 0; node < a.circuit.size(); ++node) {
    if (!std::ranges::equal(a.circuit.wires(node), b.circuit.wires(node))) return false;
  }
  return a.fluents == b.fluents && a.does == b.does && a.legal == b.legal && a.next == b.next &&
         a.terminal == b.terminal;
}

base::Limits no_time() { return {std::chrono::duration<double>(0), std::nullopt}; }

TEST(AutonomousFluents, ControlLightAndSteps) {
  const auto game = compiled(turns);
  const AutonomousFluents& autonomous = game->autonomous();
  EXPECT_EQ(names(game->game(), autonomous.fluents()),
            (Names{"(control a)", "(control b)", "(light 0)", "(light 1)", "(light 2)", "(step 0)",
                   "(step 1)", "(step 2)"}));
  EXPECT_EQ(autonomous.parts().size(), 3u);
  const auto next = autonomous.after(autonomous.initial());
  EXPECT_EQ(names(game->game(), next), (Names{"(control b)", "(light 1)", "(step 1)"}));
}

TEST(AutonomousFluents, RecursionIsFollowed) {
  const auto game = compiled(
      "(role r) (init (at 0)) (legal r m) (legal r n) (link 0 1) (link 1 2) (link 2 0)\n"
      "(<= (reach ?x) (true (at ?x))) (<= (reach ?y) (reach ?x) (link ?x ?y) (true (open ?x)))\n"
      "(init (open 0)) (<= (next (open ?x)) (true (open ?x)))\n"
      "(<= (next (at ?x)) (reach ?x) (not (true (at ?x))))\n"
      "(<= terminal (true (at 2))) (goal r 100)");
  const AutonomousFluents& autonomous = game->autonomous();
  std::vector<Atom> now = autonomous.after(autonomous.initial());
  EXPECT_EQ(names(game->game(), now), (Names{"(at 1)", "(open 0)"}));
  now = autonomous.after(now);
  EXPECT_EQ(names(game->game(), now), (Names{"(open 0)"}));
}

std::vector<Atom> holding(const State& state, const std::vector<Atom>& among) {
  std::vector<Atom> result;
  std::copy_if(among.begin(), among.end(), std::back_inserter(result),
               [&](Atom fluent) { return state.test(fluent); });
  return result;
}

bool is_in(const State& state, const FixedFluents& phase) {
  for (Atom fluent = 0; fluent < phase.size(); ++fluent) {
    if (phase[fluent] && *phase[fluent] != state.test(fluent)) return false;
  }
  return true;
}

// Whatever is played: the clock of the diagrams and the phases of random play both rely on it.
TEST(AutonomousFluents, RunByThemselvesInRandomGames) {
  std::size_t fluents = 0, phases = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto game = compiled(testing::random_game(seed));
    const auto machine = machine::Machine::make(game, {}).value();
    machine::Stepper stepper(machine);
    const AutonomousFluents& autonomous = game->autonomous();
    const auto facts = game->facts().value();
    fluents += autonomous.fluents().size();
    phases += facts->phases.size();
    base::Random random(seed);
    for (int play = 0; play < 4; ++play) {
      State state = stepper.initial_state();
      std::vector<Atom> expected = autonomous.initial();
      for (std::size_t step = 0; step < 20; ++step) {
        ASSERT_EQ(holding(state, autonomous.fluents()), expected) << "seed " << seed;
        ASSERT_TRUE(is_in(state, facts->phases[step % facts->phases.size()])) << "seed " << seed;
        if (stepper.terminal(state)) break;
        std::vector<base::Move> joint;
        for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
          const auto legal = stepper.legal_moves(state, role);
          joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        state = stepper.next_state(state, joint);
        expected = autonomous.after(expected);
      }
    }
  }
  EXPECT_GT(fluents, 1'000u);
  EXPECT_GT(phases, 200u);
}

TEST(Phases, RepeatAfterTheLeastCommonMultiple) {
  const auto game = compiled(turns);
  const auto facts = game->facts().value();
  ASSERT_EQ(facts->phases.size(), 6u);  // steps do not come back, so they are not fixed
  const auto fixed = std::count_if(facts->phases[0].begin(), facts->phases[0].end(),
                                   [](const auto& value) { return value.has_value(); });
  EXPECT_EQ(fixed, 5);
}

TEST(CompiledGame, PartsAreThoseDerivedFromTheRulesOneByOne) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto game = compiled(testing::random_game(seed));
    const GameCircuit whole =
        build_circuit(game->game(), FixedFluents(game->game().fluents.size()));
    EXPECT_TRUE(same(*game->whole().value(), whole));
    const auto facts = game->facts().value();
    EXPECT_EQ(facts->lasting.constant, find_lasting(game->game(), whole).constant);
    const bool plain_first = seed % 2 == 0;
    if (plain_first) {
      ASSERT_TRUE(game->phase_circuits());
    }
    const auto reduced = game->reduced_circuits().value();
    const auto plain = game->phase_circuits().value();
    ASSERT_EQ(plain->size(), facts->phases.size());
    ASSERT_EQ(reduced->size(), facts->phases.size());
    for (std::size_t k = 0; k < facts->phases.size(); ++k) {
      GameCircuit expected = build_circuit(game->game(), facts->phases[k]);
      EXPECT_TRUE(same(*(*plain)[k], expected)) << "seed " << seed;
      share_pairs(expected);
      EXPECT_TRUE(same(*(*reduced)[k], expected)) << "seed " << seed;
    }
  }
}

TEST(CompiledGame, ManyThreadsGetTheSameParts) {
  constexpr std::size_t askers = 8;
  const auto game = compiled(testing::random_game(7));
  std::vector<std::vector<const void*>> seen(askers);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < askers; ++i) {
    threads.emplace_back([&, i] {
      seen[i] = {&game->autonomous(), game->reduced_circuits().value().get(),
                 game->phase_circuits().value().get(), game->whole().value().get(),
                 game->facts().value().get()};
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& parts : seen) EXPECT_EQ(parts, seen[0]);
}

TEST(CompiledGame, UsersShareTheParts) {
  const auto game = compiled(turns);
  const auto machine = machine::Machine::make(game, {}).value();
  EXPECT_EQ(machine->compiled(), game);
  EXPECT_EQ(&machine->game(), &game->game());
  const auto whole = game->whole().value();
  const auto sliced = lanes::SlicedMachine::make(machine->compiled()).value();
  EXPECT_EQ(&sliced->game(), &game->game());
  EXPECT_EQ(game->whole().value(), whole);
  EXPECT_EQ(sliced->phases().size(), 6u);
}

TEST(CompiledGame, TheOnlyPhaseOfAGameWithoutIsTheWholeCircuit) {
  const auto game = compiled(
      "(role r) (init off) (legal r m) (legal r n) (<= (next on) (does r m))\n"
      "(<= (next off) (does r n)) (<= terminal (true on)) (goal r 100)");
  const auto circuits = game->phase_circuits().value();
  ASSERT_EQ(circuits->size(), 1u);
  EXPECT_EQ((*circuits)[0], game->whole().value());
}

TEST(CompiledGame, ALimitIsNotRemembered) {
  const auto game = compiled(turns);
  const auto error = [](const auto& result) { return result.error().kind; };
  const auto time_limit = base::ErrorKind::time_limit;
  EXPECT_EQ(error(game->whole(no_time())), time_limit);
  EXPECT_EQ(error(game->facts(no_time())), time_limit);
  EXPECT_EQ(error(game->phase_circuits(no_time())), time_limit);
  EXPECT_EQ(error(game->reduced_circuits(no_time())), time_limit);
  EXPECT_EQ(error(machine::Machine::make(game, no_time())), time_limit);
  EXPECT_TRUE(game->whole());
  EXPECT_TRUE(game->whole(no_time()));  // it is there now
  EXPECT_EQ(error(game->phase_circuits(no_time())), time_limit);
  EXPECT_TRUE(game->phase_circuits());
  EXPECT_TRUE(game->reduced_circuits());
  EXPECT_TRUE(game->phase_circuits(no_time()));
  EXPECT_TRUE(machine::Machine::make(game, {}));
}

// Making circuits ends at every check of the limits, and the checks go on to the end.
TEST(CompiledGame, EveryCheckOfALimitEndsTheWork) {
  const auto rules = testing::rulesheet_file(ZERMELO_ROOT "/games/checkers.kif");
  const auto game = std::make_shared<const ground::Game>(ground::ground(rules).value());
  int checks = 0;
  base::Limits counting;
  counting.end_when([&] { return ++checks < 0; });
  ASSERT_TRUE(CompiledGame(game).whole(counting));
  const int for_whole = checks;
  ASSERT_TRUE(CompiledGame(game).reduced_circuits(counting));
  EXPECT_GT(for_whole, 5);
  EXPECT_GT(checks, 3 * for_whole);
  for (int last = 1; last <= for_whole; last += 3) {
    std::atomic<int> left = last;
    base::Limits limits;
    limits.end_when([&] { return --left <= 0; });
    const auto stopped = CompiledGame(game).reduced_circuits(limits);
    ASSERT_FALSE(stopped) << last;
    EXPECT_EQ(stopped.error().kind, base::ErrorKind::time_limit);
  }
}

TEST(Lazy, IsMadeOnceByOneOfManyThreads) {
  Lazy<int> lazy([](const int&) { return true; });
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto value = lazy.get({}, [&]() -> base::Result<int> {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        return ++made;
      });
      EXPECT_EQ(**value, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
}

TEST(Lazy, OneWhoWaitsHasLimitsOfItsOwnAndTriesAfterAFailure) {
  Lazy<int> lazy([](const int&) { return true; });
  std::atomic<bool> begun = false, may_end = false;
  std::thread first([&] {
    const auto failed = lazy.get({}, [&]() -> base::Result<int> {
      begun = true;
      while (!may_end) std::this_thread::yield();
      return base::fail(base::ErrorKind::time_limit, "too slow");
    });
    EXPECT_FALSE(failed);
  });
  while (!begun) std::this_thread::yield();
  const auto two = [] { return base::Result<int>(2); };
  EXPECT_EQ(lazy.get(no_time(), two).error().kind, base::ErrorKind::time_limit);
  std::thread second([&] { EXPECT_EQ(**lazy.get({}, two), 2); });
  may_end = true;
  first.join();
  second.join();
  EXPECT_EQ(*lazy.known(), 2);
}

TEST(Lazy, WhatIsNotKeptLivesWhileItIsHeld) {
  Lazy<int> lazy([](const int& value) { return value > 2; });
  int made = 0;
  const auto make = [&] { return base::Result<int>(++made); };
  auto held = lazy.get({}, make).value();
  EXPECT_EQ(lazy.get({}, make).value(), held);
  held.reset();
  EXPECT_EQ(lazy.known(), nullptr);
  EXPECT_EQ(*lazy.get({}, make).value(), 2);
  EXPECT_EQ(*lazy.get({}, make).value(), 3);
  EXPECT_EQ(*lazy.known(), 3);
  EXPECT_EQ(*lazy.get({}, make).value(), 3);
}

}  // namespace
}  // namespace zermelo::circuit
