// The output of `info` as text.
#pragma once

#include <string>

#include "app/describe.h"

namespace zermelo::cli {

std::string info_text(const app::GameDescription& facts);

}  // namespace zermelo::cli
