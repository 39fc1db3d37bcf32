// The module zermelo._core: what python/zermelo builds on. Docstrings and types are in
// python/zermelo/_core.pyi and in the Python files.
#include <pybind11/pybind11.h>

#include "python/bindings.h"
#include "python/errors.h"

PYBIND11_MODULE(_core, module) {
  using namespace zermelo::python;
  module.doc() = "General game playing from rules in the Game Description Language.";
  module.attr("__version__") = ZERMELO_VERSION;
  define_errors(module);
  define_game(module);
  define_state(module);
  define_cursor(module);
  define_batch(module);
  define_uct(module);
  define_requests(module);
}
