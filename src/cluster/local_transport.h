// Ranks that are threads of this process. For tests and for predictions: the algorithms run as
// under MPI, without its start.
//
//   run_local_ranks(3, [](Transport& transport) { ... });
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cluster/transport.h"

namespace zermelo::cluster {

// Returns one transport per rank. Each may be used by a thread of its own.
std::vector<std::unique_ptr<Transport>> local_transports(std::size_t ranks);

// Runs `work` once per rank, each in a thread of its own, and returns when all are done.
void run_local_ranks(std::size_t ranks, const std::function<void(Transport&)>& work);

}  // namespace zermelo::cluster
