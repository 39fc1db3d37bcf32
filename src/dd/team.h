// A team of threads that share the tasks of one loop at a time. With one thread, the loop runs in
// the caller.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "dd/codes.h"

namespace zermelo::dd {

class Team {
 public:
  using Task = std::function<void(unsigned thread, std::size_t task)>;

  explicit Team(unsigned threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }

  // Runs task(thread, 0..tasks-1), each once, in any order, and returns when all are done. If some
  // throw, rethrows one of the exceptions. A thread starts with the tasks whose number modulo the
  // number of threads is its own, since the data of a task is likely to be in the cache of the
  // thread that ran the task of the same number before.
  void run(std::size_t tasks, const Task& task);

 private:
  struct alignas(cache_lines) Counter {
    std::atomic<std::size_t> value{0};
  };

  void begin_round();
  void wait_for_round_after(std::size_t done);
  void end_share();
  void work(unsigned thread);
  void take_tasks(unsigned thread);
  void take_remainder(unsigned thread, unsigned remainder);

  std::vector<std::thread> threads_;
  const Task* task_ = nullptr;  // null: the threads must end
  std::size_t tasks_ = 0;
  std::vector<Counter> next_;  // by remainder: number of tasks started
  std::atomic<std::size_t> round_{0};
  std::atomic<std::size_t> busy_{0};
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  std::exception_ptr thrown_;
};

}  // namespace zermelo::dd
