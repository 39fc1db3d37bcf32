#include "app/perft.h"

#include <fmt/format.h>

#include "base/error_name.h"

namespace zermelo::app {
namespace {

base::Error stopped(const PerftRequest& request, base::ErrorKind limit) {
  return base::limit_error(
      limit,
      fmt::format("while counting to depth {} in {}; use a smaller --depth or a larger limit",
                  request.depth, request.rules->source->name()));
}

}  // namespace

base::Result<PerftCounts> perft(const PerftRequest& request, const Context& context) {
  if (!steps_single_states(request.engine)) {
    return base::fail(
        base::ErrorKind::invalid_request,
        fmt::format("the engine {} only plays random games", name_of(request.engine)));
  }
  const auto begin = std::chrono::steady_clock::now();
  const base::Limits limits = request.limits.start(context);
  context.report("counting");
  auto counted = with_engine(request.engine, request.rules, limits, [&](auto& engine) {
    return machine::perft(engine, request.depth, limits);
  });
  if (!counted) return tl::unexpected(counted.error());
  if (counted->stopped) return tl::unexpected(stopped(request, *counted->stopped));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return PerftCounts{request.engine, std::move(counted->depths), elapsed.count()};
}

}  // namespace zermelo::app
