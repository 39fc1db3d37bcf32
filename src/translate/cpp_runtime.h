// The parts of the generated program that are the same for every game.
#pragma once

#include <string_view>

namespace zermelo::translate {

extern const std::string_view cpp_prelude;
extern const std::string_view cpp_raise;
extern const std::string_view cpp_runtime;

}  // namespace zermelo::translate
