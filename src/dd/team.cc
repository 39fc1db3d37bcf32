#include "dd/team.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace zermelo::dd {

namespace {

// Spins for a while and returns whether the condition became true. Loops are short, and waking a
// thread takes as long as many of them; but on a busy machine the other thread may need the
// processor.
template <class Condition>
bool comes_true(Condition condition) {
  constexpr int looks = 4000;
  for (int i = 0; i < looks; ++i) {
    if (condition()) return true;
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }
  return false;
}

}  // namespace

Team::Team(unsigned threads) : next_(std::max(1u, threads)) {
  try {
    for (unsigned thread = 1; thread < threads; ++thread) {
      threads_.emplace_back([this, thread] { work(thread); });
    }
  } catch (const std::exception&) {
    // The system has no more threads or memory. The existing threads do the work.
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
  busy_ = threads_.size();
  begin_round();
  take_tasks(0);
  const auto is_over = [this] { return busy_ == 0; };
  if (!comes_true(is_over)) {
    std::unique_lock lock(mutex_);
    end_.wait(lock, is_over);
  }
  if (const std::exception_ptr thrown = std::exchange(thrown_, nullptr)) {
    std::rethrow_exception(thrown);
  }
}

void Team::begin_round() {
  {
    const std::lock_guard lock(mutex_);
    ++round_;
  }
  begin_.notify_all();
}

void Team::wait_for_round_after(std::size_t done) {
  const auto has_begun = [&] { return round_ != done; };
  if (comes_true(has_begun)) return;
  std::unique_lock lock(mutex_);
  begin_.wait(lock, has_begun);
}

void Team::end_share() {
  if (--busy_ > 0) return;
  { const std::lock_guard lock(mutex_); }  // every waiting thread now gets the notification
  end_.notify_one();
}

void Team::work(unsigned thread) {
  for (std::size_t done = 0;; ++done) {
    wait_for_round_after(done);
    if (task_ == nullptr) return;
    take_tasks(thread);
    end_share();
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
