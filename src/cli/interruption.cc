#include "cli/interruption.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string_view>

#include "cli/output.h"

namespace zermelo::cli {
namespace {

std::atomic<int> received = 0;    // the last signal
std::atomic<int> write_end = -1;  // of the pipe

void wake() {
  const char byte = 0;
  while (::write(write_end, &byte, 1) < 0 && errno == EINTR) {
  }
}

void handle(int signal) {
  const int kept = errno;
  received = signal;
  wake();
  errno = kept;
}

void wait_for_byte(int from) {
  char byte = 0;
  while (::read(from, &byte, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace

// If no pipe can be created, signals keep their default effect.
Interruption::Interruption() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  read_end_ = ends[0];
  write_end = ends[1];
  waiting_ = std::thread([this] {
    wait_for_byte(read_end_);
    if (received != 0) source_.request_stop();
  });
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESETHAND;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  if (!waiting_.joinable()) return;
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
  wake();
  waiting_.join();
  ::close(read_end_);
  ::close(write_end);
}

bool was_interrupted() { return received != 0; }

std::string stop_message(const base::Error& error) {
  constexpr std::string_view limit = "time limit reached";
  if (!was_interrupted() || error.kind != base::ErrorKind::time_limit) return error.message;
  const std::size_t at = error.message.find(limit);
  if (at == std::string::npos) return "interrupted";
  return std::string(error.message).replace(at, limit.size(), "interrupted");
}

ExitCode end_of_work(const std::optional<base::Error>& stopped) {
  if (!stopped) return ExitCode::success;
  flush_answer();  // the answer comes before the message where both are in one file
  write_message("zermelo: " + stop_message(*stopped) + "\n");
  return exit_code_of(stopped->kind);
}

void end_by_signal() {
  if (const int signal = received.exchange(0); signal != 0) ::raise(signal);
}

}  // namespace zermelo::cli
