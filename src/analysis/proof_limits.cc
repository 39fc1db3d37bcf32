#include "analysis/proof_limits.h"

#include <utility>

namespace zermelo::analysis {

namespace {

constexpr std::chrono::milliseconds between_looks{5};

}  // namespace

ProofLimits::ProofLimits(std::chrono::duration<double> seconds, base::Limits limits)
    : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds)),
      limits_(std::move(limits)) {}

std::optional<base::ErrorKind> ProofLimits::exceeded() {
  if (exceeded_) return exceeded_;
  const Clock::time_point now = Clock::now();
  if (now >= end_) {
    exceeded_ = base::ErrorKind::time_limit;
  } else if (now >= next_look_) {
    exceeded_ = limits_.exceeded();
    next_look_ = now + between_looks;
  }
  return exceeded_;
}

}  // namespace zermelo::analysis
