#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string error_json(std::string_view kind, std::string_view message) {
  return one_line({{"error", {{"kind", kind}, {"message", message}}}});
}

std::string to_json(const base::Error& error) {
  return error_json(name_of(error.kind), error.message);
}

}  // namespace zermelo::app
