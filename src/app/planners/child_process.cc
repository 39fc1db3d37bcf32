// Between fork and exec the child only makes system calls, as other threads of this process may
// hold locks. If exec fails, it reports the error number through a pipe that exec closes.
//
// The parent polls the pipe of the output, the state of the child and the limits. When the child
// has ended, but is not yet waited for, its process number still belongs to it; then the whole
// group is killed. A program may also start processes in sessions of their own. They inherit a
// variable of the environment, by which they are found and killed, so that nothing that the program
// started survives it.
#include "app/planners/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string_view>

#include "app/process_parts.h"

namespace zermelo::app {
namespace {

constexpr int poll_milliseconds = 10;
constexpr int max_rounds = 100;  // of killing what the program started
constexpr const char* mark_name = "ZERMELO_CHILD";
constexpr std::size_t kept_output = 4096;
constexpr std::size_t max_quoted = 160;

// A variable of the environment that no other child has.
std::string new_mark() {
  static std::atomic<unsigned> number = 0;
  return fmt::format("{}={}-{}", mark_name, ::getpid(), ++number);
}

// Whether a process started with the variable in its environment.
bool has_mark(const std::filesystem::path& process, const std::string& mark) {
  std::ifstream environment(process / "environ", std::ios::binary);
  for (std::string variable; std::getline(environment, variable, '\0');) {
    if (variable == mark) return true;
  }
  return false;
}

// Returns whether there were any.
bool kill_marked_processes(const std::string& mark) {
  bool found = false;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (has_mark(entry.path(), mark)) found |= ::kill(std::stoi(name), SIGKILL) == 0;
  }
  return found;
}

class Child {
 public:
  explicit Child(const ChildCommand& command) : command_(command), mark_(new_mark()) {
    for (const std::string& argument : command.arguments)
      arguments_.push_back(const_cast<char*>(argument.c_str()));
    arguments_.push_back(nullptr);
    for (char** variable = environ; *variable; ++variable) {
      if (!std::string_view(*variable).starts_with(mark_name)) environment_.push_back(*variable);
    }
    environment_.push_back(mark_.data());
    environment_.push_back(nullptr);
  }

  base::Result<ChildEnd> run(const base::Limits& limits) {
    if (auto started = start(); !started) return tl::unexpected(started.error());
    while (!has_ended()) {
      const bool is_over = limits.exceeded().has_value();
      if (is_over || !read_output(poll_milliseconds)) {
        end_.how = is_over ? ChildEnd::How::stopped : ChildEnd::How::flooded;
        ::kill(-process_, SIGKILL);
        break;
      }
    }
    finish();
    return std::move(end_);
  }

 private:
  base::Result<void> start() {
    const char* input = command_.input.empty() ? "/dev/null" : command_.input.c_str();
    input_ = FileDescriptor(::open(input, O_RDONLY | O_CLOEXEC));
    if (input_.get() < 0 || !output_.open() || !failure_.open()) return cannot_run(errno);
    ::fcntl(output_.read.get(), F_SETFL, O_NONBLOCK);
    parent_ = ::getpid();
    process_ = ::fork();
    if (process_ < 0) return cannot_run(errno);
    if (process_ == 0) become_program();
    ::setpgid(process_, process_);
    output_.write.close();
    failure_.write.close();
    const int error = read_start_error(failure_.read);
    if (error == 0) return {};
    ::waitpid(process_, nullptr, 0);
    return cannot_run(error);
  }

  tl::unexpected<base::Error> cannot_run(int error) const {
    return base::fail(base::ErrorKind::unreadable_input,
                      fmt::format("cannot run {}: {}", command_.arguments[0],
                                  std::generic_category().message(error)));
  }

  [[noreturn]] void become_program() {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent_) ::_exit(1);
    if (command_.memory_bytes > 0) set_limit(RLIMIT_AS, command_.memory_bytes);
    set_limit(RLIMIT_FSIZE, max_child_file);
    set_limit(RLIMIT_CORE, 0);
    ::dup2(input_.get(), STDIN_FILENO);
    ::dup2(output_.write.get(), STDOUT_FILENO);
    ::dup2(output_.write.get(), STDERR_FILENO);
    if (::chdir(command_.folder.c_str()) == 0)
      ::execvpe(arguments_[0], arguments_.data(), environment_.data());
    const int error = errno;
    if (::write(failure_.write.get(), &error, sizeof error) < 0) ::_exit(2);
    ::_exit(1);
  }

  bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  }

  // Waits for output and keeps its end. False if there was too much of it.
  bool read_output(int milliseconds) {
    pollfd wanted{output_.read.get(), POLLIN, 0};
    ::poll(&wanted, 1, milliseconds);
    char buffer[4096];
    for (ssize_t length; (length = ::read(output_.read.get(), buffer, sizeof buffer)) > 0;) {
      end_.output.append(buffer, static_cast<std::size_t>(length));
      if (end_.output.size() > 2 * kept_output)
        end_.output.erase(0, end_.output.size() - kept_output);
      written_ += static_cast<std::size_t>(length);
      if (written_ > max_child_output) return false;
    }
    // Once the program has closed its output, poll returns at once.
    if (wanted.revents == POLLHUP) ::poll(nullptr, 0, milliseconds);
    return true;
  }

  void finish() {
    ::kill(-process_, SIGKILL);
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    // While processes are killed, they may start others.
    for (int i = 0; i < max_rounds && kill_marked_processes(mark_); ++i)
      ::poll(nullptr, 0, poll_milliseconds);
    read_output(0);
    if (end_.how != ChildEnd::How::exited) return;
    if (WIFSIGNALED(status)) end_.how = ChildEnd::How::signalled;
    end_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }

  const ChildCommand& command_;
  std::string mark_;
  std::vector<char*> arguments_, environment_;
  FileDescriptor input_;
  Pipe output_;
  Pipe failure_;
  pid_t parent_ = 0;
  pid_t process_ = 0;
  std::size_t written_ = 0;
  ChildEnd end_;
};

std::string last_line(const std::string& output) {
  const auto last = output.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return "";
  const auto before = output.find_last_of("\r\n", last);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  return output.substr(first, std::min(last + 1 - first, max_quoted));
}

}  // namespace

base::Result<ChildEnd> run_child(const ChildCommand& command, const base::Limits& limits) {
  return Child(command).run(limits);
}

std::string description(const ChildEnd& end) {
  const std::string line = last_line(end.output);
  const std::string quoted = line.empty() ? "" : ": " + line;
  switch (end.how) {
    case ChildEnd::How::exited:
      return fmt::format("ended with exit code {}{}", end.code, quoted);
    case ChildEnd::How::signalled:
      return fmt::format("crashed ({}){}", ::strsignal(end.code), quoted);
    case ChildEnd::How::stopped:
      return "was stopped at a limit" + quoted;
    case ChildEnd::How::flooded:
      return fmt::format("was stopped because it wrote more than {} MB of messages",
                         max_child_output >> 20);
  }
  return "";
}

}  // namespace zermelo::app
