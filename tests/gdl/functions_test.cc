// Computed functions: decimals, declarations, and the places in which functions are allowed.
#include "gdl/functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/random.h"
#include "gdl/parser.h"
#include "gdl/printer.h"
#include "gdl/validity.h"

namespace zermelo::gdl {
namespace {

__extension__ typedef __int128 Wide;

Decimal number(const std::string& text) { return Decimal::parse(text).value(); }

TEST(Decimals, ArePrintedInTheShortestWay) {
  for (const auto& [text, shortest] : std::vector<std::pair<std::string, std::string>>{
           {"0", "0"},
           {"-0", "0"},
           {"007", "7"},
           {"4.40", "4.4"},
           {"-0.50", "-0.5"},
           {"0.000000001", "0.000000001"},
           {"1.0000000000000", "1"},
           {"999999999.999999999", "999999999.999999999"}}) {
    EXPECT_EQ(number(text).text(), shortest) << text;
    EXPECT_EQ(number(shortest), number(text));
  }
}

TEST(Decimals, OtherTextsAreNoNumbers) {
  for (const char* text : {"", "-", ".", "1.", ".5", "+1", "1e3", "--1", "1.2.3", "0x10", "wheat",
                           "1000000000", "0.0000000001", " 1", "1 "}) {
    EXPECT_FALSE(Decimal::parse(text)) << text;
  }
}

// A result is the nearest number if twice its error is at most one billionth.
TEST(Decimals, ProductsAndQuotientsAreTheNearestNumbers) {
  base::Random random(1);
  const auto random_number = [&](std::uint32_t digits) {
    std::int64_t billionths = random.below(10);
    for (std::uint32_t i = 0; i < digits; ++i) billionths = billionths * 10 + random.below(10);
    return Decimal::from_billionths(random.below(2) == 0 ? billionths : -billionths).value();
  };
  int products = 0, quotients = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Decimal a = random_number(random.below(17)), b = random_number(random.below(17));
    const Wide exact_product = Wide{a.billionths()} * b.billionths();
    if (const auto product = multiplied(a, b)) {
      const Wide error = Wide{product->billionths()} * Decimal::unit - exact_product;
      EXPECT_TRUE(2 * (error < 0 ? -error : error) <= Decimal::unit) << a.text() << ' ' << b.text();
      ++products;
    } else {
      const Wide size = exact_product < 0 ? -exact_product : exact_product;
      EXPECT_TRUE(2 * size >= (2 * Wide{Decimal::limit} - 1) * Decimal::unit);
    }
    const auto quotient = divided(a, b);
    if (b.billionths() == 0) {
      EXPECT_FALSE(quotient);
    } else if (quotient) {
      const Wide error =
          Wide{quotient->billionths()} * b.billionths() - Wide{a.billionths()} * Decimal::unit;
      const Wide divisor = b.billionths();
      EXPECT_TRUE(2 * (error < 0 ? -error : error) <= (divisor < 0 ? -divisor : divisor));
      ++quotients;
    }
    const auto sum = added(a, b);
    if (sum) {
      EXPECT_EQ(subtracted(*sum, b), a);
    }
  }
  EXPECT_GT(products, 1'000);
  EXPECT_GT(quotients, 1'000);
}

TEST(Decimals, HalvesAreRoundedAwayFromZero) {
  EXPECT_EQ(divided(number("0.000000001"), number("2"))->text(), "0.000000001");
  EXPECT_EQ(divided(number("-0.000000001"), number("2"))->text(), "-0.000000001");
  EXPECT_EQ(divided(number("0.000000001"), number("3"))->text(), "0");
}

TEST(Decimals, PowersAreRepeatedProducts) {
  Decimal power = number("1");
  for (int exponent = 0; exponent < 20; ++exponent) {
    EXPECT_EQ(raised(number("3"), number(std::to_string(exponent))).value_or(number("-1")),
              exponent < 19 ? power : number("-1"));
    if (exponent < 18) power = multiplied(power, number("3")).value();
  }
  EXPECT_EQ(raised(number("1.1"), number("6"))->text(), "1.771561");
  EXPECT_EQ(raised(number("2"), number("-2"))->text(), "0.25");
  EXPECT_FALSE(raised(number("2"), number("0.5")));
  EXPECT_FALSE(raised(number("10"), number("9")));
  EXPECT_FALSE(raised(number("0"), number("-1")));
}

TEST(ArithmeticFunctions, HaveNamesAndNumbersOfArguments) {
  EXPECT_EQ(arithmetic_function("add", 3), Arithmetic::add);
  EXPECT_EQ(arithmetic_function("less", 2), Arithmetic::less);
  EXPECT_FALSE(arithmetic_function("add", 2));
  EXPECT_FALSE(arithmetic_function("less", 3));
  EXPECT_FALSE(arithmetic_function("sum", 3));
  const Decimal two = number("2"), three = number("3");
  EXPECT_EQ(result_of(Arithmetic::minimum, three, two), two);
  EXPECT_EQ(result_of(Arithmetic::maximum, three, two), three);
  EXPECT_TRUE(holds(Arithmetic::less, two, three));
  EXPECT_FALSE(holds(Arithmetic::less, two, two));
  EXPECT_TRUE(holds(Arithmetic::greater, three, two));
}

const std::string counter = R"(
  (include arithmetic builtin:arithmetic)
  (use arithmetic (add ?a ?b ?sum))
  (use arithmetic (less ?a ?b))
  (role player)
  (init (count 0))
  (legal player tick)
  (<= (next (count ?m)) (does player tick) (true (count ?n)) (add ?n 1 ?m))
  (<= terminal (true (count ?n)) (less 2 ?n))
  (<= (goal player 100) (true (count ?n)) (not (less ?n 3)))
  (<= (goal player 0) (true (count ?n)) (less ?n 3))
)";

std::vector<std::string> codes_of(const std::string& text) {
  const ParseResult parsed = parse(std::make_shared<const base::Source>("game.kif", text));
  EXPECT_TRUE(parsed.diagnostics.empty()) << text;
  std::vector<std::string> codes;
  for (const Diagnostic& problem : check_validity(parsed.rulesheet)) codes.push_back(problem.code);
  return codes;
}

TEST(UsedFunctions, AreDefinedWithoutClauses) {
  EXPECT_EQ(codes_of(counter), std::vector<std::string>());
}

TEST(UsedFunctions, AreFoundInBothSyntaxes) {
  const ParseResult prefix = parse(std::make_shared<const base::Source>("game.kif", counter));
  const std::string infix = print(prefix.rulesheet, Syntax::infix);
  const ParseResult parsed = parse(std::make_shared<const base::Source>("game.gdl", infix));
  ASSERT_TRUE(parsed.diagnostics.empty()) << infix;
  EXPECT_EQ(parsed.rulesheet.syntax, Syntax::infix) << infix;
  EXPECT_EQ(FunctionTable(parsed.rulesheet).functions().size(), 2u) << infix;
  EXPECT_TRUE(check_validity(parsed.rulesheet).empty()) << infix;
}

TEST(UsedFunctions, WrongDeclarationsAndPlacesAreErrors) {
  for (const auto& [code, rules] : std::vector<std::pair<std::string, std::string>>{
           {"module-not-included", "(use geometry (area ?a ?b ?c))"},
           {"function-source",
            "(include other http://server/app/math1.jar)"
            "(use other (multiply ?a ?b ?c))"},
           {"function-arguments", "(use arithmetic (multiply ?a ?a ?c))"},
           {"function-arguments", "(use arithmetic (multiply ?a 2 ?c))"},
           {"unknown-function", "(use arithmetic (sum ?a ?b ?c))"},
           {"unknown-function", "(use arithmetic (less ?a ?b ?c))"},
           {"function-defined", "(add 1 2 3)"},
           {"unsafe-input", "(<= (next (more ?m)) (add ?_n 1 ?m))"},
           {"unsafe-input",
            "(<= (next (more ?m)) (true (count ?k)) (add ?n ?k ?m) (add ?m ?k ?n))"},
           {"unsafe-negation", "(<= (next bad) (true (count ?n)) (not (add ?n 1 ?m)))"},
           {"unsafe-head", "(<= (next (more ?m)) (true (count ?n)) (less ?n ?n))"},
           {"function-in-recursion",
            "(<= (many ?m) (many ?n) (add ?n 1 ?m)) (<= (next bad) (many 5))"}}) {
    const auto codes = codes_of(counter + rules);
    EXPECT_NE(std::find(codes.begin(), codes.end(), code), codes.end()) << rules;
  }
}

TEST(UsedFunctions, ResultsBindVariablesOfOtherFunctions) {
  EXPECT_EQ(codes_of(counter + "(<= (next (more ?k)) (add ?m 1 ?k) (add ?n 1 ?m)"
                               " (true (count ?n)))"),
            std::vector<std::string>());
}

TEST(UsedFunctions, OrdinaryPredicatesMayHaveTheSameNames) {
  const std::string rules = R"(
    (role player) (init (has axe)) (legal player wait)
    (include box axe) (use axe (cut tree))
    (<= (next (has ?x)) (include box ?x) (use ?x (cut tree)))
    (<= terminal (not (true (has axe)))) (goal player 50)
  )";
  EXPECT_EQ(codes_of(rules), std::vector<std::string>());
}

}  // namespace
}  // namespace zermelo::gdl
