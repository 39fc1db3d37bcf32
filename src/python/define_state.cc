#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "app/draw.h"
#include "app/position.h"
#include "play/board.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/state.h"

namespace zermelo::python {

namespace py = pybind11;

namespace {

using Joint = std::vector<machine::Move>;

// A list of the ranks of moves. Small numbers are shared objects of Python.
py::object ranks_of(const Game& game, std::span<const machine::Move> moves) {
  py::list ranks(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    PyObject* rank = PyLong_FromUnsignedLong(game.rank_of(moves[i]));
    if (rank == nullptr) throw py::error_already_set();
    PyList_SET_ITEM(ranks.ptr(), static_cast<Py_ssize_t>(i), rank);
  }
  return ranks;
}

std::size_t role_or_turn(const Game& game, Position& position,
                         const std::optional<std::int64_t>& role) {
  if (role) return game.checked_role(*role);
  const auto turn = position.turn();
  if (!turn) refuse("several roles move at once: name one");
  return *turn;
}

std::span<const machine::Move> legal_of(const Game& game, Position& position,
                                        const std::optional<std::int64_t>& role) {
  if (!role && position.terminal()) return {};
  return position.legal(role_or_turn(game, position, role));
}

std::vector<std::string> names_of(const Game& game, std::span<const machine::Move> moves) {
  std::vector<std::string> names;
  for (const machine::Move move : moves) names.push_back(game.machine().move_name(move));
  return names;
}

// A move given by its rank or its name.
machine::Move move_of(const Game& game, std::size_t role, const py::handle& move) {
  if (py::isinstance<py::str>(move)) return game.move_named(role, move.cast<std::string>());
  const auto rank = py::int_(py::reinterpret_borrow<py::object>(move)).cast<std::int64_t>();
  const std::span<const machine::Move> all = game.machine().moves(role);
  if (rank < 0 || static_cast<std::size_t>(rank) >= all.size())
    refuse(game.machine().roles()[role] + " has no move " + std::to_string(rank));
  return all[static_cast<std::size_t>(rank)];
}

Joint joint_of(const Game& game, Position& position, const py::args& moves) {
  if (moves.size() == 1 && game.roles() > 1) {
    if (position.terminal()) refuse("the game is over");
    const std::size_t turn = role_or_turn(game, position, std::nullopt);
    const auto joint = position.joint_of_turn(game.rank_of(move_of(game, turn, moves[0])));
    return {joint.begin(), joint.end()};
  }
  if (moves.size() != game.roles())
    refuse("give one move for the role to move, or one for each role");
  Joint joint;
  for (std::size_t role = 0; role < moves.size(); ++role)
    joint.push_back(move_of(game, role, moves[role]));
  position.check(joint);
  return joint;
}

py::object rewards_of(const State& state) {
  Position& position = state.position();
  return position.terminal() ? py::cast(position.rewards()) : py::none();
}

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

void unmake(Walk& walk) {
  if (walk.position().depth() == 0) refuse("there is no move to take back");
  walk.position().unmake();
}

void define_walk(py::module_& module) {
  py::class_<Walk>(
      module, "Cursor",
      "A position that moves: the fastest way to step one game. make() and unmake() change it, "
      "unlike State.apply().")
      .def(py::init<const State&>(), py::arg("state"))
      .def_property_readonly("game", &Walk::game)
      .def_property_readonly(
          "state",
          [](Walk& walk) { return std::make_unique<State>(walk.game(), walk.position().state()); },
          "The current state.")
      .def_property_readonly(
          "terminal", [](Walk& walk) { return walk.position().terminal(); }, "As State.terminal.")
      .def_property_readonly(
          "turn", [](Walk& walk) { return walk.position().turn(); }, "As State.turn.")
      .def_property_readonly(
          "depth", [](Walk& walk) { return walk.position().depth(); },
          "The number of moves that can be taken back.")
      .def_property_readonly(
          "rewards",
          [](Walk& walk) {
            Position& position = walk.position();
            return position.terminal() ? py::cast(position.rewards()) : py::none();
          },
          "As State.rewards.")
      .def(
          "legal",
          [](Walk& walk, std::optional<std::int64_t> role) {
            return ranks_of(*walk.game(), legal_of(*walk.game(), walk.position(), role));
          },
          py::arg("role") = py::none(), "As State.legal.")
      .def(
          "make",
          [](Walk& walk, std::size_t move) {
            walk.position().make(walk.position().joint_of_turn(move));
          },
          py::arg("move"), py::pos_only())
      .def(
          "make",
          [](Walk& walk, const py::args& moves) {
            walk.position().make(joint_of(*walk.game(), walk.position(), moves));
          },
          "Makes a move of the role to move, or one of each role, given as to State.apply().")
      .def("unmake", &unmake, "Takes back the last move.")
      .def(
          "go_to",
          [](Walk& walk, const State& state) {
            if (state.game() != walk.game()) refuse("the state is of another game");
            walk.position().go_to(state.fluents());
          },
          py::arg("state"), "Goes to a state and forgets the moves so far.");
}

}  // namespace

void define_state(py::module_& module) {
  define_walk(module);
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
