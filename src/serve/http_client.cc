#include "serve/http_client.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <cstring>
#include <optional>
#include <sstream>

#include "serve/http_header.h"

namespace zermelo::serve {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using net::ip::tcp;
using Clock = std::chrono::steady_clock;
using Kind = Answer::Kind;

constexpr std::size_t max_response = 1u << 20;

tcp::endpoint endpoint_of(const std::string& address) {
  tcp::endpoint endpoint;
  endpoint.resize(address.size());  // the capacity is that of any address
  std::memcpy(endpoint.data(), address.data(), address.size());
  return endpoint;
}

// Reads a response as its bytes arrive.
class ResponseReader {
 public:
  ResponseReader() {
    parser_.body_limit(max_response);
    parser_.eager(true);
  }

  // Returns whether the response is complete or invalid.
  bool add(std::string_view bytes) {
    if (parser_.is_header_done()) return parse(bytes);
    text_.append(bytes);
    const std::size_t end = header_end(text_);
    if (end == 0) return is_invalid_ = text_.size() > max_response;
    return parse(standard_header(std::string_view(text_).substr(0, end))) ||
           parse(std::string_view(text_).substr(end));
  }
  // Signals that the sender has closed its side, which ends a body without a length.
  void end() {
    boost::system::error_code failure;
    if (parser_.is_header_done() && !parser_.is_done()) parser_.put_eof(failure);
    is_invalid_ = is_invalid_ || failure || !parser_.is_done();
  }
  Answer answer() {
    if (is_invalid_ || !parser_.is_done() || parser_.get().result_int() != 200) return {};
    return {Kind::received, parser_.get().body()};
  }

 private:
  bool parse(std::string_view bytes) {
    boost::system::error_code failure;
    while (!bytes.empty() && !failure && !parser_.is_done()) {
      bytes.remove_prefix(parser_.put(net::buffer(bytes), failure));
    }
    is_invalid_ = failure && failure != http::error::need_more;
    return is_invalid_ || parser_.is_done();
  }

  http::response_parser<http::string_body> parser_;
  std::string text_;  // until the header is complete
  bool is_invalid_ = false;
};

// One request and response on one connection. The calls wait for their asynchronous operation and
// cancel it at the deadline.
class ClientExchange {
 public:
  Kind connect(const std::string& address, Clock::time_point deadline) {
    std::optional<boost::system::error_code> done;
    socket_.async_connect(endpoint_of(address),
                          [&](const boost::system::error_code& failure) { done = failure; });
    return wait(done, deadline);
  }

  Kind send(const std::string& request, Clock::time_point deadline) {
    std::optional<boost::system::error_code> done;
    net::async_write(
        socket_, net::buffer(request),
        [&](const boost::system::error_code& failure, std::size_t) { done = failure; });
    return wait(done, deadline);
  }

  Answer receive(Clock::time_point deadline) {
    ResponseReader reader;
    std::array<char, 16384> buffer;
    while (true) {
      std::optional<boost::system::error_code> done;
      std::size_t got = 0;
      socket_.async_read_some(net::buffer(buffer),
                              [&](const boost::system::error_code& failure, std::size_t size) {
                                done = failure;
                                got = size;
                              });
      const Kind kind = wait(done, deadline);
      if (kind == Kind::late) return {kind, ""};
      if (kind == Kind::received && reader.add({buffer.data(), got})) return reader.answer();
      if (kind == Kind::failed && done != boost::system::error_code(net::error::eof)) return {};
      if (kind == Kind::failed) {
        reader.end();
        return reader.answer();
      }
    }
  }

 private:
  Kind wait(const std::optional<boost::system::error_code>& done, Clock::time_point deadline) {
    context_.restart();
    while (!done && Clock::now() < deadline) context_.run_one_until(deadline);
    if (done) return *done ? Kind::failed : Kind::received;
    boost::system::error_code ignored;
    socket_.close(ignored);
    context_.restart();
    context_.run();  // the cancelled operation refers to variables of the caller
    return Kind::late;
  }

  net::io_context context_{1};
  tcp::socket socket_{context_};
};

// The format is that of other game managers.
std::string request_of(const Endpoint& endpoint, std::string_view body) {
  http::request<http::string_body> request(http::verb::post, "/", 10);
  request.set(http::field::accept, "text/delim");
  request.set(http::field::host, endpoint.name);
  request.set("Sender", "GAMESERVER");
  request.set("Receiver", endpoint.name);
  request.set(http::field::content_type, "text/acl");
  request.content_length(body.size());
  request.body() = body;
  std::ostringstream out;
  out << request;
  return std::move(out).str();
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
  net::io_context context(1);
  boost::system::error_code failure;
  const auto found = tcp::resolver(context).resolve(host, host_and_port.substr(colon + 1),
                                                    tcp::resolver::numeric_service, failure);
  if (failure) return fail(failure.message());
  Endpoint endpoint{host_and_port, {}};
  for (const auto& entry : found) {
    const tcp::endpoint address = entry.endpoint();
    endpoint.addresses.emplace_back(reinterpret_cast<const char*>(address.data()), address.size());
  }
  return endpoint;
}

Answer post(const Endpoint& endpoint, std::string_view body, Clock::time_point deadline) {
  const std::string request = request_of(endpoint, body);
  Answer answer;
  auto addresses_left = static_cast<int>(endpoint.addresses.size());
  for (const std::string& address : endpoint.addresses) {
    const Clock::time_point now = Clock::now();
    ClientExchange exchange;
    answer.kind = exchange.connect(address, now + (deadline - now) / addresses_left--);
    if (answer.kind != Kind::received) continue;
    answer.kind = exchange.send(request, deadline);
    return answer.kind == Kind::received ? exchange.receive(deadline) : answer;
  }
  return answer;
}

}  // namespace zermelo::serve
