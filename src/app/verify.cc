#include "app/verify.h"

namespace zermelo::app {

base::Result<VerifyResult> verify(const VerifyRequest& request, const Context& context) {
  solve::VerifyOptions options;
  if (request.sample) {
    options.exhaustive_up_to = 0;
    options.sample = *request.sample;
  }
  options.seed = request.seed;
  options.limits = request.limits.start(context);
  context.report("verifying");
  return solve::verify(request.folder, options);
}

}  // namespace zermelo::app
