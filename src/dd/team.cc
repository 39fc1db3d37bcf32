#include "dd/team.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace zermelo::dd {

namespace {

// Loops are short, and to be woken takes as long as many of them: so look for a while before
// sleeping.
template <class Number>
void wait_for_change(const std::atomic<Number>& number, Number from) {
  constexpr int looks = 1000;
  for (int i = 0; i < looks; ++i) {
    if (number.load(std::memory_order_acquire) != from) return;
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }
  number.wait(from, std::memory_order_acquire);
}

}  // namespace

Team::Team(unsigned threads) : next_(std::max(1u, threads)) {
  try {
    for (unsigned thread = 1; thread < threads; ++thread) {
      threads_.emplace_back([this, thread] { work(thread); });
    }
  } catch (const std::system_error&) {
    // The system gives no more threads. Those there are do the work.
  }
}

Team::~Team() {
  task_ = nullptr;
  begin_round();
  for (std::thread& thread : threads_) thread.join();
}

void Team::run(std::size_t tasks, const Task& task) {
  if (threads_.empty() || tasks <= 1) {
    for (std::size_t i = 0; i < tasks; ++i) task(0, i);
    return;
  }
  task_ = &task;
  tasks_ = tasks;
  for (Counter& next : next_) next.value = 0;
  busy_ = static_cast<unsigned>(threads_.size());
  begin_round();
  take_tasks(0);
  for (unsigned busy = busy_; busy != 0; busy = busy_) wait_for_change(busy_, busy);
  if (const std::exception_ptr thrown = std::exchange(thrown_, nullptr)) {
    std::rethrow_exception(thrown);
  }
}

void Team::begin_round() {
  ++round_;
  round_.notify_all();
}

void Team::work(unsigned thread) {
  for (unsigned done = 0;; ++done) {
    wait_for_change(round_, done);
    if (task_ == nullptr) return;
    take_tasks(thread);
    if (--busy_ == 0) busy_.notify_one();
  }
}

void Team::take_tasks(unsigned thread) {
  try {
    for (unsigned k = 0; k < size(); ++k) take_remainder(thread, (thread + k) % size());
  } catch (...) {
    const std::lock_guard lock(mutex_);
    thrown_ = std::current_exception();
  }
}

void Team::take_remainder(unsigned thread, unsigned remainder) {
  std::atomic<std::size_t>& next = next_[remainder].value;
  for (std::size_t i = next++ * size() + remainder; i < tasks_; i = next++ * size() + remainder) {
    (*task_)(thread, i);
  }
}

}  // namespace zermelo::dd
