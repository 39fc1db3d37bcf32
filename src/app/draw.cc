#include "app/draw.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/position.h"
#include "base/error_name.h"
#include "base/limited_steps.h"
#include "base/random.h"
#include "gdl/term_text.h"
#include "play/scene_of.h"
#include "search/simulator.h"
#include "solve/folder/solution_folder.h"

namespace zermelo::app {
namespace {

using search::Simulator;

base::Result<Rules> rules_of(const DrawRequest& request, const base::Limits& limits) {
  if (request.folder.empty()) return request.rules;
  return solve::SolutionFolder(request.folder).rules(limits);
}

std::string not_legal(const std::string& name) { return name + " is not legal"; }

// Makes the named move for the first role that has it, and the first legal moves of the others. For
// games without a machine, where a look at all choices would take too long.
base::Result<void> make_move(const Simulator& simulator, search::Walker& walker,
                             const std::string& name) {
  std::vector<search::Move> joint;
  bool is_made = false;
  for (std::size_t role = 0; !walker.terminal() && role < simulator.roles().size(); ++role) {
    const auto move = search::find_move(simulator, walker, role, name);
    if (walker.legal(role).empty())
      return base::fail(base::ErrorKind::not_applicable, not_legal(name));
    joint.push_back(move && !is_made ? *move : walker.legal(role).front());
    is_made = is_made || move.has_value();
  }
  if (!is_made) return base::fail(base::ErrorKind::not_applicable, not_legal(name));
  walker.make(joint);
  return {};
}

base::Result<void> go_to(const DrawRequest& request, const Simulator& simulator,
                         search::Walker& walker, const base::Limits& limits) {
  walker.go_to(simulator.initial());
  if (simulator.machine()) {
    const auto position = position_after(simulator.machine(), request.moves, limits);
    if (!position) return tl::unexpected(position.error());
    walker.go_to(position->state);
    return {};
  }
  const auto names = gdl::canonical_terms(request.moves);
  if (!names) return base::fail(base::ErrorKind::invalid_request, names.error());
  for (const std::string& name : *names) {
    if (const auto made = make_move(simulator, walker, name); !made) return made;
  }
  return {};
}

// Makes up to so many random moves; stops before a terminal state, which often shows less.
void wander(const Simulator& simulator, search::Walker& walker, std::uint64_t moves,
            base::Random& random) {
  for (std::uint64_t i = 0; i < moves && !walker.terminal(); ++i) {
    std::vector<search::Move> joint;
    for (std::size_t role = 0; role < simulator.roles().size(); ++role) {
      const auto legal = walker.legal(role);
      if (legal.empty()) return;
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    walker.make(joint);
  }
}

base::Result<std::string> draw_position(const DrawRequest& request, const Rules& rules,
                                        const base::Limits& limits) {
  const auto simulator = search::make_simulator(
      rules, {.limits = limits, .sliced = false, .reference_limits = limits});
  if (!simulator) return tl::unexpected(simulator.error());
  const auto walker = (*simulator)->walker();
  if (const auto gone = go_to(request, **simulator, *walker, limits); !gone) {
    return tl::unexpected(gone.error());
  }
  base::Random random(request.seed);
  wander(**simulator, *walker, request.random_moves, random);
  const std::vector<std::string> fluents = (*simulator)->fluent_names(walker->state());
  const analysis::Scene scene = play::scene_of(**simulator, rules.get(), limits);
  return picture_as_svg(scene.depict(fluents), request.svg);
}

}  // namespace

base::Result<std::string> draw(const DrawRequest& request, const Context& context) {
  const base::Limits limits = request.limits.start(context);
  context.report("drawing");
  const auto rules = rules_of(request, limits);
  if (!rules) return tl::unexpected(rules.error());
  auto drawn = base::within_limits([&] { return draw_position(request, *rules, limits); });
  if (!drawn) return tl::unexpected(drawn.error());
  return *drawn;
}

}  // namespace zermelo::app
