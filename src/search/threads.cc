#include "search/threads.h"

#include <exception>
#include <thread>
#include <vector>

namespace zermelo::search {

void on_threads(std::size_t threads, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> problems(threads);
  const auto run = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      problems[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(run, i);
    run(0);
  }
  for (const std::exception_ptr& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
}

}  // namespace zermelo::search
