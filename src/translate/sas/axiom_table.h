// Derived variables while a task is made: equal definitions share one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "translate/sas/cube.h"

namespace zermelo::translate::sas {

class AxiomTable {
 public:
  // New variables are added to the domains.
  explicit AxiomTable(Domains& domains) : domains_(domains), first_(domains.variables()) {}

  // The condition that a definition holds. A new variable gets the name, or one made up if that is
  // empty. Long definitions are shortened: cubes that differ only in the value of one variable
  // become one, which reads a derived variable for the set of values.
  Condition of(const Dnf& definition, const std::string& name = {});
  // The same, as what all cubes have in common and the condition that one of the rest holds: so
  // contradictions with the common conditions are still seen. The definition must not be empty.
  Cube cube_of(Dnf definition);
  // A variable to be defined later, for definitions that use each other.
  Condition reserve();
  void define(Condition reserved, Dnf definition) {
    definitions_[reserved.variable - first_] = std::move(definition);
  }

  std::uint32_t first() const { return first_; }
  std::size_t size() const { return definitions_.size(); }
  const Dnf& definition(std::size_t axiom) const { return definitions_[axiom]; }
  // The same, which is then gone from here.
  Dnf take_definition(std::size_t axiom) { return std::move(definitions_[axiom]); }
  const std::string& name(std::size_t axiom) const { return names_[axiom]; }

 private:
  struct Hash {
    std::size_t operator()(const Dnf& dnf) const;
  };

  Condition add(Dnf definition, std::string name);
  Dnf shortened(const Dnf& definition);
  std::optional<std::uint32_t> variable_to_merge(const Dnf& definition) const;
  void append_values(std::uint32_t variable, const std::vector<std::uint32_t>& values, Cube& cube);

  Domains& domains_;
  std::uint32_t first_;
  std::vector<Dnf> definitions_;
  std::vector<std::string> names_;
  std::unordered_map<Dnf, std::uint32_t, Hash> known_;
};

}  // namespace zermelo::translate::sas
