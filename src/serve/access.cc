#include "serve/access.h"

#include <algorithm>

namespace zermelo::serve {
namespace {

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

std::string_view without_scheme(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  return scheme == origin.npos ? origin : origin.substr(scheme + 3);
}

}  // namespace

bool AccessRule::is_own(std::string_view host) const {
  const std::string_view name = without_port(host);
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]" ||
         std::find(names_.begin(), names_.end(), name) != names_.end();
}

bool AccessRule::permits(const HttpRequest& request) const {
  const std::string_view host = request.header("Host");
  if (!is_own(host)) return false;
  const std::string_view origin = request.header("Origin");
  if (!origin.empty() && without_scheme(origin) != host) return false;
  // A link from another site may open the page, but other sites may not load its parts.
  const std::string_view site = request.header("Sec-Fetch-Site");
  const bool is_opening = request.header("Sec-Fetch-Mode") == "navigate" && request.method == "GET";
  return site.empty() || site == "same-origin" || site == "none" || is_opening;
}

std::vector<HttpHeader> safety_headers() {
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
           "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
           "frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

}  // namespace zermelo::serve
