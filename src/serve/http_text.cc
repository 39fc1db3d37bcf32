#include "serve/http_text.h"

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <sstream>

#include "serve/http_header.h"

namespace zermelo::serve {
namespace {

namespace http = boost::beast::http;

}  // namespace

ParsedHeader parse_header(std::string_view text, std::size_t max_body) {
  ParsedHeader result;
  http::request_parser<http::empty_body> parser;
  parser.header_limit(2 * max_header);
  parser.body_limit(max_body);
  boost::system::error_code failure;
  const std::string header = standard_header(text);
  parser.put(boost::asio::buffer(header), failure);
  if (failure == http::error::body_limit) result.refusal = 413;
  if (failure == http::error::header_limit) result.refusal = 431;
  if (result.refusal != 0) return result;
  const auto& message = parser.get();
  if ((failure && failure != http::error::need_more) || !parser.is_header_done()) {
    result.refusal = 400;
  } else if (message.count(http::field::transfer_encoding) > 0) {
    result.refusal = 501;
  }
  if (result.refusal != 0) return result;
  result.request.method = std::string(message.method_string());
  result.request.target = std::string(message.target());
  for (const auto& field : message) {
    result.request.headers.push_back(
        {std::string(field.name_string()), std::string(field.value())});
  }
  if (const auto length = parser.content_length()) {
    result.length = static_cast<std::size_t>(*length);
  } else if (result.request.method != "POST") {
    result.length = 0;
  }
  result.keeps_open = message.keep_alive() && result.length.has_value();
  result.expects_continue = message[http::field::expect] == "100-continue";
  return result;
}

std::string response_text(const HttpResponse& response, bool keeps_open, bool has_length) {
  http::response<http::string_body> message(static_cast<http::status>(response.status),
                                            response.closes ? 10 : 11);
  for (const HttpHeader& header : response.headers) message.insert(header.name, header.value);
  message.body() = response.body;
  if (has_length) message.content_length(response.body.size());
  message.set(http::field::connection, keeps_open ? "keep-alive" : "close");
  std::ostringstream out;
  out << message;
  return std::move(out).str();
}

}  // namespace zermelo::serve
