#include "app/count.h"

#include <nlohmann/json.hpp>

#include "app/json.h"
#include "app/requests.h"

namespace zermelo::app {
namespace {

using base::ErrorKind;
using solve::Engine;

TEST(Count, BothEnginesFindTheSameLayers) {
  const Rules rules = shipped_rules("tic_tac_toe");
  const auto symbolic = count({.rules = rules, .engine = Engine::symbolic});
  const auto enumerated = count({.rules = rules, .engine = Engine::explicit_states});
  ASSERT_TRUE(symbolic) << symbolic.error().message;
  ASSERT_TRUE(enumerated) << enumerated.error().message;
  EXPECT_EQ(symbolic->states, "5478");
  EXPECT_EQ(enumerated->states, "5478");
  ASSERT_EQ(symbolic->layers.size(), 10u);
  ASSERT_EQ(enumerated->layers.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(symbolic->layers[i].states, enumerated->layers[i].states);
    EXPECT_EQ(symbolic->layers[i].terminal, enumerated->layers[i].terminal);
    EXPECT_TRUE(symbolic->layers[i].nodes);
    EXPECT_FALSE(enumerated->layers[i].nodes);
  }
  EXPECT_EQ(symbolic->engine, Engine::symbolic);
  EXPECT_EQ(enumerated->engine, Engine::explicit_states);
  EXPECT_TRUE(symbolic->order);
  EXPECT_FALSE(symbolic->stopped);
}

TEST(Count, TheEngineIsChosenByTheNumberOfStates) {
  const auto few = count({.rules = shipped_rules("tic_tac_toe")});
  ASSERT_TRUE(few);
  EXPECT_EQ(few->engine, Engine::explicit_states);
  EXPECT_EQ(few->reason, "no more than 200,000 states");
  const auto many = count({.rules = generated_rules("connect-four", {"5", "4"})});
  ASSERT_TRUE(many);
  EXPECT_EQ(many->engine, Engine::symbolic);
  EXPECT_EQ(many->reason, "more than 200,000 states");
}

TEST(Count, OptionsChangeWhatIsCounted) {
  const Rules rules = shipped_rules("tic_tac_toe");
  const auto past = count({.rules = rules, .continue_past_terminal = true});
  const auto repeated = count({.rules = ring_rules(), .duplicate_detection = true});
  ASSERT_TRUE(past);
  ASSERT_TRUE(repeated);
  EXPECT_GT(std::stoul(past->states), 5478u);
  EXPECT_EQ(repeated->states, "4");
  // Without duplicate detection the ring has no last layer.
  CancelAt cancel("counting: layer 50,");
  const auto endless = count(
      {.rules = ring_rules(), .engine = Engine::explicit_states, .duplicate_detection = false},
      cancel.context());
  ASSERT_TRUE(endless);
  EXPECT_TRUE(endless->stopped);
  EXPECT_GE(endless->layers.size(), 50u);
}

TEST(Count, WhatWasEnumeratedIsTheResultWhenDiagramsReachALimit) {
  for (const char* last : {"counting: ordering variables", "counting: building relations",
                           "counting: layer 0, 1 states, 25 nodes"}) {
    SCOPED_TRACE(last);
    CancelAt cancel(last);
    const auto counted = count({.rules = generated_rules("connect-four", {"5", "5"}), .threads = 1},
                               cancel.context());
    ASSERT_TRUE(cancel.cancelled());
    EXPECT_EQ(cancel.activities().front(), "grounding");
    ASSERT_TRUE(counted);
    ASSERT_TRUE(counted->stopped);
    EXPECT_EQ(counted->stopped->kind, ErrorKind::time_limit);
    EXPECT_EQ(counted->engine, Engine::explicit_states);
    EXPECT_EQ(counted->states, "100153");  // whole layers, of no more than 200,000 states
  }
}

TEST(Count, RespectsLimits) {
  CountRequest request{.rules = generated_rules("connect-four", {"7", "6"}),
                       .engine = Engine::explicit_states};
  request.limits.time = std::chrono::milliseconds(50);
  const auto late = count(request);
  EXPECT_EQ(late ? late->stopped->kind : late.error().kind, ErrorKind::time_limit);
  request.limits = {.memory_bytes = 1};
  const auto large = count(request);
  EXPECT_EQ(large ? large->stopped->kind : large.error().kind, ErrorKind::memory_limit);
}

TEST(Count, ContinuesFromTheLayersOfAFolder) {
  const Rules rules = generated_rules("connect-four", {"4", "4"});
  const auto expected = count({.rules = rules, .engine = Engine::symbolic});
  ASSERT_TRUE(expected);
  const Folder folder;
  const CountRequest request{.rules = rules, .folder = folder.path().string()};
  CancelAt cancel("counting: layer 5,");
  const auto stopped = count(request, cancel.context());
  ASSERT_TRUE(stopped) << stopped.error().message;
  ASSERT_TRUE(stopped->stopped);
  EXPECT_LT(stopped->layers.size(), expected->layers.size());
  CancelAt observer("nothing has this name");
  const auto whole = count(request, observer.context());
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_FALSE(whole->stopped);
  EXPECT_EQ(whole->states, expected->states);
  EXPECT_EQ(whole->reason, "layers are stored as diagrams");
  for (const std::string& activity : observer.activities()) {
    EXPECT_NE(activity.rfind("counting: layer 3,", 0), 0u) << activity;
  }
}

TEST(Count, RefusesFoldersOfOtherRequests) {
  const Folder folder;
  CountRequest request{.rules = shipped_rules("nim"), .folder = folder.path().string()};
  ASSERT_TRUE(count(request));
  request.continue_past_terminal = true;
  const auto other_options = count(request);
  ASSERT_FALSE(other_options);
  EXPECT_EQ(other_options.error().kind, ErrorKind::not_applicable);
  request = {.rules = shipped_rules("tic_tac_toe"), .folder = folder.path().string()};
  const auto other_game = count(request);
  ASSERT_FALSE(other_game);
  EXPECT_EQ(other_game.error().kind, ErrorKind::not_applicable);
}

TEST(Count, TheExplicitEngineStoresNothing) {
  const Folder folder;
  const CountRequest request{.rules = shipped_rules("nim"),
                             .engine = Engine::explicit_states,
                             .folder = folder.path().string()};
  EXPECT_NE(contradiction(request), "");
  const auto counted = count(request);
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().kind, ErrorKind::invalid_request);
  EXPECT_FALSE(std::filesystem::exists(folder.path()));
}

TEST(Count, JsonHasTheWholeResult) {
  const auto counted = count({.rules = shipped_rules("tic_tac_toe"), .engine = Engine::symbolic});
  ASSERT_TRUE(counted);
  const auto json = nlohmann::json::parse(to_json(*counted));
  EXPECT_EQ(json.at("states"), "5478");
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("engine"), "symbolic");
  EXPECT_EQ(json.at("layers").size(), 10u);
  EXPECT_EQ(json.at("layers")[2].at("layer"), 2);
  EXPECT_EQ(json.at("layers")[1].at("states"), "9");
  EXPECT_GT(json.at("peak_bytes"), 0);
  EXPECT_FALSE(json.contains("error"));
  CancelAt cancel("counting: layer 6,");
  const auto stopped = count(
      {.rules = generated_rules("connect-four", {"5", "5"}), .engine = Engine::explicit_states},
      cancel.context());
  ASSERT_TRUE(stopped);
  const auto incomplete = nlohmann::json::parse(to_json(*stopped));
  EXPECT_EQ(incomplete.at("complete"), false);
  EXPECT_EQ(incomplete.at("order"), nullptr);
  EXPECT_EQ(incomplete.at("error").at("kind"), "time_limit");
}

// A bar per layer, and one for each of the two parts where there are such states.
TEST(Count, LayersAreDrawn) {
  for (const solve::Engine engine : {solve::Engine::symbolic, solve::Engine::explicit_states}) {
    const auto counted = count({.rules = shipped_rules("tic_tac_toe"), .engine = engine});
    ASSERT_TRUE(counted) << counted.error().message;
    const std::string picture = plot(*counted, "tic_tac_toe");
    const auto has = [&](const std::string& text) { return picture.find(text) != text.npos; };
    EXPECT_TRUE(has(">tic_tac_toe: states by layer<"));
    EXPECT_TRUE(has(">5,478 states in 10 layers<"));
    EXPECT_TRUE(has("<title>layer 5: 1,260 states</title>"));
    EXPECT_TRUE(has("<title>layer 5: 120 states (9.5%) with terminal states</title>"));
    EXPECT_TRUE(has("<title>layer 5: 1,140 states (90.5%) with other states</title>"));
    EXPECT_EQ(has("<polyline"), engine == solve::Engine::symbolic);
  }
}

}  // namespace
}  // namespace zermelo::app
