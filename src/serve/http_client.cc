#include "serve/http_client.h"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>

#include "serve/http_request.h"
#include "serve/socket.h"

namespace zermelo::serve {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = Answer::Kind;

constexpr std::size_t max_response = 1u << 20;

// One request and response on one connection.
class Exchange {
 public:
  explicit Exchange(const std::string& address) {
    const auto* generic = reinterpret_cast<const sockaddr*>(address.data());
    socket_ = Socket(::socket(generic->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int done = ::connect(socket_.get(), generic, static_cast<socklen_t>(address.size()));
    if (done != 0 && errno != EINPROGRESS) socket_ = Socket();
  }

  // Waits until the connection is established or has failed.
  Kind connect(Clock::time_point deadline) {
    if (!socket_.is_open()) return Kind::failed;
    if (!wait_for(POLLOUT, deadline)) return Kind::late;
    int problem = 0;
    socklen_t size = sizeof problem;
    ::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &problem, &size);
    return problem == 0 ? Kind::received : Kind::failed;
  }

  Kind send(std::string_view request, Clock::time_point deadline) {
    while (!request.empty()) {
      if (!wait_for(POLLOUT, deadline)) return Kind::late;
      const auto sent = ::send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return Kind::failed;
      if (sent > 0) request.remove_prefix(static_cast<std::size_t>(sent));
    }
    return Kind::received;
  }

  Kind receive(std::string& response, Clock::time_point deadline) {
    std::array<char, 16384> buffer;
    while (!is_whole(response)) {
      if (!wait_for(POLLIN, deadline)) return Kind::late;
      const auto got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (got == 0) break;
      if (got < 0 && errno != EAGAIN && errno != EINTR) return Kind::failed;
      if (got > 0) response.append(buffer.data(), static_cast<std::size_t>(got));
      if (response.size() > max_response) return Kind::failed;
    }
    return Kind::received;
  }

 private:
  bool wait_for(short events, Clock::time_point deadline) const {
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return false;
      pollfd entry = {socket_.get(), events, 0};
      if (::poll(&entry, 1, static_cast<int>(std::min<long long>(left.count(), 60'000))) > 0) {
        return true;
      }
    }
  }

  // Returns whether the body is as long as the header says.
  static bool is_whole(const std::string& response) {
    const std::size_t header = header_end(response);
    if (header == 0) return false;
    std::string lower = response.substr(0, header);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    constexpr std::string_view name = "\ncontent-length:";
    const std::size_t place = lower.find(name);
    if (place == lower.npos) return false;
    const std::size_t digits = lower.find_first_of("0123456789", place + name.size());
    if (digits == lower.npos) return false;
    std::size_t length = 0;
    std::from_chars(lower.data() + digits, lower.data() + lower.size(), length);
    return response.size() - header >= length;
  }

  Socket socket_;
};

// The format is that of other game managers.
std::string request_of(const Endpoint& endpoint, std::string_view body) {
  return fmt::format(
      "POST / HTTP/1.0\r\n"
      "Accept: text/delim\r\n"
      "Host: {}\r\n"
      "Sender: GAMESERVER\r\n"
      "Receiver: {}\r\n"
      "Content-Type: text/acl\r\n"
      "Content-Length: {}\r\n\r\n{}",
      endpoint.name, endpoint.name, body.size(), body);
}

// Returns whether the status is 200, with or without a reason phrase.
bool is_good(const std::string& response) {
  constexpr std::size_t version = 8, digits = 12;  // ends of "HTTP/1.0" and "HTTP/1.0 200"
  return response.starts_with("HTTP/1.") && response.size() > digits &&
         response.compare(version, digits - version, " 200") == 0 &&
         response.find_first_of(" \r\n", digits) == digits;
}

Answer body_of(const std::string& response) {
  const std::size_t header = header_end(response);
  if (header == 0 || !is_good(response)) return {};
  return {Kind::received, response.substr(header)};
}

Answer exchange(Exchange& connection, const std::string& request, Clock::time_point deadline) {
  std::string response;
  Kind kind = connection.send(request, deadline);
  if (kind == Kind::received) kind = connection.receive(response, deadline);
  return kind == Kind::received ? body_of(response) : Answer{kind, ""};
}

}  // namespace

base::Result<Endpoint> resolve(const std::string& host_and_port) {
  const std::size_t colon = host_and_port.rfind(':');
  const auto fail = [&](const std::string& reason) {
    return base::fail(base::ErrorKind::unreadable_input,
                      fmt::format("player \"{}\": {}", host_and_port, reason));
  };
  if (colon == host_and_port.npos || colon == 0) return fail("expected HOST:PORT");
  std::string host = host_and_port.substr(0, colon);
  if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int status =
      ::getaddrinfo(host.c_str(), host_and_port.substr(colon + 1).c_str(), &hints, &found);
  if (status != 0) return fail(::gai_strerror(status));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  Endpoint endpoint{host_and_port, {}};
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    endpoint.addresses.emplace_back(reinterpret_cast<const char*>(entry->ai_addr),
                                    entry->ai_addrlen);
  }
  return endpoint;
}

Answer post(const Endpoint& endpoint, std::string_view body, Clock::time_point deadline) {
  const std::string request = request_of(endpoint, body);
  Answer answer;
  auto addresses_left = static_cast<int>(endpoint.addresses.size());
  for (const std::string& address : endpoint.addresses) {
    const Clock::time_point now = Clock::now();
    Exchange connection(address);
    answer.kind = connection.connect(now + (deadline - now) / addresses_left--);
    if (answer.kind == Kind::received) return exchange(connection, request, deadline);
  }
  return answer;
}

}  // namespace zermelo::serve
