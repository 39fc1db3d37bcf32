#include "app/json/values.h"

#include "base/error_name.h"

namespace zermelo::app {

std::string one_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_error(Json& object, const std::optional<base::Error>& error) {
  if (error) object["error"] = {{"kind", base::name_of(error->kind)}, {"message", error->message}};
}

Json rewards_json(const solve::Rewards& rewards) {
  if (rewards.empty()) return nullptr;
  return rewards;
}

}  // namespace zermelo::app
