#include "dd/team.h"

#include <utility>

namespace zermelo::dd {

Team::Team(unsigned threads) {
  for (unsigned thread = 1; thread < threads; ++thread) {
    threads_.emplace_back([this, thread] { work(thread); });
  }
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::run(std::size_t tasks, const Task& task) {
  if (threads_.empty() || tasks <= 1) {
    for (std::size_t i = 0; i < tasks; ++i) task(0, i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    tasks_ = tasks;
    next_ = 0;
    busy_ = threads_.size();
    ++round_;
  }
  begin_.notify_all();
  take_tasks(0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
  if (const std::exception_ptr thrown = std::exchange(thrown_, nullptr)) {
    std::rethrow_exception(thrown);
  }
}

void Team::work(unsigned thread) {
  std::size_t done = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begin_.wait(lock, [&] { return closing_ || round_ != done; });
    if (closing_) return;
    done = round_;
    lock.unlock();
    take_tasks(thread);
    lock.lock();
    if (--busy_ == 0) end_.notify_one();
  }
}

void Team::take_tasks(unsigned thread) {
  try {
    for (std::size_t i = next_++; i < tasks_; i = next_++) (*task_)(thread, i);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    thrown_ = std::current_exception();
  }
}

}  // namespace zermelo::dd
