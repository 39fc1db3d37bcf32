// Headers of HTTP messages as other programs write them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace zermelo::serve {

// Returns the position after the empty line that ends the header of a request or response, or 0 if
// there is none yet. Lines may end without a carriage return.
std::size_t header_end(std::string_view text);

// Returns the header with the line endings that the standard asks for, and with a space after the
// status code of a response without a reason phrase. Some players write neither, and the parser
// accepts nothing else.
std::string standard_header(std::string_view header);

}  // namespace zermelo::serve
