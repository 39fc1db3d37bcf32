#include "app/compile.h"

#include "base/error_name.h"
#include "ground/ground.h"
#include "translate/cpp.h"

namespace zermelo::app {

base::Result<std::string> compile(const CompileRequest& request, const Context& context) {
  const base::Limits limits = request.limits.start(context);
  context.report("compiling");
  const auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  std::string text = translate::to_cpp(*game);
  if (const auto exceeded = limits.exceeded()) {
    return tl::unexpected(
        base::limit_error(*exceeded, "while compiling " + request.rules->source->name()));
  }
  return text;
}

}  // namespace zermelo::app
