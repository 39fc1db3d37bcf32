#include <fmt/format.h>
#include <pybind11/stl.h>

#include "app/json.h"
#include "app/rules_text.h"
#include "base/quantities.h"
#include "families/families.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/game.h"
#include "python/limits.h"
#include "python/long_call.h"
#include "python/state.h"

namespace zermelo::python {

namespace py = pybind11;

namespace {

// Valid rules. Throws Failure with all errors and their locations, as the command line shows them.
app::Rules valid_rules(const app::CheckedFile& file) {
  if (!file.rules) throw Failure(file.rules.error());
  const gdl::CheckedRules& checked = *file.rules;
  if (checked.is_valid()) return checked.rulesheet;
  std::string message;
  for (const gdl::Diagnostic& diagnostic : checked.diagnostics) {
    if (diagnostic.severity == gdl::Severity::error)
      message += gdl::format(diagnostic, *checked.rulesheet->source);
  }
  throw Failure(
      {base::ErrorKind::invalid_rules,
       fmt::format("{}: {}\n{}", file.path, base::counted(checked.errors(), "error"), message)});
}

std::shared_ptr<Game> game_of(const std::string& name, const app::CheckedFile& file,
                              const app::Context& context, const app::ResourceLimits& limits) {
  return Game::make(valid_rules(file), name, context, limits);
}

std::shared_ptr<Game> read_text(const std::string& rules, const std::string& name,
                                const Limits& limits, const py::object& progress) {
  return run_long(progress, [&](const app::Context& context) {
    const app::ResourceLimits within = limits.resources();
    return game_of(name, app::check_text(name, rules, within.start(context)), context, within);
  });
}

std::shared_ptr<Game> read_file(const std::string& path, const Limits& limits,
                                const py::object& progress) {
  return run_long(progress, [&](const app::Context& context) {
    const app::ResourceLimits within = limits.resources();
    return game_of(path, app::check_file(path, within.start(context)), context, within);
  });
}

std::string generated_rules(const std::string& family, const py::args& sizes) {
  std::vector<std::string> texts;
  for (const py::handle& size : sizes) texts.push_back(py::str(size));
  return value_of(app::generate({family, texts}));
}

std::string check_text(const std::string& rules, const std::string& name) {
  std::vector<app::CheckedFile> files;
  files.push_back(app::check_text(name, rules));
  return app::to_json(files);
}

std::vector<std::string> percept_names(const ground::Game& game, std::size_t role) {
  std::vector<std::string> names;
  for (std::uint32_t p = game.first_percept_of[role]; p < game.first_percept_of[role + 1]; ++p)
    names.push_back(game.percept_name(p));
  return names;
}

std::vector<std::vector<int>> goal_values(const Game& game) {
  std::vector<std::vector<int>> values;
  for (const auto& goals : game.ground().goals) {
    values.emplace_back();
    for (const auto& goal : goals) values.back().push_back(goal.value);
  }
  return values;
}

}  // namespace

void define_game(py::module_& module) {
  py::class_<Game, std::shared_ptr<Game>>(
      module, "Game",
      "A game, made from its rules: Game(text), Game.load(path), Game.generate(family, *sizes).\n\n"
      "Roles and moves are known by number: a move of a role is its index in moves(role).")
      .def(
          py::init([](const std::string& rules, const std::string& name, std::optional<double> time,
                      std::optional<std::size_t> memory, const py::object& progress) {
            return read_text(rules, name, {time, memory}, progress);
          }),
          py::arg("rules"), py::arg("name") = "rules", py::kw_only(), py::arg("time") = py::none(),
          py::arg("memory") = py::none(), py::arg("progress") = py::none(),
          "Reads rules in GDL (prefix or infix), GDDL or Toss. Raises InvalidRules with the place "
          "of every error.")
      .def_static(
          "load",
          [](const std::string& path, std::optional<double> time, std::optional<std::size_t> memory,
             const py::object& progress) {
            return read_file(path, {time, memory}, progress);
          },
          py::arg("path"), py::kw_only(), py::arg("time") = py::none(),
          py::arg("memory") = py::none(), py::arg("progress") = py::none(),
          "Reads the rules in a file.")
      .def_static(
          "generate",
          [](const std::string& family, const py::args& sizes) {
            return read_text(generated_rules(family, sizes), family, {}, py::none());
          },
          py::arg("family"), "A game of a scalable family: Game.generate('connect-four', 5, 4).")
      .def_property_readonly("name", &Game::name, "As given, or the path of the file.")
      .def_property_readonly(
          "rules", [](const Game& game) { return app::print_rules({game.rules()}); },
          "The rules in canonical layout, prefix syntax.")
      .def_property_readonly(
          "infix",
          [](const Game& game) {
            return app::print_rules({game.rules(), gdl::Syntax::infix});
          },
          "The rules in infix syntax.")
      .def_property_readonly(
          "roles", [](const Game& game) { return game.machine().roles(); },
          "The names of the roles.")
      .def_property_readonly(
          "random_role", [](const Game& game) { return game.ground().random_role(); },
          "The number of the role `random` of GDL-II, or None.")
      .def_property_readonly(
          "imperfect_information",
          [](const Game& game) { return game.ground().imperfect_information(); },
          "Whether the rules are GDL-II: chance, percepts, or both.")
      .def_property_readonly("fluents", &Game::fluent_names,
                             "The names of all fluents, in the order of State.vector().")
      .def_property_readonly("goal_values", &goal_values,
                             "By role, all goal values that its rules have, ascending.")
      .def(
          "moves",
          [](const Game& game, std::int64_t role) {
            return game.move_names(game.checked_role(role));
          },
          py::arg("role"), "The names of all moves of a role, sorted.")
      .def(
          "percepts",
          [](const Game& game, std::int64_t role) {
            return percept_names(game.ground(), game.checked_role(role));
          },
          py::arg("role"), "The names of all that a role may see (GDL-II).")
      .def(
          "initial", [](std::shared_ptr<Game> game) { return std::make_unique<State>(game); },
          "The initial state.")
      .def("__copy__", [](py::object game) { return game; })
      .def("__deepcopy__", [](py::object game, const py::dict&) { return game; })
      .def("__repr__", [](const Game& game) { return "<zermelo.Game " + game.name() + ">"; })
      .def(py::pickle(
          [](const Game& game) {
            return py::make_tuple(app::print_rules({game.rules()}), game.name());
          },
          [](const py::tuple& parts) {
            return read_text(parts[0].cast<std::string>(), parts[1].cast<std::string>(), {},
                             py::none());
          }));
  module.def("generate", &generated_rules, py::arg("family"),
             "The rules of a scalable game, as text: generate('connect-four', 5, 4).");
  module.def("_families", [] { return app::to_json(families::list()); });
  module.def("_check", &check_text, py::arg("rules"), py::arg("name"));
}

}  // namespace zermelo::python
