// The parts of the web interface that need no server. tests/cli/serve_test.py tests the whole.
#include "serve/api.h"

#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <set>

#include "serve/access.h"
#include "serve/api_call.h"

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;

TEST(Api, TheDescriptionListsExactlyTheRoutes) {
  std::ifstream file(ZERMELO_ROOT "/web/openapi.json");
  const auto description = nlohmann::json::parse(file);
  std::set<std::string> described, routes;
  for (const auto& [path, methods] : description["paths"].items()) {
    for (const auto& [method, operation] : methods.items()) {
      std::string capitals = method;
      for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      described.insert(capitals + " " + path);
    }
  }
  for (const Route& route : Api::routes()) {
    routes.insert(std::string(route.method) + " " + std::string(route.path));
  }
  EXPECT_EQ(described, routes);
  EXPECT_GE(routes.size(), 20u);
}

TEST(ApiCall, TargetsAreTakenApart) {
  const RequestTarget target = parse_target("/a%20b/c?x=1+2&y=%28a%29&z&%zz=%4");
  EXPECT_EQ(target.path, "/a b/c");
  EXPECT_EQ(target.query, (std::map<std::string, std::string>{
                              {"x", "1 2"}, {"y", "(a)"}, {"z", ""}, {"%zz", "%4"}}));
}

TEST(ApiCall, PathsFitPatterns) {
  const auto found = match_path("/games/{game}/jobs/{job}", "/games/nim/jobs/7");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at("game"), "nim");
  EXPECT_EQ(found->at("job"), "7");
  for (const char* path : {"/games/nim/jobs", "/games/nim/jobs/7/8", "/games//jobs/7", "/", ""}) {
    EXPECT_FALSE(match_path("/games/{game}/jobs/{job}", path)) << path;
  }
}

TEST(ApiCall, StepsAreArraysOfMovesByRole) {
  const auto steps = steps_of(nlohmann::json::parse(R"([["a", null], [null, "(b 1)"]])"));
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 2u);
  EXPECT_EQ((*steps)[0], (app::StepChoice{"a", std::nullopt}));
  EXPECT_EQ((*steps)[1], (app::StepChoice{std::nullopt, "(b 1)"}));
  EXPECT_TRUE(steps_of(nullptr)->empty());
  for (const char* text : {"7", "{}", "[7]", "[[7]]", R"([["a", [] ]])"}) {
    EXPECT_FALSE(steps_of(nlohmann::json::parse(text))) << text;
  }
}

TEST(ApiCall, ErrorsNameNoFiles) {
  const HttpResponse response =
      error_response({base::ErrorKind::unreadable_input, "cannot read '/home/me/secret'"});
  EXPECT_EQ(response.status, 422);
  EXPECT_EQ(response.body.find("secret"), std::string::npos);
}

HttpRequest request_with(const std::vector<HttpHeader>& headers) {
  HttpRequest request;
  request.method = "GET";
  request.headers = headers;
  return request;
}

TEST(AccessRule, OnlyOwnNamesAndOwnPages) {
  const AccessRule rule({"games.example"});
  for (const char* host : {"localhost:8080", "127.0.0.1", "[::1]:8080", "games.example:80"}) {
    EXPECT_TRUE(rule.permits(request_with({{"host", host}}))) << host;
  }
  for (const char* host : {"", "evil.example", "localhost.evil.example", "games.example.evil"}) {
    EXPECT_FALSE(rule.permits(request_with({{"Host", host}}))) << host;
  }
  const auto from = [&](const char* origin) {
    return rule.permits(request_with({{"Host", "localhost:8080"}, {"Origin", origin}}));
  };
  EXPECT_TRUE(from("http://localhost:8080"));
  for (const char* origin : {"http://localhost:9090", "http://evil.example", "null"}) {
    EXPECT_FALSE(from(origin)) << origin;
  }
}

TEST(AccessRule, LinksFromElsewhereMayOpenThePage) {
  const AccessRule rule({});
  const HttpHeader host{"Host", "localhost"}, other{"Sec-Fetch-Site", "cross-site"};
  EXPECT_FALSE(rule.permits(request_with({host, other})));
  EXPECT_TRUE(rule.permits(request_with({host, other, {"Sec-Fetch-Mode", "navigate"}})));
}

TEST(WorkerPool, WorksInOrderAndRefusesTooMuch) {
  std::promise<void> begun, may_end;
  std::vector<int> done;
  {
    WorkerPool pool(1, 2);
    ASSERT_TRUE(pool.submit([&](const std::stop_token&) {
      begun.set_value();
      may_end.get_future().wait();
      done.push_back(0);
    }));
    begun.get_future().wait();
    std::promise<void> last;
    EXPECT_TRUE(pool.submit([&](const std::stop_token&) { done.push_back(1); }));
    EXPECT_TRUE(pool.submit([&](const std::stop_token&) {
      done.push_back(2);
      last.set_value();
    }));
    EXPECT_FALSE(pool.submit([&](const std::stop_token&) { done.push_back(3); }));
    may_end.set_value();
    last.get_future().wait();
  }
  EXPECT_EQ(done, (std::vector{0, 1, 2}));
}

TEST(WorkerPool, WorkIsCancelledAtTheEnd) {
  std::promise<void> begun;
  {
    WorkerPool pool(1, 2);
    pool.submit([&](const std::stop_token& stop) {
      begun.set_value();
      while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
    });
    begun.get_future().wait();
  }
  SUCCEED();
}

}  // namespace
}  // namespace zermelo::serve
