// The messages of the GGP protocol in HTTP: the body of a POST, answered with status 200.
//
//   (*HttpServer::listen({.port = 9147}))->run(message_handler(receive), stop);
//
// Responses are HTTP/1.0 in the form of other players. Browsers of any origin may send messages,
// because game managers that run in a browser do.
#pragma once

#include <functional>
#include <string>

#include "serve/http_server.h"

namespace zermelo::serve {

// Sends the answer to a message. May be called by any thread, even after the server is destroyed.
// Later calls, and answers to closed connections, are ignored.
using Reply = std::function<void(const std::string& body)>;

// The body of a POST, and the time its connection was accepted.
struct Arrival {
  std::string body;
  Clock::time_point time;
  Reply reply;
};

// Returns the handler of a server that passes messages on, answers preflight requests of browsers,
// and refuses other methods.
HttpServer::Handler message_handler(std::function<void(Arrival)> receive);

}  // namespace zermelo::serve
