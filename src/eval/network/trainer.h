// Trains a network by self-play (trainer.cc).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "base/random.h"
#include "eval/network/game_network.h"
#include "eval/state_values.h"

namespace zermelo::eval::network {

struct TrainingOptions {
  float lambda = 0.7f;  // share of later estimates in the target of a position
  std::size_t games_per_round = 16;
  std::size_t max_depth = 200;      // joint moves of a game
  std::size_t max_successors = 64;  // that are evaluated in a position; of more, random ones
  // Exact values; the targets of positions that have one. May be null.
  std::shared_ptr<const StateValues> exact = {};
};

class Trainer {
 public:
  // The network must outlive the trainer.
  Trainer(GameNetwork& network, const TrainingOptions& options);

  // Plays some games and learns from their positions. Returns false, and changes nothing, if a
  // limit was reached before the games were played. What is learned depends only on the network and
  // its progress, so training that was interrupted and resumed gives the same network.
  bool train_round(const base::Limits& limits);

 private:
  // The positions of a round. `active` has the inputs of all, `first` where those of each begin.
  struct Positions {
    std::vector<std::uint32_t> active;
    std::vector<std::size_t> first = {0};
    std::vector<float> targets;  // by position and role
    std::size_t size() const { return first.size() - 1; }
  };
  // A position of the game that is played.
  struct Visit {
    std::vector<float> backup;  // value of the best successor, or of the one that was played
    bool is_greedy;             // the best move was played
    bool is_exact = false;
  };

  std::optional<std::size_t> play_game(std::size_t opening, const base::Limits& limits);
  void add_position();
  Visit visit(double random_share);
  void choose_successor(std::size_t role, bool explores, Visit& visit);
  std::vector<float> value_here();
  void set_targets(std::span<const Visit> visits, std::vector<float> end);
  std::span<const std::uint32_t> inputs_of(std::size_t position) const;
  void learn();

  GameNetwork& network_;
  TrainingOptions options_;
  std::size_t roles_;
  machine::Cursor cursor_;
  machine::State initial_;
  base::Random random_;
  Positions positions_;
  std::vector<base::Move> joint_, candidates_;
  std::vector<std::uint32_t> active_;
  std::vector<float> gradient_;
};

}  // namespace zermelo::eval::network
