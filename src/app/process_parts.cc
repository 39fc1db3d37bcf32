#include "app/process_parts.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace zermelo::app {

void FileDescriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

bool Pipe::open() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  read = FileDescriptor(ends[0]);
  write = FileDescriptor(ends[1]);
  return true;
}

void set_limit(int resource, std::size_t value) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, value);
  ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

int read_start_error(const FileDescriptor& pipe) {
  int error = 0;
  ssize_t length = 0;
  do {
    length = ::read(pipe.get(), &error, sizeof error);
  } while (length < 0 && errno == EINTR);
  return length == sizeof error ? error : 0;
}

}  // namespace zermelo::app
