#include <fstream>

#include "app/app_fixture.h"
#include "app/compile.h"
#include "app/json.h"
#include "families/families.h"

namespace zermelo::app {
namespace {

const std::string tic_tac_toe = ZERMELO_ROOT "/games/tic_tac_toe.kif";

TEST(CheckFile, ValidRules) {
  const CheckedFile file = check_file(tic_tac_toe);
  ASSERT_TRUE(file.rules);
  EXPECT_TRUE(file.rules->is_valid());
  const auto json = parsed(to_json(std::vector{file}));
  EXPECT_EQ(json["files"][0]["file"], tic_tac_toe);
  EXPECT_EQ(json["files"][0]["valid"], true);
}

TEST(CheckFile, DiagnosticsHaveTheirPlace) {
  const TemporaryFolder folder;
  std::ofstream(file_in(folder, "bad.kif")) << "(role r)\n(init";
  const CheckedFile file = check_file(file_in(folder, "bad.kif"));
  ASSERT_TRUE(file.rules);
  EXPECT_FALSE(file.rules->is_valid());
  const auto json = parsed(to_json(std::vector{file}))["files"][0];
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["diagnostics"][0]["severity"], "error");
  EXPECT_EQ(json["diagnostics"][0]["line"], 2);
  EXPECT_EQ(json["diagnostics"][0]["column"], 1);
}

TEST(CheckFile, AFileThatIsMissing) {
  const CheckedFile file = check_file("/nowhere/game.kif");
  ASSERT_FALSE(file.rules);
  EXPECT_EQ(file.rules.error().kind, base::ErrorKind::unreadable_input);
  const auto json = parsed(to_json(std::vector{file}))["files"][0];
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["diagnostics"][0]["code"], "unreadable");
}

TEST(ReadRules, FailsAsItShould) {
  EXPECT_TRUE(read_rules(tic_tac_toe));
  EXPECT_EQ(read_rules("/nowhere/game.kif").error().kind, base::ErrorKind::unreadable_input);
  const TemporaryFolder folder;
  std::ofstream(file_in(folder, "bad.kif")) << "(role r)";
  EXPECT_EQ(read_rules(file_in(folder, "bad.kif")).error().kind, base::ErrorKind::invalid_rules);
}

TEST(PrintRules, BothSyntaxesMeanTheSame) {
  const Rules rules = shipped("tic_tac_toe");
  const std::string prefix = print_rules({rules, gdl::Syntax::prefix});
  const std::string infix = print_rules({rules, gdl::Syntax::infix});
  EXPECT_NE(prefix, infix);
  const auto read = gdl::read_rules(std::make_shared<const base::Source>("infix", infix));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(print_rules({*read, gdl::Syntax::prefix}), prefix);
}

TEST(Generate, RulesOfAFamily) {
  const auto text = generate({"connect-four", {"3", "3", "3"}});
  ASSERT_TRUE(text);
  EXPECT_TRUE(gdl::read_rules(std::make_shared<const base::Source>("test", *text)));
}

TEST(Generate, AWrongSizeIsAnInvalidRequest) {
  for (const GenerateRequest& request :
       {GenerateRequest{"connect-four", {"7"}}, GenerateRequest{"connect-fifteen", {}}}) {
    const auto text = generate(request);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().kind, base::ErrorKind::invalid_request);
    EXPECT_EQ(parsed(to_json(text.error()))["error"]["kind"], "invalid_request");
  }
}

TEST(Generate, AllFamiliesAreListed) {
  const auto list = parsed(to_json(families::list()))["families"];
  ASSERT_EQ(list.size(), families::list().size());
  EXPECT_EQ(list[0]["name"], families::list()[0].name);
}

TEST(Compile, GivesAProgram) {
  const auto text = compile({shipped("tic_tac_toe")});
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("int main("), std::string::npos);
}

TEST(Compile, RespectsLimitsAndCancellation) {
  CompileRequest request{shipped("tic_tac_toe")};
  EXPECT_EQ(compile(request, cancelled()).error().kind, base::ErrorKind::time_limit);
  request.limits.memory_bytes = 1;
  EXPECT_EQ(compile(request).error().kind, base::ErrorKind::memory_limit);
}

TEST(Json, OfAnError) {
  const auto json = parsed(to_json(base::Error{base::ErrorKind::time_limit, "late"}));
  EXPECT_EQ(json, (nlohmann::json{{"error", {{"kind", "time_limit"}, {"message", "late"}}}}));
  EXPECT_EQ(parsed(error_json("defect", "a\nb"))["error"]["message"], "a\nb");
}

}  // namespace
}  // namespace zermelo::app
