#include <pybind11/stl.h>

#include "app/players.h"
#include "play/agent.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/game.h"
#include "python/long_call.h"
#include "python/state.h"
#include "search/make_evaluator.h"
#include "search/uct.h"

namespace zermelo::python {

namespace py = pybind11;

namespace {

// A search tree that is kept from state to state.
class Search {
 public:
  // `options` as after "uct:" in the specification of a player. Does not use Python.
  Search(std::shared_ptr<Game> game, const std::string& options, std::uint64_t seed)
      : game_(std::move(game)),
        spec_(value_of(app::read_player(options.empty() ? "uct" : "uct:" + options))) {
    if (game_->ground().imperfect_information()) {
      throw Failure({base::ErrorKind::not_applicable,
                     "the game has hidden information or chance, which UCT does not search"});
    }
    simulator_ = game_->simulator();
    search::UctOptions uct = play::uct_options(spec_, {simulator_, 0, seed, {}});
    if (!spec_.evaluator.empty()) {
      uct.evaluator = value_of(search::make_evaluator(*simulator_, {spec_.evaluator, seed, {}}));
    }
    auto values = value_of(app::open_values(spec_.folder, *simulator_));
    uct_ = std::make_unique<search::Uct>(simulator_, std::move(uct), std::move(values));
  }

  const Game& game() const { return *game_; }
  search::Uct& uct() { return *uct_; }

  // Only one thread may use the tree.
  void refuse_if_busy() const {
    if (is_busy_) refuse("another thread searches this tree");
  }
  void set_busy(bool is_busy) { is_busy_ = is_busy; }

  void set_root(const State& state) {
    if (state.game() != game_) refuse("the state is of another game");
    if (state.position().terminal()) refuse("the game is over");
    for (std::size_t role = 0; role < game_->roles(); ++role)
      if (state.position().legal(role).empty()) refuse("a role has no legal move");
    root_turn_ = state.position().turn();
    uct_->set_root(state.fluents());
    has_root_ = true;
  }

  // The limits given, or those of the options, or a second.
  search::Budget budget(std::optional<std::uint64_t> simulations,
                        std::optional<double> seconds) const {
    if (simulations || seconds) {
      search::Budget budget{{}, simulations};
      if (seconds) budget.seconds = std::chrono::duration<double>(*seconds);
      return budget;
    }
    if (spec_.simulations) return {{}, spec_.simulations};
    return {spec_.time.value_or(play::default_time), {}};
  }

  std::size_t role_or_turn(std::optional<std::int64_t> role) const {
    refuse_if_busy();
    if (!has_root_) refuse("search a state first");
    if (role) return game_->checked_role(*role);
    if (!root_turn_) refuse("several roles move at once: name one");
    return *root_turn_;
  }

 private:
  std::shared_ptr<Game> game_;
  play::AgentSpec spec_;
  app::Simulator simulator_;
  std::unique_ptr<search::Uct> uct_;
  std::optional<std::size_t> root_turn_;
  bool has_root_ = false;
  bool is_busy_ = false;  // changed under Python's lock
};

class BusySearch {
 public:
  explicit BusySearch(Search& search) : search_(search) { search_.set_busy(true); }
  BusySearch(const BusySearch&) = delete;
  BusySearch& operator=(const BusySearch&) = delete;
  ~BusySearch() { search_.set_busy(false); }

 private:
  Search& search_;
};

py::object exact_values(const std::optional<eval::Rewards>& exact) {
  return exact ? py::cast(*exact) : py::none();
}

py::dict search_state(Search& search, const State& state, std::optional<std::uint64_t> simulations,
                      std::optional<double> seconds) {
  search.refuse_if_busy();
  search.set_root(state);
  const BusySearch busy(search);
  const search::Budget budget = search.budget(simulations, seconds);
  const search::SearchReport report = run_long(py::none(), [&](const app::Context& context) {
    return search.uct().search(budget, context.stop);
  });
  py::dict result;
  result["simulations"] = report.simulations;
  result["seconds"] = report.seconds;
  result["nodes"] = report.nodes;
  result["bytes"] = report.bytes;
  result["exact"] = exact_values(report.exact);
  return result;
}

std::uint32_t best(Search& search, std::optional<std::int64_t> role) {
  return search.game().rank_of(search.uct().best_move(search.role_or_turn(role)));
}

py::list moves(Search& search, std::optional<std::int64_t> role) {
  py::list result;
  for (const search::MoveReport& report : search.uct().moves(search.role_or_turn(role))) {
    py::dict move;
    move["move"] = search.game().rank_of(report.move);
    move["name"] = search.game().machine().move_name(report.move);
    move["visits"] = report.visits;
    move["value"] = report.value;
    move["exact"] = exact_values(report.exact);
    result.append(move);
  }
  return result;
}

}  // namespace

void define_uct(py::module_& module) {
  py::class_<Search>(
      module, "Uct",
      "Monte-Carlo tree search (UCT) with proofs. `options` are those of the player `uct`, such as "
      "'threads=2,variant=st'. The tree is kept from one search to the next.")
      .def(py::init([](std::shared_ptr<Game> game, const std::string& options, std::uint64_t seed) {
             return run_long(py::none(), [&](const app::Context&) {
               return std::make_unique<Search>(game, options, seed);
             });
           }),
           py::arg("game"), py::arg("options") = "", py::kw_only(), py::arg("seed") = 1)
      .def("search", &search_state, py::arg("state"), py::arg("simulations") = py::none(),
           py::arg("seconds") = py::none(),
           "Searches from a state until a limit is reached; without limits, for a second. Returns "
           "a dictionary: simulations, seconds, nodes, bytes, exact (the proved rewards or None).")
      .def("best", &best, py::arg("role") = py::none(),
           "The best move found for a role (default: the role to move).")
      .def("moves", &moves, py::arg("role") = py::none(),
           "The moves of a role with their visits, mean values (0 to 1) and proved rewards.");
}

}  // namespace zermelo::python
