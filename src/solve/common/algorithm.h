// The solving engines, their algorithms, and one table of names for each. The command line, JSON
// and the files of a solution folder use these names.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace zermelo::solve {

// symbolic: sets of states as decision diagrams. explicit_states: one state at a time, in memory.
// automatic: the program chooses; a result never has it.
enum class Engine { automatic, symbolic, explicit_states };

// layered: forwards layer by layer, then backwards. The others work on sets of all reachable
// states, see symbolic/set_algorithms.h. The explicit engine supports only retrograde. The last two
// are for two players with hidden information, see hidden/hidden_solver.h.
enum class Algorithm {
  automatic,
  layered,
  retrograde,
  matrix,
  partition,
  zero_sum,
  cfr_plus,
  sequence_form,
};

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};

inline constexpr std::array<Named<Engine>, 3> engines = {{
    {Engine::automatic, "auto"},
    {Engine::symbolic, "symbolic"},
    {Engine::explicit_states, "explicit"},
}};

inline constexpr std::array<Named<Algorithm>, 8> algorithms = {{
    {Algorithm::automatic, "auto"},
    {Algorithm::layered, "layered"},
    {Algorithm::retrograde, "retrograde"},
    {Algorithm::matrix, "matrix"},
    {Algorithm::partition, "partition"},
    {Algorithm::zero_sum, "zero-sum"},
    {Algorithm::cfr_plus, "cfr-plus"},
    {Algorithm::sequence_form, "sequence-form"},
}};

std::string name_of(Engine engine);
std::string name_of(Algorithm algorithm);

// Return nullopt for a text that is not in the table.
std::optional<Engine> engine_named(std::string_view name);
std::optional<Algorithm> algorithm_named(std::string_view name);

// Whether the algorithm works on sets of all reachable states, without layers.
bool is_set_algorithm(Algorithm algorithm);
// Whether the algorithm is for games with hidden information.
bool is_hidden_algorithm(Algorithm algorithm);

}  // namespace zermelo::solve
