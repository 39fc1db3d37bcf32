// Who may use the server: requests that name it correctly and come from its own pages.
//
// A page of another site can make a browser send requests here, and a name that an attacker
// controls can be pointed at this machine (DNS rebinding). Therefore the Host header must be a name
// of this server, and a request that a browser marks as coming from another site is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/http_server.h"

namespace zermelo::serve {

class AccessRule {
 public:
  // Names besides localhost, 127.0.0.1 and [::1].
  explicit AccessRule(std::vector<std::string> names) : names_(std::move(names)) {}

  bool permits(const HttpRequest& request) const;

 private:
  bool is_own(std::string_view host) const;

  std::vector<std::string> names_;
};

// The headers that every response has: nothing is loaded from elsewhere, no inline script runs, and
// no other page may embed this one.
std::vector<HttpHeader> safety_headers();

}  // namespace zermelo::serve
