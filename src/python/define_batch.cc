// Many games over NumPy arrays: Batch, which steps them, and random games with their results.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <mutex>

#include "lanes/sliced_leaf_playouts.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/game.h"
#include "python/long_call.h"
#include "python/state.h"

namespace zermelo::python {

namespace py = pybind11;

namespace {

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

using Size = py::ssize_t;

template <class T>
std::span<T> span_of(Array<T>& array) {
  return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

// A batch and its lock: calls run without Python's lock, so that threads may meet here.
class Batch {
 public:
  Batch(std::shared_ptr<Game> game, std::size_t games, std::uint64_t seed, bool restart)
      : game_(std::move(game)), batch_(game_->batch_code(), {games, seed, restart}) {}

  const std::shared_ptr<Game>& game() const { return game_; }
  Size games() const { return static_cast<Size>(batch_.games()); }
  Size roles() const { return static_cast<Size>(batch_.roles()); }
  Size most_moves() const { return static_cast<Size>(batch_.most_moves()); }

  template <class Use>
  auto use(Use use) {
    const py::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex_);
    return use(batch_);
  }

 private:
  std::shared_ptr<Game> game_;
  lanes::GameBatch batch_;
  std::mutex mutex_;  // guards batch_
};

std::unique_ptr<Batch> make_batch(std::shared_ptr<Game> game, std::int64_t games,
                                  std::uint64_t seed, bool restart) {
  if (games < 1) refuse("a batch has at least one game");
  const py::gil_scoped_release unlocked;
  const app::ResourceLimits limits;
  if (lanes::GameBatch::bytes(*game->batch_code(), static_cast<std::size_t>(games)) >
      limits.memory_left()) {
    throw Failure({base::ErrorKind::memory_limit, "so many games do not fit into the memory"});
  }
  return std::make_unique<Batch>(std::move(game), static_cast<std::size_t>(games), seed, restart);
}

// An array that `fill` writes.
template <class T, class Fill>
Array<T> filled(Batch& batch, std::vector<Size> shape, Fill fill) {
  Array<T> array(std::move(shape));
  const std::span<T> values = span_of(array);
  batch.use([&](lanes::GameBatch& games) { fill(games, values); });
  return array;
}

py::array as_bool(Array<std::uint8_t> flags) { return flags.view("bool"); }

std::string description_of(const Game& game, const lanes::GameBatch::IllegalMove& illegal,
                           std::int32_t move) {
  const auto moves = game.machine().moves(illegal.role);
  const std::string name = move == lanes::forced_move ? "the only move"
                           : move >= 0 && static_cast<std::size_t>(move) < moves.size()
                               ? game.machine().move_name(moves[static_cast<std::size_t>(move)])
                               : "number " + std::to_string(move);
  return "game " + std::to_string(illegal.game) + ": " + name + " is not a legal move of " +
         game.machine().roles()[illegal.role];
}

// Moves as 32 bits. What does not fit becomes a number that no move has.
Array<std::int32_t> narrow(const py::array& moves) {
  const char kind = moves.dtype().kind();
  if (kind != 'i' && kind != 'u') refuse("moves must be integers");
  if (moves.itemsize() <= 4 && kind == 'i') return moves;
  const Array<std::int64_t> wide = moves;
  Array<std::int32_t> narrow(std::vector<Size>(wide.shape(), wide.shape() + wide.ndim()));
  std::transform(wide.data(), wide.data() + wide.size(), narrow.mutable_data(),
                 [](std::int64_t move) {
                   const bool fits = move == static_cast<std::int32_t>(move);
                   return fits ? static_cast<std::int32_t>(move) : -2;
                 });
  return narrow;
}

// One move for each game, of the role to move, or one for each role.
void make_moves(Batch& batch, const py::array& given) {
  const Array<std::int32_t> moves = narrow(given);
  const bool turns = moves.ndim() == 1;
  const bool fits = turns ? moves.shape(0) == batch.games()
                          : moves.ndim() == 2 && moves.shape(0) == batch.games() &&
                                moves.shape(1) == batch.roles();
  if (!fits) refuse("moves must have the shape (games,) or (games, roles)");
  const std::span<const std::int32_t> all(moves.data(), static_cast<std::size_t>(moves.size()));
  const auto illegal = batch.use(
      [&](lanes::GameBatch& games) { return turns ? games.step_turns(all) : games.step(all); });
  if (!illegal) return;
  const std::size_t at =
      turns ? illegal->game
            : illegal->game * static_cast<std::size_t>(batch.roles()) + illegal->role;
  refuse(description_of(*batch.game(), *illegal, all[at]));
}
