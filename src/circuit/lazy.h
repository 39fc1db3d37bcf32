// A value that is made when first asked for: once, however many threads ask at the same time.
//
//   base::Result<std::shared_ptr<const T>> value = lazy.get(limits, [&] { return make(limits); });
//
// An attempt that fails is not remembered; the next call makes another one. A value that need not
// be kept lives as long as somebody holds it, and is made again when it is asked for after that.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "base/limits.h"
#include "base/result.h"

namespace zermelo::circuit {

template <class T>
class Lazy {
 public:
  using Pointer = std::shared_ptr<const T>;

  // Keeps those values of which `keeps` is true.
  explicit Lazy(bool (*keeps)(const T&)) : keeps_(keeps) {}

  // Returns the value, made by `make`, a function without arguments that returns base::Result<T>,
  // if there is none. Fails as `make` does, and at a limit that is reached while another thread
  // makes the value. `make` must not ask for the same value.
  template <class Make>
  base::Result<Pointer> get(const base::Limits& limits, Make make) {
    {
      std::unique_lock lock(mutex_);
      if (auto waited = wait(lock, limits); !waited) return tl::unexpected(waited.error());
      if (Pointer known = known_.lock()) return known;
      is_being_made_ = true;
    }
    const Attempt attempt{*this};
    base::Result<T> made = make();
    if (!made) return tl::unexpected(std::move(made.error()));
    Pointer value = std::make_shared<const T>(std::move(*made));
    const std::lock_guard lock(mutex_);
    known_ = value;
    if (keeps_(*value)) kept_ = value;
    return value;
  }

  // The value if there is one now.
  Pointer known() const {
    const std::lock_guard lock(mutex_);
    return known_.lock();
  }

 private:
  // Lets others try when it ends, in whatever way.
  struct Attempt {
    Lazy& lazy;
    ~Attempt() {
      const std::lock_guard lock(lazy.mutex_);
      lazy.is_being_made_ = false;
      lazy.done_.notify_all();
    }
  };

  base::Result<void> wait(std::unique_lock<std::mutex>& lock, const base::Limits& limits) {
    constexpr std::chrono::milliseconds between_checks(20);
    while (is_being_made_) {
      if (const auto exceeded = limits.exceeded()) {
        return base::fail(*exceeded, "the limit was reached while the game was compiled");
      }
      done_.wait_for(lock, between_checks);
    }
    return {};
  }

  bool (*keeps_)(const T&);
  mutable std::mutex mutex_;
  std::condition_variable done_;
  bool is_being_made_ = false;
  std::weak_ptr<const T> known_;
  Pointer kept_;
};

}  // namespace zermelo::circuit
