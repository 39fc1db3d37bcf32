// A value that is computed on first use, once even if several threads request it at the same time.
//
//   base::Result<std::shared_ptr<const T>> value = lazy.get(limits, [&] { return make(limits); });
//
// A failed attempt is not stored; the next call tries again. A value that is not kept exists as
// long as a user holds it; after that, the next call computes it again.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "base/error_name.h"
#include "base/limits.h"
#include "base/result.h"

namespace zermelo::circuit {

template <class T>
class Lazy {
 public:
  using Pointer = std::shared_ptr<const T>;

  // Keeps the values for which `keeps` returns true.
  explicit Lazy(bool (*keeps)(const T&)) : keeps_(keeps) {}

  // Returns the value. If there is none, calls `make`, a function without arguments that returns
  // base::Result<T>. Fails like `make`, and at a limit that is reached while another thread
  // computes the value. `make` must not request the same value.
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

  // Returns the value if it exists now, else null.
  Pointer known() const {
    const std::lock_guard lock(mutex_);
    return known_.lock();
  }

 private:
  // The destructor lets others try, even after an exception.
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
        return tl::unexpected(base::limit_error(*exceeded, "while compiling the game"));
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
