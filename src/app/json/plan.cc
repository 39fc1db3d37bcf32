#include "app/plan.h"

#include "app/json.h"
#include "app/json/values.h"
#include "base/error_name.h"

namespace zermelo::app {

std::string to_json(const PlanReport& report) {
  Json json = {
      {"solved", report.is_solved()},
      {"optimal", report.is_optimal},
      {"reward", or_null(report.reward)},
      {"moves", report.moves},
      {"planner", report.planner},
      {"validated", report.is_validated},
      {"seconds", {{"translate", report.seconds.translate}, {"planner", report.seconds.planner}}}};
  if (report.stopped) {
    json["error"] = {{"kind", base::name_of(report.stopped->kind)},
                     {"message", report.stopped->message}};
  }
  return one_line(json);
}

}  // namespace zermelo::app
