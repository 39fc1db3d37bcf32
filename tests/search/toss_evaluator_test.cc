#include "search/toss_evaluator.h"

#include <gtest/gtest.h>

#include "gdl/read_rules.h"
#include "ground/ground.h"
#include "translate/toss/read_toss.h"

namespace zermelo::search {
namespace {

std::shared_ptr<const machine::Machine> machine_of(const std::string& name, std::string text) {
  const auto rules =
      gdl::read_rules(std::make_shared<const base::Source>(name, std::move(text))).value();
  return machine::Machine::make(std::move(*ground::ground(rules)), base::Limits()).value();
}

std::shared_ptr<const machine::Machine> gdl_game(const std::string& name) {
  const auto source = base::read_source(ZERMELO_ROOT "/games/" + name + ".kif").value();
  return machine_of(name, std::string(source.text()));
}

std::string toss_file(const std::string& name) {
  return ZERMELO_ROOT "/games/toss/" + name + ".toss";
}

std::shared_ptr<const machine::Machine> toss_game(const std::string& name) {
  const auto source = base::read_source(toss_file(name)).value();
  return machine_of(name, translate::toss::read_toss(source)->rules);
}

// The value for the first role after the moves of the role that decides.
float value_after(const std::shared_ptr<const machine::Machine>& machine,
                  const std::string& evaluator_name, const std::vector<std::string>& moves) {
  const auto evaluator = make_toss_evaluator(machine, evaluator_name, {});
  EXPECT_TRUE(evaluator) << evaluator.error().message;
  machine::Stepper stepper(machine);
  machine::State state = stepper.initial_state();
  for (const std::string& name : moves) {
    std::vector<base::Move> joint;
    for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
      const auto legal = stepper.legal_moves(state, role);
      joint.push_back(legal.front());
      for (const base::Move move : legal) {
        if (stepper.move_name(move) == name) joint.back() = move;
      }
    }
    state = stepper.next_state(state, joint);
  }
  std::vector<float> values(stepper.roles().size());
  (*evaluator)->evaluate({&state, 1}, values);
  return values[0];
}

TEST(TossEvaluator, TwoInALineAreWorthMoreThanTwoApart) {
  const auto game = toss_game("tic_tac_toe");
  const std::string evaluator = "toss@" + toss_file("tic_tac_toe");
  EXPECT_GT(value_after(game, evaluator, {"(cross a1)", "(circle c2)", "(cross b1)"}),
            value_after(game, evaluator, {"(cross a1)", "(circle c2)", "(cross b3)"}));
}

TEST(TossEvaluator, UsesTheTranslationOfAGame) {
  const auto game = gdl_game("queens");
  for (const char* name : {"toss", "toss-existential", "toss-conditions"}) {
    const float value = value_after(game, name, {});
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 100);
  }
}

TEST(TossEvaluator, RefusesTheFileOfAnotherGame) {
  const auto evaluator =
      make_toss_evaluator(gdl_game("tic_tac_toe"), "toss@" + toss_file("connect_four"), {});
  ASSERT_FALSE(evaluator);
  EXPECT_EQ(evaluator.error().kind, base::ErrorKind::not_applicable);
}

}  // namespace
}  // namespace zermelo::search
