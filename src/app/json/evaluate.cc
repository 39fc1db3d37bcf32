#include "app/evaluate.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const Evaluation& evaluation) {
  Json values = Json::array(), parts = Json::array();
  for (const Evaluation::OfRole& role : evaluation.roles) {
    values.push_back({{"role", role.role}, {"value", role.value}});
    Json children = Json::array();
    for (const eval::EvaluationPart& part : role.parts) {
      children.push_back({{"name", part.name}, {"kind", part.kind}, {"value", part.value}});
    }
    parts.push_back({{"name", role.role},
                     {"kind", "role"},
                     {"value", role.value},
                     {"children", std::move(children)}});
  }
  return one_line({{"evaluator", evaluation.evaluator},
                   {"position", evaluation.position},
                   {"values", std::move(values)},
                   {"parts", std::move(parts)},
                   {"seconds", evaluation.seconds}});
}

}  // namespace zermelo::app
