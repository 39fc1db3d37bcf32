#include "translate/sas/axiom_table.h"

#include "translate/sas/task.h"

namespace zermelo::translate::sas {

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
  const Condition added = add(definition, name);
  known_.emplace(definition, added.variable);
  return added;
}

Condition AxiomTable::reserve() { return add({}, {}); }

Condition AxiomTable::add(Dnf definition, std::string name) {
  if (name.empty()) name = "derived(" + std::to_string(definitions_.size()) + ")";
  definitions_.push_back(std::move(definition));
  names_.push_back(std::move(name));
  return {domains_.add(2), derived_true, true};
}

}  // namespace zermelo::translate::sas
