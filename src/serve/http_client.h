// HTTP client: posts a message to a player and waits for the answer, within one deadline.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace zermelo::serve {

// The address of a player.
struct Endpoint {
  std::string name;                    // HOST:PORT as given
  std::vector<std::string> addresses;  // socket addresses, in the order in which they are tried
};

// Fails with unreadable_input if the text is not HOST:PORT or the host is unknown.
base::Result<Endpoint> resolve(const std::string& host_and_port);

struct Answer {
  enum class Kind { received, late, failed };

  Kind kind = Kind::failed;  // failed: no connection, or no valid HTTP response of acceptable size
  std::string body;
};

// Sends the message to the first address that accepts a connection and returns the body of the
// response. The answer is `late` if the response is not complete by the deadline, and `failed` if
// its status is not 200. Each address gets an equal share of the remaining time to connect.
Answer post(const Endpoint& endpoint, std::string_view body,
            std::chrono::steady_clock::time_point deadline);

}  // namespace zermelo::serve
