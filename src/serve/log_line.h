// Sanitises untrusted text (names, moves, answers) for logs.
#pragma once

#include <string>

namespace zermelo::serve {

// Returns one line of at most 403 characters. Longer text is cut, and bytes other than printable
// ASCII are replaced by "?".
std::string log_line(std::string text);

}  // namespace zermelo::serve
