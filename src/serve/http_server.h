// A small HTTP/1.0 server for messages of which few matter and any number may be hostile.
//
//   auto server = HttpServer::listen({.port = 9147});
//   (*server)->run([](Arrival arrival) { arrival.reply("ready"); }, stop);
//
// One thread waits for all connections (poll), so that a connection that stalls costs a descriptor
// and no thread; replies may be given later, by any thread. Servers with a thread per connection
// or a pool of threads, and timeouts per read, cannot promise that a slow sender delays nobody.
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

// Sends the answer to a request, from any thread, also after the server has gone. Later calls and
// answers to those who left are ignored.
using Reply = std::function<void(const std::string& body)>;

// The body of a POST, and when its connection was accepted.
struct Arrival {
  std::string body;
  Clock::time_point time;
  Reply reply;
};

struct HttpServerOptions {
  std::uint16_t port = 0;  // 0: any that is free
  std::size_t max_body = std::size_t{4} << 20;
  std::size_t max_buffered = std::size_t{64} << 20;  // of all incomplete requests together
  std::size_t max_connections = 800;
  std::chrono::milliseconds request_time{10'000};  // from accepting it to the last byte
};

class HttpServer {
 public:
  // Fails with unreadable_input where the port cannot be had.
  static base::Result<std::unique_ptr<HttpServer>> listen(const HttpServerOptions& options);
  ~HttpServer();

  std::uint16_t port() const { return port_; }
  // Serves until stopped. The handler is called by this thread and must not wait.
  void run(const std::function<void(Arrival)>& handler, const std::stop_token& stop);

 private:
  class Loop;
  class Mailbox;

  HttpServer(const HttpServerOptions& options, Socket listener, std::uint16_t port);

  HttpServerOptions options_;
  Socket listener_;
  std::uint16_t port_;
  std::shared_ptr<Mailbox> mailbox_;
};

}  // namespace zermelo::serve
