// The requests of rank 0 to the other ranks of a search, and their answers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cluster/bytes.h"
#include "search/simulator.h"
#include "search/uct.h"

namespace zermelo::cluster {

enum class Request : std::uint8_t {
  game,      // prepare this game
  playouts,  // play random games from these states
  tree,      // search this state in a tree of your own
  samples,   // add these samples of other ranks to the root
  end,
};

// The game that all later requests are about. `number` distinguishes it from earlier ones.
struct GameRequest {
  std::uint64_t number = 0;
  std::uint64_t seed = 1;
  std::string name, rules;

  Bytes bytes() const;
  static GameRequest from(ByteReader& reader);
};

// Equal neighbours among the states are sent once.
struct PlayoutRequest {
  std::uint64_t number = 0;
  std::vector<search::State> states;

  static Bytes bytes(std::uint64_t number, std::span<const search::State> states);
  static PlayoutRequest from(ByteReader& reader, const search::State& any_state);
};

// The answer has the number of the request, and the rewards by state and role.
struct PlayoutAnswer {
  std::uint64_t number = 0;
  std::vector<float> rewards;

  Bytes bytes() const;
  static PlayoutAnswer from(ByteReader& reader);
};

// A budget without `seconds` or `simulations` has a negative number instead.
struct TreeRequest {
  std::uint64_t number = 0;
  std::uint64_t role = 0;
  search::Budget budget;
  search::State state;

  Bytes bytes() const;
  static TreeRequest from(ByteReader& reader, const search::State& any_state);
};

// Samples of the moves of one role at the root, since the last answer; the request `samples` has
// the same form.
struct Samples {
  std::uint64_t number = 0;
  bool is_last = false;
  std::vector<std::uint64_t> visits;  // by move, in the order of Uct::moves
  std::vector<double> sums;           // of the values

  Bytes bytes() const;
  Bytes request() const;
  static Samples from(ByteReader& reader);

  void add(const Samples& other);
};

}  // namespace zermelo::cluster
