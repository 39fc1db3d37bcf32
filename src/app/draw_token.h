// Tokens as SVG, recognised by their names: crosses and rings, chess pieces, numbers, arrows,
// blocks, and discs with a letter in the colour that the name contains. Tokens of one board always
// differ in shape or letter, never in colour alone.
#pragma once

#include <string>
#include <vector>

namespace zermelo::app {

// SVG elements for the token, centred at 0 0 and within 100 x 100. `names` are all names that
// tokens of the board can have, which decide how much of a name must be shown.
std::string token_as_svg(const std::string& name, const std::vector<std::string>& names);

// The shortest beginning of the name that no other of the names has, at most four characters;
// beyond, parts of its beginning and end.
std::string abbreviation(const std::string& name, const std::vector<std::string>& names);

}  // namespace zermelo::app
