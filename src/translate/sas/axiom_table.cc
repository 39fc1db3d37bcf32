#include "translate/sas/axiom_table.h"

#include <algorithm>
#include <map>

#include "translate/sas/task.h"

namespace zermelo::translate::sas {

namespace {

constexpr std::size_t max_plain = 8;  // cubes of a definition that is not shortened

// Takes what all cubes have in common out of them.
Cube take_common(Dnf& dnf) {
  Cube common = dnf[0];
  for (const Cube& cube : dnf) {
    erase_conditions(common, [&](const Condition& c) {
      return !std::binary_search(cube.begin(), cube.end(), c);
    });
    if (common.empty()) return common;
  }
  for (Cube& cube : dnf) {
    erase_conditions(cube, [&](const Condition& c) {
      return std::binary_search(common.begin(), common.end(), c);
    });
  }
  return common;
}

// The cube without the condition that a variable has a value.
Cube without(const Cube& cube, std::uint32_t variable) {
  Cube rest = cube;
  erase_conditions(rest, [&](const Condition& c) { return c.variable == variable && c.equal; });
  return rest;
}

// How many different cubes are left without the conditions that the variable has a value. Counts
// hashes: a collision only makes a worse choice.
std::size_t count_without(const Dnf& definition, std::uint32_t variable) {
  std::vector<std::uint64_t> left;
  for (const Cube& cube : definition) {
    std::uint64_t hash = 0;
    for (const Condition& c : cube) {
      if (c.variable != variable || !c.equal) hash = (hash ^ c.key()) * 0x9e3779b97f4a7c15u;
    }
    left.push_back(hash ^ hash >> 32);
  }
  std::sort(left.begin(), left.end());
  return static_cast<std::size_t>(std::unique(left.begin(), left.end()) - left.begin());
}

}  // namespace

std::size_t AxiomTable::Hash::operator()(const Dnf& dnf) const {
  std::size_t hash = dnf.size();
  for (const Cube& cube : dnf) {
    hash = hash * 31 + cube.size();
    for (const Condition& c : cube)
      hash = (hash ^ (std::size_t{c.variable} << 21 | std::size_t{c.value} << 1 | c.equal)) *
             0x9e3779b97f4a7c15u;
  }
  return hash ^ hash >> 32;
}

Condition AxiomTable::of(const Dnf& definition, const std::string& name) {
  const auto place = known_.find(definition);
  if (place != known_.end()) return {place->second, derived_true, true};
  const Condition added =
      add(definition.size() > max_plain ? shortened(definition) : definition, name);
  known_.emplace(definition, added.variable);
  return added;
}

Cube AxiomTable::cube_of(Dnf definition) {
  Cube cube = take_common(definition);
  reduce(definition);
  if (!is_always(definition)) cube.push_back(of(definition));
  std::sort(cube.begin(), cube.end());
  return cube;
}

// The variable by which merging cubes shortens the definition most, if it is then half as long.
std::optional<std::uint32_t> AxiomTable::variable_to_merge(const Dnf& definition) const {
  std::vector<std::uint32_t> named;  // variables, once for each condition that names their value
  for (const Cube& cube : definition) {
    for (const Condition& c : cube) {
      if (c.equal && cube.size() > 1) named.push_back(c.variable);
    }
  }
  std::sort(named.begin(), named.end());
  std::size_t least = definition.size() / 2 + 1;
  std::optional<std::uint32_t> best;
  for (auto begin = named.begin(); begin != named.end();) {
    const auto end = std::upper_bound(begin, named.end(), *begin);
    const std::uint32_t variable = *begin;
    const auto count = static_cast<std::size_t>(end - begin);
    begin = end;
    if (definition.size() - count >= least) continue;
    const std::size_t merged = count_without(definition, variable);
    if (merged >= least) continue;
    least = merged;
    best = variable;
  }
  return best;
}

Dnf AxiomTable::shortened(const Dnf& definition) {
  const std::optional<std::uint32_t> variable = variable_to_merge(definition);
  if (!variable) return definition;
  Dnf result;
  std::map<Cube, std::vector<std::uint32_t>> values;
  for (const Cube& cube : definition) {
    const auto value = value_in(cube, *variable);
    value ? values[without(cube, *variable)].push_back(*value) : result.push_back(cube);
  }
  for (const auto& [rest, allowed] : values) {
    result.push_back(rest);
    append_values(*variable, allowed, result.back());
  }
  reduce(result);
  return result;
}

// Adds that the variable has one of the values.
void AxiomTable::append_values(std::uint32_t variable, const std::vector<std::uint32_t>& values,
                               Cube& cube) {
  if (values.size() == domains_.size(variable)) return;
  Dnf any;
  for (const std::uint32_t value : values) any.push_back({{variable, value, true}});
  cube.push_back(values.size() == 1 ? any[0][0] : of(any));
  std::sort(cube.begin(), cube.end());
}

Condition AxiomTable::reserve() { return add({}, {}); }

Condition AxiomTable::add(Dnf definition, std::string name) {
  if (name.empty()) name = "derived(" + std::to_string(definitions_.size()) + ")";
  definitions_.push_back(std::move(definition));
  names_.push_back(std::move(name));
  return {domains_.add(2), derived_true, true};
}

}  // namespace zermelo::translate::sas
