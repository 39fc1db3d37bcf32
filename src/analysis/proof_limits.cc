#include "analysis/proof_limits.h"

#include <ctime>
#include <utility>

namespace zermelo::analysis {

namespace {

constexpr std::chrono::milliseconds between_looks{5};

std::chrono::duration<double> thread_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

ProofLimits::ProofLimits(std::chrono::duration<double> seconds, base::Limits limits)
    : end_(thread_time() + seconds), limits_(std::move(limits)) {}

ProofLimits::ProofLimits(base::Limits limits) : limits_(std::move(limits)) {}

std::optional<base::ErrorKind> ProofLimits::exceeded() {
  if (exceeded_) return exceeded_;
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return std::nullopt;
  next_look_ = now + between_looks;
  exceeded_ = thread_time() >= end_ ? base::ErrorKind::time_limit : limits_.exceeded();
  return exceeded_;
}

}  // namespace zermelo::analysis
