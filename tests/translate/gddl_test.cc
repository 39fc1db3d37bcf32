// GDDL: the figures of the paper, and games written and read back.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gdl/read_rules.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"
#include "support/random_game.h"
#include "translate/gddl/description.h"
#include "translate/gddl/reader.h"
#include "translate/gddl/writer.h"

namespace zermelo::translate::gddl {
namespace {

// The rules of the figures, completed.
const char* const figure_rules = R"(
(role xplayer) (role oplayer)
(init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 1 3 b))
(init (cell 2 1 b)) (init (cell 2 2 b)) (init (cell 2 3 b))
(init (cell 3 1 b)) (init (cell 3 2 b)) (init (cell 3 3 b))
(init (control xplayer))
(<= (row ?m ?x) (true (cell ?m 1 ?x)) (true (cell ?m 2 ?x)) (true (cell ?m 3 ?x)))
(<= (col ?n ?x) (true (cell 1 ?n ?x)) (true (cell 2 ?n ?x)) (true (cell 3 ?n ?x)))
(<= (diagonal ?x) (true (cell 1 1 ?x)) (true (cell 2 2 ?x)) (true (cell 3 3 ?x)))
(<= (diagonal ?x) (true (cell 1 3 ?x)) (true (cell 2 2 ?x)) (true (cell 3 1 ?x)))
(<= (line ?x) (row ?m ?x))
(<= (line ?x) (col ?m ?x))
(<= (line ?x) (diagonal ?x))
(<= open (true (cell ?m ?n b)))
(<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)) (true (cell ?m ?n b)))
(<= (next (cell ?m ?n o)) (does oplayer (mark ?m ?n)) (true (cell ?m ?n b)))
(<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (distinct ?w b))
(<= (next (cell ?m ?n b)) (does ?w (mark ?j ?k)) (true (cell ?m ?n b))
    (or (distinct ?m ?j) (distinct ?n ?k)))
(<= (next (control xplayer)) (true (control oplayer)))
(<= (next (control oplayer)) (true (control xplayer)))
(<= (legal ?w (mark ?x ?y)) (true (cell ?x ?y b)) (true (control ?w)))
(<= (legal xplayer noop) (true (control oplayer)))
(<= (legal oplayer noop) (true (control xplayer)))
(<= (goal xplayer 100) (line x))
(<= (goal xplayer 50) (not (line x)) (not (line o)) (not open))
(<= (goal xplayer 0) (line o))
(<= (goal oplayer 100) (line o))
(<= (goal oplayer 50) (not (line x)) (not (line o)) (not open))
(<= (goal oplayer 0) (line x))
(<= terminal (line x))
(<= terminal (line o))
(<= terminal (not open))
)";

// The text with all blanks, also line breaks, as single spaces and none inside of parentheses.
std::string without_layout(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n';
    if (is_blank && (result.empty() || result.back() == ' ' || result.back() == '(')) continue;
    if (c == ')' && !result.empty() && result.back() == ' ') result.pop_back();
    result += is_blank ? ' ' : c;
  }
  return result;
}

std::string written(const std::shared_ptr<const gdl::Rulesheet>& rules, bool keep_derived = true) {
  const auto text = to_gddl(rules, {keep_derived, {}});
  EXPECT_TRUE(text) << text.error().message;
  return text.value_or("");
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(without_layout(text).find(without_layout(part)), std::string::npos) << part << "\nin\n"
                                                                                << text;
}

// The figures call the type of the tokens tok, and the variables as the rules do.
TEST(Gddl, PrintsFigure1) {
  const std::string text = written(testing::rulesheet(figure_rules));
  expect_part(text, R"((:init (cell r1 c1 b) (cell r1 c2 b) (cell r1 c3 b)
                              (cell r2 c1 b) (cell r2 c2 b) (cell r2 c3 b)
                              (cell r3 c1 b) (cell r3 c2 b) (cell r3 c3 b) (control xplayer)))");
  expect_part(text, "(:goal (or (line x) (line o) (not (open))))");
  expect_part(text, "(:gain ?player - role 100 (and (= ?player xplayer) (line x)))");
  expect_part(text, R"((:gain ?player - role 50
                         (and (= ?player xplayer) (not (line x)) (not (line o)) (not (open)))))");
  expect_part(text, "(:gain ?player - role 0 (and (= ?player xplayer) (line o)))");
}

TEST(Gddl, PrintsFigure2) {
  const std::string text = written(testing::rulesheet(figure_rules));
  expect_part(text, R"((:derived (row ?v0 - row ?v1 - diagonal)
                         (and (cell ?v0 c1 ?v1) (cell ?v0 c2 ?v1) (cell ?v0 c3 ?v1))))");
  expect_part(text, R"((:derived (diagonal ?v0 - diagonal)
                         (and (cell r1 c1 ?v0) (cell r2 c2 ?v0) (cell r3 c3 ?v0))))");
  expect_part(text, "(:derived (line ?v0 - diagonal) (exists (?v1 - row) (row ?v1 ?v0)))");
  expect_part(text, "(:derived (line ?v0 - diagonal) (diagonal ?v0))");
  expect_part(text, "(:derived (open) (exists (?v0 - row ?v1 - col) (cell ?v0 ?v1 b)))");
}

