// What logs may show of texts that others wrote: names, moves, answers.
#pragma once

#include <string>

namespace zermelo::serve {

// One line of at most 403 characters: what is longer is cut, and bytes other than printable ASCII
// characters are replaced by "?".
std::string log_line(std::string text);

}  // namespace zermelo::serve
