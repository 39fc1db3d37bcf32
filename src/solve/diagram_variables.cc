#include "solve/diagram_variables.h"

#include <algorithm>
#include <map>

#include "symbolic/order.h"
#include "symbolic/order_problem.h"

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

symbolic::Encoding encoding_of(const Variables& variables, const ground::Game& game) {
  std::map<std::string, ground::Atom> fluent_of;
  for (ground::Atom f = 0; f < game.fluents.size(); ++f) fluent_of[game.fluent_name(f)] = f;
  analysis::MutexGroups groups;
  std::vector<ground::Atom> firsts;
  for (const std::vector<std::string>& values : variables) {
    analysis::MutexGroup& group = groups.groups.emplace_back();
    group.exactly_one = !values.back().empty();
    for (const std::string& name : values) {
      if (!name.empty()) group.fluents.push_back(fluent_of.at(name));
    }
    firsts.push_back(group.fluents.front());
  }
  const symbolic::Encoding encoding(game, symbolic::find_clock(game), groups);
  std::vector<std::size_t> order;
  for (const ground::Atom first : firsts) order.push_back(encoding.place(first)->variable);
  return encoding.reordered(order);
}

symbolic::Encoding ordered_encoding(const std::shared_ptr<const machine::Machine>& machine) {
  const symbolic::Encoding encoding = symbolic::find_encoding(machine);
  const auto problem = symbolic::order_problem(machine->game(), encoding);
  return encoding.reordered(symbolic::choose_order(problem).variables);
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
