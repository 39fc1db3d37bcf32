#include "app/service/agents.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/uct.h"

namespace zermelo::app {
namespace {

using Kind = OpponentRequest::Kind;

base::Error cannot_choose(const std::string& reason) {
  return {base::ErrorKind::invalid_request, reason};
}

base::Result<std::size_t> role_number(const OpenGame& game, const std::string& name) {
  const auto& roles = game.roles();
  const auto found = std::find(roles.begin(), roles.end(), name);
  if (found == roles.end()) return tl::unexpected(cannot_choose("there is no such role"));
  return static_cast<std::size_t>(found - roles.begin());
}

bool everybody_can_move(const OpenGame& game, search::Walker& walker) {
  for (std::size_t role = 0; role < game.roles().size(); ++role) {
    if (walker.legal(role).empty()) return false;
  }
  return true;
}

play::AgentSpec spec_of(const OpenGame& game, const OpponentRequest& request) {
  play::AgentSpec spec;
  Kind kind = request.kind;
  if (kind == Kind::automatic) kind = game.is_solved() ? Kind::perfect : Kind::search;
  spec.kind = kind == Kind::random    ? play::AgentSpec::Kind::random
              : kind == Kind::perfect ? play::AgentSpec::Kind::perfect
                                      : play::AgentSpec::Kind::uct;
  const bool plans = spec.kind == play::AgentSpec::Kind::uct && game.roles().size() == 1 &&
                     !request.simulations && game.simulator()->machine() != nullptr;
  if (plans) spec.kind = play::AgentSpec::Kind::plan;
  if (spec.kind == play::AgentSpec::Kind::perfect) spec.folder = game.solution_folder().string();
  if (request.simulations) {
    spec.simulations = std::clamp<std::uint64_t>(*request.simulations, 1, 1'000'000);
  } else {
    spec.time = play::Seconds(std::clamp(request.seconds, 0.01, max_thinking_seconds));
  }
  spec.memory_bytes = request.memory_bytes;
  spec.ponder = false;
  return spec;
}

// The moves of most visits from the root downwards, as far as the tree reaches.
class PrincipalLine {
 public:
  PrincipalLine(const OpenGame& game, search::Uct& uct, const search::State& root)
      : game_(game), uct_(uct), walker_(game.simulator()->walker()) {
    walker_->go_to(root);
  }

  std::vector<std::string> find() {
    constexpr std::size_t longest = 12;
    constexpr std::uint64_t fewest_visits = 8;
    std::vector<std::string> line;
    while (line.size() < longest && !walker_->terminal() && everybody_can_move(game_, *walker_)) {
      uct_.set_root(walker_->state());
      std::vector<search::Move> joint;
      for (std::size_t role = 0; role < game_.roles().size(); ++role) {
        const auto moves = uct_.moves(role);
        const auto best =
            std::max_element(moves.begin(), moves.end(),
                             [](const auto& a, const auto& b) { return a.visits < b.visits; });
        if (best == moves.end() || best->visits < fewest_visits) return line;
        joint.push_back(best->move);
      }
      const std::size_t role = deciding_roles(game_, *walker_).front();
      line.push_back(game_.simulator()->move_name(joint[role]));
      walker_->make(joint);
    }
    return line;
  }

 private:
  const OpenGame& game_;
  search::Uct& uct_;
  std::unique_ptr<search::Walker> walker_;
};

SearchView search_view(const OpenGame& game, search::Uct& uct, const search::State& root,
                       std::size_t role) {
  SearchView view;
  view.role = game.roles()[role];
  for (const search::MoveReport& move : uct.moves(role)) {
    view.moves.push_back(
        {game.simulator()->move_name(move.move), move.visits, 100 * move.value, move.exact});
  }
  std::stable_sort(view.moves.begin(), view.moves.end(),
                   [](const auto& a, const auto& b) { return a.visits > b.visits; });
  if (!view.moves.empty()) view.mean = view.moves.front().mean;
  view.line = PrincipalLine(game, uct, root).find();
  uct.set_root(root);
  return view;
}

}  // namespace

base::Result<std::string> choose_move(const OpenGame& game, const OpponentRequest& request,
                                      const Context& context) {
  const auto role = role_number(game, request.role);
  if (!role) return tl::unexpected(role.error());
  auto position = reach(game, request.steps);
  if (!position) return tl::unexpected(position.error());
  if (position->walker->terminal()) return tl::unexpected(cannot_choose("the game is over"));
  if (!everybody_can_move(game, *position->walker)) {
    return tl::unexpected(cannot_choose("a role has no legal move"));
  }
  if (request.kind == Kind::perfect && !game.is_solved()) {
    return base::fail(base::ErrorKind::not_applicable, "the game is not solved");
  }
  const auto agent = play::make_agent(spec_of(game, request),
                                      {game.simulator(), *role, request.seed, context.stop});
  if (!agent) return tl::unexpected(agent.error());
  const search::Move move = (*agent)->choose(position->walker->state(), std::nullopt);
  return game.simulator()->move_name(move);
}

base::Result<void> watch_search(const OpenGame& game, const SearchRequest& request,
                                const std::function<bool(const SearchView&)>& show,
                                const Context& context) {
  constexpr std::chrono::duration<double> between_views{0.25};
  auto position = reach(game, request.steps);
  if (!position) return tl::unexpected(position.error());
  search::Walker& walker = *position->walker;
  if (walker.terminal() || !everybody_can_move(game, walker)) {
    return tl::unexpected(cannot_choose("the game is over"));
  }
  const std::size_t role = deciding_roles(game, walker).front();
  const search::State root = walker.state();
  search::UctOptions options;
  options.memory_bytes = request.memory_bytes;
  options.seed = request.seed;
  search::Uct uct(game.simulator(), options);
  const double seconds = std::clamp(request.seconds, 0.1, max_thinking_seconds);
  std::uint64_t simulations = 0;
  double spent = 0;
  uct.set_root(root);
  while (spent < seconds && !context.stop.stop_requested()) {
    const auto report = uct.search({between_views, std::nullopt}, context.stop);
    simulations += report.simulations;
    spent += std::max(report.seconds, 0.001);
    SearchView view = search_view(game, uct, root, role);
    view.simulations = simulations;
    view.seconds = spent;
    view.exact = report.exact;
    if (!show(view) || report.exact) break;
  }
  return {};
}

}  // namespace zermelo::app
