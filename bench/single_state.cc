// Steps per second of the single-state path: random games, in every state the legal moves of all
// roles, a joint move made and whether the game is over. Counts processor time, not the clock's.
//
//   single_state STEPS FILE...
//
// prints a line per file: steps per second, and the bytes of the program and of the game.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

#include "base/random.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"

namespace {

using namespace zermelo;

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// Chooses for every role; false when one has no move.
bool choose(machine::Cursor& cursor, base::Random& random, std::vector<machine::Move>& joint) {
  for (std::size_t role = 0; role < joint.size(); ++role) {
    const std::span<const machine::Move> legal = cursor.legal(role);
    if (legal.empty()) return false;
    joint[role] = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
  }
  return true;
}

void measure(const std::string& file, std::uint64_t steps) {
  auto game = ground::ground(testing::rulesheet_file(file));
  if (!game) {
    std::cout << file << " not grounded: " << game.error().message << std::endl;
    return;
  }
  const double start = processor_seconds();
  const auto machine = std::make_shared<const machine::Machine>(std::move(*game));
  const double made = processor_seconds();
  machine::Cursor cursor(machine);
  const machine::State initial = cursor.state();
  base::Random random(1);
  std::vector<machine::Move> joint(machine->roles().size());
  std::uint64_t games = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (cursor.terminal() || !choose(cursor, random, joint)) {
      cursor.reset(initial);
      ++games;
      continue;
    }
    cursor.make(joint);
  }
  const double seconds = processor_seconds() - made;
  std::cout << file << ' ' << static_cast<double>(steps - games) / seconds << " steps/s, "
            << machine->program().bytes() << " bytes, " << machine->program().phases.size()
            << " phases, compiled in " << made - start << " s" << std::endl;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::cerr << "usage: single_state STEPS FILE...\n";
    return 2;
  }
  const std::uint64_t steps = std::strtoull(arguments[1], nullptr, 10);
  for (int i = 2; i < count; ++i) measure(arguments[i], steps);
}
