#include "app/compile.h"

#include <fmt/format.h>

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
    return base::fail(*exceeded, fmt::format("{}: the limit was reached while compiling",
                                             request.rules->source->name()));
  }
  return text;
}

}  // namespace zermelo::app
