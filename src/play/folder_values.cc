#include "play/folder_values.h"

#include <mutex>

#include "solve/stored_solution.h"

namespace zermelo::play {
namespace {

class FolderValues : public eval::StateValues {
 public:
  FolderValues(solve::StoredSolution solution, std::vector<std::uint32_t> fluent_of)
      : solution_(std::move(solution)), fluent_of_(std::move(fluent_of)) {}

  std::optional<eval::Rewards> value(const machine::State& state) const override {
    const auto stored = find(state);
    if (!stored || stored->rewards.empty()) return std::nullopt;
    return stored->rewards;
  }

  std::optional<std::uint32_t> distance(const machine::State& state) const override {
    const auto stored = find(state);
    return stored ? stored->distance : std::nullopt;
  }

 private:
  std::optional<solve::StoredValue> find(const machine::State& state) const {
    machine::State theirs(solution_.machine()->game().fluents.size());
    state.for_each([&](std::size_t fluent) { theirs.set(fluent_of_[fluent]); });
    const std::lock_guard lock(mutex_);
    const auto stored = solution_.value(theirs, near_);
    if (!stored) return std::nullopt;
    near_ = stored->layer;
    return *stored;
  }

  mutable std::mutex mutex_;
  mutable solve::StoredSolution solution_;
  mutable std::size_t near_ = 0;          // the layer of the last state
  std::vector<std::uint32_t> fluent_of_;  // by fluent of the game, the folder's
};

}  // namespace

base::Result<std::shared_ptr<const eval::StateValues>> open_folder_values(
    const std::filesystem::path& folder, std::shared_ptr<const machine::Machine> machine) {
  auto solution = solve::StoredSolution::open(folder);
  if (!solution) return tl::unexpected(solution.error());
  const auto other_game = [&] {
    return base::fail(base::ErrorKind::not_applicable,
                      "'" + folder.string() + "' is the solution of another game");
  };
  const ground::Game& theirs = solution->machine()->game();
  if (!machine || machine->roles() != solution->machine()->roles()) return other_game();
  const auto known = theirs.fluents_by_name();
  std::vector<std::uint32_t> fluent_of;
  for (ground::Atom f = 0; f < machine->game().fluents.size(); ++f) {
    const auto found = known.find(machine->game().fluent_name(f));
    if (found == known.end()) return other_game();
    fluent_of.push_back(found->second);
  }
  return std::make_shared<const FolderValues>(std::move(*solution), std::move(fluent_of));
}

}  // namespace zermelo::play
