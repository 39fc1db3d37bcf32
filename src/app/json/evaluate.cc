#include "app/evaluate.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

namespace {

Json part_json(const eval::EvaluationPart& part) {
  Json children = Json::array();
  for (const eval::EvaluationPart& child : part.children) children.push_back(part_json(child));
  return {{"name", part.name},
          {"kind", part.kind},
          {"value", part.value},
          {"children", std::move(children)}};
}

}  // namespace

std::string to_json(const Evaluation& evaluation) {
  Json values = Json::array(), parts = Json::array();
  for (const Evaluation::OfRole& role : evaluation.roles) {
    values.push_back({{"role", role.role}, {"value", role.value}});
    parts.push_back(part_json({role.role, "role", role.value, role.parts}));
  }
  return one_line({{"evaluator", evaluation.evaluator},
                   {"position", evaluation.position},
                   {"values", std::move(values)},
                   {"parts", std::move(parts)},
                   {"seconds", evaluation.seconds}});
}

}  // namespace zermelo::app
