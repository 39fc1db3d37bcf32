#include "app/verify.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

namespace {

std::string strategies_check_json(const VerifyResult& result, const solve::StrategyCheck& check) {
  return one_line({{"ok", result.ok()},
                   {"roles", check.players},
                   {"bounds", bounds_json(check.low, check.high)},
                   {"exploitability", check.exploitability()},
                   {"rounds", check.rounds},
                   {"worlds", std::to_string(check.worlds)},
                   {"decisions", check.decisions},
                   {"failures_found", result.failures_found},
                   {"failures", result.failures}});
}

}  // namespace

std::string to_json(const VerifyResult& result) {
  if (result.strategies) return strategies_check_json(result, *result.strategies);
  return one_line({{"ok", result.ok()},
                   {"states", result.states},
                   {"layer_states", result.layer_states},
                   {"states_checked", std::to_string(result.states_checked)},
                   {"exhaustive", result.exhaustive},
                   {"failures_found", result.failures_found},
                   {"failures", result.failures}});
}

}  // namespace zermelo::app
