// Equilibria as text, for solve and query.
#pragma once

#include <string>
#include <vector>

#include "app/equilibrium_view.h"

namespace zermelo::cli {

// A number with up to six decimals, without trailing zeros.
std::string decimal(double number);

// "left 50, right 50, error at most 7.1e-15".
std::string value_text(const std::vector<std::string>& roles, const app::EquilibriumView& view);

// What the concept means, in a few words.
std::string concept_text(solve::SolutionConcept solution_concept);

// One table per role that has a choice: every move with its probability and value.
std::string strategy_tables(const app::EquilibriumView& view);

// The values of all joint moves: a matrix for two roles that have a choice, otherwise a list. Empty
// in a terminal state.
std::string matrix_table(const std::vector<std::string>& roles, const app::EquilibriumView& view);

}  // namespace zermelo::cli
