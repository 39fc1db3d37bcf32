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

std::string printed(const gdl::Rulesheet& rules) { return gdl::print(rules, gdl::Syntax::prefix); }

}  // namespace

base::Result<void> require_rules_of(const std::filesystem::path& folder,
                                    const machine::Machine* machine) {
  const auto rules = solve::SolutionFolder(folder).rules();
  if (!rules) return tl::unexpected(rules.error());
  if (machine != nullptr && printed(*machine->game().rulesheet) == printed(**rules)) return {};
  return base::fail(base::ErrorKind::not_applicable,
                    "'" + folder.string() + "' is the solution of another game");
}

base::Result<std::shared_ptr<const eval::StateValues>> open_folder_values(
    const std::filesystem::path& folder, std::shared_ptr<const machine::Machine> machine) {
  if (auto same = require_rules_of(folder, machine.get()); !same) {
    return tl::unexpected(same.error());
  }
  auto solution = solve::SolutionReader::open(folder, std::move(machine));
  if (!solution) return tl::unexpected(solution.error());
  return std::make_shared<const FolderValues>(std::move(*solution));
}

}  // namespace zermelo::play
