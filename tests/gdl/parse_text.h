// Rules from text, with whatever is wrong with them.
#pragma once

#include <memory>
#include <string>

#include "gdl/parser.h"

namespace zermelo::gdl {

inline ParseResult parse_text(std::string text) {
  return parse(std::make_shared<const base::Source>("test.kif", std::move(text)));
}

}  // namespace zermelo::gdl
