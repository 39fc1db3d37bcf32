// Posting a message to a player and waiting for its answer, all of it until one moment.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace zermelo::serve {

// Where a player listens.
struct Endpoint {
  std::string name;                    // HOST:PORT as it was given
  std::vector<std::string> addresses;  // of the socket, in the order in which they are tried
};

// Fails with unreadable_input where the text is not HOST:PORT or the host is not known.
base::Result<Endpoint> resolve(const std::string& host_and_port);

struct Answer {
  enum class Kind { received, late, failed };

  Kind kind = Kind::failed;  // failed: no connection, or no good HTTP response of a reasonable size
  std::string body;
};

// Sends the message to the first of the addresses that takes a connection, and returns the body of
// its response, or nothing where that has not all come by the deadline, or the status is not 200.
// As long as there is no connection, an address has its share of the time that is left.
Answer post(const Endpoint& endpoint, std::string_view body,
            std::chrono::steady_clock::time_point deadline);

}  // namespace zermelo::serve
