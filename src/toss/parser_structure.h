// Reading structures: [elements | relations | functions] and a picture.
#pragma once

#include "toss/token_reader.h"

namespace zermelo::toss {

syntax::Structure parse_structure(TokenReader& reader);

}  // namespace zermelo::toss
