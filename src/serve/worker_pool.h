// A few threads that work on requests in the order of their arrival.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace zermelo::serve {

class WorkerPool {
 public:
  // The work must not throw. It gets a token that ends it when the pool is destroyed.
  using Work = std::function<void(const std::stop_token& stop)>;

  WorkerPool(std::size_t threads, std::size_t max_waiting);
  // Cancels the work that runs, discards what waits, and joins the threads.
  ~WorkerPool();

  // Returns false if too much work waits. May be called by any thread.
  bool submit(Work work);

 private:
  void run(const std::stop_token& stop);

  std::size_t max_waiting_;
  std::mutex mutex_;  // guards waiting_
  std::condition_variable_any arrived_;
  std::deque<Work> waiting_;
  std::vector<std::jthread> threads_;
};

}  // namespace zermelo::serve
