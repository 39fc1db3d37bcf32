// Positions with a forced win, and which moves players choose in them. bench/sight.py calls it.
//
//   sight find GAME SEED SECONDS SPEC...    plays one game between the players, from a random
//                                           opening, and prints the positions with a proved win
//   sight ask GAME SPEC SEED < POSITIONS    asks a player in each position
//
// A position is one line: the number of plies of the shortest win, the winning role, the number of
// legal moves, and the fluents, separated by tabs. A position is printed if the role that decides
// wins by force in 3 to 9 plies and some legal move is not proved to win. `ask` prints the plies
// and whether the chosen move is proved to win; `unknown` if the effort does not suffice to tell.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <unordered_map>

#include "play/agent.h"
#include "search/proof_number.h"
#include "search/random_move.h"
#include "support/load.h"

namespace zermelo {
namespace {

using play::Move;
using play::State;
using SimulatorPointer = std::shared_ptr<const search::Simulator>;

constexpr std::uint64_t effort_to_find = 20'000;  // expansions
constexpr std::uint64_t effort_to_check = 400'000;
constexpr std::uint32_t least_plies = 3, most_plies = 9;

[[noreturn]] void fail(const std::string& problem) {
  std::fprintf(stderr, "sight: %s\n", problem.c_str());
  std::exit(1);
}

std::unique_ptr<play::Agent> agent_of(const std::string& text, const play::Seat& seat) {
  const auto spec = play::parse_agent(text);
  if (!spec) fail(spec.error());
  auto agent = play::make_agent(*spec, seat);
  if (!agent) fail(agent.error().message);
  return std::move(*agent);
}

// Returns the only role with a choice, if there is one.
std::optional<std::size_t> decider(search::Walker& walker, std::size_t roles) {
  std::optional<std::size_t> found;
  for (std::size_t role = 0; role < roles; ++role) {
    if (walker.legal(role).size() < 2) continue;
    if (found) return std::nullopt;
    found = role;
  }
  return found;
}

std::vector<Move> first_moves(search::Walker& walker, std::size_t roles) {
  std::vector<Move> joint;
  for (std::size_t role = 0; role < roles; ++role) joint.push_back(walker.legal(role).front());
  return joint;
}

class Judge {
 public:
  explicit Judge(const SimulatorPointer& simulator)
      : roles_(simulator->roles().size()),
        walker_(simulator->walker()),
        search_(simulator, {std::size_t{256} << 20}) {}

  // Returns whether the move is proved to win for the role; nullopt if that is not known.
  std::optional<bool> wins(const State& state, std::size_t role, Move move, std::uint64_t effort) {
    walker_->go_to(state);
    std::vector<Move> joint = first_moves(*walker_, roles_);
    joint[role] = move;
    walker_->make(joint);
    if (walker_->terminal()) return walker_->goal(role) == search_.win_of(role)[role];
    const search::ProofReport report = search_.search(walker_->state(), role, {effort});
    if (report.win) return true;
    return report.is_refuted ? std::optional(false) : std::nullopt;
  }

  // Returns the plies of the shortest win of the role.
  std::optional<std::uint32_t> plies_of_win(const State& state, std::size_t role) {
    if (!search_.search(state, role, {effort_to_find}).win) return std::nullopt;
    for (std::uint32_t plies = 1; plies <= most_plies; ++plies) {
      if (search_.search(state, role, {effort_to_find, plies}).win) return plies;
    }
    return std::nullopt;
  }

 private:
  std::size_t roles_;
  std::unique_ptr<search::Walker> walker_;
  search::ProofNumberSearch search_;
};

void print_if_decisive(const search::Simulator& simulator, Judge& judge, const State& state,
                       std::size_t role, const std::vector<Move>& moves) {
  const auto plies = judge.plies_of_win(state, role);
  if (!plies || *plies < least_plies) return;
  const bool has_wrong_move = std::ranges::any_of(moves, [&](Move move) {
    return !judge.wins(state, role, move, effort_to_find).value_or(false);
  });
  if (!has_wrong_move) return;
  std::string line =
      std::to_string(*plies) + "\t" + std::to_string(role) + "\t" + std::to_string(moves.size());
  for (const std::string& fluent : simulator.fluent_names(state)) line += "\t" + fluent;
  std::puts(line.c_str());
}

void find(const SimulatorPointer& simulator, std::uint64_t seed, double seconds,
          const std::vector<std::string>& specs) {
  const std::size_t roles = simulator->roles().size();
  base::Random random(seed);
  std::vector<std::unique_ptr<play::Agent>> agents;
  for (std::size_t role = 0; role < roles; ++role) {
    const std::string& spec = specs[(role + seed) % specs.size()];
    agents.push_back(agent_of(spec, {simulator, role, random.next()}));
  }
  Judge judge(simulator);
  const auto walker = simulator->walker();
  walker->go_to(simulator->initial());
  const std::uint32_t opening = 2 + random.below(5);
  for (std::uint32_t step = 0; !walker->terminal() && step < 400; ++step) {
    const State state = walker->state();
    std::vector<Move> joint(roles);
    if (step < opening) {
      search::choose_at_random(*walker, random, joint);
    } else {
      if (const auto role = decider(*walker, roles)) {
        const auto legal = walker->legal(*role);
        print_if_decisive(*simulator, judge, state, *role, {legal.begin(), legal.end()});
      }
      for (std::size_t role = 0; role < roles; ++role) {
        joint[role] = agents[role]->choose(state, play::Seconds(seconds));
      }
    }
    walker->go_to(state);
    walker->make(joint);
  }
}

State state_of(const machine::Machine& machine, const std::vector<std::string>& fluents) {
  const std::vector<std::string> names = machine.game().fluent_names();
  std::unordered_map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < names.size(); ++i) numbers[names[i]] = i;
  State state(names.size());
  for (const std::string& fluent : fluents) state.set(numbers.at(fluent));
  return state;
}

void ask(const SimulatorPointer& simulator, const std::string& spec, std::uint64_t seed) {
  Judge judge(simulator);
  std::size_t number = 0;
  for (std::string line; std::getline(std::cin, line); ++number) {
    std::istringstream stream(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    const auto role = static_cast<std::size_t>(std::atoi(fields.at(1).c_str()));
    const State state = state_of(*simulator->machine(), {fields.begin() + 3, fields.end()});
    const auto agent = agent_of(spec, {simulator, role, seed + number});
    const Move move = agent->choose(state, std::nullopt);
    const auto wins = judge.wins(state, role, move, effort_to_check);
    std::printf("%s\t%s\t%s\n", fields[0].c_str(),
                !wins   ? "unknown"
                : *wins ? "right"
                        : "wrong",
                simulator->move_name(move).c_str());
    std::fflush(stdout);
  }
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 4) {
    std::fputs("usage: sight find GAME SEED SECONDS SPEC... | sight ask GAME SPEC SEED\n", stderr);
    return 2;
  }
  const auto simulator = search::make_simulator(testing::rulesheet_file(arguments[1]), {}).value();
  if (!simulator->machine()) fail("the game cannot be grounded");
  if (arguments[0] == "find" && arguments.size() > 4) {
    find(simulator, std::strtoull(arguments[2].c_str(), nullptr, 10),
         std::atof(arguments[3].c_str()), {arguments.begin() + 4, arguments.end()});
  } else {
    ask(simulator, arguments[2], std::strtoull(arguments[3].c_str(), nullptr, 10));
  }
  return 0;
}

}  // namespace
}  // namespace zermelo

int main(int argc, char** argv) { return zermelo::run({argv + 1, argv + argc}); }
