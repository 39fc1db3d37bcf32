#include "solve/verify/folder_check.h"

#include <fmt/format.h>

#include "base/error_name.h"
#include "dd/file.h"
#include "ground/ground.h"
#include "solve/folder/stored_layers.h"

namespace zermelo::solve {

void FolderCheck::fail(std::string problem) {
  ++result_.failures_found;
  if (result_.failures.size() < options_.max_failures) {
    result_.failures.push_back(std::move(problem));
  }
}

bool FolderCheck::stopped() {
  if (!limit_) limit_ = ++steps_ % 1024 == 1 ? options_.limits.exceeded() : std::nullopt;
  return limit_.has_value();
}

bool FolderCheck::read_texts() {
  auto manifest = take(folder_.manifest());
  auto description = manifest ? take(folder_.description()) : std::nullopt;
  auto rules = description ? take(folder_.rules()) : std::nullopt;
  auto game = rules ? take(ground::ground(*rules, {options_.limits})) : std::nullopt;
  auto code = game ? take(StateCode::make(*game, description->variables)) : std::nullopt;
  auto fixed = code ? take(fixed_fluents(*manifest, *game)) : std::nullopt;
  auto machine =
      fixed ? take(machine::Machine::make(std::move(*game), options_.limits)) : std::nullopt;
  if (!machine) return false;
  manifest_ = std::move(*manifest);
  description_ = std::move(*description);
  code_ = std::move(*code);
  fixed_ = std::move(*fixed);
  machine_ = std::move(*machine);
  stepper_.emplace(machine_);
  if (machine_->roles() != description_.roles) fail("the roles differ from those of the rules");
  return result_.failures_found == 0;
}

void FolderCheck::check_file(Part part, std::size_t layer, std::uint64_t expected) {
  const auto sum = take(dd::file_checksum(folder_.file(part, layer)));
  if (sum && *sum != expected) {
    fail(fmt::format("'{}' is damaged: its checksum differs from the manifest",
                     folder_.file(part, layer).string()));
  }
}

base::Result<dd::Diagram> FolderCheck::read(Part part, std::size_t layer) const {
  const auto file = folder_.open(part, layer, manifest_.layers[layer], code_->domains());
  if (!file) return tl::unexpected(file.error());
  return file->load({.limits = options_.limits});
}

base::Result<Verification> FolderCheck::finish() {
  if (!limit_) return std::move(result_);
  return tl::unexpected(
      base::limit_error(*limit_, fmt::format("after checking {} states", result_.states_checked)));
}

}  // namespace zermelo::solve