TEST(Gddl, PrintsFigure3) {
  expect_part(written(testing::rulesheet(figure_rules)), R"(
      (:action mark
       :parameters (?player - role ?x1 - row ?x2 - col ?y1 - diagonal ?y2 - role)
       :precondition (and (cell ?x1 ?x2 b) (control ?player) (= ?player xplayer) (= ?y1 x)
                          (= ?y2 oplayer))
       :effect (and (not (cell ?x1 ?x2 b)) (not (control ?player))
                    (cell ?x1 ?x2 ?y1) (control ?y2))))");
}

TEST(Gddl, WithoutDerivedPredicatesHasNone) {
  const std::string text = written(testing::rulesheet(figure_rules), false);
  EXPECT_EQ(text.find("(:derived "), std::string::npos);
  EXPECT_EQ(text.find("(line"), std::string::npos);
  expect_part(text, "(cell r1 c1 x) (cell r2 c2 x) (cell r3 c3 x)");
}

// By number of steps: how many states there are, and how many of them are terminal with which
// goals.
using Goals = std::vector<std::vector<int>>;  // by role; empty in other states
using Census = std::vector<std::map<Goals, std::size_t>>;

class Counting {
 public:
  explicit Counting(const std::shared_ptr<const gdl::Rulesheet>& rules)
      : machine_(machine::Machine::make(ground::ground(rules, {}).value(), {}).value()),
        stepper_(machine_),
        roles_(static_cast<std::uint32_t>(machine_->game().roles.size())) {}

  Census run(std::size_t steps) {
    std::set<Fluents> states = {fluents_of(stepper_.initial_state())};
    Census result;
    for (std::size_t step = 0; step <= steps && !states.empty(); ++step) {
      result.emplace_back();
      std::set<Fluents> next;
      for (const Fluents& fluents : states) {
        const machine::State state = state_of(fluents);
        ++result.back()[goals(state)];
        if (!stepper_.terminal(state)) add_successors(state, 0, {}, next);
      }
      states = std::move(next);
    }
    return result;
  }

 private:
  using Fluents = std::vector<ground::Atom>;

  Fluents fluents_of(const machine::State& state) const {
    Fluents result;
    for (ground::Atom f = 0; f < machine_->game().fluents.size(); ++f) {
      if (state.test(f)) result.push_back(f);
    }
    return result;
  }

  machine::State state_of(const Fluents& fluents) {
    machine::State state = stepper_.initial_state();
    for (ground::Atom f = 0; f < machine_->game().fluents.size(); ++f) state.reset(f);
    for (const ground::Atom f : fluents) state.set(f);
    return state;
  }

  Goals goals(const machine::State& state) {
    Goals result;
    for (std::uint32_t r = 0; stepper_.terminal(state) && r < roles_; ++r)
      result.push_back(stepper_.goals(state, r));
    return result;
  }

  void add_successors(const machine::State& state, std::uint32_t role,
                      std::vector<base::Move> moves, std::set<Fluents>& out) {
    if (role == roles_) {
      out.insert(fluents_of(stepper_.next_state(state, moves)));
      return;
    }
    for (const base::Move move : stepper_.legal_moves(state, role)) {
      moves.push_back(move);
      add_successors(state, role + 1, moves, out);
      moves.pop_back();
    }
  }

  std::shared_ptr<const machine::Machine> machine_;
  machine::Stepper stepper_;
  std::uint32_t roles_;
};

Census census(const std::shared_ptr<const gdl::Rulesheet>& rules, std::size_t steps) {
  return Counting(rules).run(steps);
}

std::shared_ptr<const gdl::Rulesheet> read_back(const std::string& text) {
  const base::Source source("game.gddl", text);
  EXPECT_TRUE(is_gddl(source));
  const auto kif = to_kif(source);
  EXPECT_TRUE(kif) << kif.error().message << "\n" << text;
  const auto rules =
      gdl::read_rules(std::make_shared<const base::Source>("game", kif.value_or("")));
  EXPECT_TRUE(rules) << rules.error().message << "\n" << *kif;
  return *rules;
}

void expect_same_game(const std::shared_ptr<const gdl::Rulesheet>& rules, std::size_t steps) {
  const Census expected = census(rules, steps);
  EXPECT_EQ(census(read_back(written(rules)), steps), expected);
  EXPECT_EQ(census(read_back(written(rules, false)), steps), expected);
}

TEST(Gddl, GamesReadBackAreTheSame) {
  expect_same_game(testing::rulesheet(figure_rules), 9);
  expect_same_game(testing::shipped_rules("blocks_world"), 20);
  expect_same_game(testing::shipped_rules("pancakes"), 6);
  expect_same_game(testing::shipped_rules("peg_solitaire"), 5);
  expect_same_game(testing::shipped_rules("breakthrough"), 2);
  expect_same_game(testing::shipped_rules("connect_four"), 4);
}

