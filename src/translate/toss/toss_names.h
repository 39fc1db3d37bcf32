// Names of Toss for anything that has a text.
#pragma once

#include <set>
#include <string>

namespace zermelo::translate::toss {

// A name of letters, digits and underscores like the text, that is no word of Toss and not among
// those used; it is added to them.
std::string unique_name(const std::string& text, std::set<std::string>& used);

}  // namespace zermelo::translate::toss
