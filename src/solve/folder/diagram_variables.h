// Converts between the variables of diagrams and their names in a solution folder.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "circuit/compiled_game.h"
#include "ground/game.h"
#include "machine/machine.h"
#include "solve/folder/state_code.h"
#include "symbolic/encoding.h"
#include "symbolic/model.h"

namespace zermelo::solve {

Variables names_of(const symbolic::Encoding& encoding, const ground::Game& game);
// The variables chosen for a game, in their order.
Variables chosen_variables(const std::shared_ptr<const machine::Machine>& machine,
                           const base::Limits& limits);
// The encoding with these variables. Fails if they are not variables of the game.
base::Result<symbolic::Encoding> encoding_of(const Variables& variables,
                                             const circuit::CompiledGame& compiled);
// The model of the game with these variables. Fails like encoding_of and build_model.
base::Result<symbolic::Model> model_with(const Variables& variables,
                                         std::shared_ptr<const machine::Machine> machine,
                                         const base::Limits& limits);
// The clock fluents that hold in all states of a layer, sorted by name.
std::vector<std::string> clock_fluents(const symbolic::Model& model, std::size_t layer);

}  // namespace zermelo::solve
