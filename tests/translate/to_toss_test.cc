// Games of GDL and their translations to Toss: the bijection of Theorem 5 along random games.
#include "translate/toss/to_toss.h"

#include <gtest/gtest.h>

#include "gdl/read_rules.h"
#include "ground/ground.h"
#include "toss/parser.h"
#include "toss/printer.h"
#include "translate/toss/bijection.h"

namespace zermelo::translate::toss {
namespace {

std::shared_ptr<const machine::Machine> machine_of(const std::string& text) {
  const auto rules =
      gdl::read_rules(std::make_shared<const base::Source>("test.kif", text)).value();
  return machine::Machine::make(std::move(*ground::ground(rules)), base::Limits()).value();
}

std::shared_ptr<const machine::Machine> shipped_gdl(const std::string& name) {
  const auto source = base::read_source(ZERMELO_ROOT "/games/" + name + ".kif").value();
  return machine_of(std::string(source.text()));
}

void expect_bijection(const std::shared_ptr<const machine::Machine>& machine, std::size_t games,
                      std::size_t longest = 60) {
  const auto translation = to_toss(machine);
  ASSERT_TRUE(translation) << translation.error().message;
  BijectionOptions options;
  options.games = games;
  options.longest = longest;
  const BijectionReport report = check_bijection(machine, *translation, options);
  EXPECT_EQ(report.difference, std::nullopt) << print(*translation->game);
}

TEST(ToToss, ShippedGamesKeepTheirMovesEndAndPayoffs) {
  for (const char* name : {"queens", "knights_tour"}) {
    SCOPED_TRACE(name);
    expect_bijection(shipped_gdl(name), 5, 30);
  }
}

TEST(ToToss, WhatIsPrintedIsTheSameGame) {
  const auto translation = to_toss(shipped_gdl("queens"));
  ASSERT_TRUE(translation) << translation.error().message;
  for (const auto dialect : {zermelo::toss::Dialect::start, zermelo::toss::Dialect::paper}) {
    const base::Source source("printed.toss", print(*translation->game, dialect));
    const auto read = zermelo::toss::parse(source);
    ASSERT_FALSE(base::has_errors(read.diagnostics));
    EXPECT_TRUE(same(read.game, *translation->game));
  }
}

TEST(ToToss, NamesTheRestrictionThatIsNotMet) {
  const auto reason = [](const std::string& name) {
    const auto translation = to_toss(shipped_gdl(name));
    return translation ? "" : translation.error().message;
  };
  EXPECT_EQ(reason("rock_paper_scissors"), "several players choose in the same step");
}

}  // namespace
}  // namespace zermelo::translate::toss
