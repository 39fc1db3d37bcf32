#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "app/draw.h"
#include "app/position.h"
#include "play/board.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/moves.h"
#include "python/state.h"

namespace zermelo::python {

namespace py = pybind11;

namespace {

py::object rewards_of(const State& state) { return rewards_at(state.position()); }

py::array_t<std::uint8_t> vector_of(const State& state) {
  const std::size_t size = state.game()->fluent_names().size();
  py::array_t<std::uint8_t> vector(static_cast<py::ssize_t>(size));
  std::uint8_t* bytes = vector.mutable_data();
  std::fill_n(bytes, size, std::uint8_t{0});
  state.fluents().for_each([&](std::size_t fluent) { bytes[fluent] = 1; });
  return vector;
}

py::bytes key_of(const State& state) {
  const auto words = state.fluents().words();
  return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
}

analysis::Picture picture(const State& state) {
  return state.game()->scene().depict(state.fluent_names());
}

std::string text_of(const State& state) {
  const analysis::Picture shown = picture(state);
  std::string text = play::boards_as_text(shown);
  for (const std::string& fluent : play::beside_boards(shown)) text += fluent + "\n";
  if (!text.empty()) text.pop_back();
  return text;
}

std::string svg_of(const State& state) { return app::picture_as_svg(picture(state)); }

std::unique_ptr<State> state_of(std::shared_ptr<Game> game, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  auto position = value_of(app::position_of(game->machine(), text));
  return std::make_unique<State>(std::move(game), std::move(position.state));
}

std::unique_ptr<State> state_at(std::shared_ptr<Game> game, const std::string& key) {
  machine::State fluents(game->fluent_names().size());
  if (key.size() != fluents.words().size_bytes()) refuse("not the key of a state of this game");
  std::copy(key.begin(), key.end(), reinterpret_cast<char*>(fluents.words().data()));
  const std::size_t used = game->fluent_names().size() % 64;
  if (used != 0 && fluents.words().back() >> used != 0)
    refuse("not the key of a state of this game");
  return std::make_unique<State>(std::move(game), std::move(fluents));
}

}  // namespace

void define_state(py::module_& module) {
  py::class_<State>(
      module, "State",
      "A state of a game. It never changes; apply() returns the next one. States are equal if the "
      "same fluents hold, and may be keys of dictionaries.")
      .def(py::init(&state_of), py::arg("game"), py::arg("fluents"),
           "The state in which exactly these fluents hold.")
      .def_static("from_key", &state_at, py::arg("game"), py::arg("key"),
                  "The state with this key.")
      .def_property_readonly("game", [](const State& state) { return state.game(); })
      .def_property_readonly(
          "terminal", [](const State& state) { return state.position().terminal(); },
          "Whether the game is over.")
      .def_property_readonly(
          "turn", [](const State& state) { return state.position().turn(); },
          "The number of the role to move: the only one with a choice, or if there is none, the "
          "first whose move matters. None if several roles have a choice, and in terminal states.")
      .def(
          "legal",
          [](const State& state, std::optional<std::int64_t> role) {
            const Game& game = *state.game();
            return ranks_of(game, legal_of(game, state.position(), role));
          },
          py::arg("role") = py::none(),
          "The legal moves of a role (default: the role to move), ascending; none in a terminal "
          "state.")
      .def(
          "legal_moves",
          [](const State& state, std::optional<std::int64_t> role) {
            return names_of(*state.game(), legal_of(*state.game(), state.position(), role));
          },
          py::arg("role") = py::none(), "The same by name.")
      .def(
          "apply",
          [](const State& state, std::size_t move) {
            return state.after(state.position().joint_of_turn(move));
          },
          py::arg("move"), py::pos_only())
      .def(
          "apply",
          [](const State& state, const py::args& moves) {
            return state.after(joint_of(*state.game(), state.position(), moves));
          },
          "The state after a move of the role to move, or after one move for each role. Moves are "
          "given by number or by name. Raises InvalidRequest for a move that is not legal.")
      .def_property_readonly("rewards", &rewards_of,
                             "The rewards by role, or None if the game is not over.")
      .def(
          "percepts",
          [](const State& state, const py::args& moves) {
            return state.percepts(joint_of(*state.game(), state.position(), moves));
          },
          "By role, what it sees when these moves are made (GDL-II).")
      .def_property_readonly("fluents", &State::fluent_names,
                             "The names of the fluents that hold, sorted.")
      .def("vector", &vector_of,
           "The fluents as an array of 0 and 1, in the order of Game.fluents.")
      .def_property_readonly("key", &key_of, "The fluents as bytes.")
      .def("svg", &svg_of, "A picture of the state.")
      .def("_repr_svg_", &svg_of)
      .def("__str__", &text_of)
      .def("__repr__",
           [](const State& state) {
             std::string text = "<zermelo.State";
             for (const std::string& fluent : state.fluent_names()) text += " " + fluent;
             return text + ">";
           })
      .def("__copy__", [](py::object state) { return state; })
      .def("__deepcopy__", [](py::object state, const py::dict&) { return state; })
      .def("__hash__", [](const State& state) { return state.fluents().hash(); })
      .def("__eq__",
           [](const State& a, const py::object& other) {
             if (!py::isinstance<State>(other)) return false;
             const auto& b = other.cast<const State&>();
             return a.game() == b.game() && a.fluents() == b.fluents();
           })
      .def(py::pickle(
          [](const State& state) { return py::make_tuple(state.game(), key_of(state)); },
          [](const py::tuple& parts) {
            return state_at(parts[0].cast<std::shared_ptr<Game>>(), parts[1].cast<std::string>());
          }));
}

}  // namespace zermelo::python
