// A solution folder, opened for queries. Opening reads the manifest, the description and the rules.
// A query maps the files of the layers it visits and reads one block per level.
//
//   auto solution = SolutionReader::open("connect_four_solution");
//   auto position = solution->position(state, 0);
//   for (const MoveValue& move : position->moves) ...
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "solve/common/move_value.h"
#include "solve/folder/stored_layers.h"

namespace zermelo::solve {

struct StoredValue {
  std::size_t layer = 0;                  // where the state was found
  std::optional<std::size_t> decides;     // the role; any if none decides; nullopt if terminal
  Rewards rewards;                        // empty: play never ends
  std::optional<std::uint32_t> distance;  // moves to the end, if stored and finite
};

struct StoredPosition {
  StoredValue value;
  std::optional<std::size_t> turn;  // the role of the listed moves, see turn.h
  std::vector<MoveValue> moves;     // all legal ones, best first, equal ones by name
};

class SolutionReader {
 public:
  // Reads, grounds and compiles the rules of the folder. Fails at a limit, and so does a position
  // that is looked up later.
  static base::Result<SolutionReader> open(const std::filesystem::path& folder,
                                           const base::Limits& limits = {});
  // Requires that `machine` was compiled from the rules of the folder, as SolutionFolder::claim
  // checks. Does not parse or compile them again.
  static base::Result<SolutionReader> open(const std::filesystem::path& folder,
                                           std::shared_ptr<const machine::Machine> machine);

  const Description& description() const { return description_; }
  const Manifest& manifest() const { return layers_.manifest(); }
  std::shared_ptr<const machine::Machine> machine() const { return machine_; }

  // Searches the layer `near` first, then the others by distance from it. Fails with not_applicable
  // for a state that is not in the solution, and with unreadable_input if a file is damaged.
  base::Result<StoredValue> value(const machine::State& state, std::size_t near);
  base::Result<StoredPosition> position(const machine::State& state, std::size_t near);
  // Best moves from the state to the end. Empty if play never ends, or if states can repeat and the
  // folder has no distances, which tell the moves that make progress.
  base::Result<std::vector<MoveValue>> line(machine::State state, std::size_t near);

 private:
  using Part = SolutionFolder::Part;

  static base::Result<SolutionReader> open(SolutionFolder folder, Manifest manifest,
                                           std::shared_ptr<const machine::Machine> machine);
  SolutionReader(StoredLayers layers, Description description,
                 std::shared_ptr<const machine::Machine> machine);
  base::Result<StoredValue> read_value(const StoredLayers::Place& place);
  // Whether some move keeps the value and none is better. Detects exchanged files, whose checksums
  // are correct.
  bool is_consistent(const StoredPosition& position) const;

  StoredLayers layers_;
  Description description_;
  base::Limits limits_;
  std::shared_ptr<const machine::Machine> machine_;
  machine::Stepper stepper_;
};

}  // namespace zermelo::solve
