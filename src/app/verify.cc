#include "app/verify.h"

#include "app/errors.h"

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
  auto verification = solve::verify(request.folder, options);
  if (!verification) return tl::unexpected(with_limit_named(verification.error()));
  return verification;
}

}  // namespace zermelo::app
