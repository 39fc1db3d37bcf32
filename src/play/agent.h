// Players of any kind behind one interface, made from a text:
//
//   random                    a legal move at random
//   legal                     the first legal move by name
//   uct:time=0.1s,variant=st  Monte-Carlo tree search
//   alphabeta:time=1s         alpha-beta, for two players who take turns
//   perfect:FOLDER            best play by a solved game
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "search/alpha_beta.h"
#include "search/simulator.h"
#include "search/uct.h"

namespace zermelo::play {

using search::Move;
using search::State;
using Seconds = std::chrono::duration<double>;

class Agent {
 public:
  virtual ~Agent() = default;

  // A legal move in a state that is not terminal and in which every role has one. `time`, where
  // given, replaces the time that the agent was made with.
  virtual Move choose(const State& state, std::optional<Seconds> time) = 0;
  // Begins to think about such a state while the others do: until it is asked for a move in a state
  // where it has several, or to ponder about another one. Nothing for agents that do not.
  virtual void ponder(const State&) {}
};

// Which improvements of UCT are used beside proved values.
struct Variant {
  bool sufficiency = false;
  bool moving_average = false;
  bool rave = false;
  bool mast = false;
};

struct AgentSpec {
  enum class Kind { random, legal, uct, alpha_beta, perfect };

  std::string text;
  Kind kind = Kind::uct;
  std::string folder;  // of perfect, and of uct with values; else empty
  std::optional<Seconds> time;
  std::optional<std::uint64_t> simulations;
  std::optional<unsigned> depth;
  Variant variant;
  std::optional<bool> proofs;  // yes where nothing is said
  std::optional<bool> ponder;  // where nothing is said, it depends on who asks
  std::optional<double> exploration;
  unsigned threads = 1;
  std::optional<std::size_t> memory_bytes;
  std::size_t memory_share = ~std::size_t{0};  // where memory_bytes says nothing: at most so many
  std::optional<std::size_t> leaves;
};

// The reason where the text is no specification.
tl::expected<AgentSpec, std::string> parse_agent(const std::string& text);

struct Seat {
  std::shared_ptr<const search::Simulator> simulator;
  std::size_t role = 0;
  std::uint64_t seed = 1;
};

// What UCT uses by the specification.
search::UctOptions uct_options(const AgentSpec& spec, const Seat& seat);

// Fails with not_applicable where the agent cannot play the game, with unreadable_input where its
// folder cannot be read.
base::Result<std::unique_ptr<Agent>> make_agent(const AgentSpec& spec, const Seat& seat);

}  // namespace zermelo::play
