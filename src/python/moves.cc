#include "python/moves.h"

#include <pybind11/stl.h>

#include "python/errors.h"

namespace zermelo::python {

namespace py = pybind11;

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

namespace {

std::size_t role_or_turn(const Game& game, Position& position,
                         const std::optional<std::int64_t>& role) {
  if (role) return game.checked_role(*role);
  const auto turn = position.turn();
  if (!turn) refuse("several roles move at once: name one");
  return *turn;
}

}  // namespace

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

namespace {

// A move given by its rank or its name.
machine::Move move_of(const Game& game, std::size_t role, const py::handle& move) {
  if (py::isinstance<py::str>(move)) return game.move_named(role, move.cast<std::string>());
  const py::int_ number(py::reinterpret_borrow<py::object>(move));
  int overflow = 0;
  const long long rank = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  const std::span<const machine::Move> all = game.machine().moves(role);
  if (overflow != 0 || rank < 0 || static_cast<std::size_t>(rank) >= all.size())
    refuse(game.machine().roles()[role] + " has no move " + std::string(py::str(number)));
  return all[static_cast<std::size_t>(rank)];
}

}  // namespace

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

py::object rewards_at(Position& position) {
  return position.terminal() ? py::cast(position.rewards()) : py::none();
}

}  // namespace zermelo::python
