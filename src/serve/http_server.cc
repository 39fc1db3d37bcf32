// A connection has four stages: the request is read; the connection waits for the reply; the
// response is written; remaining input is read and discarded until the other side closes. Without
// the last stage, closing a socket with unread input could destroy the response in transit. Every
// stage but the wait for the reply has a fixed deadline, which further input does not extend.
//
// If there are too many connections, the server closes the oldest one that is not waiting for a
// reply. If they buffer too many bytes, it closes the one that buffers the most. The messages of a
// game manager are short and arrive within milliseconds, so this affects stalled connections.
#include "serve/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "serve/http_request.h"

namespace zermelo::serve {
namespace {

std::optional<std::uint16_t> port_of(const Socket& socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return std::nullopt;
  const in_port_t port = address.ss_family == AF_INET6
                             ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                             : reinterpret_cast<const sockaddr_in&>(address).sin_port;
  return ntohs(port);
}

constexpr std::chrono::milliseconds write_time{10'000};
constexpr std::chrono::milliseconds drain_time{2'000};

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

struct HttpServer::Connection {
  enum class Stage { reading, waiting, writing, draining };

  Socket socket;
  RequestReader reader;
  Clock::time_point accepted;
  Stage stage = Stage::reading;
  Clock::time_point deadline;  // of the stage; none while waiting for the reply
  std::string response;
  std::size_t sent = 0;

  short events() const {
    if (stage == Stage::writing) return POLLOUT;
    return stage == Stage::waiting ? short{0} : short{POLLIN};
  }
  bool is_late(Clock::time_point now) const { return stage != Stage::waiting && now >= deadline; }
};

// Queue of replies from any thread. Wakes the thread that owns the connections.
class HttpServer::Mailbox {
 public:
  struct Letter {
    std::uint64_t connection;
    std::string body;
  };

  Mailbox() : wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

  int descriptor() const { return wake_.get(); }
  void post(Letter letter) {
    const std::lock_guard lock(mutex_);
    letters_.push_back(std::move(letter));
    wake();
  }
  void wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
  }
  std::vector<Letter> take() {
    const std::lock_guard lock(mutex_);
    std::uint64_t count;
    [[maybe_unused]] const auto got = ::read(wake_.get(), &count, sizeof count);
    return std::exchange(letters_, {});
  }

 private:
  Socket wake_;
  std::mutex mutex_;
  std::vector<Letter> letters_;
};

class HttpServer::Loop {
 public:
  Loop(const HttpServer& server, const std::function<void(Arrival)>& handler)
      : options_(server.options_),
        listener_(server.listener_.get()),
        mailbox_(server.mailbox_),
        handler_(handler) {}

  void turn() {
    wait();
    deliver_all();
    if (polled_[1].revents != 0) accept_all();
    serve_all();
    drop_late();
    limit_buffers();
  }

  // Sends the remaining replies to clients that read them in time.
  void finish() {
    deliver_all();
    std::erase_if(connections_, [](const auto& entry) {
      return entry.second.stage != Stage::writing && entry.second.stage != Stage::draining;
    });
    while (!connections_.empty()) {
      wait();
      serve_all();
      drop_late();
    }
  }

 private:
  using Stage = Connection::Stage;
  using Connections = std::map<std::uint64_t, Connection>;  // ascending: the oldest first

  void wait() {
    polled_.assign({{mailbox_->descriptor(), POLLIN, 0}, {listener_, POLLIN, 0}});
    ids_.clear();
    for (const auto& [id, connection] : connections_) {
      polled_.push_back({connection.socket.get(), connection.events(), 0});
      ids_.push_back(id);
    }
    constexpr int tick = 100;  // milliseconds; precision of the deadlines
    if (::poll(polled_.data(), polled_.size(), tick) < 0) {
      for (pollfd& entry : polled_) entry.revents = 0;
    }
  }

  void deliver_all() {
    for (auto& letter : mailbox_->take()) deliver(letter);
  }

  // Limits the time per call; remaining connections are served in the next call.
  void serve_all() {
    constexpr std::chrono::milliseconds most{20};
    const auto end = Clock::now() + most;
    for (std::size_t i = 2; i < polled_.size() && Clock::now() < end; ++i) {
      if (polled_[i].revents != 0) serve(ids_[i - 2], polled_[i].revents);
    }
  }

  void deliver(const Mailbox::Letter& letter) {
    const auto found = connections_.find(letter.connection);
    if (found != connections_.end() && found->second.stage == Stage::waiting) {
      respond(found->second, 200, letter.body);
    }
  }

  void respond(Connection& connection, int status, const std::string& body) {
    connection.stage = Stage::writing;
    connection.deadline = Clock::now() + write_time;
    connection.response = http_response(status, body);
    write(connection);
  }

  void serve(std::uint64_t id, short events) {
    const auto found = connections_.find(id);
    if (found == connections_.end()) return;
    Connection& connection = found->second;
    const bool lost = connection.stage == Stage::waiting && (events & (POLLERR | POLLHUP)) != 0;
    if (lost || !advance(id, connection)) connections_.erase(id);
  }

  // Returns false if the connection is finished.
  bool advance(std::uint64_t id, Connection& connection) {
    if (connection.stage == Stage::reading) return read(id, connection);
    if (connection.stage == Stage::writing) return write(connection);
    if (connection.stage == Stage::draining) return drain(connection);
    return true;
  }

  bool read(std::uint64_t id, Connection& connection) {
    const auto got = ::recv(connection.socket.get(), buffer_.data(), buffer_.size(), 0);
    if (got < 0) return would_block();
    const auto progress =
        got == 0 ? connection.reader.end()
                 : connection.reader.add({buffer_.data(), static_cast<std::size_t>(got)});
    if (progress == RequestReader::Progress::refused) {
      respond(connection, connection.reader.status(), "");
    } else if (progress == RequestReader::Progress::complete) {
      connection.stage = Stage::waiting;
      handle(id, connection);
    }
    return true;
  }

  // If the handler runs out of memory or threads, only this request fails. Replies that arrived
  // meanwhile are sent before further requests are read.
  void handle(std::uint64_t id, Connection& connection) {
    try {
      handler_({connection.reader.take_body(), connection.accepted, reply_to(id)});
    } catch (const std::exception&) {
      respond(connection, 503, "");
    }
    deliver_all();
  }

  Reply reply_to(std::uint64_t id) const {
    return [id, mailbox = mailbox_](const std::string& body) { mailbox->post({id, body}); };
  }

  bool write(Connection& connection) {
    const std::string_view rest = std::string_view(connection.response).substr(connection.sent);
    const auto sent = ::send(connection.socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0) return would_block();
    connection.sent += static_cast<std::size_t>(sent);
    if (connection.sent < connection.response.size()) return true;
    ::shutdown(connection.socket.get(), SHUT_WR);
    connection.stage = Stage::draining;
    connection.deadline = Clock::now() + drain_time;
    return true;
  }

  bool drain(Connection& connection) {
    const auto got = ::recv(connection.socket.get(), buffer_.data(), buffer_.size(), 0);
    return got > 0 || (got < 0 && would_block());
  }

  void drop_late() {
    const auto now = Clock::now();
    std::erase_if(connections_, [&](const auto& entry) { return entry.second.is_late(now); });
  }

  // Input that arrived with a connection is read at once, so that prompt messages never wait for
  // others. Replies are sent even while many connections arrive.
  void accept_all() {
    constexpr int most = 256;
    for (int i = 0; i < most; ++i) {
      Socket socket(::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!socket.is_open() && (errno == EMFILE || errno == ENFILE) && close_oldest()) continue;
      if (!socket.is_open()) return;
      if (connections_.size() >= options_.max_connections && !close_oldest()) continue;
      const auto now = Clock::now();
      const std::uint64_t id = next_id_++;
      Connection& connection = connections_
                                   .emplace(id, Connection{std::move(socket),
                                                           RequestReader(options_.max_body),
                                                           now,
                                                           Stage::reading,
                                                           now + options_.request_time,
                                                           {},
                                                           {}})
                                   .first->second;
      if (!read(id, connection)) connections_.erase(id);
    }
  }

  // Closes the oldest connection that is not waiting for a reply.
  bool close_oldest() {
    const auto oldest = std::find_if(connections_.begin(), connections_.end(), [](const auto& c) {
      return c.second.stage != Stage::waiting;
    });
    if (oldest == connections_.end()) return false;
    connections_.erase(oldest);
    return true;
  }

  void limit_buffers() {
    std::size_t total = 0;
    for (const auto& entry : connections_) total += entry.second.reader.buffered();
    while (total > options_.max_buffered) {
      const auto largest = std::max_element(
          connections_.begin(), connections_.end(), [](const auto& a, const auto& b) {
            return a.second.reader.buffered() < b.second.reader.buffered();
          });
      total -= largest->second.reader.buffered();
      connections_.erase(largest);
    }
  }

  const HttpServerOptions& options_;
  int listener_;
  std::shared_ptr<Mailbox> mailbox_;
  const std::function<void(Arrival)>& handler_;
  Connections connections_;
  std::uint64_t next_id_ = 0;
  std::vector<pollfd> polled_;
  std::vector<std::uint64_t> ids_;  // by entry of polled_, from the third on
  std::array<char, 65536> buffer_;
};

HttpServer::HttpServer(const HttpServerOptions& options, Socket listener, std::uint16_t port)
    : options_(options),
      listener_(std::move(listener)),
      port_(port),
      mailbox_(std::make_shared<Mailbox>()) {}

HttpServer::~HttpServer() = default;

base::Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpServerOptions& options) {
  constexpr int backlog = 4096;
  constexpr int yes = 1;
  const auto fail = [&](const char* reason) {
    return base::fail(
        base::ErrorKind::unreadable_input,
        fmt::format("cannot listen on {}, port {}: {}", options.address, options.port, reason));
  };
  addrinfo hints = {};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int problem =
      ::getaddrinfo(options.address.c_str(), std::to_string(options.port).c_str(), &hints, &list);
  if (problem != 0) return fail(::gai_strerror(problem));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> address(list, ::freeaddrinfo);
  Socket socket(::socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.get(), address->ai_addr, address->ai_addrlen) != 0 ||
      ::listen(socket.get(), backlog) != 0)
    return fail(std::strerror(errno));
  const std::optional<std::uint16_t> port = port_of(socket);
  if (!port) return fail(std::strerror(errno));
  return std::unique_ptr<HttpServer>(new HttpServer(options, std::move(socket), *port));
}

void HttpServer::run(const std::function<void(Arrival)>& handler, const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { mailbox_->wake(); });
  Loop loop(*this, handler);
  while (!stop.stop_requested()) loop.turn();
  loop.finish();
}

}  // namespace zermelo::serve
