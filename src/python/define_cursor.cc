// Cursor: one game, stepped in place. What a step calls are plain methods of Python's C interface:
// the conversions of pybind11 take longer than the moves of a small game.
#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/moves.h"
#include "python/state.h"

namespace zermelo::python {

namespace py = pybind11;

namespace {

// Descriptors check that `self` is a Cursor before they call.
Walk& walk_of(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  return *static_cast<Walk*>(instance->get_value_and_holder().value_ptr());
}

// Returns what `call` returns, or null with Python's error set.
template <class Call>
PyObject* guarded(Call call) {
  try {
    return call();
  } catch (const Failure& failure) {
    raise(failure);
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

PyObject* terminal(PyObject* self, void*) {
  return guarded([&] { return PyBool_FromLong(walk_of(self).position().terminal()); });
}

std::optional<std::int64_t> role_among(PyObject* const* arguments, Py_ssize_t size) {
  if (size > 1) refuse("legal() takes at most one role");
  if (size == 0 || arguments[0] == Py_None) return std::nullopt;
  return py::reinterpret_borrow<py::object>(arguments[0]).cast<std::int64_t>();
}

PyObject* legal(PyObject* self, PyObject* const* arguments, Py_ssize_t size) {
  return guarded([&] {
    Walk& walk = walk_of(self);
    const auto moves = legal_of(*walk.game(), walk.position(), role_among(arguments, size));
    return ranks_of(*walk.game(), moves).release().ptr();
  });
}

void make_any(Walk& walk, PyObject* const* arguments, Py_ssize_t size) {
  py::args moves{py::tuple(size)};
  for (Py_ssize_t i = 0; i < size; ++i)
    PyTuple_SET_ITEM(moves.ptr(), i, py::handle(arguments[i]).inc_ref().ptr());
  walk.position().make(joint_of(*walk.game(), walk.position(), moves));
}

PyObject* make(PyObject* self, PyObject* const* arguments, Py_ssize_t size) {
  return guarded([&] {
    Walk& walk = walk_of(self);
    const long rank =
        size == 1 && PyLong_CheckExact(arguments[0]) ? PyLong_AsLong(arguments[0]) : -1;
    if (rank >= 0) {
      walk.position().make(walk.position().joint_of_turn(static_cast<std::size_t>(rank)));
    } else {
      PyErr_Clear();
      make_any(walk, arguments, size);
    }
    return py::none().release().ptr();
  });
}

PyObject* unmake(PyObject* self, PyObject*) {
  return guarded([&] {
    Position& position = walk_of(self).position();
    if (position.depth() == 0) refuse("there is no move to take back");
    position.unmake();
    return py::none().release().ptr();
  });
}

template <class Function>
PyCFunction as_method(Function* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef fast_methods[] = {
    {"legal", as_method(&legal), METH_FASTCALL, "As State.legal."},
    {"make", as_method(&make), METH_FASTCALL,
     "Makes a move of the role to move, or one of each role, given as to State.apply()."},
    {"unmake", as_method(&unmake), METH_NOARGS, "Takes back the last move."}};

PyGetSetDef fast_terminal = {"terminal", &terminal, nullptr, "As State.terminal.", nullptr};

void add_fast_methods(const py::object& type) {
  auto* cursor = reinterpret_cast<PyTypeObject*>(type.ptr());
  for (PyMethodDef& method : fast_methods)
    type.attr(method.ml_name) =
        py::reinterpret_steal<py::object>(PyDescr_NewMethod(cursor, &method));
  type.attr("terminal") =
      py::reinterpret_steal<py::object>(PyDescr_NewGetSet(cursor, &fast_terminal));
}

}  // namespace

void define_cursor(py::module_& module) {
  py::class_<Walk> cursor(
      module, "Cursor",
      "A position that moves: the fastest way to step one game. make() and unmake() change it, "
      "unlike State.apply().");
  cursor.def(py::init<const State&>(), py::arg("state"))
      .def_property_readonly("game", &Walk::game)
      .def_property_readonly(
          "state",
          [](Walk& walk) { return std::make_unique<State>(walk.game(), walk.position().state()); },
          "The current state.")
      .def_property_readonly(
          "turn", [](Walk& walk) { return walk.position().turn(); }, "As State.turn.")
      .def_property_readonly(
          "depth", [](Walk& walk) { return walk.position().depth(); },
          "The number of moves that can be taken back.")
      .def_property_readonly(
          "rewards", [](Walk& walk) { return rewards_at(walk.position()); }, "As State.rewards.")
      .def(
          "go_to",
          [](Walk& walk, const State& state) {
            if (state.game() != walk.game()) refuse("the state is of another game");
            walk.position().go_to(state.fluents());
          },
          py::arg("state"), "Goes to a state and forgets the moves so far.");
  add_fast_methods(cursor);
}

}  // namespace zermelo::python
