#include "app/experiments/strength.h"

#include "app/players.h"
#include "play/folder_values.h"

namespace zermelo::app {

std::vector<std::string> usual_players() {
  return {"uct:time=0.1s", "uct:time=0.1s,variant=st", "uct:time=0.1s,variant=ma",
          "uct:time=0.1s,variant=rave", "uct:time=0.1s,variant=mast"};
}

base::Result<StrengthStudy> study_strength(const StrengthRequest& request, const Context& context) {
  const auto simulator = make_simulator(request.rules, {}, context);
  if (!simulator) return tl::unexpected(simulator.error());
  if (!(*simulator)->machine()) {
    return base::fail(base::ErrorKind::not_applicable, "cannot ground the game");
  }
  const auto values = play::open_folder_values(request.values, (*simulator)->machine());
  if (!values) return tl::unexpected(values.error());
  const auto positions =
      play::random_positions(**simulator, **values, request.positions, request.seed);
  if (!positions) return tl::unexpected(positions.error());
  StrengthStudy study;
  study.positions = request.positions;
  for (const play::AgentSpec& player : request.players) {
    context.report(player.text);
    const auto strength = play::measure_strength(*simulator, **values, player, *positions,
                                                 request.seed, context.stop);
    if (!strength && context.stop.stop_requested() && !study.players.empty()) {
      study.stopped = strength.error();
      break;
    }
    if (!strength) return tl::unexpected(strength.error());
    study.decisive = strength->decisive;
    study.players.push_back({player.text, *strength});
  }
  return study;
}

}  // namespace zermelo::app
