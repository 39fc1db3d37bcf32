#include "app/verify.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const VerifyResult& result) {
  return one_line({{"ok", result.ok()},
                   {"states", result.states},
                   {"layer_states", result.layer_states},
                   {"states_checked", std::to_string(result.states_checked)},
                   {"exhaustive", result.exhaustive},
                   {"failures_found", result.failures_found},
                   {"failures", result.failures}});
}

}  // namespace zermelo::app
