// Persistent fluents: the paper's example, and proofs against all steps of small games.
#include "analysis/persistence.h"

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/reachable.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::analysis {
namespace {

using ground::Atom;
using testing::MachinePointer;

Persistence of_all(const MachinePointer& machine) {
  std::vector<Atom> fluents(machine->game().fluents.size());
  std::iota(fluents.begin(), fluents.end(), Atom{0});
  return find_persistent_fluents(machine, fluents, {.seconds = std::chrono::duration<double>(20)});
}

// A marked cell remains marked, and a cell that is not blank never becomes blank again.
TEST(Persistence, CellsOfTicTacToe) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  const auto by_name = machine->game().fluents_by_name();
  const Persistence found = of_all(machine);
  EXPECT_TRUE(found.finished);
  for (const char* cell : {"1 1", "2 3", "3 3"}) {
    for (const char* mark : {"x", "o"}) {
      const Atom fluent = by_name.at(std::string("(cell ") + cell + " " + mark + ")");
      EXPECT_TRUE(found.stays_true[fluent]);
      EXPECT_FALSE(found.stays_false[fluent]);
    }
    const Atom blank = by_name.at(std::string("(cell ") + cell + " b)");
    EXPECT_FALSE(found.stays_true[blank]);
    EXPECT_TRUE(found.stays_false[blank]);
  }
  EXPECT_FALSE(found.stays_true[by_name.at("(control x)")]);
  EXPECT_FALSE(found.stays_false[by_name.at("(control x)")]);
}

// Returns the number of proofs; every one of them is checked in all steps.
std::size_t check_all_steps(const MachinePointer& machine) {
  machine::Stepper stepper(machine);
  ReachableLimits limits;
  limits.max_states = 3'000;
  const auto graph = enumerate(stepper, limits);
  const Persistence found = of_all(machine);
  std::size_t proofs = 0;
  for (Atom fluent = 0; fluent < machine->game().fluents.size(); ++fluent) {
    proofs += (found.stays_true[fluent] ? 1u : 0u) + (found.stays_false[fluent] ? 1u : 0u);
    for (std::size_t i = 0; i < graph.expanded(); ++i) {
      for (auto e = graph.first_edge[i]; e < graph.first_edge[i + 1]; ++e) {
        const bool before = graph.states[i].test(fluent);
        const bool after = graph.states[graph.edges[e]].test(fluent);
        EXPECT_FALSE(found.stays_true[fluent] && before && !after);
        EXPECT_FALSE(found.stays_false[fluent] && !before && after);
      }
    }
  }
  return proofs;
}

TEST(Persistence, NoStepContradictsAProof) {
  std::size_t proofs = check_all_steps(testing::shipped("two_graphs"));
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    proofs += check_all_steps(testing::from_text(testing::random_game(seed)));
  }
  EXPECT_GT(proofs, 200u);
}

TEST(Persistence, StopsAtALimit) {
  const MachinePointer machine = testing::shipped("checkers");
  const Atom fluents[] = {0, 1, 2};
  const Persistence found = find_persistent_fluents(
      machine, fluents, {.limits = base::Limits(std::chrono::duration<double>(0), {})});
  EXPECT_FALSE(found.finished);
}

}  // namespace
}  // namespace zermelo::analysis
