#include "solve/common/algorithm.h"

#include <algorithm>
#include <cassert>

namespace zermelo::solve {
namespace {

template <class Table, class Value>
std::string name_in(const Table& table, Value value) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const auto& named) { return named.value == value; });
  assert(found != table.end());
  return std::string(found->name);
}

template <class Value, std::size_t size>
std::optional<Value> value_in(const std::array<Named<Value>, size>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const auto& named) { return named.name == name; });
  if (found == table.end()) return std::nullopt;
  return found->value;
}

}  // namespace

std::string name_of(Engine engine) { return name_in(engines, engine); }
std::string name_of(Algorithm algorithm) { return name_in(algorithms, algorithm); }

std::optional<Engine> engine_named(std::string_view name) { return value_in(engines, name); }
std::optional<Algorithm> algorithm_named(std::string_view name) {
  return value_in(algorithms, name);
}

bool is_set_algorithm(Algorithm algorithm) {
  return algorithm != Algorithm::automatic && algorithm != Algorithm::layered &&
         !is_hidden_algorithm(algorithm);
}

bool is_hidden_algorithm(Algorithm algorithm) {
  return algorithm == Algorithm::cfr_plus || algorithm == Algorithm::sequence_form;
}

}  // namespace zermelo::solve
