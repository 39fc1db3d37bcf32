// A connection has five stages: the request is read; the connection waits for the response; the
// response is written, at once or as a stream of parts; remaining input is read and discarded until
// the other side closes. Without the last stage, closing a socket with unread input could destroy
// the response in transit. After a response that keeps the connection open the first stage follows
// again. Every stage but the wait for the response has a fixed deadline, which further input does
// not extend.
//
// If there are too many connections, the server closes the oldest one that is not waiting for a
// response. If they buffer too many bytes, it closes the one that buffers the most. The messages of
// a game manager are short and arrive within milliseconds, so this affects stalled connections.
//
// Asio waits for readable sockets; bytes are then read into one buffer that all connections share,
// so a connection that sends nothing holds no memory. Headers are parsed and responses written
// in http_text.cc.
#include "serve/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <exception>
#include <map>
#include <optional>

#include "serve/http_header.h"
#include "serve/http_text.h"
#include "serve/rate_limit.h"

namespace zermelo::serve {
namespace {

namespace asio = boost::asio;
using Failure = boost::system::error_code;
using asio::ip::tcp;

constexpr std::size_t max_unsent = std::size_t{4} << 20;  // of a stream
constexpr std::chrono::milliseconds write_time{10'000};
constexpr std::chrono::milliseconds drain_time{2'000};
constexpr std::chrono::milliseconds finish_time{1'000};  // of all connections, when the server ends
constexpr std::chrono::milliseconds tick{100};           // precision of the deadlines

bool would_block(const Failure& failure) {
  return failure == asio::error::would_block || failure == asio::error::try_again ||
         failure == asio::error::interrupted;
}

}  // namespace

// Where the answer to one request goes.
struct Responder::Target {
  std::weak_ptr<asio::io_context> context;  // not owned: what is posted to it refers to the target
  std::weak_ptr<void> loop;                 // a ServerLoop, a type of this file
  std::uint64_t connection = 0;
  std::atomic<bool> is_open = true;
  std::atomic<std::size_t> unsent = 0;  // bytes of a stream
};

namespace {

using Target = Responder::Target;

struct Connection {
  enum class Stage { reading, waiting, writing, streaming, draining, closed };

  Connection(std::uint64_t number, tcp::socket s) : id(number), socket(std::move(s)) {}

  const std::uint64_t id;
  tcp::socket socket;
  std::string client;
  Stage stage = Stage::reading;
  Clock::time_point arrived = {};
  Clock::time_point deadline = {};          // of the stage; none while waiting for the response
  std::string input = {};                   // received and not consumed
  std::optional<HttpRequest> request = {};  // once the header is read
  std::optional<std::size_t> length = {};   // of its body; nullopt: to the end of the input
  bool keeps_open = false;
  bool is_head = false;
  std::shared_ptr<Target> target = {};
  std::string output = {};       // being written
  std::string next_output = {};  // of a stream, to be written next
  bool is_last_output = true;

  bool is_late(Clock::time_point now) const { return stage != Stage::waiting && now >= deadline; }
  bool may_be_dropped() const { return stage != Stage::waiting && stage != Stage::streaming; }
};

using ConnectionPtr = std::shared_ptr<Connection>;
using Stage = Connection::Stage;

class ServerLoop : public std::enable_shared_from_this<ServerLoop> {
 public:
  ServerLoop(const HttpServerOptions& options, const std::shared_ptr<asio::io_context>& context,
             tcp::acceptor& acceptor, const HttpServer::Handler& handler)
      : options_(options),
        context_(context),
        acceptor_(acceptor),
        handler_(handler),
        timer_(*context),
        rates_(options.max_rate) {}

  void start() {
    accept_next();
    wait_for_tick();
  }

  // Sends the remaining responses to clients that read them in time.
  void finish() {
    is_finishing_ = true;
    end_ = Clock::now() + finish_time;
    Failure ignored;
    acceptor_.close(ignored);
    for (const ConnectionPtr& connection : all()) {
      if (connection->stage != Stage::writing && connection->stage != Stage::draining) {
        close(connection);
      } else {
        connection->deadline = std::min(connection->deadline, end_);
      }
    }
    if (connections_.empty()) timer_.cancel();
  }

  void respond(const std::shared_ptr<Target>& target, const HttpResponse& response) {
    if (const ConnectionPtr connection = waiting(target)) respond(connection, response);
  }

  void start_stream(const std::shared_ptr<Target>& target, const HttpResponse& head) {
    const ConnectionPtr connection = waiting(target);
    if (!connection) return;
    connection->stage = Stage::streaming;
    connection->keeps_open = false;
    connection->is_last_output = false;
    connection->next_output = response_text(head, false, false);
    write_next(connection);
  }

  void add_to_stream(const std::shared_ptr<Target>& target, const std::string& text, bool is_last) {
    const auto found = connections_.find(target->connection);
    if (found == connections_.end() || found->second->target != target) return;
    const ConnectionPtr connection = found->second;
    if (connection->stage != Stage::streaming) return;
    connection->next_output += text;
    connection->is_last_output = is_last;
    if (connection->output.empty()) write_next(connection);
  }

 private:
  std::vector<ConnectionPtr> all() const {
    std::vector<ConnectionPtr> result;
    for (const auto& entry : connections_) result.push_back(entry.second);
    return result;
  }

  ConnectionPtr waiting(const std::shared_ptr<Target>& target) const {
    const auto found = connections_.find(target->connection);
    if (found == connections_.end() || found->second->target != target ||
        found->second->stage != Stage::waiting) {
      return nullptr;
    }
    return found->second;
  }

  void wait_for_tick() {
    timer_.expires_after(tick);
    timer_.async_wait([this](const Failure&) {
      drop_late();
      if (!is_finishing_ && !is_accepting_) accept_next();
      if (!is_finishing_ || !connections_.empty()) wait_for_tick();
    });
  }

  void drop_late() {
    const auto now = Clock::now();
    for (const ConnectionPtr& connection : all()) {
      if (connection->is_late(now)) close(connection);
    }
  }

  void accept_next() {
    is_accepting_ = true;
    acceptor_.async_accept([this](const Failure& failure, tcp::socket socket) {
      is_accepting_ = false;
      if (is_finishing_ || failure == asio::error::operation_aborted) return;
      if (!failure) {
        add(std::move(socket));
      } else if (!is_out_of_descriptors(failure) || !close_oldest()) {
        return;  // tried again at the next tick
      }
      accept_next();
    });
  }

  static bool is_out_of_descriptors(const Failure& failure) {
    return failure == asio::error::no_descriptors ||
           failure == boost::system::errc::too_many_files_open_in_system;
  }

  // Input that arrived with a connection is read at once, so that prompt messages never wait for
  // others.
  void add(tcp::socket socket) {
    if (connections_.size() >= options_.max_connections && !close_oldest()) return;
    const auto connection = std::make_shared<Connection>(next_id_++, std::move(socket));
    connections_.emplace(connection->id, connection);
    Failure failure;
    connection->client = connection->socket.remote_endpoint(failure).address().to_string(failure);
    connection->socket.non_blocking(true, failure);
    connection->socket.set_option(tcp::no_delay(true), failure);
    begin_request(connection);
    read(connection);
  }

  void begin_request(const ConnectionPtr& connection) {
    connection->stage = Stage::reading;
    connection->arrived = Clock::now();
    connection->deadline = connection->arrived + options_.request_time;
    connection->request.reset();
    connection->length.reset();
    connection->target.reset();
  }

  // Closes the oldest connection that is not waiting for a response.
  bool close_oldest() {
    for (const auto& [id, connection] : connections_) {
      if (!connection->may_be_dropped()) continue;
      close(ConnectionPtr(connection));
      return true;
    }
    return false;
  }

  void close(const ConnectionPtr& connection) {
    if (connection->stage == Stage::reading) buffered_ -= connection->input.size();
    connection->stage = Stage::closed;
    if (connection->target) connection->target->is_open = false;
    Failure ignored;
    connection->socket.close(ignored);
    connections_.erase(connection->id);
    if (is_finishing_ && connections_.empty()) timer_.cancel();
  }

  void wait_for_input(const ConnectionPtr& connection) {
    connection->socket.async_wait(tcp::socket::wait_read,
                                  [this, connection](const Failure& failure) {
                                    if (connection->stage == Stage::closed) return;
                                    if (failure) return close(connection);
                                    read(connection);
                                  });
  }

  void read(const ConnectionPtr& connection) {
    Failure failure;
    const std::size_t got = connection->socket.read_some(asio::buffer(buffer_), failure);
    if (would_block(failure)) return wait_for_input(connection);
    const bool is_end = failure == asio::error::eof;
    if (failure && !is_end) return close(connection);
    if (connection->stage == Stage::draining) {
      return is_end ? close(connection) : wait_for_input(connection);
    }
    connection->input.append(buffer_.data(), got);
    buffered_ += got;
    advance(connection, is_end);
    limit_buffers();
  }

  // Looks at the input of a connection that reads a request.
  void advance(const ConnectionPtr& connection, bool is_end) {
    if (!connection->request && !read_header(connection)) return;
    if (connection->request && is_complete(*connection, is_end)) return handle(connection);
    if (connection->input.size() > options_.max_body && connection->request) {
      return refuse(connection, 413);
    }
    if (!is_end) return wait_for_input(connection);
    if (connection->request || !connection->input.empty()) return refuse(connection, 400);
    close(connection);
  }

  // Returns false if the request is refused.
  bool read_header(const ConnectionPtr& connection) {
    const std::string_view seen = std::string_view(connection->input).substr(0, max_header);
    const std::size_t end = header_end(seen);
    if (end == 0 && connection->input.size() < max_header) return true;
    ParsedHeader header;
    header.refusal = 431;
    if (end > 0) header = parse_header(seen.substr(0, end), options_.max_body);
    if (header.refusal != 0) {
      refuse(connection, header.refusal);
      return false;
    }
    connection->input.erase(0, end);
    buffered_ -= end;
    connection->is_head = header.request.method == "HEAD";
    connection->keeps_open = header.keeps_open;
    connection->length = header.length;
    connection->request = std::move(header.request);
    if (header.expects_continue && connection->input.empty()) send_continue(*connection);
    return true;
  }

  // Best effort: clients send the body after a while anyway.
  static void send_continue(Connection& connection) {
    Failure ignored;
    connection.socket.write_some(asio::buffer(std::string_view("HTTP/1.1 100 Continue\r\n\r\n")),
                                 ignored);
  }

  bool is_complete(const Connection& connection, bool is_end) const {
    if (!connection.length) return is_end && connection.input.size() <= options_.max_body;
    return connection.input.size() >= *connection.length;
  }

  void refuse(const ConnectionPtr& connection, int status) {
    buffered_ -= connection->input.size();
    connection->input = {};
    connection->keeps_open = false;
    connection->is_head = false;
    respond(connection, {.status = status, .closes = true});
  }

  // If the handler runs out of memory or threads, only this request fails.
  void handle(const ConnectionPtr& connection) {
    HttpRequest request = std::move(*connection->request);
    const std::size_t length = connection->length.value_or(connection->input.size());
    buffered_ -= connection->input.size();
    request.body = connection->input.substr(0, length);
    connection->input.erase(0, length);
    request.client = connection->client;
    request.arrived = connection->arrived;
    connection->request.reset();
    connection->stage = Stage::waiting;
    connection->target = std::make_shared<Target>();
    connection->target->context = context_;
    connection->target->loop = weak_from_this();
    connection->target->connection = connection->id;
    watch(connection);
    if (!rates_.admits(connection->client, Clock::now())) {
      return respond(connection, {.status = 429});
    }
    try {
      handler_(std::move(request), Responder(connection->target));
    } catch (const std::exception&) {
      if (connection->stage == Stage::waiting) {
        respond(connection, {.status = 503, .closes = true});
      }
    }
  }

  // Closes a connection whose client disappears while it waits.
  void watch(const ConnectionPtr& connection) {
    connection->socket.async_wait(
        tcp::socket::wait_error,
        [this, connection, target = connection->target](const Failure& failure) {
          if (!failure && connection->stage == Stage::waiting && connection->target == target) {
            close(connection);
          }
        });
  }

  void respond(const ConnectionPtr& connection, const HttpResponse& response) {
    if (response.closes || is_finishing_) connection->keeps_open = false;
    connection->stage = Stage::writing;
    connection->is_last_output = true;
    connection->next_output = response_text(response, connection->keeps_open,
                                            response.status != 204 && response.status != 304);
    if (connection->is_head) {
      connection->next_output.resize(header_end(connection->next_output));
    }
    write_next(connection);
  }

  void write_next(const ConnectionPtr& connection) {
    connection->output = std::exchange(connection->next_output, {});
    connection->deadline = std::min(Clock::now() + write_time, end_);
    asio::async_write(connection->socket, asio::buffer(connection->output),
                      [this, connection](const Failure& failure, std::size_t sent) {
                        if (connection->stage == Stage::closed) return;
                        if (failure) return close(connection);
                        written(connection, sent);
                      });
  }

  void written(const ConnectionPtr& connection, std::size_t sent) {
    connection->output = {};
    if (connection->target) {
      std::atomic<std::size_t>& unsent = connection->target->unsent;
      unsent -= std::min(sent, unsent.load());  // the header was not counted
    }
    if (!connection->next_output.empty()) return write_next(connection);
    if (!connection->is_last_output) {
      connection->deadline = Clock::time_point::max();
      return;
    }
    if (connection->target) connection->target->is_open = false;
    if (connection->keeps_open && !is_finishing_) return continue_with_next(connection);
    Failure ignored;
    connection->socket.shutdown(tcp::socket::shutdown_send, ignored);
    connection->stage = Stage::draining;
    connection->deadline = std::min(Clock::now() + drain_time, end_);
    wait_for_input(connection);
  }

  void continue_with_next(const ConnectionPtr& connection) {
    begin_request(connection);
    buffered_ += connection->input.size();
    if (connection->input.empty()) return wait_for_input(connection);
    advance(connection, false);
  }

  void limit_buffers() {
    while (buffered_ > options_.max_buffered) {
      ConnectionPtr largest;
      for (const auto& [id, connection] : connections_) {
        if (connection->stage != Stage::reading) continue;
        if (!largest || connection->input.size() > largest->input.size()) largest = connection;
      }
      if (!largest) return;
      close(largest);
    }
  }

  const HttpServerOptions& options_;
  std::weak_ptr<asio::io_context> context_;  // what it runs may own this loop
  tcp::acceptor& acceptor_;
  const HttpServer::Handler& handler_;
  asio::steady_timer timer_;
  RateLimit rates_;
  std::map<std::uint64_t, ConnectionPtr> connections_;  // ascending: the oldest first
  std::uint64_t next_id_ = 0;
  std::size_t buffered_ = 0;  // bytes of all connections that read a request
  bool is_accepting_ = false;
  bool is_finishing_ = false;
  Clock::time_point end_ = Clock::time_point::max();  // when the last connection is closed
  std::array<char, 65536> buffer_;
};

// Runs a function with the loop in its thread, if it still runs.
template <class Function>
void run_in_loop(const std::shared_ptr<Target>& target, Function function) {
  const auto context = target->context.lock();
  if (!context) return;
  asio::post(*context, [loop = target->loop, function = std::move(function)] {
    if (const auto alive = loop.lock()) function(*static_cast<ServerLoop*>(alive.get()));
  });
}

class ResponseStream : public HttpStream {
 public:
  explicit ResponseStream(std::shared_ptr<Target> target) : target_(std::move(target)) {}
  ~ResponseStream() override { end(); }

  bool write(std::string text) override {
    if (!target_->is_open || target_->unsent + text.size() > max_unsent) return false;
    target_->unsent += text.size();
    run_in_loop(target_, [target = target_, text = std::move(text)](ServerLoop& loop) {
      loop.add_to_stream(target, text, false);
    });
    return true;
  }

  void end() override {
    run_in_loop(target_,
                [target = target_](ServerLoop& loop) { loop.add_to_stream(target, "", true); });
  }

 private:
  std::shared_ptr<Target> target_;
};

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  for (const HttpHeader& header : headers) {
    if (std::equal(header.name.begin(), header.name.end(), name.begin(), name.end(),
                   [&](char a, char b) { return lower(a) == lower(b); })) {
      return header.value;
    }
  }
  return {};
}

void Responder::send(HttpResponse response) const {
  response.headers.insert(response.headers.end(), headers_.begin(), headers_.end());
  run_in_loop(target_, [target = target_, response = std::move(response)](ServerLoop& loop) {
    loop.respond(target, response);
  });
}

std::shared_ptr<HttpStream> Responder::stream(HttpResponse head) const {
  head.headers.insert(head.headers.end(), headers_.begin(), headers_.end());
  run_in_loop(target_, [target = target_, head = std::move(head)](ServerLoop& loop) {
    loop.start_stream(target, head);
  });
  return std::make_shared<ResponseStream>(target_);
}

Responder Responder::with_headers(std::vector<HttpHeader> headers) const {
  Responder result = *this;
  result.headers_.insert(result.headers_.end(), headers.begin(), headers.end());
  return result;
}

struct HttpServer::Listener {
  std::shared_ptr<asio::io_context> context = std::make_shared<asio::io_context>(1);
  tcp::acceptor acceptor{*context};
};

HttpServer::HttpServer(const HttpServerOptions& options, std::unique_ptr<Listener> listener,
                       std::uint16_t port)
    : options_(options), listener_(std::move(listener)), port_(port) {}

HttpServer::~HttpServer() = default;

base::Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpServerOptions& options) {
  constexpr int backlog = 4096;
  auto listener = std::make_unique<Listener>();
  tcp::acceptor& acceptor = listener->acceptor;
  Failure failure;
  const auto found = tcp::resolver(*listener->context)
                         .resolve(options.address, std::to_string(options.port),
                                  tcp::resolver::passive | tcp::resolver::numeric_service, failure);
  if (!failure) acceptor.open(found.begin()->endpoint().protocol(), failure);
  if (!failure) acceptor.set_option(tcp::acceptor::reuse_address(true), failure);
  if (!failure) acceptor.bind(found.begin()->endpoint(), failure);
  if (!failure) acceptor.listen(backlog, failure);
  const std::uint16_t port = failure ? 0 : acceptor.local_endpoint(failure).port();
  if (failure) {
    return base::fail(base::ErrorKind::unreadable_input,
                      fmt::format("cannot listen on {}, port {}: {}", options.address, options.port,
                                  failure.message()));
  }
  return std::unique_ptr<HttpServer>(new HttpServer(options, std::move(listener), port));
}

void HttpServer::run(const Handler& handler, const std::stop_token& stop) {
  const auto loop =
      std::make_shared<ServerLoop>(options_, listener_->context, listener_->acceptor, handler);
  loop->start();
  const std::stop_callback finish(stop, [&context = *listener_->context, &loop] {
    asio::post(context, [loop] { loop->finish(); });
  });
  listener_->context->run();
}

}  // namespace zermelo::serve
