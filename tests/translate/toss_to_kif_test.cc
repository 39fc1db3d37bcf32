// The GDL rules of a Toss game and toss::StructureMachine are twins: in every state of random games
// they have the same fluents, moves, end and payoffs.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <filesystem>

#include "base/random.h"
#include "gdl/read_rules.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "machine/perft.h"
#include "reference/reference.h"
#include "toss/parser.h"
#include "toss/structure_machine.h"
#include "translate/toss/read_toss.h"
#include "translate/toss/to_kif.h"

namespace zermelo::translate::toss {
namespace {

using zermelo::toss::StructureMachine;

base::Source shipped_toss(const std::string& name) {
  return base::read_source(ZERMELO_ROOT "/games/toss/" + name + ".toss").value();
}

std::shared_ptr<const gdl::Rulesheet> kif_rules_of(const base::Source& source) {
  const auto read = read_toss(source);
  if (!read) throw std::runtime_error(read.error().message);
  if (base::has_errors(read->diagnostics)) {
    throw std::runtime_error(base::format(read->diagnostics.front(), source));
  }
  auto rules = gdl::read_rules(std::make_shared<const base::Source>(source.name(), read->rules));
  if (!rules) throw std::runtime_error(rules.error().message + "\n" + read->rules);
  return *rules;
}

StructureMachine structure_machine_of(const base::Source& source) {
  auto game = std::make_shared<const zermelo::toss::Game>(zermelo::toss::parse(source).game);
  return std::move(StructureMachine::make(std::move(game)).value());
}

// The words of a name, in small letters: "Cross(b2)" and "(cross b2)" have the same.
std::string words(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c != '.' && !result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

template <class Engine>
std::vector<std::string> move_words(Engine& engine, const typename Engine::State& state,
                                    std::size_t role) {
  std::vector<std::string> result;
  for (const auto move : engine.legal_moves(state, role)) {
    result.push_back(words(engine.move_name(move)));
  }
  std::sort(result.begin(), result.end());
  return result;
}

template <class Engine>
std::vector<std::string> fluent_words(Engine& engine, const typename Engine::State& state) {
  std::vector<std::string> result;
  for (const std::string& name : engine.fluent_names(state)) result.push_back(words(name));
  std::sort(result.begin(), result.end());
  return result;
}

template <class Engine>
base::Move move_of(Engine& engine, const typename Engine::State& state, std::size_t role,
                   const std::string& name) {
  for (const auto move : engine.legal_moves(state, role)) {
    if (words(engine.move_name(move)) == name) return move;
  }
  throw std::runtime_error(name + " is not legal");
}

void compare_along_a_game(StructureMachine& toss, reference::Reference& gdl, base::Random& random,
                          const std::function<int(double)>& reward, std::size_t longest) {
  auto structure = toss.initial_state();
  auto state = gdl.initial_state();
  for (std::size_t step = 0; step < longest; ++step) {
    ASSERT_EQ(fluent_words(toss, structure), fluent_words(gdl, state));
    ASSERT_EQ(toss.terminal(structure), gdl.terminal(state));
    for (std::size_t role = 0; role < toss.roles().size(); ++role) {
      ASSERT_EQ(gdl.goals(state, role), std::vector{reward(toss.payoff(structure, role))});
    }
    if (toss.terminal(structure)) return;
    std::vector<base::Move> structure_moves, moves;
    for (std::size_t role = 0; role < toss.roles().size(); ++role) {
      const auto names = move_words(toss, structure, role);
      ASSERT_EQ(names, move_words(gdl, state, role));
      const std::string& chosen = names[random.below(names.size())];
      structure_moves.push_back(move_of(toss, structure, role, chosen));
      moves.push_back(move_of(gdl, state, role, chosen));
    }
    structure = toss.next_state(structure, structure_moves);
    state = gdl.next_state(state, moves);
  }
}

void compare(const base::Source& source, const std::function<int(double)>& reward,
             std::size_t games, std::size_t longest = 1000) {
  StructureMachine toss = structure_machine_of(source);
  auto gdl = reference::Reference::make(kif_rules_of(source));
  base::Random random(7);
  for (std::size_t game = 0; game < games && !::testing::Test::HasFailure(); ++game) {
    compare_along_a_game(toss, *gdl, random, reward, longest);
  }
}

int as_it_is(double payoff) { return static_cast<int>(std::lround(payoff)); }
int from_win_or_loss(double payoff) { return static_cast<int>(std::lround(50 + 50 * payoff)); }

TEST(TossToKif, RandomGamesAgreeWithTheStructureMachine) {
  compare(shipped_toss("tic_tac_toe"), from_win_or_loss, 20);
  compare(shipped_toss("concurrent_tic_tac_toe"), as_it_is, 20);
  compare(shipped_toss("connect_four"), as_it_is, 3);
  compare(shipped_toss("breakthrough"), as_it_is, 2);
  compare(shipped_toss("pawn_whopping"), as_it_is, 3);
}

TEST(TossToKif, RemovedElementsAndPostconditionsAgree) {
  compare(shipped_toss("small_chess"), as_it_is, 1, 6);
}

const char* const one_move_game = R"(
PLAYERS Mover
%DEFINITIONS%
RULE Go: [a | - | -] -> [a | P (a) | -] emb P pre %PRE%
LOC 0 { PLAYER Mover { PAYOFF 10 * :(%PAYOFF%) MOVES [Go -> 0] } }
START [a, b, c, d | R {(a, b); (b, c); (c, d)}; S (b, d); P:1 {}; E:2 {} | -]
)";

base::Source game_with(const std::string& definitions, const std::string& pre,
                       const std::string& payoff) {
  std::string text = one_move_game;
  const auto put = [&](const std::string& mark, const std::string& value) {
    text.replace(text.find(mark), mark.size(), value);
  };
  put("%DEFINITIONS%", definitions);
  put("%PRE%", pre);
  put("%PAYOFF%", payoff);
  return {"one.toss", text};
}

TEST(TossToKif, EveryKindOfFormulaAgrees) {
  const std::vector<std::string> conditions = {
      "true",
      "not false",
      "ex x R(a, x)",
      "not ex x (R(x, a) and not P(x))",
      "all x (R(x, a) or P(x) or x = a)",
      "not all x (P(x) or not R(a, x))",
      "tc a, x R(a, x) and P(x)",
      "ex y, x (tc y, x (R(y, x) and not P(x)) and y = a)",
      "not (P(a) and ex x E(a, x))",
      "ex x (lfp X(x) = (P(x) or ex y (R(y, x) and X(y))))",
      "lfp X(a) = (not ex z R(z, a) or ex y (R(y, a) and X(y) and P(y)))",
      "gfp X(a) = (not P(a) and (not S(a, a) or X(a)))",
      "let N(x, y) = R(x, y) or S(x, y) in ex z (N(a, z) and not P(z) or N(z, a))",
      "a != a or not (ex x (x != a and P(x)) and ex x S(x, a))",
      "D(a)",
      "ex u a = a",
  };
  for (const std::string& condition : conditions) {
    SCOPED_TRACE(condition);
    const bool is_open = condition.find("ex y, x (tc") == std::string::npos;
    const std::string payoff =
        is_open ? "ex a (P(a) and " + (condition == "true" ? "a = a" : "(" + condition + ")") + ")"
                : "ex a P(a)";
    const std::string bound =
        condition.starts_with("tc a, x") ? "ex x (" + condition + ")" : condition;
    compare(game_with("REL D(x) = all y (R(x, y) or P(y) or not R(y, x))", bound,
                      condition.starts_with("tc a, x") ? "ex a P(a)" : payoff),
            as_it_is, 6);
  }
}

TEST(TossToKif, SaysWhatGdlCannotExpress) {
  const auto message_of = [](const base::Source& source) {
    const auto read = read_toss(source);
    EXPECT_FALSE(read);
    if (read) return std::string();
    EXPECT_EQ(read.error().kind, base::ErrorKind::not_applicable);
    return read.error().message;
  };
  EXPECT_NE(message_of(game_with("", "Sum (x | P(x) : 1) < 2", "ex x P(x)")).find("compare"),
            std::string::npos);
  EXPECT_NE(
      message_of(game_with("", "gfp X(a) = (not P(a) and ex y (R(a, y) and X(y)))", "ex x P(x)"))
          .find("universal quantifier"),
      std::string::npos);
  const base::Source growing("grow.toss",
                             "PLAYERS A\nRULE Grow: [a | - | -] -> [a, b | R (a, b) | -]\n"
                             "LOC 0 { PLAYER A { PAYOFF 1 MOVES [Grow -> 0] } }\n"
                             "START [a | R:2 {} | -]\n");
  EXPECT_NE(message_of(growing).find("creates elements"), std::string::npos);
}

TEST(TossToKif, InvalidFilesKeepTheirDiagnostics) {
  const base::Source source("bad.toss", "PLAYERS X\nLOC 0 { PLAYER X { PAYOFF Foo( } }\n");
  const auto read = read_toss(source);
  ASSERT_TRUE(read);
  EXPECT_TRUE(base::has_errors(read->diagnostics));
}

machine::Stepper stepper_of(const std::shared_ptr<const gdl::Rulesheet>& rules) {
  auto game = ground::ground(rules);
  return machine::Stepper(machine::Machine::make(std::move(*game), base::Limits()).value());
}

// The joint-move sequences of each length, and how many of them end the game.
std::vector<std::pair<std::uint64_t, std::uint64_t>> perft_of(
    const std::shared_ptr<const gdl::Rulesheet>& rules, std::size_t depth) {
  machine::Stepper stepper = stepper_of(rules);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;
  for (const auto& at : machine::perft(stepper, depth).depths) {
    counts.emplace_back(at.sequences, at.terminal);
  }
  return counts;
}

std::shared_ptr<const gdl::Rulesheet> rulesheet(const std::string& path) {
  return gdl::read_rules(std::make_shared<const base::Source>(base::read_source(path).value()))
      .value();
}

TEST(TossToKif, SamePerftAsTheGdlGamesOfTheSameName) {
  for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough"}) {
    SCOPED_TRACE(name);
    const std::size_t depth = name == std::string("breakthrough") ? 4 : 5;
    EXPECT_EQ(perft_of(kif_rules_of(shipped_toss(name)), depth),
              perft_of(rulesheet(ZERMELO_ROOT "/games/" + std::string(name) + ".kif"), depth));
  }
}

TEST(TossToKif, SamePerftAsTheRulesheetsOfPublicCollections) {
  const std::filesystem::path shared = ZERMELO_ROOT "/../shared/games";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no ../shared/games";
  const std::vector<std::pair<std::string, std::string>> pairs = {{"pawn_whopping", "pawnWhopping"},
                                                                  {"gomoku", "connect5"}};
  for (const auto& [toss, gdl] : pairs) {
    std::filesystem::path found;
    for (const auto& file : std::filesystem::recursive_directory_iterator(shared)) {
      if (file.path().filename() == gdl + ".kif") found = file.path();
    }
    if (found.empty()) continue;
    SCOPED_TRACE(toss);
    EXPECT_EQ(perft_of(kif_rules_of(shipped_toss(toss)), 3),
              perft_of(rulesheet(found.string()), 3));
  }
}

}  // namespace
}  // namespace zermelo::translate::toss
