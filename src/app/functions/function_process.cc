// Between fork and exec the child only makes system calls, as other threads of this process may
// hold locks. It inherits no file but its three pipes.
//
// Questions are numbered, and an answer begins with the number of its question. So a program that
// answers twice, or without being asked, is noticed at the next question at the latest, however the
// two processes are scheduled.
#include "app/functions/function_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "app/functions/sandbox.h"

namespace zermelo::app {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{16} << 20;
constexpr std::size_t max_kept_messages = 400;
constexpr int sandbox_failed = -1;  // instead of an error number of exec

// Writing to a program that has ended must not end this one. Threads may write at the same time, so
// the signal is blocked and taken back instead of ignored.
class BrokenPipeSignal {
 public:
  BrokenPipeSignal() {
    ::sigemptyset(&set_);
    ::sigaddset(&set_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~BrokenPipeSignal() {
    const timespec now{0, 0};
    if (!was_pending_) {
      while (::sigtimedwait(&set_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  BrokenPipeSignal(const BrokenPipeSignal&) = delete;
  BrokenPipeSignal& operator=(const BrokenPipeSignal&) = delete;

 private:
  sigset_t set_, before_;
  bool was_pending_ = false;
};

// All other files are closed by exec.
void close_other_files_at_exec() {
  constexpr unsigned cloexec = 1u << 2;  // CLOSE_RANGE_CLOEXEC, which older headers do not name
  constexpr long close_range_call = 436;
  if (::syscall(close_range_call, 3u, ~0u, cloexec) == 0) return;
  const long most = std::min(::sysconf(_SC_OPEN_MAX), 1L << 20);
  for (int file = 3; file < most; ++file) ::fcntl(file, F_SETFD, FD_CLOEXEC);
}

std::string last_line_of(const std::string& text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return "";
  const auto before = text.find_last_of("\r\n", last);
  return text.substr(before == std::string::npos ? 0 : before + 1, last - before);
}

}  // namespace

base::Result<std::unique_ptr<FunctionProcess>> FunctionProcess::start(
    const std::vector<std::string>& command, const FunctionLimits& limits) {
  if (!has_sandbox()) {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("{} was not started: this system cannot keep it from the network "
                                  "(seccomp)",
                                  command[0]));
  }
  std::unique_ptr<FunctionProcess> process(new FunctionProcess(limits));
  if (auto running = process->run(command); !running) return tl::unexpected(running.error());
  return process;
}

FunctionProcess::~FunctionProcess() { kill(); }

base::Result<void> FunctionProcess::run(const std::vector<std::string>& command) {
  const auto cannot_run = [&](const std::string& reason) {
    return base::fail(base::ErrorKind::unreadable_input,
                      fmt::format("cannot run {}: {}", command[0], reason));
  };
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  if (!input_.open() || !output_.open() || !messages_.open() || !start_error_.open()) {
    return cannot_run(std::strerror(errno));
  }
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) return cannot_run(std::strerror(errno));
  if (process_ == 0) become_program(arguments.data(), parent);
  ::setpgid(process_, process_);
  input_.read.close();
  output_.write.close();
  messages_.write.close();
  start_error_.write.close();
  for (const int file : {input_.write.get(), output_.read.get(), messages_.read.get()}) {
    ::fcntl(file, F_SETFL, O_NONBLOCK);
  }
  const int error = read_start_error(start_error_.read);
  if (error == 0) return {};
  kill();
  return cannot_run(error == sandbox_failed ? "the sandbox failed" : std::strerror(error));
}

void FunctionProcess::become_program(char* const* arguments, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  set_limit(RLIMIT_AS, limits_.memory_bytes);
  set_limit(RLIMIT_FSIZE, max_file_bytes);
  set_limit(RLIMIT_CORE, 0);
  ::dup2(input_.read.get(), STDIN_FILENO);
  ::dup2(output_.write.get(), STDOUT_FILENO);
  ::dup2(messages_.write.get(), STDERR_FILENO);
  close_other_files_at_exec();
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  char* const no_environment[] = {nullptr};
  int error = enter_sandbox() == 0 ? 0 : sandbox_failed;
  if (error == 0 && ::chdir("/") == 0) ::execve(arguments[0], arguments, no_environment);
  if (error == 0) error = errno;
  if (::write(start_error_.write.get(), &error, sizeof error) < 0) ::_exit(2);
  ::_exit(1);
}

base::Result<std::string> FunctionProcess::ask(const std::string& question) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limits_.time);
  const std::string number = std::to_string(++questions_) + ' ';
  if (auto silent = require_silence(); !silent) return tl::unexpected(silent.error());
  if (auto written = write(number + question + '\n', end); !written) {
    return tl::unexpected(written.error());
  }
  answer_.clear();
  if (auto read = read_answer(end); !read) return tl::unexpected(read.error());
  const std::size_t length = answer_.find('\n');
  if (length + 1 < answer_.size()) return failure("it answered more than once");
  answer_.resize(length);
  if (!answer_.empty() && answer_.back() == '\r') answer_.pop_back();
  if (answer_.starts_with(number)) return answer_.substr(number.size());
  if (answer_.starts_with(std::to_string(questions_ - 1) + ' ')) {
    return failure("it answered the question before more than once");
  }
  return failure(
      fmt::format("its answer does not begin with the number of the question, {}", questions_));
}

base::Result<void> FunctionProcess::require_silence() {
  char byte = 0;
  const ssize_t length = ::read(output_.read.get(), &byte, 1);
  if (length > 0) return failure("it answered the question before more than once");
  return length == 0 ? base::Result<void>(ended()) : base::Result<void>();
}

base::Result<void> FunctionProcess::write(const std::string& text, Clock::time_point end) {
  const BrokenPipeSignal guard;
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t length =
        ::write(input_.write.get(), text.data() + written, text.size() - written);
    if (length > 0) {
      written += static_cast<std::size_t>(length);
    } else if (errno == EPIPE) {
      return ended();
    } else if (!wait_for(input_.write.get(), POLLOUT, end)) {
      return failure("it did not read the question in time");
    }
  }
  return {};
}

base::Result<void> FunctionProcess::read_answer(Clock::time_point end) {
  while (answer_.find('\n') == std::string::npos) {
    if (answer_.size() > limits_.answer_bytes) {
      return failure(fmt::format("its answer has more than {} bytes", limits_.answer_bytes));
    }
    char buffer[1024];
    const ssize_t length = ::read(output_.read.get(), buffer, sizeof buffer);
    if (length > 0) {
      answer_.append(buffer, static_cast<std::size_t>(length));
    } else if (length == 0) {
      return ended();
    } else if (!wait_for(output_.read.get(), POLLIN, end)) {
      return failure(fmt::format("it did not answer within {} s", limits_.time.count()));
    }
  }
  return {};
}

// Returns false when the time is over. Takes messages meanwhile, so that the program never waits
// for somebody to read them.
bool FunctionProcess::wait_for(int file, short event, Clock::time_point end) {
  while (true) {
    const auto left = std::chrono::duration<double, std::milli>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd files[] = {{file, event, 0}, {messages_.read.get(), POLLIN, 0}};
    ::poll(files, 2, static_cast<int>(std::min(left + 1, 1000.0)));
    keep_messages();
    if (files[0].revents != 0) return true;
  }
}

void FunctionProcess::keep_messages() {
  char buffer[1024];
  for (int i = 0; i < 64; ++i) {
    const ssize_t length = ::read(messages_.read.get(), buffer, sizeof buffer);
    if (length == 0) messages_.read.close();
    if (length <= 0) return;
    kept_messages_.append(buffer, static_cast<std::size_t>(length));
    if (kept_messages_.size() > max_kept_messages) {
      kept_messages_.erase(0, kept_messages_.size() - max_kept_messages);
    }
  }
}

tl::unexpected<base::Error> FunctionProcess::failure(std::string what) {
  kill();
  return base::fail(base::ErrorKind::unreadable_input, std::move(what));
}

// Its output has ended. It may not have ended itself yet, so it is killed unless it does at once.
tl::unexpected<base::Error> FunctionProcess::ended() {
  siginfo_t info{};
  for (int i = 0; i < 100 && info.si_pid == 0 && process_ > 0; ++i) {
    ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == 0) ::poll(nullptr, 0, 10);
  }
  keep_messages();
  if (info.si_pid == 0) return failure("it closed its output");
  const std::string line = last_line_of(kept_messages_);
  const std::string how = info.si_code == CLD_EXITED
                              ? fmt::format("it ended with exit code {}", info.si_status)
                              : fmt::format("it crashed ({})", ::strsignal(info.si_status));
  return failure(line.empty() ? how : fmt::format("{}: {}", how, line));
}

void FunctionProcess::kill() {
  if (process_ <= 0) return;
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
}

}  // namespace zermelo::app
