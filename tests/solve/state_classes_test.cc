// Who decides, found for all assignments together and in the states of each layer.
#include "solve/symbolic/state_classes.h"

#include "machine/machine.h"
#include "solve/load_game.h"
#include "solve/turn_games.h"
#include "symbolic/layers.h"
#include "symbolic/model.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;
using dd::NodeId;

// Whether some role has two legal moves.
bool is_choice(machine::Stepper& stepper, std::size_t roles, const machine::State& state) {
  for (std::size_t role = 0; role < roles; ++role) {
    if (stepper.legal_moves(state, role).size() > 1) return true;
  }
  return false;
}

// Compares both ways; true unless both refuse the game.
class Twins {
 public:
  explicit Twins(const MachinePointer& machine)
      : stepper_(machine),
        model_(symbolic::build_model(machine, symbolic::find_encoding(machine)).value()),
        at_once_(model_, {}),
        by_layer_(model_, {}, 0) {}

  bool agree() {
    const auto layers = symbolic::find_layers(model_).value();
    bool accepted = true;
    for (std::size_t layer = 0; accepted && layer < layers.diagrams.size(); ++layer) {
      accepted = agree(layer, layers.diagrams[layer]);
    }
    return accepted;
  }

 private:
  bool agree(std::size_t layer, const Diagram& states) {
    std::vector<Rewards> outcomes = outcomes_;
    const auto expected = at_once_.classify(layer, states, outcomes_);
    const auto found = by_layer_.classify(layer, states, outcomes);
    EXPECT_EQ(found.has_value(), expected.has_value());
    EXPECT_EQ(outcomes, outcomes_);
    if (!found && !expected) {
      EXPECT_EQ(found.error().message, expected.error().message);
    }
    if (!found || !expected) return false;
    for (NodeId constant = 1; constant < expected->constants(); ++constant) {
      expected->enumerate(constant, [&](std::span<const dd::Value> assignment) {
        expect_same(layer, assignment, constant, found->evaluate(assignment));
        return true;
      });
    }
    EXPECT_EQ(found->count(0), expected->count(0));
    for (std::size_t role = 0; role < model_.machine().roles().size(); ++role) {
      const auto mover = static_cast<NodeId>(1 + role);
      EXPECT_EQ(by_layer_.decides(layer, *found, mover, role).value(),
                at_once_.decides(layer, *expected, mover, role).value());
    }
    return true;
  }

  // Where nobody has a choice, it does not matter who is said to move.
  void expect_same(std::size_t layer, std::span<const dd::Value> assignment, NodeId expected,
                   NodeId found) {
    if (found == expected) return;
    const std::size_t roles = model_.machine().roles().size();
    EXPECT_LE(std::max(found, expected), roles);
    EXPECT_FALSE(is_choice(stepper_, roles, model_.encoding().state(assignment, layer)));
  }

  machine::Stepper stepper_;
  symbolic::Model model_;
  StateClasses at_once_, by_layer_;
  std::vector<Rewards> outcomes_;
};

TEST(StateClasses, AreTheSameFoundLayerByLayer) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> games = {
      {"nim", {"2", "3"}},
      {"chomp", {"3", "3"}},
      {"clobber", {"2", "3", "tokens"}},
      {"peg", {"triangle", "4"}},
      {"queens", {"4"}},
      {"breakthrough", {"2", "4"}},
      {"tic-tac-toe", {"3", "3", "3"}},
      {"lights-out", {"2", "2"}},
      {"hanoi", {"2", "3"}}};
  for (const auto& [family, sizes] : games) {
    EXPECT_TRUE(Twins(generated(family, sizes)).agree()) << family;
  }
}

TEST(StateClasses, AreTheSameFoundLayerByLayerInRandomGames) {
  std::size_t accepted = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const std::string rules = testing::random_game(seed);
    for (const std::string& text : {rules, with_turns(rules)}) {
      ++(Twins(from_text(text)).agree() ? accepted : refused);
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(accepted, 15u);
  EXPECT_GE(refused, 10u);
}

}  // namespace
}  // namespace zermelo::solve
