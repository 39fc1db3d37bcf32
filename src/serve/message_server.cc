#include "serve/message_server.h"

namespace zermelo::serve {
namespace {

HttpResponse message_response(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", "text/acl"},
                      {"Access-Control-Allow-Origin", "*"},
                      {"Access-Control-Allow-Methods", "POST, OPTIONS"},
                      {"Access-Control-Allow-Headers", "Accept, Content-Type, Sender, Receiver"}},
          .body = std::move(body),
          .closes = true};
}

}  // namespace

HttpServer::Handler message_handler(std::function<void(Arrival)> receive) {
  return [receive = std::move(receive)](HttpRequest request, const Responder& to) {
    if (request.method == "OPTIONS") return to.send(message_response(204, ""));
    if (request.method != "POST") return to.send(message_response(405, ""));
    const Reply reply = [to](const std::string& body) { to.send(message_response(200, body)); };
    receive({std::move(request.body), request.arrived, reply});
  };
}

}  // namespace zermelo::serve
