#include "app/playouts.h"

#include <thread>

#include "app/app_fixture.h"
#include "app/json.h"
#include "app/perft.h"

namespace zermelo::app {
namespace {

TEST(Perft, BothEnginesAgree) {
  for (const PlayoutEngine engine : {PlayoutEngine::fast, PlayoutEngine::reference}) {
    const auto counts = perft({shipped("tic_tac_toe"), 3, engine});
    ASSERT_TRUE(counts);
    const auto json = parsed(to_json(*counts));
    EXPECT_EQ(json["engine"], std::string(name_of(engine)));
    ASSERT_EQ(json["depths"].size(), 4u);
    EXPECT_EQ(json["depths"][3]["sequences"], 9 * 8 * 7);
    EXPECT_EQ(json["depths"][3]["terminal"], 0);
  }
}

TEST(Perft, EnginesOfRandomGamesAreAnInvalidRequest) {
  const auto counts = perft({shipped("tic_tac_toe"), 3, PlayoutEngine::sliced});
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().kind, base::ErrorKind::invalid_request);
}

TEST(Perft, RespectsLimitsAndCancellation) {
  PerftRequest request{shipped("tic_tac_toe"), 9};
  EXPECT_EQ(perft(request, cancelled()).error().kind, base::ErrorKind::time_limit);
  request.limits.time = std::chrono::duration<double>(0);
  EXPECT_EQ(perft(request).error().kind, base::ErrorKind::time_limit);
}

// The counts until then are lower bounds.
TEST(Perft, CancellationKeepsTheCountsSoFar) {
  std::stop_source source;
  const std::jthread user([&source] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    source.request_stop();
  });
  const auto counts = perft({shipped("connect_four"), 40}, {{}, source.get_token()});
  ASSERT_TRUE(counts) << counts.error().message;
  ASSERT_TRUE(counts->stopped);
  EXPECT_EQ(counts->stopped->kind, base::ErrorKind::time_limit);
  EXPECT_EQ(counts->depths[0].sequences, 1u);
  EXPECT_GT(counts->depths[40].sequences, 0u);
  EXPECT_EQ(parsed(to_json(*counts))["error"]["kind"], "time_limit");
}

TEST(PlayoutEngine, EveryEngineHasAName) {
  EXPECT_EQ(name_of(PlayoutEngine::fast), "fast");
  EXPECT_EQ(name_of(PlayoutEngine::reference), "reference");
  EXPECT_EQ(name_of(PlayoutEngine::sliced), "sliced");
  EXPECT_EQ(name_of(PlayoutEngine::interpreted), "interpreted");
}

PlayoutsRequest thousand_games(PlayoutEngine engine) {
  PlayoutsRequest request{shipped("tic_tac_toe")};
  request.count = 1'000;
  request.engine = engine;
  request.threads = 1;
  return request;
}

TEST(Playouts, EnginesOfOneKindPlayTheSameGames) {
  std::vector<std::string> signatures;
  for (const PlayoutEngine engine : {PlayoutEngine::fast, PlayoutEngine::reference,
                                     PlayoutEngine::sliced, PlayoutEngine::interpreted}) {
    const auto played = play_randomly(thousand_games(engine));
    ASSERT_TRUE(played);
    const auto json = parsed(to_json(*played));
    EXPECT_EQ(json["engine"], std::string(name_of(engine)));
    EXPECT_EQ(json["playouts"], 1'000);
    EXPECT_EQ(json["lanes"], steps_single_states(engine) ? 1 : 256);
    EXPECT_NEAR(json["mean_goals"]["x"].get<double>() + json["mean_goals"]["o"].get<double>(), 100,
                1e-6);
    signatures.push_back(json["signature"]);
  }
  EXPECT_EQ(signatures[0], signatures[1]);
  EXPECT_EQ(signatures[2], signatures[3]);
}

// Without cancellation each of these would play for an hour.
TEST(Playouts, CancellationEndsThem) {
  for (const PlayoutEngine engine : {PlayoutEngine::fast, PlayoutEngine::sliced}) {
    std::stop_source source;
    PlayoutsRequest request = thousand_games(engine);
    request.count.reset();
    request.seconds = std::chrono::hours(1);
    const std::jthread user([&source] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      source.request_stop();
    });
    const auto played = play_randomly(request, {{}, source.get_token()});
    ASSERT_TRUE(played) << played.error().message;
    ASSERT_TRUE(played->stopped);
    EXPECT_EQ(played->stopped->kind, base::ErrorKind::time_limit);
    EXPECT_GT(played->totals.playouts, 0u);
    EXPECT_EQ(parsed(to_json(*played))["error"]["kind"], "time_limit");
  }
}

TEST(Playouts, RespectLimits) {
  PlayoutsRequest request = thousand_games(PlayoutEngine::sliced);
  request.limits.memory_bytes = 1;
  EXPECT_EQ(play_randomly(request).error().kind, base::ErrorKind::memory_limit);
}

// One state that no engine evaluates in time: is there a clique of six nodes?
Rules cliques() {
  std::string rules =
      "(role r) (<= (legal r (cut ?x ?y)) (true (e ?x ?y))) (goal r 50)"
      "(<= (next (e ?x ?y)) (true (e ?x ?y)) (not (does r (cut ?x ?y)))) (<= terminal (not clique))"
      "(<= clique";
  const std::string names = "abcdef";
  for (const char a : names) {
    for (const char b : names) {
      if (a < b) rules += std::string(" (true (e ?") + a + " ?" + b + "))";
    }
  }
  rules += ")";
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j) {
      if ((i * j + i + j) % 3 == 0) continue;
      rules += "(init (e " + std::to_string(i) + " " + std::to_string(j) + "))";
    }
  }
  return gdl::read_rules(std::make_shared<const base::Source>("cliques", rules)).value();
}

TEST(Playouts, SlowStatesOfTheReferenceEngineEndAtALimit) {
  PlayoutsRequest request = thousand_games(PlayoutEngine::reference);
  request.rules = cliques();
  request.limits.time = std::chrono::milliseconds(200);
  const auto played = play_randomly(request);
  ASSERT_TRUE(played && played->stopped);
  EXPECT_EQ(played->stopped->kind, base::ErrorKind::time_limit);
  const auto counted =
      perft({request.rules, 3, PlayoutEngine::reference, {.time = std::chrono::milliseconds(200)}});
  ASSERT_TRUE(counted && counted->stopped);
  EXPECT_EQ(counted->stopped->kind, base::ErrorKind::time_limit);
}

}  // namespace
}  // namespace zermelo::app
