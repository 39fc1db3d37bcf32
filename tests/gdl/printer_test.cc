#include "gdl/printer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "gdl/parse_text.h"
#include "gdl/parser.h"
#include "gdl/random_rulesheet.h"
#include "gdl/round_trip.h"

namespace zermelo::gdl {
namespace {

const char* const example = R"(
(role x) (role o)
(<= (legal ?p (mark ?m ?n)) (true (cell ?m ?n b)) (or (role ?p) (and (a) (not (or b c)))))
(<= terminal (not open))
(open)
(p ?1 ?_ ?_a ?a.b < a.b + it's _low 1 <=)
(<= q (or) (and) (or r) (and a (and b c)) (or (or a b) c))
)";

TEST(Print, PrintsPrefix) {
  EXPECT_EQ(print(parse_text(example).rulesheet, Syntax::prefix), R"((role x)
(role o)

(<= (legal ?p (mark ?m ?n))
    (true (cell ?m ?n b))
    (or (role ?p) (and a (not (or b c)))))

(<= terminal
    (not open))

(open)

(p ?1 ?_ ?_a ?a.b < a.b + it's _low 1 <=)

(<= q
    (or)
    (and)
    (or r)
    (and a (and b c))
    (or (or a b) c))
)");
}

TEST(Print, PrintsInfix) {
  EXPECT_EQ(print(parse_text(example).rulesheet, Syntax::infix), R"(role(x)
role(o)

legal(P, mark(M, N)) :-
  true(cell(M, N, b)) &
  (role(P) | a & ~(b | c))

terminal :-
  ~open

open

p(?1, ?_, _a, ?'a.b', '<', 'a.b', +, 'it''s', '_low', 1, '<=')

q :-
  or() &
  and() &
  or(r) &
  (a & (b & c)) &
  ((a | b) | c)
)");
}

TEST(Print, PrintsSingleTermsAndClauses) {
  const Rulesheet rules = parse_text("(<= (p (f ?x)) q)").rulesheet;
  const Clause& clause = rules.clauses.front();
  EXPECT_EQ(print(clause.head, rules.symbols), "(p (f ?x))");
  EXPECT_EQ(print(clause.head, rules.symbols, Syntax::infix), "p(f(X))");
  EXPECT_EQ(print(clause, rules.symbols), "(<= (p (f ?x))\n    q)");
  EXPECT_EQ(print(clause, rules.symbols, Syntax::infix), "p(f(X)) :-\n  q");
}

TEST(Print, RandomRulesheetsRoundTrip) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Rulesheet rules = RandomRulesheet(seed).make();
    for (const Syntax syntax : {Syntax::prefix, Syntax::infix}) {
      ASSERT_EQ(round_trip_failure(rules, syntax), "") << "seed " << seed;
    }
  }
}

TEST(Print, MaximallyNestedTermsRoundTrip) {
  std::string deep = "(<= p ";
  for (int i = 0; i < 66; ++i) deep += "(or a (and b (not ";
  deep += "(f (g c))" + std::string(3 * 66 + 1, ')');
  const ParseResult rules = parse_text(deep);
  ASSERT_TRUE(rules.diagnostics.empty());
  for (const Syntax syntax : {Syntax::prefix, Syntax::infix}) {
    EXPECT_EQ(round_trip_failure(rules.rulesheet, syntax), "");
  }
}

// Collected rulesheets, if `../shared/games` exists.
TEST(Print, CollectedRulesheetsRoundTrip) {
  const std::filesystem::path folder = ZERMELO_ROOT "/../shared/games";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is missing";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".kif") continue;
    if (entry.path().stem() == "minesweeper") continue;  // a bare `not`
    const auto source = base::read_source(entry.path());
    ASSERT_TRUE(source) << entry.path();
    const ParseResult rules = parse(std::make_shared<const base::Source>(*source));
    ASSERT_TRUE(rules.diagnostics.empty()) << format(rules.diagnostics.front(), *source);
    EXPECT_FALSE(rules.rulesheet.clauses.empty()) << entry.path();
    for (const Syntax syntax : {Syntax::prefix, Syntax::infix}) {
      ASSERT_EQ(round_trip_failure(rules.rulesheet, syntax), "") << entry.path();
    }
  }
}

}  // namespace
}  // namespace zermelo::gdl
