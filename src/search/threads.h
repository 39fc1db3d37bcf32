// Runs the same work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace zermelo::search {

// Calls work(i) for every i below `threads`, which must not be 0: work(0) on the caller's thread,
// the others on threads of their own. Rethrows an exception of one of them when all have finished.
void on_threads(std::size_t threads, const std::function<void(std::size_t)>& work);

}  // namespace zermelo::search
