// An HTTP server that stays responsive when many of its clients are hostile.
//
//   auto server = HttpServer::listen({.port = 8080});
//   (*server)->run([](HttpRequest request, Responder to) { to.send({.body = "ready"}); }, stop);
//
// It is asynchronous (Boost.Asio and Boost.Beast, which only http_server.cc, http_text.cc and
// http_client.cc include): one thread serves all connections, so a stalled connection costs a
// descriptor and neither a thread nor a buffer. Responses may be sent later, by any thread. With a
// thread per connection or timeouts per read, a slow sender could delay other clients.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace zermelo::serve {

using Clock = std::chrono::steady_clock;

struct HttpHeader {
  std::string name, value;
};

struct HttpRequest {
  std::string method;  // in capitals
  std::string target;  // as sent: the path and the query
  std::vector<HttpHeader> headers;
  std::string body;
  std::string client;         // the address it comes from
  Clock::time_point arrived;  // when the connection was accepted or the previous response was sent

  // Returns the value of the header, by its name in any case; empty if there is none.
  std::string_view header(std::string_view name) const;
};

struct HttpResponse {
  int status = 200;
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  bool closes = false;  // answer as HTTP/1.0 and close the connection, as GGP managers expect
};

// A response whose parts are sent one by one, until it or the client ends it. May be used by any
// thread, even after the server is destroyed.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  // Returns false if the client is gone or reads too slowly; nothing is sent then.
  virtual bool write(std::string text) = 0;
  virtual void end() = 0;
};

// Sends the answer to a request. May be used by any thread, even after the server is destroyed.
// Only the first answer counts, and answers to closed connections are ignored.
class Responder {
 public:
  struct Target;

  explicit Responder(std::shared_ptr<Target> target) : target_(std::move(target)) {}

  void send(HttpResponse response) const;
  // Sends the status and the headers; the parts of the body follow.
  std::shared_ptr<HttpStream> stream(HttpResponse head) const;
  // The same responder, which adds headers to its response.
  Responder with_headers(std::vector<HttpHeader> headers) const;

 private:
  std::shared_ptr<Target> target_;
  std::vector<HttpHeader> headers_ = {};
};

struct HttpServerOptions {
  std::string address = "0.0.0.0";  // to listen on: a name, or an IPv4 or IPv6 address
  std::uint16_t port = 0;           // 0: any free port
  std::size_t max_body = std::size_t{4} << 20;
  std::size_t max_buffered = std::size_t{64} << 20;  // total of all incomplete requests
  std::size_t max_connections = 800;
  std::chrono::milliseconds request_time{10'000};  // from accept to the last byte
  double max_rate = 0;  // requests per second and client address, 429 beyond; 0: no limit
};

class HttpServer {
 public:
  // The handler is called by the thread that runs the server and must not block. If it throws, the
  // answer is 503.
  using Handler = std::function<void(HttpRequest, Responder)>;

  // Fails with unreadable_input if the address or the port is not available.
  static base::Result<std::unique_ptr<HttpServer>> listen(const HttpServerOptions& options);
  ~HttpServer();

  std::uint16_t port() const { return port_; }
  // Serves until stopped. Then sends the responses that are being written, for at most a second,
  // and returns. Must be called at most once.
  void run(const Handler& handler, const std::stop_token& stop);

 private:
  struct Listener;

  HttpServer(const HttpServerOptions& options, std::unique_ptr<Listener> listener,
             std::uint16_t port);

  HttpServerOptions options_;
  std::unique_ptr<Listener> listener_;
  std::uint16_t port_;
};

}  // namespace zermelo::serve
