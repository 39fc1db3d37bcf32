// Computed functions in grounding. The twin of a grounded game is the reference engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/limited_steps.h"
#include "base/random.h"
#include "gdl/functions.h"
#include "gdl/read_rules.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "reference/reference.h"
#include "support/compare_engines.h"
#include "support/load.h"

namespace zermelo::reference {
namespace {

using Rules = std::shared_ptr<const gdl::Rulesheet>;

Rules valid_rules(const std::string& text) {
  auto rules = gdl::read_rules(std::make_shared<const base::Source>("test.kif", text));
  if (!rules) throw std::runtime_error(rules.error().message + "\n" + text);
  return std::move(*rules);
}

// The text of a shipped game that ends after so many steps.
std::string shortened(const std::string& name, int steps) {
  const Rules rules = testing::shipped_rules(name);
  std::string text(rules->source->text());
  const std::string end = "(true (step 10))";
  const std::size_t at = text.find(end);
  if (at == std::string::npos) throw std::runtime_error("no last step");
  return text.replace(at, end.size(), "(true (step " + std::to_string(steps) + "))");
}

machine::Stepper grounded(const Rules& rules) {
  auto game = ground::ground(rules);
  if (!game) throw std::runtime_error(game.error().message);
  return machine::Stepper(machine::Machine::make(std::move(*game), {}).value());
}

testing::Comparison compared(const Rules& rules, const testing::ComparisonOptions& options) {
  machine::Stepper fast = grounded(rules);
  Reference slow = Reference::make(rules).value();
  return testing::compare_engines(fast, slow, options);
}

TEST(GroundedFunctions, ShortFarmerIsTheSameGameOnBothEngines) {
  for (const int steps : {2, 4}) {
    const auto comparison =
        compared(valid_rules(shortened("numbers/farmer", steps)), {.games = 40});
    EXPECT_FALSE(comparison.difference) << *comparison.difference;
    EXPECT_EQ(comparison.states, 40u * static_cast<unsigned>(steps + 1));
  }
}

TEST(GroundedFunctions, ShortCoalitionFarmerIsTheSameGameOnBothEngines) {
  const auto comparison =
      compared(valid_rules(shortened("numbers/coalition_farmer", 2)), {.games = 40});
  EXPECT_FALSE(comparison.difference) << *comparison.difference;
  EXPECT_EQ(comparison.states, 120u);
}

// Without the step limit, prices would grow forever.
TEST(GroundedFunctions, TheStepsOfTheGameBoundTheNumbers) {
  const auto game = ground::ground(
      valid_rules("(include arithmetic builtin:arithmetic) (use arithmetic (add ?a ?b ?sum))\n"
                  "(role r) (init (step 0)) (init (price 5)) (legal r hold) (legal r (raise 2))\n"
                  "(<= (next (step ?n)) (true (step ?s)) (add ?s 1 ?n))\n"
                  "(<= (next (price ?n)) (true (price ?p)) (does r (raise ?by)) (add ?p ?by ?n))\n"
                  "(<= (next (price ?n)) (true (price ?p)) (does r hold) (add ?p 1 ?n))\n"
                  "(<= terminal (true (step 3))) (goal r 0)"));
  ASSERT_TRUE(game) << game.error().message;
  EXPECT_EQ(game->fluent_names(),
            (std::vector<std::string>{"(price 10)", "(price 11)", "(price 5)", "(price 6)",
                                      "(price 7)", "(price 8)", "(price 9)", "(step 0)", "(step 1)",
                                      "(step 2)", "(step 3)"}));
}

TEST(GroundedFunctions, InfinitelyManyNumbersAreRefused) {
  const auto game = ground::ground(
      valid_rules("(include arithmetic builtin:arithmetic) (use arithmetic (add ?a ?b ?sum))\n"
                  "(role r) (init (price 5)) (legal r wait) (goal r 0)\n"
                  "(<= (next (price ?n)) (true (price ?p)) (add ?p 1 ?n))\n"
                  "(<= terminal (not (true (price 5))))"));
  ASSERT_FALSE(game);
  EXPECT_EQ(game.error().kind, base::ErrorKind::not_applicable);
  EXPECT_NE(game.error().message.find("too many numbers"), std::string::npos)
      << game.error().message;
}

// Counters that moves change by random arithmetic, with random conditions.
class NumberGame {
 public:
  explicit NumberGame(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string rules =
        "(include arithmetic builtin:arithmetic)\n"
        "(use arithmetic (add ?a ?b ?c)) (use arithmetic (subtract ?a ?b ?c))\n"
        "(use arithmetic (multiply ?a ?b ?c)) (use arithmetic (divide ?a ?b ?c))\n"
        "(use arithmetic (minimum ?a ?b ?c)) (use arithmetic (maximum ?a ?b ?c))\n"
        "(use arithmetic (less ?a ?b)) (use arithmetic (greater ?a ?b))\n"
        "(role left) (role right) (counter a) (counter b)\n"
        "(init (step 0)) (init (value a 3)) (init (value b (pair 1 2.5)))\n"
        "(init (value b " +
        number() +
        "))\n"
        "(<= (legal ?r wait) (role ?r))\n"
        "(<= (legal ?r (change ?c)) (role ?r) (counter ?c) (not (blocked ?r ?c)))\n"
        "(<= (blocked ?r ?c) (role ?r) (true (value ?c ?n)) " +
        test("?n") +
        ")\n"
        "(<= (next (step ?n)) (true (step ?s)) (add ?s 1 ?n))\n"
        "(<= (changed ?c) (does ?r (change ?c)))\n"
        "(<= (next (value ?c ?n)) (true (value ?c ?n)) (not (changed ?c)))\n";
    for (int i = 0; i < 3; ++i) {
      rules += "(<= (next (value ?c ?n)) (does " + role() +
               " (change ?c)) (true (value ?c ?v)) (true (step ?s)) " + operation("?v", "?m") +
               " " + condition("?m") + operation("?m", "?n") + ")\n";
    }
    rules += "(<= (large ?c) (true (value ?c ?n)) " + test("?n") +
             ")\n"
             "(<= (next (seen ?x)) (true (value ?c (pair ?x ?y))) (add ?x ?y 3.5))\n"
             "(<= (goal ?r 100) (role ?r) (large a)) (<= (goal ?r 0) (role ?r) (not (large a)))\n"
             "(<= terminal (true (step " +
             std::to_string(2 + random_.below(2)) + ")))\n";
    return rules;
  }

