// The parts of the module, one function per file.
#pragma once

#include <pybind11/pybind11.h>

namespace zermelo::python {

void define_game(pybind11::module_& module);
void define_state(pybind11::module_& module);
void define_cursor(pybind11::module_& module);
void define_batch(pybind11::module_& module);
void define_uct(pybind11::module_& module);
void define_requests(pybind11::module_& module);

}  // namespace zermelo::python
