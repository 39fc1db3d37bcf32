// Which responses the referee accepts, from players that write HTTP in different ways.
#include "serve/http_client.h"

#include <gtest/gtest.h>

#include "serve/raw_client.h"

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;
using Kind = Answer::Kind;

// A socket on a free port, with a backlog for that many connections.
class Listener {
 public:
  explicit Listener(int waiting) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    const bool is_ready = ::bind(socket_.get(), generic, size) == 0 &&
                          ::listen(socket_.get(), waiting) == 0 &&
                          ::getsockname(socket_.get(), generic, &size) == 0;
    EXPECT_TRUE(is_ready);
    port_ = ntohs(address.sin_port);
  }

  std::uint16_t port() const { return port_; }
  Endpoint endpoint() const { return *resolve("127.0.0.1:" + std::to_string(port_)); }
  Socket accept() const { return Socket(::accept(socket_.get(), nullptr, nullptr)); }
  void end() const { ::shutdown(socket_.get(), SHUT_RDWR); }

 private:
  Socket socket_;
  std::uint16_t port_ = 0;
};

enum class Afterwards { closes, waits };  // for the other side to close

// Sends one client the given bytes, whatever it sends.
class RawServer {
 public:
  explicit RawServer(std::string response, Afterwards afterwards = Afterwards::closes)
      : listener_(1), thread_([this, response = std::move(response), afterwards] {
          const Socket client = listener_.accept();
          std::array<char, 4096> buffer;
          ::recv(client.get(), buffer.data(), buffer.size(), 0);
          ::send(client.get(), response.data(), response.size(), MSG_NOSIGNAL);
          if (afterwards == Afterwards::waits) ::recv(client.get(), buffer.data(), 1, 0);
        }) {}
  ~RawServer() { listener_.end(); }

  Endpoint endpoint() const { return listener_.endpoint(); }

 private:
  Listener listener_;
  std::jthread thread_;
};

Answer answer_to(const Endpoint& endpoint) {
  return post(endpoint, "hello", std::chrono::steady_clock::now() + 5s);
}

TEST(HttpClient, HeadersOfAllFormsAreRead) {
  for (const char* response :
       {"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready", "HTTP/1.1 200 OK\r\n\r\nready",
        "HTTP/1.0 200 OK\nContent-Length: 5\n\nready", "HTTP/1.0 200 OK\n\nready",
        "HTTP/1.0 200\r\n\r\nready", "HTTP/1.0 200 \r\n\r\nready", "HTTP/1.0 200\n\nready"}) {
    const Answer answer = answer_to(RawServer(response).endpoint());
    EXPECT_EQ(answer.kind, Kind::received) << response;
    EXPECT_EQ(answer.body, "ready") << response;
  }
}

TEST(HttpClient, ContentLengthOfAnyFormEndsAnAnswer) {
  for (const char* response : {"HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nready",
                               "HTTP/1.0 200 OK\nContent-Length:5\n\nready"}) {
    const Answer answer = answer_to(RawServer(response, Afterwards::waits).endpoint());
    EXPECT_EQ(answer.kind, Kind::received) << response;
    EXPECT_EQ(answer.body, "ready") << response;
  }
}

TEST(HttpClient, InvalidAnswersAreRejected) {
  for (const char* response :
       {"", "ready", "HTTP/1.0 404 Not Found\r\n\r\nready", "HTTP/1.0 2000 OK\r\n\r\nready",
        "HTTP/1.0 200 OK\r\nready", "HTTP/1.0\n\nready", "HTTP/1.\n\n"}) {
    EXPECT_EQ(answer_to(RawServer(response).endpoint()).kind, Kind::failed) << response;
  }
}

TEST(HttpClient, AnUnresponsiveAddressLeavesTimeForTheNext) {
  const Listener full(0);
  const RawClient first(full.port());  // fills the backlog; other connections wait for ever
  const RawServer good("HTTP/1.0 200 OK\r\n\r\nready");
  Endpoint both = full.endpoint();
  both.addresses.push_back(good.endpoint().addresses.front());
  const Answer answer = post(both, "hello", std::chrono::steady_clock::now() + 2s);
  EXPECT_EQ(answer.kind, Kind::received);
  EXPECT_EQ(answer.body, "ready");
}

}  // namespace
}  // namespace zermelo::serve
