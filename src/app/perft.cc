#include "app/perft.h"

#include <fmt/format.h>

#include "base/error_name.h"

namespace zermelo::app {
namespace {

base::Error stop_error(const PerftRequest& request, base::ErrorKind limit) {
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
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  PerftCounts counts{request.engine, std::move(counted->depths), elapsed.count()};
  if (counted->stopped) counts.stopped = stop_error(request, *counted->stopped);
  return counts;
}

}  // namespace zermelo::app
