#include <gtest/gtest.h>

#include "serve/http_client.h"
#include "serve/http_header.h"
#include "serve/raw_client.h"

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;

TEST(HttpHeader, EndsWithAnEmptyLineOfAnyForm) {
  EXPECT_EQ(header_end("a\r\nb\r\n\r\nc"), 8u);
  EXPECT_EQ(header_end("a\nb\n\nc"), 5u);
  EXPECT_EQ(header_end("a\n\r\n"), 4u);
  EXPECT_EQ(header_end("a\r\nb\r\n\r"), 0u);
  EXPECT_EQ(header_end(""), 0u);
}

TEST(HttpHeader, LinesAndStatusGetTheirStandardForm) {
  EXPECT_EQ(standard_header("HTTP/1.0 200\na: b\n\n"), "HTTP/1.0 200 \r\na: b\r\n\r\n");
  EXPECT_EQ(standard_header("POST / HTTP/1.0\r\n\r\n"), "POST / HTTP/1.0\r\n\r\n");
}

// A server that answers with the body, later and from another thread.
class Echo {
 public:
  explicit Echo(const HttpServerOptions& options)
      : server_(std::move(*HttpServer::listen(options))),
        thread_([this](const std::stop_token& stop) {
          const auto reply = [](const Arrival& a) {
            std::jthread([a] { a.reply(a.body); }).detach();
          };
          server_->run(message_handler(reply), stop);
        }) {}
  std::uint16_t port() const { return server_->port(); }

 private:
  std::unique_ptr<HttpServer> server_;
  std::jthread thread_;
};

std::string response_to(const std::string& request, std::uint16_t port) {
  RawClient client(port);
  client.send(request);
  return client.receive();
}

int status_of(const std::string& response) {
  return response.starts_with("HTTP/1.0 ") ? std::stoi(response.substr(9, 3)) : 0;
}

TEST(HttpServer, ReadsByteByByte) {
  Echo echo({});
  RawClient client(echo.port());
  for (const char c : std::string("POST / HTTP/1.0\r\ncontent-LENGTH: 3\r\nX: y\r\n\r\nabc")) {
    ASSERT_TRUE(client.send({&c, 1}));
    std::this_thread::sleep_for(1ms);
  }
  client.send("more");
  EXPECT_TRUE(client.receive().ends_with("\r\n\r\nabc"));
}

