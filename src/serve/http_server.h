// A small HTTP/1.0 server that stays responsive when many of its clients are hostile.
//
//   auto server = HttpServer::listen({.port = 9147});
//   (*server)->run([](Arrival arrival) { arrival.reply("ready"); }, stop);
//
// One thread polls all connections, so a stalled connection costs a descriptor and no thread.
// Replies may be given later, by any thread. With a thread per connection or a thread pool, and
// timeouts per read, a slow sender could delay other clients.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "serve/socket.h"

namespace zermelo::serve {

using Clock = std::chrono::steady_clock;

// Sends the answer to a request. May be called by any thread, even after the server is destroyed.
// Later calls, and answers to closed connections, are ignored.
using Reply = std::function<void(const std::string& body)>;

// The body of a POST, and the time its connection was accepted.
struct Arrival {
  std::string body;
  Clock::time_point time;
  Reply reply;
};

struct HttpServerOptions {
  std::string address = "0.0.0.0";  // to listen on: a name, or an IPv4 or IPv6 address
  std::uint16_t port = 0;           // 0: any free port
  std::size_t max_body = std::size_t{4} << 20;
  std::size_t max_buffered = std::size_t{64} << 20;  // total of all incomplete requests
  std::size_t max_connections = 800;
  std::chrono::milliseconds request_time{10'000};  // from accept to the last byte
};

class HttpServer {
 public:
  // Fails with unreadable_input if the address or the port is not available.
  static base::Result<std::unique_ptr<HttpServer>> listen(const HttpServerOptions& options);
  ~HttpServer();

  std::uint16_t port() const { return port_; }
  // Serves until stopped. The handler is called by this thread and must not block.
  void run(const std::function<void(Arrival)>& handler, const std::stop_token& stop);

 private:
  struct Connection;
  class Loop;
  class Mailbox;

  HttpServer(const HttpServerOptions& options, Socket listener, std::uint16_t port);

  HttpServerOptions options_;
  Socket listener_;
  std::uint16_t port_;
  std::shared_ptr<Mailbox> mailbox_;
};

}  // namespace zermelo::serve
