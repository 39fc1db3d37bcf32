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

py::array over(Batch& batch) {
  return as_bool(filled<std::uint8_t>(batch, {batch.games()},
                                      [](const auto& games, auto values) { games.over(values); }));
}

Array<std::int32_t> rewards(Batch& batch) {
  return filled<std::int32_t>(batch, {batch.games(), batch.roles()},
                              [](const auto& games, auto values) { games.rewards(values); });
}

py::tuple step(Batch& batch, const py::array& moves) {
  make_moves(batch, moves);
  return py::make_tuple(rewards(batch), over(batch));
}

Array<std::int32_t> sample(Batch& batch, bool turns) {
  if (turns) {
    return filled<std::int32_t>(batch, {batch.games()},
                                [](auto& games, auto values) { games.sample_turns(values); });
  }
  return filled<std::int32_t>(batch, {batch.games(), batch.roles()},
                              [](auto& games, auto values) { games.sample(values); });
}

py::array legal(Batch& batch, std::optional<std::int64_t> role) {
  if (!role) {
    return as_bool(
        filled<std::uint8_t>(batch, {batch.games(), batch.most_moves()},
                             [](const auto& games, auto values) { games.legal_of_turns(values); }));
  }
  const std::size_t of = batch.game()->checked_role(*role);
  const auto moves = static_cast<Size>(batch.game()->machine().moves(of).size());
  return as_bool(
      filled<std::uint8_t>(batch, {batch.games(), moves},
                           [of](const auto& games, auto values) { games.legal(of, values); }));
}

py::array fluents(Batch& batch) {
  const auto size = static_cast<Size>(batch.game()->fluent_names().size());
  return as_bool(filled<std::uint8_t>(
      batch, {batch.games(), size}, [](const auto& games, auto values) { games.fluents(values); }));
}

Array<std::int8_t> turns(Batch& batch) {
  return filled<std::int8_t>(batch, {batch.games()},
                             [](const auto& games, auto values) { games.turns(values); });
}

void reset(Batch& batch, const std::optional<Array<bool>>& marked) {
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(batch.games()), 1);
  if (marked) {
    if (marked->ndim() != 1 || marked->shape(0) != batch.games())
      refuse("the marks must have the shape (games,)");
    std::copy_n(marked->data(), flags.size(), flags.begin());
  }
  batch.use([&](lanes::GameBatch& games) { games.reset(flags); });
}

std::size_t checked_game(const Batch& batch, std::int64_t game) {
  if (game < 0 || game >= batch.games()) throw py::index_error("there is no such game");
  return static_cast<std::size_t>(game);
}

std::unique_ptr<State> state_of(Batch& batch, std::int64_t game) {
  const std::size_t number = checked_game(batch, game);
  auto fluents = batch.use([&](const lanes::GameBatch& games) { return games.state(number); });
  return std::make_unique<State>(batch.game(), std::move(fluents));
}

void set_state(Batch& batch, std::int64_t game, const State& state) {
  if (state.game() != batch.game()) refuse("the state is of another game");
  const std::size_t number = checked_game(batch, game);
  batch.use([&](lanes::GameBatch& games) { games.set_state(number, state.fluents()); });
}

// Random moves without arrays between them. Looks for signals now and then.
py::tuple play(Batch& batch, std::uint64_t steps) {
  constexpr std::uint64_t steps_at_once = 1 << 22;  // of all games together
  std::vector<std::int64_t> totals(static_cast<std::size_t>(batch.roles()));
  std::uint64_t ended = 0;
  const std::uint64_t part =
      std::max<std::uint64_t>(1, steps_at_once / static_cast<std::uint64_t>(batch.games()));
  for (std::uint64_t done = 0; done < steps; done += part) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    ended += batch.use(
        [&](lanes::GameBatch& games) { return games.play(std::min(part, steps - done), totals); });
  }
  return py::make_tuple(ended, totals);
}

// Random games from one state: where to write their results.
struct Results {
  std::size_t roles;
  std::int32_t* rewards;
  std::int32_t* lengths;
};

