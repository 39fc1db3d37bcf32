#include "solve/folder/diagram_variables.h"

#include <algorithm>
#include <utility>

#include "symbolic/variables.h"

namespace zermelo::solve {

Variables names_of(const symbolic::Encoding& encoding, const ground::Game& game) {
  Variables variables;
  for (const symbolic::Variable& variable : encoding.variables()) {
    std::vector<std::string>& values = variables.emplace_back();
    for (const ground::Atom fluent : variable.fluents) values.push_back(game.fluent_name(fluent));
    if (variable.may_be_none) values.emplace_back();
  }
  return variables;
}

Variables chosen_variables(const std::shared_ptr<const machine::Machine>& machine,
                           const base::Limits& limits) {
  symbolic::ModelOptions options;
  options.limits = limits;
  return names_of(symbolic::choose_variables(machine, options).ordered(), machine->game());
}

base::Result<symbolic::Encoding> encoding_of(const Variables& variables,
                                             const circuit::CompiledGame& compiled) {
  const ground::Game& game = compiled.game();
  auto fluents = game.fluents_by_name();  // those without a variable so far
  symbolic::Clock clock = symbolic::find_clock(compiled.autonomous());
  for (const ground::Atom fluent : clock.fluents) fluents.erase(game.fluent_name(fluent));
  std::vector<symbolic::Variable> list;
  bool fits = true;
  for (const std::vector<std::string>& values : variables) {
    symbolic::Variable& variable = list.emplace_back();
    for (const std::string& name : values) {
      if (name.empty()) {
        variable.may_be_none = true;
      } else if (const auto found = fluents.extract(name)) {
        variable.fluents.push_back(found.mapped());
      } else {
        fits = false;
      }
    }
    fits = fits && !variable.fluents.empty();
  }
  if (!fits || !fluents.empty()) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "the variables of the solution are not those of the game");
  }
  return symbolic::Encoding(game, std::move(clock), std::move(list));
}

base::Result<symbolic::Model> model_with(const Variables& variables,
                                         std::shared_ptr<const machine::Machine> machine,
                                         const base::Limits& limits) {
  auto encoding = encoding_of(variables, *machine->compiled());
  if (!encoding) return tl::unexpected(encoding.error());
  symbolic::ModelOptions options;
  options.limits = limits;
  return symbolic::build_model(std::move(machine), std::move(*encoding), options);
}

std::vector<std::string> clock_fluents(const symbolic::Model& model, std::size_t layer) {
  const symbolic::Clock& clock = model.encoding().clock();
  std::vector<std::string> names;
  for (const ground::Atom fluent : clock.showing[clock.position(layer)]) {
    names.push_back(model.machine().game().fluent_name(fluent));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace zermelo::solve
