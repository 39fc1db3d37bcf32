// Many games at once, each stepped with moves that are chosen outside: the engine below arrays.
//
//   GameBatch batch(code, {.games = 10'000});
//   batch.sample(moves);                                  // a random legal move of every role
//   if (const auto illegal = batch.step(moves)) ...
//   batch.rewards(rewards);                               // of the games that the step ended
//
// Games are kept as one bit per proposition and game, in blocks of 256. Moves arrive and leave as
// numbers, one per role and game, which are transposed to bits and back.
//
// A game is over in a terminal state, and where some role has no legal move; then all rewards are
// 0. With `restart`, a game that a step ends is replaced by a new one; its end and its rewards can
// be read until the next step. Otherwise it stays where it is, and further moves of it are ignored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bit_set.h"
#include "lanes/batch_code.h"
#include "lanes/frame.h"
#include "lanes/lane_random.h"

namespace zermelo::lanes {

// Stands for the only legal move of a role.
inline constexpr std::int32_t forced_move = -1;

// Used by one thread at a time.
class GameBatch {
 public:
  struct Options {
    std::size_t games = lane_count;
    std::uint64_t seed = 1;
    bool restart = true;
  };
  struct IllegalMove {
    std::size_t game;
    std::size_t role;
  };

  // The memory that so many games take.
  static std::size_t bytes(const BatchCode& code, std::size_t games);
  // All games start in the initial state.
  GameBatch(std::shared_ptr<const BatchCode> code, const Options& options);

  const BatchCode& code() const { return *code_; }
  std::size_t games() const { return games_; }
  std::size_t roles() const { return code_->roles(); }
  // The largest number of moves of a role.
  std::size_t most_moves() const { return turn_place_.moves; }

  // Draws a legal move of every role, uniformly: moves[game * roles + role] is its rank, or
  // forced_move where the role has none.
  void sample(std::span<std::int32_t> moves);
  // Draws a move of the role to move: moves[game], or forced_move where no role is to move alone.
  void sample_turns(std::span<std::int32_t> moves);
  // Makes the moves of all games, laid out as by sample(). If one is not legal, returns the first
  // such game with its role, and no game moves.
  std::optional<IllegalMove> step(std::span<const std::int32_t> moves);
  // The same with a move of the role to move, for each game; the other roles make their only legal
  // one, which all roles must have where no role is to move alone.
  std::optional<IllegalMove> step_turns(std::span<const std::int32_t> moves);
  // Makes so many random moves in all games. Adds the rewards of games that end to `totals`, by
  // role, and returns their number.
  std::uint64_t play(std::uint64_t steps, std::span<std::int64_t> totals);

  // 1 for games that the last step ended; without `restart`, that any step ended. Otherwise 0.
  void over(std::span<std::uint8_t> over) const;
  // rewards[game * roles + role] of the games that the last step ended; 0 for others.
  void rewards(std::span<std::int32_t> rewards) const;
  // The role to move alone; -1 where several have a choice, and where the game is over.
  void turns(std::span<std::int8_t> turns) const;
  // legal[game * moves of the role + rank] is 1 for legal moves of the role, otherwise 0.
  void legal(std::size_t role, std::span<std::uint8_t> legal) const;
  // The same for the role to move; legal[game * most_moves() + rank].
  void legal_of_turns(std::span<std::uint8_t> legal) const;
  // holds[game * fluents + fluent] is 1 if it holds, otherwise 0.
  void fluents(std::span<std::uint8_t> holds) const;

  // The games that are not marked with 0 continue from the initial state.
  void reset(std::span<const std::uint8_t> marked);
  base::BitSet state(std::size_t game) const;
  void set_state(std::size_t game, const base::BitSet& state);

 private:
  struct Block {
    explicit Block(const BatchCode& code);

    Frame state, next, legal, goals, turn;
    Lanes used{};      // lanes that hold games
    Lanes stays{};     // lanes that do not move: the game is over, or there is none
    Lanes finished{};  // by the last step
  };
  // Where the field of a role is in transposed words.
  struct Place {
    std::size_t word = 0, bit = 0;
    std::size_t width = 0;  // of a rank
    std::size_t moves = 0;
  };

  static std::size_t lane_of(std::size_t game) { return game % lane_count; }
  Block& block_of(std::size_t game) { return *blocks_[game / lane_count]; }
  const Block& block_of(std::size_t game) const { return *blocks_[game / lane_count]; }
  std::size_t first_game(std::size_t block) const { return block * lane_count; }
  std::size_t games_in(std::size_t block) const {
    return std::min(lane_count, games_ - first_game(block));
  }

  static std::vector<Place> places_of(const BatchCode& code);
  base::BitSet initial_state() const;
  std::unique_ptr<Block> block_in(const base::BitSet& state);
  void look(Block& block);
  void put(Block& block, const Block& from, const Lanes& lanes);
  void replace(std::size_t game, const Block& from);
  void draw(const Block& block);
  void move(Block& block);
  void commit(Block& block);
  void commit_all();
  void add_rewards(const Block& block, std::span<std::int64_t> totals) const;

  void clear_rows();
  void transpose_rows();
  bool load(const Place& place, const std::int32_t* moves, std::size_t stride, std::size_t count);
  void store(const Place& place, std::int32_t* moves, std::size_t stride, std::size_t count) const;
  void use_fields();
  void use_turns(const Block& block);

  std::optional<IllegalMove> illegal_in(std::size_t block) const;
  std::optional<IllegalMove> unknown_move(std::span<const std::int32_t> moves,
                                          std::size_t block) const;
  std::optional<IllegalMove> unknown_turn_move(std::span<const std::int32_t> moves,
                                               std::size_t block) const;
  std::optional<IllegalMove> too_large_turn(std::size_t block) const;
  std::optional<std::size_t> role_to_move(std::size_t game) const;

  std::shared_ptr<const BatchCode> code_;
  std::size_t games_;
  bool restart_;
  std::vector<Place> places_;  // by role
  Place turn_place_{};         // of the role to move, with room for the moves of each
  std::size_t words_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<Block> initial_;  // all lanes in the initial state
  LaneRandom random_;
  Lanes trace_{};
  Frame look_frame_, choose_frame_, step_frame_;
  Frame rows_;  // 64 for each word
};

}  // namespace zermelo::lanes
