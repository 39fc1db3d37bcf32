// The same work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace zermelo::search {

// Calls work(i) for every i below `threads`, which must not be 0, each on a thread of its own and
// the first on the caller's. What one of them throws is thrown when all are done.
void on_threads(std::size_t threads, const std::function<void(std::size_t)>& work);

}  // namespace zermelo::search
