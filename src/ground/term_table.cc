#include "ground/term_table.h"

#include <algorithm>

namespace zermelo::ground {

namespace {

std::uint64_t hash(gdl::Symbol name, std::span<const TermId> arguments) {
  std::uint64_t h = static_cast<std::uint64_t>(name) + 1;
  for (const TermId argument : arguments) h = (h ^ argument) * 0x9e3779b97f4a7c15u + (h >> 29);
  return h;
}

}  // namespace

TermId TermTable::add(gdl::Symbol name, std::span<const TermId> arguments) {
  entries_.push_back({name, static_cast<std::uint32_t>(arguments_.size()),
                      static_cast<std::uint32_t>(arguments.size())});
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  return static_cast<TermId>(entries_.size() - 1);
}

TermId TermTable::constant(gdl::Symbol name) {
  const auto [place, added] = constants_.try_emplace(static_cast<std::uint32_t>(name), 0);
  if (added) place->second = add(name, {});
  return place->second;
}

std::optional<TermId> TermTable::find_constant(gdl::Symbol name) const {
  const auto found = constants_.find(static_cast<std::uint32_t>(name));
  return found == constants_.end() ? std::nullopt : std::optional(found->second);
}

TermId TermTable::function(gdl::Symbol name, std::span<const TermId> arguments) {
  const std::uint64_t key = hash(name, arguments);
  const auto [first, last] = functions_.equal_range(key);
  for (auto it = first; it != last; ++it) {
    const TermId id = it->second;
    if (entries_[id].name == name && std::ranges::equal(this->arguments(id), arguments)) return id;
  }
  const std::vector<TermId> copy(arguments.begin(), arguments.end());
  const TermId id = add(name, copy);
  functions_.emplace(key, id);
  return id;
}

gdl::Term TermTable::term(TermId id) const {
  gdl::Term result{
      .kind = gdl::Term::Kind::constant, .name = name(id), .arguments = {}, .span = {}};
  for (const TermId argument : arguments(id)) result.arguments.push_back(term(argument));
  if (!result.arguments.empty()) result.kind = gdl::Term::Kind::function;
  return result;
}

}  // namespace zermelo::ground
