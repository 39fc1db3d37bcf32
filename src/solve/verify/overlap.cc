#include "solve/verify/overlap.h"

#include <algorithm>
#include <utility>

#include "dd/operations.h"

namespace zermelo::solve {
namespace {

// The constant of a pair of states and values: 0 if the state is not new, else a number for each
// pair of outcome and whether the state is terminal.
dd::NodeId new_state(std::span<const dd::NodeId> c, const Description& description) {
  if (c[0] == 0 || c[2] != 0) return 0;
  return 2 * c[1] + (description.is_terminal(c[0]) ? 1 : 0);
}

}  // namespace

OverlapCheck::OverlapCheck(const SolutionFolder& folder, const Description& description,
                           const std::vector<machine::State>& fixed, dd::Options options)
    : folder_(folder), description_(description), options_(std::move(options)) {
  for (const machine::State& state : fixed) {
    const auto first = std::find(fixed.begin(), fixed.end(), state);
    group_.push_back(static_cast<std::size_t>(first - fixed.begin()));
  }
}

base::Result<NewStates> OverlapCheck::count_new(std::size_t layer, const dd::Diagram& states,
                                                const dd::Diagram& values) {
  const auto none = dd::Diagram::constant(states.domains(), 2, 0);
  const auto seen = seen_.try_emplace(group_[layer], none).first;
  const dd::Combination join{
      2 * std::max(values.constants(), description_.value_constants()),
      [&](std::span<const dd::NodeId> c) { return new_state(c, description_); }};
  const auto fresh = dd::combine({states, values, seen->second}, join, options_);
  if (!fresh) return tl::unexpected(fresh.error());
  const auto counts = fresh->counts(options_);
  if (!counts) return tl::unexpected(counts.error());
  mpz_class all = 0, terminal = 0;
  NewStates found;
  for (std::size_t c = 2; c < counts->size(); c += 2) {
    const mpz_class &open = (*counts)[c], &ended = (*counts)[c + 1];
    all += open + ended;
    terminal += ended;
    const mpz_class both = open + ended;
    if (found.by_value.size() < description_.outcomes.size()) {
      found.by_value.push_back(both.get_str());
    }
  }
  found.states = all.get_str();
  found.terminal = terminal.get_str();
  auto united = dd::union_of({seen->second, states}, options_);
  if (!united) return tl::unexpected(united.error());
  seen->second = std::move(*united);
  return found;
}

base::Result<std::optional<std::size_t>> OverlapCheck::find_earlier(
    std::size_t layer, const std::vector<dd::Value>& assignment) {
  for (std::size_t l = 0; l < layer; ++l) {
    if (group_[l] != group_[layer]) continue;
    auto file = files_.find(l);
    if (file == files_.end()) {
      auto opened = dd::DiagramFile::open(folder_.file(SolutionFolder::Part::states, l));
      if (!opened) return tl::unexpected(opened.error());
      file = files_.emplace(l, std::move(*opened)).first;
    }
    const auto constant = file->second.evaluate(assignment);
    if (!constant) return tl::unexpected(constant.error());
    if (*constant != 0) return std::optional(l);
  }
  return std::optional<std::size_t>();
}

}  // namespace zermelo::solve
