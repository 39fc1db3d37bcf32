#include "cli/json_output.h"

#include <nlohmann/json.hpp>

#include "cli/output.h"

namespace zermelo::cli {

void write_json(const nlohmann::ordered_json& object) {
  write_answer(object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
               "\n");
}

}  // namespace zermelo::cli
