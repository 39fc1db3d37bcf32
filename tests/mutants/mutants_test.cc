// Mutation test: comparing the engines on random games must find faults in every pass of the
// optimiser, in the lowering to operations, and in the executors. Each fault of faults.txt must
// cause a difference between lanes and a Stepper that was built without the fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/exclusive_moves.h"
#include "ground/ground.h"
#include "lanes/sliced_games.h"
#include "machine/machine.h"
#include "support/compare_sliced.h"
#include "support/load.h"
#include "support/random_game.h"

int zermelo_fault = 0;

namespace zermelo::machine {
namespace {

constexpr std::uint64_t max_seeds = 1000;

struct Fault {
  int number;
  const char* file;
  const char* words;
  bool is_placed;  // the original text was found in the source
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.file << ": " << fault.words; }

const std::vector<Fault>& faults() {
  static const std::vector<Fault> list = {
#include "faults.inc"
  };
  return list;
}

// A random game and its stepper, built before any fault is enabled.
struct Twin {
  std::shared_ptr<const ground::Game> game;
  std::vector<std::vector<Move>> exclusive_moves;
  Stepper stepper;
};

Twin make_twin(std::uint64_t seed) {
  auto game = ground::ground(testing::rulesheet(testing::random_game(seed))).value();
  Stepper stepper(std::make_shared<const Machine>(ground::Game(game)));
  auto exclusive_moves = analysis::exclusive_moves(game);
  return {std::make_shared<const ground::Game>(std::move(game)), std::move(exclusive_moves),
          std::move(stepper)};
}

// The same games for all faults.
Twin& twin(std::uint64_t seed) {
  static std::vector<std::optional<Twin>> twins(max_seeds + 1);
  if (!twins[seed]) twins[seed] = make_twin(seed);
  return *twins[seed];
}

std::optional<std::string> difference(Twin& twin, lanes::LaneBackend backend) {
  const lanes::SlicedOptions options{
      .exclusive_moves = twin.exclusive_moves, .backend = backend, .observe_moves = true};
  const auto compiled = std::make_shared<const circuit::CompiledGame>(twin.game);
  const lanes::SlicedCode code(lanes::SlicedMachine::make(compiled, options).value());
  return testing::compare_sliced(code, twin.stepper, 24, 8, 5);
}

// Returns the first random game with a difference, over the programs of all executors.
std::optional<std::uint64_t> first_difference(int fault, std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    zermelo_fault = 0;
    Twin& game = twin(seed);
    zermelo_fault = fault;
    bool differs = false;
    for (const lanes::LaneBackend backend :
         {lanes::LaneBackend::interpreter, lanes::LaneBackend::avx2, lanes::LaneBackend::avx512}) {
      differs = differs || difference(game, backend).has_value();
    }
    zermelo_fault = 0;
    if (differs) return seed;
  }
  return std::nullopt;
}

TEST(Mutants, WithoutAFaultThereIsNoDifference) {
  EXPECT_EQ(first_difference(0, 100), std::nullopt);
}

TEST(Mutants, EveryFaultIsFoundInTheSource) {
  for (const Fault& fault : faults())
    EXPECT_TRUE(fault.is_placed) << ::testing::PrintToString(fault);
}

class Mutant : public ::testing::TestWithParam<Fault> {};

TEST_P(Mutant, IsFound) {
  const Fault& fault = GetParam();
  const auto seed = first_difference(fault.number, max_seeds);
  EXPECT_TRUE(seed.has_value()) << "not in " << max_seeds << " random games";
  if (seed) RecordProperty("seed", std::to_string(*seed));
}

std::string name_of(const ::testing::TestParamInfo<Fault>& info) {
  std::string name = info.param.file;
  name = name.substr(name.find('/') + 1);
  name.erase(name.find('.'));
  return name + "_" + std::to_string(info.param.number);
}

INSTANTIATE_TEST_SUITE_P(Faults, Mutant, ::testing::ValuesIn(faults()), name_of);

}  // namespace
}  // namespace zermelo::machine
