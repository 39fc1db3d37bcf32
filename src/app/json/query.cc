#include "app/query.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const QueryResult& result) {
  Json moves = Json::array();
  for (const QueryResult::Move& move : result.moves) {
    moves.push_back({{"role", move.role},
                     {"move", move.name},
                     {"values", rewards_json(move.rewards)},
                     {"distance", or_null(move.distance)},
                     {"keeps_value", move.keeps_value},
                     {"best", move.best}});
  }
  return one_line({{"roles", result.roles},
                   {"position", result.position},
                   {"terminal", result.terminal},
                   {"turn", or_null(result.turn)},
                   {"values", rewards_json(result.rewards)},
                   {"distance", or_null(result.distance)},
                   {"moves", moves},
                   {"line", result.line}});
}

}  // namespace zermelo::app
