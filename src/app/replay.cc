#include "app/replay.h"

#include "app/players.h"
#include "base/source.h"

namespace zermelo::app {

base::Result<play::MatchRecord> read_record(const std::string& path) {
  const auto source = base::read_source(path);
  if (!source) return tl::unexpected(source.error());
  return play::read_record(std::string(source->text()));
}

base::Result<play::Replay> replay(const ReplayRequest& request, const Context& context) {
  const auto simulator = make_simulator(request.rules, request.limits, context);
  if (!simulator) return tl::unexpected(simulator.error());
  auto values = open_values(request.values, **simulator);
  if (!values) return tl::unexpected(values.error());
  play::Replay replay = play::replay(**simulator, request.record, *values);
  if (*values) {
    if (auto error = (*values)->read_error()) return tl::unexpected(std::move(*error));
  }
  return replay;
}

}  // namespace zermelo::app
