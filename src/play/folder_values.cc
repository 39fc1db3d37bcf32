#include "play/folder_values.h"

#include <mutex>

#include "gdl/printer.h"
#include "solve/folder/solution_reader.h"

namespace zermelo::play {
namespace {

// The same rules ground to the same fluents, which are numbered in the order of their names. So
// states of the game and of the folder have the same numbers.
class FolderValues : public eval::StateValues {
 public:
  explicit FolderValues(solve::SolutionReader solution) : solution_(std::move(solution)) {}

  std::optional<eval::Rewards> value(const machine::State& state) const override {
    const auto stored = find(state);
    if (!stored || stored->rewards.empty()) return std::nullopt;
    return stored->rewards;
  }

  std::optional<std::uint32_t> distance(const machine::State& state) const override {
    const auto stored = find(state);
    return stored ? stored->distance : std::nullopt;
  }

  std::optional<base::Error> read_error() const override {
    const std::lock_guard lock(mutex_);
    return read_error_;
  }

  eval::OpponentModel model() const override { return solution_.description().model; }

 private:
  std::optional<solve::StoredValue> find(const machine::State& state) const {
    const std::lock_guard lock(mutex_);
    const auto stored = solution_.value(state, near_);
    if (!stored) {
      const bool is_unknown = stored.error().kind == base::ErrorKind::not_applicable;
      if (!is_unknown && !read_error_) read_error_ = stored.error();
      return std::nullopt;
    }
    near_ = stored->layer;
    return *stored;
  }

  mutable std::mutex mutex_;
  mutable solve::SolutionReader solution_;
  mutable std::optional<base::Error> read_error_;
  mutable std::size_t near_ = 0;  // layer of the last state that was found
};

std::string rules_of(const machine::Machine& machine) {
  return gdl::print(*machine.game().rulesheet, gdl::Syntax::prefix);
}

}  // namespace

base::Result<std::shared_ptr<const eval::StateValues>> open_folder_values(
    const std::filesystem::path& folder, std::shared_ptr<const machine::Machine> machine) {
  auto solution = solve::SolutionReader::open(folder);
  if (!solution) return tl::unexpected(solution.error());
  if (!machine || rules_of(*machine) != rules_of(*solution->machine())) {
    return base::fail(base::ErrorKind::not_applicable,
                      "'" + folder.string() + "' is the solution of another game");
  }
  return std::make_shared<const FolderValues>(std::move(*solution));
}

}  // namespace zermelo::play