void write(const std::vector<lanes::LeafPlayout>& playouts, const Results& results,
           std::size_t first) {
  for (std::size_t i = 0; i < playouts.size(); ++i) {
    const lanes::LeafPlayout& playout = playouts[i];
    const bool unfinished = playout.outcome == lanes::LeafPlayout::Outcome::abandoned;
    results.lengths[first + i] = unfinished ? -1 : static_cast<std::int32_t>(playout.depth);
    for (std::size_t role = 0; role < results.roles; ++role)
      results.rewards[(first + i) * results.roles + role] =
          role < playout.goals.size() ? playout.goals[role] : 0;
  }
}

py::tuple playouts(const std::shared_ptr<Game>& game, std::int64_t count, std::uint64_t seed,
                   const State* from) {
  if (count < 0) refuse("the number of games must not be negative");
  if (from != nullptr && from->game() != game) refuse("the state is of another game");
  const auto roles = static_cast<Size>(game->roles());
  Array<std::int32_t> rewards({static_cast<Size>(count), roles});
  Array<std::int32_t> lengths(std::vector<Size>{static_cast<Size>(count)});
  const Results results{game->roles(), rewards.mutable_data(), lengths.mutable_data()};
  const machine::State start = from != nullptr ? from->fluents() : State(game).fluents();
  run_long(py::none(), [&](const app::Context& context) {
    constexpr std::size_t at_once = 1 << 13;
    const auto code = game->sliced_code();
    if (!code->machine().phase_of(start)) refuse("the state cannot be reached in this game");
    lanes::SlicedLeafPlayouts player(*code, seed);
    const auto all = static_cast<std::size_t>(count);
    const std::vector<base::BitSet> states(std::min(at_once, all), start);
    for (std::size_t first = 0; first < all && !context.stop.stop_requested(); first += at_once) {
      const std::size_t part = std::min(at_once, all - first);
      write(player.play({states.data(), part}, context.stop), results, first);
    }
    return 0;
  });
  return py::make_tuple(rewards, lengths);
}

}  // namespace

void define_batch(py::module_& module) {
  py::class_<Batch>(
      module, "Batch",
      "Many games that are stepped together, 256 in one pass over the rules.\n\n"
      "Moves are numbers as in Game.moves(role); -1 stands for the only legal move of a role. With "
      "restart (the default), a game that ends is replaced by a new one at once; step() returns "
      "its "
      "rewards.")
      .def(py::init(&make_batch), py::arg("game"), py::arg("games"), py::kw_only(),
           py::arg("seed") = 1, py::arg("restart") = true)
      .def_property_readonly("game", &Batch::game)
      .def("__len__", &Batch::games)
      .def(
          "step", &step, py::arg("moves"),
          "Makes a move in every game: moves[game] of the role to move, or moves[game, role]. "
          "Returns rewards[game, role] and over[game]; rewards are 0 for games that do not end. If "
          "a move is not legal, raises InvalidRequest, and no game moves.")
      .def("make", &make_moves, py::arg("moves"),
           "The same without results; see rewards() and over().")
      .def(
          "sample", &sample, py::arg("turns") = false,
          "A random legal move of every role, moves[game, role], or with turns=True of the role to "
          "move, moves[game]. -1 where there is none.")
      .def("legal", &legal, py::arg("role") = py::none(),
           "legal[game, move]: whether the move of a role is legal (default: of the role to move).")
      .def("turns", &turns,
           "The role to move in every game; -1 where several have a choice or the game is over.")
      .def("fluents", &fluents, "holds[game, fluent], in the order of Game.fluents.")
      .def("rewards", &rewards, "rewards[game, role] of the games that the last step ended.")
      .def("over", &over,
           "Whether the last step ended a game; with restart=False, whether it is over.")
      .def("play", &play, py::arg("steps"),
           "Makes so many random moves in every game. Returns the number of games that ended and "
           "the sums of their rewards by role.")
      .def("reset", &reset, py::arg("marked") = py::none(),
           "All games, or the marked ones, continue from the initial state.")
      .def("state", &state_of, py::arg("game"), "The state of one game.")
      .def("set_state", &set_state, py::arg("game"), py::arg("state"),
           "Puts one game into a state.");
  module.def("_playouts", &playouts);
}

}  // namespace zermelo::python
