#include "serve/worker_pool.h"

namespace zermelo::serve {

WorkerPool::WorkerPool(std::size_t threads, std::size_t max_waiting) : max_waiting_(max_waiting) {
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  }
}

WorkerPool::~WorkerPool() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

bool WorkerPool::submit(Work work) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= max_waiting_) return false;
  waiting_.push_back(std::move(work));
  arrived_.notify_one();
  return true;
}

void WorkerPool::run(const std::stop_token& stop) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
    if (stop.stop_requested()) return;
    const Work work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work(stop);
  }
}

}  // namespace zermelo::serve
