// The program's moves and its thoughts, for a page.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/service/position_view.h"

namespace zermelo::app {

struct OpponentRequest {
  enum class Kind : std::uint8_t { automatic, search, random, perfect };

  std::vector<StepChoice> steps = {};  // that lead to the position
  std::string role;                    // whose move is asked for
  Kind kind = Kind::automatic;         // automatic: perfect if the game is solved, else search
  double seconds = 1;                  // for the search, at most max_thinking_seconds
  // Instead of a time: a weaker player, and the same moves every time.
  std::optional<std::uint64_t> simulations = {};
  std::uint64_t seed = 1;
  std::size_t memory_bytes = std::size_t{256} << 20;
};

inline constexpr double max_thinking_seconds = 30;

// The move of the program; the best one known so far if the request is cancelled. Fails with
// invalid_request if the role has no choice to make there, and with not_applicable if a perfect
// move is asked for in a game that is not solved.
base::Result<std::string> choose_move(const OpenGame& game, const OpponentRequest& request,
                                      const Context& context = {});

// What a search thinks, while it does.
struct SearchView {
  struct Candidate {
    std::string move;
    std::uint64_t visits = 0;
    double mean = 0;  // of the role's rewards, 0 to 100
    std::optional<solve::Rewards> exact;
  };

  std::string role;
  std::uint64_t simulations = 0;
  double seconds = 0;
  double mean = 0;                      // of the position: that of the move with most visits
  std::optional<solve::Rewards> exact;  // if the search proved it
  std::vector<Candidate> moves;         // most visits first
  std::vector<std::string> line;        // the principal line: moves of the role to decide
};

struct SearchRequest {
  std::vector<StepChoice> steps = {};
  double seconds = 5;  // at most max_thinking_seconds
  std::uint64_t seed = 1;
  std::size_t memory_bytes = std::size_t{256} << 20;
};

// Calls `show` several times per second until the time is over, the value is proved, `show` returns
// false or the request is cancelled. Fails with invalid_request if the game is over there.
base::Result<void> watch_search(const OpenGame& game, const SearchRequest& request,
                                const std::function<bool(const SearchView&)>& show,
                                const Context& context = {});

}  // namespace zermelo::app
