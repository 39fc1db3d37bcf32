#include "app/play.h"

#include <fmt/format.h>

#include <algorithm>

#include "play/auto_choice.h"
#include "play/hidden_match.h"

namespace zermelo::app {
namespace {

base::Result<std::size_t> find_role(const std::vector<std::string>& roles,
                                    const std::string& name) {
  const auto role = name.empty() ? roles.begin() : std::find(roles.begin(), roles.end(), name);
  if (role != roles.end()) return static_cast<std::size_t>(role - roles.begin());
  return base::fail(base::ErrorKind::invalid_request,
                    fmt::format("unknown role \"{}\"; expected {}", name, fmt::join(roles, ", ")));
}

base::Result<play::InteractiveGame::Agents> make_agents(const PlayRequest& request,
                                                        const Simulator& simulator) {
  const std::size_t roles = simulator->roles().size();
  play::AgentSpec spec = request.opponent;
  if (!spec.ponder) spec.ponder = !spec.simulations;
  spec.memory_share = request.limits.memory_left() / roles;
  constexpr play::Seconds patience{2};  // a person is waiting
  if (!spec.preparation) spec.preparation = patience;
  spec = play::resolved(spec, {simulator, 0, request.seed});  // once for all roles
  play::InteractiveGame::Agents agents;
  for (std::size_t role = 0; role < roles; ++role) {
    auto agent = play::make_agent(spec, {simulator, role, request.seed + role});
    if (!agent) return tl::unexpected(agent.error());
    agents.push_back(std::move(*agent));
  }
  return agents;
}

}  // namespace

base::Result<play::InteractiveGame> start_game(const PlayRequest& request, const Context& context) {
  const auto simulator = make_simulator(request.rules, request.limits, context);
  if (!simulator) return tl::unexpected(simulator.error());
  const auto person = find_role((*simulator)->roles(), request.role);
  if (!person) return tl::unexpected(person.error());
  auto values = open_values(request.values, **simulator);
  if (!values) return tl::unexpected(values.error());
  auto agents = make_agents(request, *simulator);
  if (!agents) return tl::unexpected(agents.error());
  return play::InteractiveGame(*simulator, *person, std::move(*agents), std::move(*values));
}

base::Result<play::HiddenGame> start_hidden_game(const PlayRequest& request,
                                                 const Context& context) {
  if (!request.values.empty()) {
    return base::fail(base::ErrorKind::not_applicable,
                      "games with hidden information have no stored values");
  }
  auto machine = make_hidden_machine(request.rules, request.limits.start(context));
  if (!machine) return tl::unexpected(machine.error());
  std::vector<std::string> players;
  const std::vector<std::size_t> roles = play::played_roles(**machine);
  for (const std::size_t role : roles) players.push_back((*machine)->roles()[role]);
  const auto person = find_role(players, request.role);
  if (!person) return tl::unexpected(person.error());
  play::AgentSpec spec = request.opponent;
  spec.memory_share = request.limits.memory_left() / roles.size();
  return play::HiddenGame::make(std::move(*machine), roles[*person], spec, request.seed);
}

}  // namespace zermelo::app
