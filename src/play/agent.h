// Players of all kinds behind one interface, created from a specification:
//
//   auto:time=1s              the kind of player that suits the game (auto_choice.h)
//   random                    a random legal move
//   legal                     the first legal move by name
//   uct:time=0.1s,variant=st  Monte-Carlo tree search
//   alphabeta:time=1s         alpha-beta, for two players who take turns
//   toss:heuristic=auto       alpha-beta with the heuristic of the game's translation to Toss
//   plan:time=1s              the native planner, for games of one role
//   perfect:FOLDER            perfect play from the solution of a game
//   factored                  perfect play from the solved subgames of a game
//
// For games with hidden information (hidden_agent.h):
//
//   ismcts:simulations=1000   Monte-Carlo tree search over information sets
//   determinise:time=1s       search in sampled states, as if they were known
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "search/alpha_beta.h"
#include "search/simulator.h"
#include "search/uct.h"

namespace zermelo::play {

using search::Move;
using search::State;
using Seconds = std::chrono::duration<double>;

// The time for a move of a player whose specification has no limit.
inline constexpr Seconds default_time{1};

class Agent {
 public:
  virtual ~Agent() = default;

  // Returns a legal move. The state must not be terminal, and every role must have a legal move in
  // it. If `time` is given, it replaces the time of the agent's specification.
  virtual Move choose(const State& state, std::optional<Seconds> time) = 0;
  // Starts to think about such a state in the background. Pondering ends when the agent has to
  // choose between several moves, or is called to ponder again. Agents that cannot ponder do
  // nothing.
  virtual void ponder(const State&) {}
  // Returns the first error met while reading stored values. Moves chosen since then may be bad.
  virtual std::optional<base::Error> read_error() const { return {}; }
};

// The enhancements of UCT that are used, besides proved values.
struct Variant {
  bool sufficiency = false;
  bool moving_average = false;
  bool rave = false;
  bool mast = false;
  bool regret_matching = false;
};

struct Seat {
  std::shared_ptr<const search::Simulator> simulator;
  std::size_t role = 0;
  std::uint64_t seed = 1;
  // Once a stop is requested, `choose` returns the best move known so far.
  std::stop_token stop = {};
};

struct AgentSpec {
  enum class Kind {
    automatic,
    random,
    legal,
    uct,
    alpha_beta,
    plan,
    perfect,
    factored,
    information_sets,
    determinise,
  };

  std::string text;
  Kind kind = Kind::uct;
  std::string folder;  // for perfect, and for uct with values; else empty
  std::optional<Seconds> time;
  std::optional<std::uint64_t> simulations;
  std::optional<unsigned> depth;
  std::string evaluator;                   // empty: random games for uct, goals for alpha_beta
  std::optional<double> evaluator_weight;  // for uct; default: 1
  bool quiescence = false;                 // for alpha_beta
  Variant variant;
  std::optional<bool> proofs;     // default: yes
  std::optional<double> tactics;  // share of the time for proofs of forced wins
  std::optional<bool> ponder;     // the default depends on the caller
  std::optional<double> exploration;
  unsigned threads = 1;
  std::optional<std::size_t> memory_bytes;
  std::size_t memory_share = ~std::size_t{0};  // upper limit when memory_bytes is not given
  std::optional<std::size_t> leaves;
  std::optional<Seconds> preparation;  // for automatic: time for the decision
  // Shared by the agents of several games. They replace those that evaluator and folder name.
  std::shared_ptr<const eval::Evaluator> prepared_evaluator = {};
  std::shared_ptr<const eval::StateValues> prepared_values = {};
  // Makes the agent, if set: for players that use more than this process.
  std::function<base::Result<std::unique_ptr<Agent>>(const AgentSpec&, const Seat&)> make = {};
};

// Parses an agent specification. On failure the error is the reason.
tl::expected<AgentSpec, std::string> parse_agent(const std::string& text);

// Returns the options of UCT for the specification.
search::UctOptions uct_options(const AgentSpec& spec, const Seat& seat);

// Fails with not_applicable if the agent cannot play the game, and with unreadable_input if its
// folder cannot be read.
base::Result<std::unique_ptr<Agent>> make_agent(const AgentSpec& spec, const Seat& seat);

}  // namespace zermelo::play
