// A few threads that share the tasks of one loop at a time. With one thread there are none, and the
// loop runs in the caller.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

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
  // throw, one of the exceptions is thrown on.
  void run(std::size_t tasks, const Task& task);

 private:
  void work(unsigned thread);
  void take_tasks(unsigned thread);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  std::size_t round_ = 0;
  std::size_t busy_ = 0;
  bool closing_ = false;
  const Task* task_ = nullptr;
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_{0};
  std::exception_ptr thrown_;
};

}  // namespace zermelo::dd
