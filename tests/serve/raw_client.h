// A client that sends arbitrary bytes, and a player on a free port.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <string_view>
#include <thread>

#include "serve/message_server.h"
#include "serve/player_messages.h"
#include "serve/socket.h"

namespace zermelo::serve {

class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  }

  // Returns false if the other side has closed.
  bool send(std::string_view bytes) {
    return ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  void end_sending() { ::shutdown(socket_.get(), SHUT_WR); }
  // Returns everything received until the other side closes or a timeout.
  std::string receive(int milliseconds = 5'000) {
    std::string text;
    std::array<char, 4096> buffer;
    pollfd entry = {socket_.get(), POLLIN, 0};
    while (::poll(&entry, 1, milliseconds) > 0) {
      const auto got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (got <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
  }
  // Returns whether the other side closes in time without sending anything.
  bool is_closed(int milliseconds) {
    pollfd entry = {socket_.get(), POLLIN, 0};
    char byte;
    return ::poll(&entry, 1, milliseconds) > 0 && ::recv(socket_.get(), &byte, 1, 0) <= 0;
  }

 private:
  Socket socket_;
};

inline std::string post_of(std::string_view body) {
  return "POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// Returns the body of the response to a message.
inline std::string ask(std::uint16_t port, std::string_view message) {
  RawClient client(port);
  client.send(post_of(message));
  const std::string response = client.receive(20'000);
  const std::size_t header = response.find("\r\n\r\n");
  return header == response.npos ? "no response" : response.substr(header + 4);
}

class ServedPlayer {
 public:
  explicit ServedPlayer(const PlayerOptions& options, HttpServerOptions server_options = {})
      : player_(options),
        server_(std::move(*HttpServer::listen(server_options))),
        thread_([this](const std::stop_token& stop) {
          const auto receive = [this](Arrival arrival) { player_.receive(std::move(arrival)); };
          server_->run(message_handler(receive), stop);
        }) {}

  std::uint16_t port() const { return server_->port(); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port()); }

 private:
  Player player_;
  std::unique_ptr<HttpServer> server_;
  std::jthread thread_;
};

}  // namespace zermelo::serve
