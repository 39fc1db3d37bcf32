// The one JSON object that --json promises.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace zermelo::cli {

// One line on standard output. Bytes of the input that are not UTF-8 are replaced.
void write_json(const nlohmann::ordered_json& object);

}  // namespace zermelo::cli