 private:
  template <std::size_t n>
  std::string one_of(const char* const (&words)[n]) {
    return words[random_.below(n)];
  }
  std::string number() { return one_of({"0", "1", "2", "-1.5", "0.25", "7", "word"}); }
  std::string role() { return one_of({"left", "right", "?r"}); }
  std::string test(const std::string& of) {
    const std::string atom = "(" + one_of({"less ", "greater "}) + of + " " + number() + ")";
    return random_.below(2) == 0 ? atom : "(not " + atom + ")";
  }
  std::string condition(const std::string& of) {
    return random_.below(2) ? "(not (add " + of + " 1 " + number() + ")) " : "";
  }
  std::string operation(const std::string& in, const std::string& out) {
    const std::string with = random_.below(3) == 0 ? "?s" : number();
    return "(" + one_of({"add ", "subtract ", "multiply ", "divide ", "minimum ", "maximum "}) +
           in + " " + with + " " + out + ")";
  }

  base::Random random_;
};

TEST(GroundedFunctions, RandomNumberGamesAreTheSameOnBothEngines) {
  std::uint64_t states = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = NumberGame(seed).text();
    SCOPED_TRACE(text);
    const auto comparison = compared(valid_rules(text), {.games = 10, .seed = seed});
    ASSERT_FALSE(comparison.difference) << *comparison.difference;
    states += comparison.states;
  }
  EXPECT_GT(states, 1500u);
}

// A function that is computed outside the rules, by this class.
class Doubling : public gdl::ExternalModule {
 public:
  std::optional<std::string> call(const std::string& function,
                                  std::span<const std::string> inputs) override {
    calls.push_back(function + " " + inputs[0]);
    if (inputs[0] == "bad") {
      throw base::LimitReached(base::Error{base::ErrorKind::unreadable_input, "bad input"});
    }
    if (inputs[0] == "(pair 1 2)") return "two";
    const auto number = gdl::Decimal::parse(inputs[0]);
    const auto sum = number ? gdl::added(*number, *number) : std::nullopt;
    return sum ? std::optional(sum->text()) : std::nullopt;
  }
  std::optional<base::Error> failure() const override { return std::nullopt; }

  std::vector<std::string> calls;
};

constexpr const char* doubling_rules =
    "(include outside program) (use outside (double ?a ?b)) (use outside (never ?a ?b))\n"
    "(role r) (legal r go) (goal r 0) (init (value 1)) (init (value (pair 1 2)))\n"
    "(init (value word)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n"
    "(<= (next (step ?n)) (true (step ?s)) (succ ?s ?n)) (<= terminal (true (step 3)))\n"
    "(<= (next (value ?d)) (true (value ?v)) (double ?v ?d))\n";

Rules with_doubling(const std::string& text, const std::shared_ptr<Doubling>& module) {
  auto modules = std::make_shared<gdl::ExternalModules>();
  modules->by_name["outside"] = module;
  auto rules = std::make_shared<gdl::Rulesheet>(gdl::copy(*valid_rules(text)));
  rules->external = modules;
  return rules;
}

TEST(GroundedFunctions, FunctionsFromOutsideAreAskedSeldom) {
  const auto module = std::make_shared<Doubling>();
  const auto comparison = compared(with_doubling(doubling_rules, module), {.games = 2});
  EXPECT_FALSE(comparison.difference) << *comparison.difference;
  EXPECT_EQ(comparison.states, 8u);
  // By grounding, for what is possible and for what is certain, and by the reference engine.
  for (const char* call : {"double 1", "double (pair 1 2)"}) {
    EXPECT_EQ(std::count(module->calls.begin(), module->calls.end(), call), 3) << call;
  }
}

TEST(GroundedFunctions, FailuresOfFunctionsAreErrorsOfGroundingAndOfSteps) {
  const auto module = std::make_shared<Doubling>();
  const Rules rules = with_doubling(doubling_rules + std::string("(init (value bad))"), module);
  const auto game = ground::ground(rules);
  ASSERT_FALSE(game);
  EXPECT_EQ(game.error().kind, base::ErrorKind::unreadable_input);
  EXPECT_EQ(game.error().message, "bad input");
  Reference engine = Reference::make(rules).value();
  const auto state = engine.initial_state();
  EXPECT_THROW(engine.next_state(state, engine.legal_moves(state, 0)), base::LimitReached);
}

TEST(GroundedFunctions, NothingIsComputedOutsideUnlessItIsAllowed) {
  const Rules rules = valid_rules(doubling_rules);
  const auto game = ground::ground(rules);
  const auto engine = Reference::make(rules);
  for (const base::Error& error :
       {game ? base::Error() : game.error(), engine ? base::Error() : engine.error()}) {
    EXPECT_EQ(error.kind, base::ErrorKind::not_applicable);
    EXPECT_EQ(error.message,
              "the rules compute 'double' by the program 'outside', which was not allowed to run; "
              "--allow outside=PATH allows it");
  }
}

}  // namespace
}  // namespace zermelo::reference