// Names that PDDL forbids, that clash once they are legal, and that are words of GDL or GDDL.
TEST(Gddl, NamesStayApart) {
  expect_same_game(testing::rulesheet(R"(
    (role role)
    (init (at a+b)) (init (goal 1))
    (place a+b) (place a*b) (place a_b) (place and)
    (<= (legal role (go ?x)) (place ?x) (distinct ?x and))
    (<= (legal role (define ?x)) (true (goal ?x)))
    (<= (next (at ?x)) (does role (go ?x)))
    (<= (next (at ?x)) (does role (define 1)) (true (at ?x)))
    (<= (next (goal 1)) (does role (go a*b)))
    (<= terminal (true (at a_b)))
    (<= (goal role 100) (true (at a_b)) (true (goal 1)))
    (<= (goal role 50) (not (true (goal 1)))))"),
                   5);
}

// Recursive predicates cannot be compiled away.
TEST(Gddl, GeneratedGamesReadBackAreTheSame) {
  int without_derived = 0;
  for (std::uint64_t seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const auto rules = testing::rulesheet(testing::random_single_player_game(seed));
    const Census expected = census(rules, 4);
    EXPECT_EQ(census(read_back(written(rules)), 4), expected);
    const auto text = to_gddl(rules, {false, {}});
    if (!text) {
      EXPECT_EQ(text.error().kind, base::ErrorKind::not_applicable);
      continue;
    }
    EXPECT_EQ(census(read_back(*text), 4), expected);
    ++without_derived;
  }
  EXPECT_GT(without_derived, 5);
}

struct Broken {
  const char* text;
  const char* message;
};

TEST(Gddl, ErrorsAreLocated) {
  const std::string domain = "(define (domain d)\n";
  const std::string problem = ")\n(define (problem p) (:init) (:goal (on)) (:gain 100 (on)))\n";
  for (const Broken& broken : {
           Broken{"(:action press :effect (on)", "1:1: this parenthesis is not closed"},
           Broken{"(:action press :effect (on ?x))",
                  "2:28: there is no object or variable ?x here"},
           Broken{"(:action press :when (on))", "2:16: expected :parameters, :precondition"},
           Broken{"(:functions (f))", "2:1: a game cannot have this section"},
           Broken{"(:action press :effect (on)) (:gain 200 (on))", "expected (:gain parameters"},
           Broken{"(:action press :precondition (off) :effect (on))",
                  "nothing makes the predicate off true"},
           Broken{"(:action press :parameters (?x - lamp) :effect (on))",
                  "there is no object of the type lamp"},
           Broken{"(:action press :effect (on)) (:derived (on) (and))", "has effects"},
           Broken{"(:types a - b b - a) (:constants c - a) (:action press :effect (on))",
                  "is its own parent"},
       }) {
    const auto kif = to_kif(base::Source("game.gddl", domain + broken.text + problem));
    ASSERT_FALSE(kif) << broken.text;
    EXPECT_EQ(kif.error().kind, base::ErrorKind::invalid_rules);
    EXPECT_EQ(kif.error().message.find("game.gddl:"), 0u) << kif.error().message;
    EXPECT_NE(kif.error().message.find(broken.message), std::string::npos) << kif.error().message;
  }
}

// Every construct of conditions and effects: all doors open, some lamp lit, and so on.
TEST(Gddl, ReadsQuantifiersAndConditionalEffects) {
  const auto rules = read_back(R"(
    (define (domain d)
     (:types lamp) (:constants a b c - lamp)
     (:derived (dark) (not (exists (?x - lamp) (lit ?x))))
     (:derived (bright) (forall (?x - lamp) (lit ?x)))
     (:action toggle :parameters (?x - lamp)
      :precondition (imply (lit ?x) (not (dark)))
      :effect (and (when (lit ?x) (not (lit ?x))) (when (not (lit ?x)) (lit ?x))))
     (:action clear :parameters () :precondition (or (lit a) (and (lit b) (lit c)))
      :effect (forall (?x - lamp) (when (not (= ?x a)) (not (lit ?x))))))
    (define (problem p) (:domain d) (:init (lit b)) (:goal (bright))
     (:gain () 100 (bright)) (:gain 0 (not (bright)))))");
  const Census layers = census(rules, 2);
  ASSERT_EQ(layers.size(), 3u);
  // Toggling one of three; no clear, as only b is lit.
  EXPECT_EQ(layers[1], (Census::value_type{{{}, 3}}));
  // {a}, {b}, {c} and {}, which clearing {b,c} gives; and all three.
  EXPECT_EQ(layers[2], (Census::value_type{{{}, 4}, {{{100}}, 1}}));
}

}  // namespace
}  // namespace zermelo::translate::gddl