TEST(HttpServer, RefusesWhatIsNotAMessage) {
  HttpServerOptions options;
  options.max_body = 100;
  Echo echo(options);
  const auto refusal = [&](const std::string& text) {
    return status_of(response_to(text, echo.port()));
  };
  EXPECT_EQ(refusal("hello\r\n\r\n"), 400);
  EXPECT_EQ(refusal("GET / HTTP/1.0\r\n\r\n"), 405);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n"), 400);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\nContent-Length: 3x\r\n\r\n"), 400);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\nContent-Length:\r\n\r\n"), 400);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\nContent-Length: 101\r\n\r\n"), 413);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\nContent-Length: 99999999999999999999999\r\n\r\n"), 400);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\n\r\n" + std::string(101, 'a')), 413);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 501);
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\n" + std::string(20'000, 'a')), 431);
  EXPECT_EQ(refusal(std::string(20'000, '\0')), 431);
}

// A server of pages: answers with the method, the target and the body, and streams on request.
class PageServer {
 public:
  explicit PageServer(const HttpServerOptions& options = {})
      : server_(std::move(*HttpServer::listen(options))),
        thread_([this](const std::stop_token& stop) {
          const auto handle = [](const HttpRequest& request, const Responder& to) {
            if (request.target != "/stream") {
              return to.send({.body = request.method + " " + request.target + " " + request.body});
            }
            const auto stream = to.stream({.headers = {{"Content-Type", "text/event-stream"}}});
            std::jthread([stream] {
              for (int i = 0; i < 3; ++i) stream->write("part " + std::to_string(i) + "\n");
            }).detach();
          };
          server_->run(handle, stop);
        }) {}
  std::uint16_t port() const { return server_->port(); }

 private:
  std::unique_ptr<HttpServer> server_;
  std::jthread thread_;
};

TEST(HttpServer, KeepsConnectionsOpenForFurtherRequests) {
  PageServer server;
  const std::string first = "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string last = "PUT /c HTTP/1.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\nde";
  const std::string both = response_to(first + last, server.port());
  EXPECT_TRUE(both.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_NE(both.find("GET /a?b HTTP/1.1 200 OK"), both.npos) << both;
  EXPECT_TRUE(both.ends_with("PUT /c de")) << both;
}

TEST(HttpServer, AnswersHeadWithoutABody) {
  PageServer server;
  const std::string response =
      response_to("HEAD /a HTTP/1.1\r\nConnection: close\r\n\r\n", server.port());
  EXPECT_NE(response.find("Content-Length: 8\r\n"), response.npos) << response;
  EXPECT_TRUE(response.ends_with("\r\n\r\n"));
}

TEST(HttpServer, StreamsPartsUntilTheyEnd) {
  PageServer server;
  const std::string response = response_to("GET /stream HTTP/1.1\r\n\r\n", server.port());
  EXPECT_NE(response.find("Content-Type: text/event-stream\r\n"), response.npos);
  EXPECT_EQ(response.find("Content-Length"), response.npos);
  EXPECT_TRUE(response.ends_with("\r\n\r\npart 0\npart 1\npart 2\n")) << response;
}

TEST(HttpServer, LimitsTheRateOfAClient) {
  HttpServerOptions options;
  options.max_rate = 1;  // and 22 at once
  PageServer server(options);
  std::string requests;
  for (int i = 0; i < 40; ++i) requests += "GET / HTTP/1.1\r\n\r\n";
  const std::string responses =
      response_to(requests + "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", server.port());
  EXPECT_TRUE(responses.starts_with("HTTP/1.1 200"));
  EXPECT_NE(responses.find("HTTP/1.1 429"), responses.npos);
}

TEST(HttpServer, AnswersCountOnceAndMayComeAfterTheServer) {
  std::optional<Responder> late;
  {
    auto server = std::move(*HttpServer::listen({}));
    std::jthread thread([&](const std::stop_token& stop) {
      const auto handle = [&](const HttpRequest& request, const Responder& to) {
        if (request.target == "/late") {
          late = to;
          return;
        }
        to.send({.body = "first"});
        to.send({.body = "second"});
      };
      server->run(handle, stop);
    });
    RawClient waiting(server->port());
    waiting.send("GET /late HTTP/1.1\r\n\r\n");
    const std::string response =
        response_to("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", server->port());
    EXPECT_TRUE(response.ends_with("\r\n\r\nfirst")) << response;
  }
  ASSERT_TRUE(late);
  late->send({.body = "late"});
  late->stream({})->write("late");
}

TEST(HttpServer, AnswersInTextAcl) {
  Echo echo({});
  RawClient client(echo.port());
  ASSERT_TRUE(client.send(post_of("hello")));
  const std::string response = client.receive();
  EXPECT_EQ(response.rfind("HTTP/1.0 200 OK\r\n", 0), 0u);
  EXPECT_NE(response.find("Content-Type: text/acl\r\n"), response.npos);
  EXPECT_NE(response.find("Content-Length: 5\r\n"), response.npos);
  EXPECT_EQ(response.substr(response.size() - 9), "\r\n\r\nhello");
}

TEST(HttpServer, AStalledRequestIsClosedAlthoughBytesTrickleIn) {
  HttpServerOptions options;
  options.request_time = 300ms;
  Echo echo(options);
  RawClient slow(echo.port());
  const auto begin = Clock::now();
  while (slow.send("P") && Clock::now() - begin < 60s) std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(slow.send("P"));
  EXPECT_EQ(ask(echo.port(), "x"), "x");
}

TEST(HttpServer, StalledConnectionsAreClosedForNewOnes) {
  HttpServerOptions options;
  options.max_connections = 10;
  Echo echo(options);
  std::vector<RawClient> stalled;
  for (int i = 0; i < 50; ++i) stalled.emplace_back(echo.port()).send("POST");
  EXPECT_EQ(ask(echo.port(), "x"), "x");
  EXPECT_TRUE(stalled.front().is_closed(20'000));
}

TEST(HttpServer, TheConnectionBufferingTheMostIsClosed) {
  HttpServerOptions options;
  options.max_body = 1'000'000;
  options.max_buffered = 1'500'000;
  Echo echo(options);
  const std::string header = "POST / HTTP/1.0\r\nContent-Length: 1000000\r\n\r\n";
  RawClient small(echo.port()), first(echo.port()), second(echo.port());
  ASSERT_TRUE(small.send("POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\n1"));
  first.send(header + std::string(900'000, 'a'));
  second.send(header + std::string(900'000, 'b'));
  const auto latest = Clock::now() + 60s;
  while (!first.is_closed(10) && !second.is_closed(10) && Clock::now() < latest) {
  }
  small.send("2");
  EXPECT_EQ(small.receive().substr(0, 15), "HTTP/1.0 200 OK");
  EXPECT_NE(first.is_closed(100), second.is_closed(100));
}

TEST(HttpServer, ABodyMayEndWithTheConnection) {
  Echo echo({});
  RawClient client(echo.port());
  ASSERT_TRUE(client.send("POST / HTTP/1.0\r\n\r\nhello"));
  client.end_sending();
  const std::string response = client.receive();
  EXPECT_EQ(response.substr(response.size() - 9), "\r\n\r\nhello");
}

TEST(HttpServer, AnswersCorsPreflightRequests) {
  Echo echo({});
  RawClient client(echo.port());
  ASSERT_TRUE(client.send("OPTIONS / HTTP/1.1\r\nOrigin: http://manager\r\n\r\n"));
  const std::string response = client.receive();
  EXPECT_EQ(response.rfind("HTTP/1.0 204 No Content\r\n", 0), 0u);
  EXPECT_NE(response.find("Access-Control-Allow-Methods: POST"), response.npos);
}

TEST(HttpServer, AHandlerThatFailsAnswersWithAnError) {
  auto server = std::move(*HttpServer::listen({}));
  std::jthread thread([&](const std::stop_token& stop) {
    const auto receive = [](const Arrival& a) {
      if (a.body == "bad") throw std::bad_alloc();
      a.reply(a.body);
    };
    server->run(message_handler(receive), stop);
  });
  RawClient bad(server->port());
  ASSERT_TRUE(bad.send(post_of("bad")));
  EXPECT_EQ(bad.receive().substr(0, 12), "HTTP/1.0 503");
  EXPECT_EQ(ask(server->port(), "good"), "good");
}

TEST(HttpServer, APortInUseIsAnError) {
  Echo echo({});
  HttpServerOptions options;
  options.port = echo.port();
  const auto second = HttpServer::listen(options);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("cannot listen on 0.0.0.0, port"), std::string::npos);
}

TEST(HttpServer, ListensOnTheGivenAddressOnly) {
  HttpServerOptions options;
  options.address = "localhost";
  EXPECT_TRUE(HttpServer::listen(options));
  options.address = "192.0.2.1";  // reserved for documentation, so no machine has it
  const auto foreign = HttpServer::listen(options);
  ASSERT_FALSE(foreign);
  EXPECT_NE(foreign.error().message.find("cannot listen on 192.0.2.1"), std::string::npos);
  options.address = "no such address";
  EXPECT_FALSE(HttpServer::listen(options));
}

TEST(HttpClient, GetsTheAnswer) {
  Echo echo({});
  const auto endpoint = resolve("localhost:" + std::to_string(echo.port()));
  ASSERT_TRUE(endpoint);
  const Answer answer = post(*endpoint, std::string(200'000, 'x'), Clock::now() + 5s);
  EXPECT_EQ(answer.kind, Answer::Kind::received);
  EXPECT_EQ(answer.body.size(), 200'000u);
}

TEST(HttpClient, ErrorsNameTheInvalidPlayer) {
  for (const char* text : {"", "localhost", ":80", "localhost:x", "no.such.host.invalid:80"}) {
    EXPECT_FALSE(resolve(text)) << text;
  }
}

// Answers the first connection with the given bytes and closes.
class OneResponseServer {
 public:
  explicit OneResponseServer(const std::string& response)
      : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    ::listen(listener_.get(), 1);  // on any free port
    thread_ = std::jthread([this, response] {
      const Socket connection(::accept(listener_.get(), nullptr, nullptr));
      std::array<char, 4096> buffer;
      ::recv(connection.get(), buffer.data(), buffer.size(), 0);
      ::send(connection.get(), response.data(), response.size(), MSG_NOSIGNAL);
    });
  }
  std::string address() const {
    sockaddr_in address = {};
    socklen_t size = sizeof address;
    ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }

 private:
  Socket listener_;
  std::jthread thread_;
};

TEST(HttpClient, InvalidResponsesFail) {
  for (const char* response : {"", "HTTP/1.", "HTTP/1.0", "\r\n\r\n", "HTTP/1.\r\n\r\n",
                               "HTTP/1.0 500 No\r\n\r\nready", "HTTP/1.0 200 OK\r\n"}) {
    OneResponseServer server(response);
    const auto endpoint = resolve(server.address());
    EXPECT_EQ(post(*endpoint, "x", Clock::now() + 5s).kind, Answer::Kind::failed) << response;
  }
}

TEST(HttpClient, AClosedPortFails) {
  std::uint16_t free_port = Echo({}).port();
  const auto endpoint = resolve("127.0.0.1:" + std::to_string(free_port));
  EXPECT_EQ(post(*endpoint, "x", Clock::now() + 5s).kind, Answer::Kind::failed);
}

TEST(HttpClient, NoAnswerIsLate) {
  auto server = std::move(*HttpServer::listen({}));
  std::jthread thread([&](const std::stop_token& stop) {
    server->run(message_handler([](const Arrival&) {}), stop);
  });
  const auto endpoint = resolve("127.0.0.1:" + std::to_string(server->port()));
  const auto begin = Clock::now();
  EXPECT_EQ(post(*endpoint, "x", begin + 200ms).kind, Answer::Kind::late);
  EXPECT_LT(Clock::now() - begin, 20s);
}

}  // namespace
}  // namespace zermelo::serve
