#include "app/json/values.h"

namespace zermelo::app {

std::string one_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json rewards_json(const solve::Rewards& rewards) {
  if (rewards.empty()) return nullptr;
  return rewards;
}

}  // namespace zermelo::app
