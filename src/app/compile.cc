#include "app/compile.h"

#include <fmt/format.h>

#include "base/error_name.h"
#include "ground/ground.h"
#include "translate/cpp.h"

namespace zermelo::app {

base::Result<std::string> compile(const CompileRequest& request, const Context& context) {
  const base::Limits limits = request.limits.start(context);
  context.report("compiling");
  const auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto text = translate::to_cpp(*game, limits);
  if (text) return text;
  return base::fail(text.error().kind,
                    fmt::format("{}: {}", request.rules->source->name(), text.error().message));
}

}  // namespace zermelo::app
