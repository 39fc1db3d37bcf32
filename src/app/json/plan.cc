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
  for (const PlannerFailure& failure : report.failures)
    json["failures"].push_back({{"planner", failure.planner}, {"message", failure.message}});
  add_error(json, report.stopped);
  return one_line(json);
}

}  // namespace zermelo::app
