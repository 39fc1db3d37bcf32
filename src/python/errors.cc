#include "python/errors.h"

#include <array>

namespace zermelo::python {

namespace py = pybind11;

namespace {

struct ErrorClass {
  const char* name;
  PyObject** base;  // besides zermelo.Error; null: none
  const char* description;
};

// By base::ErrorKind.
const std::array<ErrorClass, 7> error_classes = {{
    {"UnreadableInput", &PyExc_OSError, "A file is missing, too large or not a regular file."},
    {"InvalidRequest", &PyExc_ValueError, "The request is wrong, e.g. an unknown move or option."},
    {"InvalidRules", &PyExc_ValueError,
     "The rules are not valid. The message shows every error with its location."},
    {"NotApplicable", nullptr, "The rules are valid, but the game lacks a required property."},
    {"MemoryLimit", &PyExc_MemoryError, "The memory limit was reached."},
    {"TimeLimit", &PyExc_TimeoutError, "The time limit was reached."},
    {"UnwritableOutput", &PyExc_OSError, "A file cannot be written."},
}};

// By base::ErrorKind; they live as long as the process.
std::array<PyObject*, error_classes.size()> classes{};

PyObject* define(py::module_& module, const ErrorClass& error, const py::handle& bases) {
  const std::string name = std::string("zermelo.") + error.name;
  PyObject* defined =
      PyErr_NewExceptionWithDoc(name.c_str(), error.description, bases.ptr(), nullptr);
  if (defined == nullptr) throw py::error_already_set();
  module.add_object(error.name, py::reinterpret_borrow<py::object>(defined));
  return defined;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Failure& failure) {
    raise(failure);
  }
}

}  // namespace

void raise(const Failure& failure) {
  PyErr_SetString(classes[static_cast<std::size_t>(failure.error().kind)], failure.what());
}

void define_errors(py::module_& module) {
  const ErrorClass root = {"Error", nullptr, "The base of all errors that Zermelo reports."};
  const py::handle base = define(module, root, py::handle(PyExc_Exception));
  for (std::size_t kind = 0; kind < error_classes.size(); ++kind) {
    const ErrorClass& error = error_classes[kind];
    const py::object bases = error.base == nullptr
                                 ? py::object(py::make_tuple(base))
                                 : py::object(py::make_tuple(base, py::handle(*error.base)));
    classes[kind] = define(module, error, bases);
  }
  py::register_exception_translator(&translate);
}

}  // namespace zermelo::python
